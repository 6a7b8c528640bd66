//! What each phase of a solve takes.

use std::sync::{Mutex, PoisonError};

use tesuji::base::progress::Progress;

use super::measure::{Cost, Meter};

/// A phase with what it took, and the steps that it told.
struct Phase {
    name: String,
    cost: Cost,
    steps: u64,
}

/// The phases so far, and the meter of the one that goes on.
#[derive(Default)]
struct Running {
    phases: Vec<Phase>,
    meter: Option<Meter>,
}

/// Watches a solve and measures its phases. Distances beyond the third are one phase.
#[derive(Default)]
pub struct Phases(Mutex<Running>);

impl Phases {
    fn change(&self, next: Option<(&str, u64)>) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(meter), Some(phase)) = (running.meter.take(), running.phases.last_mut()) {
            phase.cost = phase.cost.plus(meter.stop());
        }
        let Some((stage, total)) = next else { return };
        // Stages are told as "layer 4-4: distance 3".
        let name = stage.rsplit(": ").next().unwrap_or(stage);
        let depth = name.strip_prefix("distance ");
        let late = depth.is_some_and(|depth| depth.parse().is_ok_and(|depth: u16| depth > 3));
        let name = if late { "later distances" } else { name };
        match running.phases.last_mut() {
            Some(phase) if phase.name == name => phase.steps += total,
            _ => running.phases.push(Phase {
                name: name.to_owned(),
                cost: Cost::default(),
                steps: total,
            }),
        }
        running.meter = Some(Meter::start());
    }

    /// Ends the last phase and prints all of them, with the CPU time for each of `slots`.
    pub fn print(self, title: &str, slots: u64) {
        self.change(None);
        let running = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        println!(
            "\n{title}\n{:<30} {:>8} {:>8} {:>11} {:>14}",
            "phase", "CPU s", "wall s", "ns a slot", "steps"
        );
        for phase in &running.phases {
            println!(
                "{:<30} {:>8.2} {:>8.2} {:>11.1} {:>14}",
                phase.name,
                phase.cost.cpu,
                phase.cost.wall,
                1e9 * phase.cost.cpu / slots as f64,
                phase.steps,
            );
        }
    }
}

impl Progress for Phases {
    fn begin(&self, stage: &str, total: u64) {
        self.change(Some((stage, total)));
    }

    fn advance(&self, _steps: u64) {}
}

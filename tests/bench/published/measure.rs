//! CPU time and memory of this process, and the table.

use std::fs;
use std::time::Instant;

/// What a stretch of work took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    pub cpu: f64,
    pub wall: f64,
    /// Greatest resident memory, in megabytes.
    pub peak: f64,
}

impl Cost {
    /// As if it had been done so many times; memory stays.
    pub const fn times(self, factor: f64) -> Self {
        Self {
            cpu: self.cpu * factor,
            wall: self.wall * factor,
            peak: self.peak,
        }
    }

    /// One after the other.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            cpu: self.cpu + other.cpu,
            wall: self.wall + other.wall,
            peak: self.peak.max(other.peak),
        }
    }
}

/// Measures from its start on.
pub struct Meter {
    cpu: f64,
    begun: Instant,
}

impl Meter {
    /// Starts measuring.
    pub fn start() -> Self {
        Self {
            cpu: cpu_seconds(),
            begun: Instant::now(),
        }
    }

    /// What was used since the start.
    pub fn stop(&self) -> Cost {
        Cost {
            cpu: cpu_seconds() - self.cpu,
            wall: self.begun.elapsed().as_secs_f64(),
            peak: peak_megabytes(),
        }
    }
}

/// Does the work and measures it.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    // From here on the kernel counts the peak anew.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let meter = Meter::start();
    let result = work();
    (result, meter.stop())
}

/// Whether this system tells a process its CPU time in the way we read it.
pub fn available() -> bool {
    fs::metadata("/proc/self/stat").is_ok()
}

/// User and system time of all threads. Linux counts it in ticks of 1/100 s.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may contain blanks.
    let (_, fields) = stat.rsplit_once(')').unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: f64 = ticks.filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}

fn peak_megabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    kilobytes
        .and_then(|text| text.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1024.0
}

/// Prints the head of the table.
pub fn print_head(title: &str) {
    println!(
        "\n{title}\n{:<58} {:>10} {:>10} {:>9} {:>8}",
        "method", "CPU s", "wall s", "peak MB", "ratio"
    );
}

/// Prints a row of the table; the ratio is of CPU time, to `unit`.
pub fn print_row(name: &str, cost: Cost, unit: Option<Cost>) {
    let ratio = unit.map_or(String::new(), |unit| format!("{:.1}", cost.cpu / unit.cpu));
    println!(
        "{name:<58} {:>10.2} {:>10.2} {:>9.0} {ratio:>8}",
        cost.cpu, cost.wall, cost.peak
    );
}

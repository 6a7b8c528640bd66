//! Progress on standard error: a bar on a terminal, plain lines otherwise.

use std::fmt::Write;
use std::io::IsTerminal;
use std::process::exit;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::ProgressStyle;

use tesuji::base::progress::{Estimate, Interim, Progress};
use tesuji::base::text::{grouped, percent};

/// Stages shorter than this print nothing.
const QUIET: Duration = Duration::from_secs(10);

/// The exit code of a program that Ctrl-C ended.
pub(super) const INTERRUPTED: u8 = 130;

/// Shows the progress of a long computation, with rate and remaining time.
pub(crate) struct ProgressBar {
    bar: Option<indicatif::ProgressBar>,
    stage: Mutex<Stage>,
    done: AtomicU64,
    /// Whether Ctrl-C was pressed.
    stopped: Arc<AtomicBool>,
    begun: Instant,
}

struct Stage {
    name: String,
    total: u64,
    begun: Instant,
    reported: Instant,
}

impl ProgressBar {
    /// Progress on standard error.
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = terminal.then(|| indicatif::ProgressBar::no_length().with_style(style(1)));
        let now = Instant::now();
        Self {
            bar,
            stage: Mutex::new(Stage {
                name: String::new(),
                total: 0,
                begun: now,
                reported: now,
            }),
            done: AtomicU64::new(0),
            stopped: Arc::default(),
            begun: now,
        }
    }

    /// Progress of a computation that keeps what it has when Ctrl-C is pressed. Pressed again,
    /// it ends the program.
    pub(crate) fn interruptible() -> Result<Self> {
        let progress = Self::new();
        let stopped = Arc::clone(&progress.stopped);
        ctrlc::set_handler(move || {
            if stopped.swap(true, Relaxed) {
                exit(INTERRUPTED.into());
            }
        })
        .context("cannot catch Ctrl-C")?;
        Ok(progress)
    }

    /// Removes the bar from the terminal.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A number that was estimated, with as many digits as it deserves: `about 35,000, +-2,100`.
pub(crate) fn estimated(estimate: Estimate) -> String {
    let Estimate { number, error } = estimate;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts of positions, which are shown to a few digits"
    )]
    let rounded = |number: f64, unit: f64| grouped(((number / unit).round() * unit) as u64);
    if error < 0.5 {
        return rounded(number, 1.0);
    }
    let unit = 10f64.powf((error.log10() - 1.0).floor().max(0.0));
    let [number, error] = [number, error].map(|it| rounded(it, unit));
    format!("about {number}, +-{error}")
}

/// The bar of a stage with this many steps; 0 means an unknown number.
fn style(total: u64) -> ProgressStyle {
    let template = if total == 0 {
        "{msg:32} {spinner} {pos} {per_sec} {elapsed}"
    } else {
        "{msg:32} {wide_bar} {percent:>3}% {per_sec} eta {eta}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Progress for ProgressBar {
    fn begin(&self, stage: &str, total: u64) {
        self.done.store(0, Relaxed);
        if let Some(bar) = &self.bar {
            bar.reset();
            bar.set_style(style(total));
            bar.set_length(total);
            bar.set_message(stage.to_owned());
        }
        if let Ok(mut current) = self.stage.lock() {
            stage.clone_into(&mut current.name);
            current.total = total;
            current.begun = Instant::now();
        }
    }

    fn note(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.println(message),
            None => eprintln!("{message}"),
        }
    }

    fn interim(&self, so_far: &[Interim]) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let mut text = format!("after {seconds:.0} s:");
        for sought in so_far {
            let best = sought.best.as_deref().unwrap_or("none found yet");
            let (name, estimate) = (&sought.name, estimated(sought.estimate));
            let _ = write!(text, "\n  {name:22} {estimate}; best so far: {best}");
        }
        self.note(&text);
    }

    fn cancelled(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Relaxed) + steps;
        if let Some(bar) = &self.bar {
            bar.inc(steps);
            return;
        }
        let Ok(mut stage) = self.stage.try_lock() else {
            return;
        };
        if stage.reported.elapsed() < QUIET {
            return;
        }
        stage.reported = Instant::now();
        let seconds = stage.begun.elapsed().as_secs_f64().max(0.001);
        let rate = done as f64 / seconds;
        let left = stage.total.saturating_sub(done) as f64 / rate.max(1.0);
        // Positions are counted in millions, pictures are not.
        let rate = if rate < 1e5 {
            format!("{rate:.0}")
        } else {
            format!("{:.1} million", rate / 1e6)
        };
        let (name, total) = (&stage.name, stage.total);
        if total == 0 {
            eprintln!("{name}: {done}, {rate} a second");
            return;
        }
        let share = percent(done, total);
        eprintln!("{name}: {share} of {total}, {rate} a second, {left:.0} s left in this stage");
    }
}

//! Progress and cancellation of long computations.

/// Observes a long computation, and can cancel it. Methods are called from several
/// threads.
pub trait Progress: Sync {
    /// A stage of `total` steps begins. Ignored by default.
    fn begin(&self, _stage: &str, _total: u64) {}
    /// Another `steps` steps of the current stage are done. Ignored by default.
    fn advance(&self, _steps: u64) {}
    /// A message for the user, in a sentence. Ignored by default.
    fn note(&self, _message: &str) {}
    /// What a scan has found so far, one entry for each thing sought. Ignored by default.
    fn interim(&self, _so_far: &[Interim]) {}
    /// Whether the computation should stop at the next opportunity, with an error.
    fn cancelled(&self) -> bool {
        false
    }
}

impl dyn Progress + '_ {
    /// Whether the computation goes on; otherwise this error.
    pub(crate) fn go_on<E>(&self, cancelled: E) -> Result<(), E> {
        if self.cancelled() {
            return Err(cancelled);
        }
        Ok(())
    }
}

/// What a scan has found so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Interim {
    /// The name of what is sought.
    pub name: String,
    /// How many were found.
    pub found: u64,
    /// How many there are, as far as one can tell.
    pub estimate: Estimate,
    /// The best one so far, in words.
    pub best: Option<String>,
}

/// A number that is estimated from a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub number: f64,
    /// In 95 of 100 cases the estimate is off by no more than this.
    pub error: f64,
}

/// Lets work end that would be cancelled: passes everything on, and never cancels.
pub(crate) struct Uncancelled<'p>(pub &'p dyn Progress);

impl Progress for Uncancelled<'_> {
    fn begin(&self, stage: &str, total: u64) {
        self.0.begin(stage, total);
    }

    fn advance(&self, steps: u64) {
        self.0.advance(steps);
    }

    fn note(&self, message: &str) {
        self.0.note(message);
    }

    fn interim(&self, so_far: &[Interim]) {
        self.0.interim(so_far);
    }
}

/// Ignores all progress and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}

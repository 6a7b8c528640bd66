//! Progress and cancellation of long computations.

/// Observes a long computation, and can cancel it. Methods are called from several
/// threads.
pub trait Watch: Sync {
    /// A stage of `total` steps begins.
    fn begin(&self, stage: &str, total: u64);
    /// Another `steps` steps of the current stage are done.
    fn advance(&self, steps: u64);
    /// A message for the user, in a sentence. Ignored by default.
    fn note(&self, _message: &str) {}
    /// Whether the computation should stop at the next opportunity, with an error.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Ignores all progress and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn begin(&self, _stage: &str, _total: u64) {}
    fn advance(&self, _steps: u64) {}
}

impl<W: Watch + ?Sized> Watch for &W {
    fn begin(&self, stage: &str, total: u64) {
        (**self).begin(stage, total);
    }

    fn advance(&self, steps: u64) {
        (**self).advance(steps);
    }

    fn note(&self, message: &str) {
        (**self).note(message);
    }

    fn cancelled(&self) -> bool {
        (**self).cancelled()
    }
}

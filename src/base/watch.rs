//! Watching long computations.

/// Someone who wants to know how a long computation is going.
pub trait Watch: Sync {
    /// A stage of `total` steps begins.
    fn begin(&self, stage: &str, total: u64);
    /// `steps` more are done.
    fn advance(&self, steps: u64);
    /// Something that people may want to know meanwhile, in a sentence.
    fn note(&self, _message: &str) {}
    /// Whether the work should stop at the next convenient point.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Nobody is watching.
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

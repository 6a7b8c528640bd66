//! Ends work whose client is gone, whose time is up, or whose server stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::client::Client;
use crate::base::progress::Progress;

/// Watches a client while its question is worked on.
#[derive(Debug)]
pub(super) struct ClientProgress {
    gone: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
    until: Instant,
}

impl ClientProgress {
    /// Watches a client, for at most this time. A connection is not read from any more, and
    /// must be shut down in the end.
    pub fn new(client: &dyn Client, stopping: &Arc<AtomicBool>, time: Duration) -> Self {
        let gone = Arc::new(AtomicBool::new(false));
        client.progress(&gone);
        Self {
            gone,
            stopping: Arc::clone(stopping),
            until: Instant::now() + time,
        }
    }

    /// Says that the client is gone.
    pub fn lost(&self) {
        self.gone.store(true, Relaxed);
    }

    /// Whether the time is up.
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.until
    }
}

impl Progress for ClientProgress {
    fn begin(&self, _stage: &str, _total: u64) {}

    fn advance(&self, _steps: u64) {}

    fn cancelled(&self) -> bool {
        self.gone.load(Relaxed) || self.stopping.load(Relaxed) || self.is_late()
    }
}

//! Ends work whose client is gone, whose time is up, or whose server stops.

use std::io::Read;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::base::watch::Watch;

/// Watches the connection of a client while its question is worked on.
#[derive(Debug)]
pub(super) struct ClientWatch {
    gone: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
    until: Instant,
}

impl ClientWatch {
    /// Watches a connection, for at most this time. The connection is not read from any
    /// more, and must be shut down in the end.
    pub fn new(stream: &TcpStream, stopping: &Arc<AtomicBool>, time: Duration) -> Self {
        let gone = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&gone);
        // Without a second handle, the client is noticed when it is written to.
        if let Ok(mut stream) = stream.try_clone() {
            std::thread::spawn(move || {
                let waits = stream.set_read_timeout(None).is_ok();
                // Nothing more is expected: a read returns at the end.
                let mut some = [0; 256];
                while waits && matches!(stream.read(&mut some), Ok(1..)) {}
                flag.store(true, Relaxed);
            });
        }
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

impl Watch for ClientWatch {
    fn begin(&self, _stage: &str, _total: u64) {}

    fn advance(&self, _steps: u64) {}

    fn cancelled(&self) -> bool {
        self.gone.load(Relaxed) || self.stopping.load(Relaxed) || self.is_late()
    }
}

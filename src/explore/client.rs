//! Who asks: a connection, or a request that is at hand as bytes.

use std::io;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::base::progress::Progress;

/// Where a request comes from, and where its answer goes.
pub(super) trait Client: Sync {
    /// Reads some bytes of the request, waiting for at most this time; 0 at the end.
    fn receive(&self, bytes: &mut [u8], patience: Duration) -> io::Result<usize>;

    /// Sends some bytes of the answer, each part of which must be taken in this time.
    fn send(&self, bytes: &[u8], patience: Duration) -> io::Result<()>;

    /// Has the flag set as soon as the client is gone. Nothing is received any more.
    fn progress(&self, gone: &Arc<AtomicBool>);
}

impl Client for TcpStream {
    fn receive(&self, bytes: &mut [u8], patience: Duration) -> io::Result<usize> {
        self.set_read_timeout(Some(patience))?;
        let mut stream = self;
        stream.read(bytes)
    }

    fn send(&self, bytes: &[u8], patience: Duration) -> io::Result<()> {
        self.set_write_timeout(Some(patience))?;
        let mut stream = self;
        stream.write_all(bytes)
    }

    fn progress(&self, gone: &Arc<AtomicBool>) {
        let flag = Arc::clone(gone);
        // Without a second handle or a thread, the client is noticed when it is written to.
        if let Ok(mut stream) = self.try_clone() {
            let _ = std::thread::Builder::new().spawn(move || {
                let waits = stream.set_read_timeout(None).is_ok();
                // Nothing more is expected: a read returns at the end.
                let mut some = [0; 256];
                while waits && matches!(stream.read(&mut some), Ok(1..)) {}
                flag.store(true, Relaxed);
            });
        }
    }
}

/// A request at hand, and what it is answered.
#[derive(Debug)]
pub(super) struct AtHand<'a> {
    request: Mutex<&'a [u8]>,
    answer: Mutex<Vec<u8>>,
}

impl<'a> AtHand<'a> {
    pub(super) fn new(request: &'a [u8]) -> Self {
        Self {
            request: Mutex::new(request),
            answer: Mutex::default(),
        }
    }

    pub(super) fn answer(self) -> Vec<u8> {
        let answer = self.answer.into_inner();
        answer.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client for AtHand<'_> {
    fn receive(&self, bytes: &mut [u8], _patience: Duration) -> io::Result<usize> {
        let mut left = self.request.lock().unwrap_or_else(PoisonError::into_inner);
        left.read(bytes)
    }

    fn send(&self, bytes: &[u8], _patience: Duration) -> io::Result<()> {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        answer.write_all(bytes)
    }

    fn progress(&self, _gone: &Arc<AtomicBool>) {}
}

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
    pub(super) fn new(client: &dyn Client, stopping: &Arc<AtomicBool>, time: Duration) -> Self {
        let gone = Arc::new(AtomicBool::new(false));
        client.progress(&gone);
        Self {
            gone,
            stopping: Arc::clone(stopping),
            until: Instant::now() + time,
        }
    }

    /// Says that the client is gone.
    pub(super) fn lost(&self) {
        self.gone.store(true, Relaxed);
    }

    pub(crate) fn is_late(&self) -> bool {
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

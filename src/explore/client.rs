//! Who asks: a connection, or a request that is at hand as bytes.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
        // Without a second handle, the client is noticed when it is written to.
        if let Ok(mut stream) = self.try_clone() {
            std::thread::spawn(move || {
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
    /// A request that is not yet answered.
    pub fn new(request: &'a [u8]) -> Self {
        Self {
            request: Mutex::new(request),
            answer: Mutex::default(),
        }
    }

    /// What was answered.
    pub fn answer(self) -> Vec<u8> {
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

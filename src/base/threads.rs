//! Threads, of which the system may give fewer than are asked for, or none.

use std::io;
use std::panic::resume_unwind;
use std::thread::{self, Builder};

use rayon::ThreadPoolBuilder;

/// Starts the threads that all work is shared among. Where nobody has called this, they start
/// with the first work, and a system that refuses one makes that panic.
///
/// # Errors
/// If the system refuses a thread.
pub fn start() -> io::Result<()> {
    let built = ThreadPoolBuilder::new().build_global();
    built.map_err(io::Error::other)
}

/// Calls `work` on as many threads as the current pool has, this one among them, or on as many
/// as the system gives. Returns an error of one of them, if there is any.
///
/// These threads do not belong to the pool. A thread of the pool that waits for other work
/// takes up another piece meanwhile, and unfinished pieces would pile up in memory.
pub(crate) fn beside_the_pool<E: Send>(work: impl Fn() -> Result<(), E> + Sync) -> Result<(), E> {
    thread::scope(|scope| {
        let others = 1..rayon::current_num_threads();
        let others = others.map_while(|_| Builder::new().spawn_scoped(scope, &work).ok());
        let others: Vec<_> = others.collect();
        others.into_iter().fold(work(), |done, other| {
            let other = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            done.and(other)
        })
    })
}

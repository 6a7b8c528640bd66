//! Threads, of which the system may give fewer than are asked for, or none.

use std::io;
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
/// as the system gives.
///
/// These threads do not belong to the pool. A thread of the pool that waits for other work
/// takes up another piece meanwhile, and unfinished pieces would pile up in memory.
pub(crate) fn beside_the_pool(work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            if Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

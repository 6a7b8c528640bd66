//! Threads, of which the system may give fewer than are asked for, or none.

use std::io;
use std::mem::{forget, replace, take};
use std::panic::resume_unwind;
use std::process::id;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, JoinHandle};

use rayon::ThreadPoolBuilder;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

/// Starts the threads that all work is shared among. Where nobody has called this, they start
/// with the first work, and a system that refuses one makes that panic.
///
/// # Errors
/// If the system refuses a thread.
pub fn start() -> io::Result<()> {
    let built = ThreadPoolBuilder::new().build_global();
    built.map_err(io::Error::other)
}

/// Begins work on a thread that nobody waits for. It is joined when another begins after its end: to
/// drop the handle of a thread that is just ending can read memory that is gone (glibc, bug 19951).
///
/// # Errors
/// If the system refuses the thread.
pub fn begin(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    static BEGUN: Mutex<(u32, Vec<JoinHandle<()>>)> = Mutex::new((0, Vec::new()));
    let thread = Builder::new().spawn(work)?;
    let (process, begun) = &mut *locked(&BEGUN);
    // A process that was forked has none of the threads of its parent.
    if replace(process, id()) != id() {
        take(begun).into_iter().for_each(forget);
    }
    let ended = begun.extract_if(.., |thread| thread.is_finished());
    ended.for_each(|thread| drop(thread.join()));
    begun.push(thread);
    Ok(())
}

/// Calls `work` with each number below `count`, on all threads of the pool. Rayon's machinery is
/// compiled here once, where it was a third of what was compiled for each game.
pub(crate) fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    each_together(count, 1, work);
}

fn each_together(count: usize, together: usize, work: &(dyn Fn(usize) + Sync)) {
    let numbers = (0..count).into_par_iter().with_min_len(together);
    numbers.for_each(work);
}

/// What `work` makes of each item, in their order, on all threads of the pool. Each item costs a
/// lock, so it should be some thousand steps of work.
pub(crate) fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    map_together(items, 1, work)
}

/// As [`map`]; a thread takes at least `together` items at a time.
pub(crate) fn map_together<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    together: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items = items.into_iter().map(|item| Mutex::new((Some(item), None)));
    let items: Vec<Mutex<(Option<T>, Option<R>)>> = items.collect();
    each_together(items.len(), together, &|place| {
        let mut pair = locked(&items[place]);
        pair.1 = pair.0.take().map(&work);
    });
    let done = items
        .into_iter()
        .map(|pair| pair.into_inner().unwrap_or_else(PoisonError::into_inner).1);
    done.flatten().collect()
}

/// As [`map`], for work that can fail. Of several errors that of the first item is returned.
pub(crate) fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    map(items, work).into_iter().collect()
}

/// Calls `work` with each item, as [`map`] does.
pub(crate) fn for_each<T: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
    map(items, work);
}

/// What a mutex guards, also if a thread has panicked that held it.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

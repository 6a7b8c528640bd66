//! Calls of the library: without the interpreter's lock, with progress and Ctrl-C, and
//! with no panic that crosses.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{mem, process, thread};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tesuji::base::progress::Progress;
use tesuji::session::SessionError;

use crate::errors::{exception, raised};

/// Time between two looks at signals, and between two reports.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// The process that called first, and the threads of one that was forked from it.
static FIRST: OnceLock<u32> = OnceLock::new();
static FORKED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs a call. A forked process does not have the threads of its parent, for which a call would
/// wait for ever, and gets its own.
pub(crate) fn threaded<T: Send>(call: impl FnOnce() -> T + Send) -> T {
    let here = process::id();
    if *FIRST.get_or_init(process::id) == here {
        return call();
    }
    let mut held = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = match &*held {
        Some((process, pool)) if *process == here => Arc::clone(pool),
        _ => {
            let pool = ThreadPoolBuilder::new().stack_size(1 << 23).build();
            let pool = pool.unwrap_or_else(|error| resume_unwind(Box::new(error.to_string())));
            let pool = Arc::new(pool);
            // Threads of the parent cannot be told to end.
            mem::forget(held.replace((here, Arc::clone(&pool))));
            pool
        }
    };
    drop(held);
    pool.install(call)
}

thread_local! {
    /// Whether rules are asked for a text.
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// The first error of rules that were asked for a text.
static FAILED: Mutex<Option<PyErr>> = Mutex::new(None);

/// Asks rules for a text, in the midst of a call.
pub(crate) fn text_of_rules<T>(ask: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let before = ASKED.replace(true);
    let found = ask();
    ASKED.set(before);
    found
}

/// Keeps an error that cannot be returned from where texts are made, until the call ends.
pub(crate) fn keep(error: PyErr) {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    failed.get_or_insert(error);
}

/// The error that was kept.
pub(crate) fn kept() -> PyResult<()> {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    failed.take().map_or(Ok(()), Err)
}

/// A call under way waits for the text that is asked for here, so another would wait for it.
fn enter(py: Python<'_>) -> PyResult<()> {
    if !ASKED.get() {
        return Ok(());
    }
    let message = "key() or parse() of rules asks tesuji, which waits for its answer; let it look at the state or the text alone";
    Err(exception(py, "RulesError", message))
}

/// What a call says of its progress, and whether it is to end.
#[derive(Default)]
pub(crate) struct Told {
    cancelled: AtomicBool,
    /// Something was reported.
    shown: AtomicBool,
    done: AtomicU64,
    stage: Mutex<(String, u64)>,
}

impl Progress for Told {
    fn begin(&self, stage: &str, total: u64) {
        let mut held = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *held = (stage.to_owned(), total);
        self.done.store(0, Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

impl Told {
    /// Ends the call.
    pub(crate) fn stop(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Reports to Python, and lets it answer signals.
    fn report(&self, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let Some(progress) = progress else {
                return Ok(());
            };
            let (stage, total) = {
                let held = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
                held.clone()
            };
            self.shown.store(true, Relaxed);
            progress.call1(py, (stage, self.done.load(Relaxed), total))?;
            Ok(())
        })
    }

    /// Says that it is over, if anything was said before.
    fn close(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        if let Some(progress) = progress
            && self.shown.load(Relaxed)
        {
            progress.call1(py, ("", 0, 0))?;
        }
        Ok(())
    }
}

/// A call that takes no time worth speaking of.
pub(crate) fn ask<T: Send>(
    py: Python<'_>,
    call: impl FnOnce() -> Result<T, SessionError> + Send,
) -> PyResult<T> {
    enter(py)?;
    let found = py.detach(|| catch_unwind(AssertUnwindSafe(|| threaded(call))));
    kept()?;
    answered(py, found)
}

/// A call that may take long. It runs on a thread of its own; this one asks Python for
/// signals and calls `progress` with the stage, the steps done and the steps in all.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    call: impl FnOnce(&dyn Progress) -> Result<T, SessionError> + Send,
) -> PyResult<T> {
    enter(py)?;
    let told = Told::default();
    let (found, stopped) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let told = &told;
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                // The receiver waits for as long as this takes.
                let _ = sender.send(catch_unwind(AssertUnwindSafe(|| threaded(|| call(told)))));
            });
            if let Err(error) = worker {
                return (None, Some(error.into()));
            }
            let mut stopped: Option<PyErr> = None;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(found) => return (Some(found), stopped),
                    Err(RecvTimeoutError::Disconnected) => return (None, stopped),
                    Err(RecvTimeoutError::Timeout) => {
                        if stopped.is_none()
                            && let Err(error) = told.report(progress)
                        {
                            told.stop();
                            stopped = Some(error);
                        }
                    }
                }
            }
        })
    });
    let closed = told.close(py, progress).and_then(|()| kept());
    match (found, stopped.or(closed.err())) {
        (_, Some(error)) => Err(error),
        (Some(found), None) => answered(py, found),
        (None, None) => Err(internal(&"a thread ended without an answer")),
    }
}

fn answered<T>(
    py: Python<'_>,
    found: Result<Result<T, SessionError>, Box<dyn Any + Send>>,
) -> PyResult<T> {
    match found {
        Ok(found) => found.map_err(|error| raised(py, &error)),
        Err(panic) => Err(internal(&*panic)),
    }
}

/// The message for a fault of the library itself.
pub(crate) fn fault(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no message");
    format!("a fault in tesuji, please report it: {text}")
}

fn internal(panic: &(dyn Any + Send)) -> PyErr {
    PyRuntimeError::new_err(fault(panic))
}

/// Progress of work on this thread, which asks Python itself when it looks whether to stop.
struct Here<'p> {
    told: Told,
    progress: Option<&'p Py<PyAny>>,
    /// When Python was last asked, and the error with which it answered.
    asked: Mutex<(Instant, Option<PyErr>)>,
}

impl Progress for Here<'_> {
    fn begin(&self, stage: &str, total: u64) {
        self.told.begin(stage, total);
    }

    fn advance(&self, steps: u64) {
        self.told.advance(steps);
    }

    fn cancelled(&self) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, stopped) = &mut *asked;
        if stopped.is_none() && last.elapsed() >= TICK {
            *last = Instant::now();
            *stopped = self.told.report(self.progress).err();
        }
        stopped.is_some()
    }
}

/// A call that may take long, and itself calls Python from the thread that called it.
pub(crate) fn here<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    call: impl FnOnce(&dyn Progress) -> PyResult<T> + Send,
) -> PyResult<T> {
    enter(py)?;
    let here = Here {
        told: Told::default(),
        progress,
        asked: Mutex::new((Instant::now(), None)),
    };
    let found = py.detach(|| catch_unwind(AssertUnwindSafe(|| threaded(|| call(&here)))));
    let asked = here.asked.into_inner();
    let (_, stopped) = asked.unwrap_or_else(PoisonError::into_inner);
    let closed = here.told.close(py, progress);
    if let Some(error) = stopped {
        return Err(error);
    }
    kept()?;
    let found = found.unwrap_or_else(|panic| Err(internal(&*panic)))?;
    closed.map(|()| found)
}

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

/// Asks rules for a text, in the midst of a call.
pub(crate) fn text_of_rules<T>(ask: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let before = ASKED.replace(true);
    let found = ask();
    ASKED.set(before);
    found
}

/// Ends a call with an error that cannot be returned from where texts are made. It goes the way of
/// a panic, from whichever thread of the call this is.
pub(crate) fn throw(error: PyErr) -> ! {
    resume_unwind(Box::new(error))
}

/// Calls, and returns what was thrown.
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> PyResult<T> {
    let found = catch_unwind(AssertUnwindSafe(call));
    found.map_err(|panic| match panic.downcast() {
        Ok(thrown) => *thrown,
        Err(panic) => fault(&*panic),
    })
}

/// The error for a fault of the library itself.
fn fault(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no message");
    PyRuntimeError::new_err(format!("a fault in tesuji, please report it: {text}"))
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
    /// The function that is called with the stage, the steps done and the steps in all.
    progress: Option<Py<PyAny>>,
    /// When Python was last asked whether to go on, if the call asks it itself.
    asked: Option<Mutex<Instant>>,
    /// The error with which Python answered.
    stopped: Mutex<Option<PyErr>>,
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
        if let Some(asked) = &self.asked {
            let mut last = asked.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() >= TICK {
                *last = Instant::now();
                self.report();
            }
        }
        self.cancelled.load(Relaxed)
    }
}

impl Told {
    /// Of a call that tells the function that `show_progress` chose, and asks Python itself or not.
    fn new(py: Python<'_>, asks: bool) -> PyResult<Self> {
        let module = py.import("tesuji_puzzles._progress")?;
        Ok(Self {
            progress: module.call_method0("chosen")?.extract()?,
            asked: asks.then(|| Mutex::new(Instant::now())),
            ..Self::default()
        })
    }

    /// Ends the call.
    pub(crate) fn stop(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Reports to Python, and lets it answer signals, until it has answered with an error.
    fn report(&self) {
        if self.cancelled.load(Relaxed) {
            return;
        }
        let told = Python::attach(|py| {
            py.check_signals()?;
            let Some(progress) = &self.progress else {
                return Ok(());
            };
            let (stage, total) = {
                let held = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
                held.clone()
            };
            self.shown.store(true, Relaxed);
            progress.call1(py, (stage, self.done.load(Relaxed), total))?;
            Ok(())
        });
        if let Err(error) = told {
            let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
            *stopped = Some(error);
            self.stop();
        }
    }

    /// Says that it is over, if anything was said before, and gives the answer, or the error that
    /// stopped it.
    fn ended<T>(self, py: Python<'_>, found: PyResult<T>) -> PyResult<T> {
        let closed = match &self.progress {
            Some(progress) if self.shown.load(Relaxed) => progress.call1(py, ("", 0, 0)).map(drop),
            _ => Ok(()),
        };
        let stopped = self.stopped.into_inner();
        let stopped = stopped.unwrap_or_else(PoisonError::into_inner);
        let found = stopped.map_or(found, Err)?;
        closed.map(|()| found)
    }
}

/// A call that takes no time worth speaking of.
pub(crate) fn ask<T: Send>(
    py: Python<'_>,
    call: impl FnOnce() -> Result<T, SessionError> + Send,
) -> PyResult<T> {
    enter(py)?;
    answered(py, py.detach(|| caught(|| threaded(call))))
}

/// A call that may take long. It runs on a thread of its own; this one asks Python for signals and
/// tells it of the progress.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    call: impl FnOnce(&dyn Progress) -> Result<T, SessionError> + Send,
) -> PyResult<T> {
    enter(py)?;
    let told = Told::new(py, false)?;
    let found = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let told = &told;
            thread::Builder::new().spawn_scoped(scope, move || {
                // The receiver waits for as long as this takes.
                let _ = sender.send(caught(|| threaded(|| call(told))));
            })?;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(found) => return found,
                    Err(RecvTimeoutError::Timeout) => told.report(),
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(fault(&"a thread ended without an answer"));
                    }
                }
            }
        })
    });
    told.ended(py, answered(py, found))
}

pub(crate) fn answered<T>(py: Python<'_>, found: PyResult<Result<T, SessionError>>) -> PyResult<T> {
    found?.map_err(|error| raised(py, &error))
}

/// A call that may take long, and itself calls Python from the thread that called it.
pub(crate) fn here<T: Send>(
    py: Python<'_>,
    call: impl FnOnce(&dyn Progress) -> PyResult<T> + Send,
) -> PyResult<T> {
    enter(py)?;
    let told = Told::new(py, true)?;
    let found = py.detach(|| caught(|| threaded(|| call(&told))));
    told.ended(py, found.flatten())
}

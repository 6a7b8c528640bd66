//! Running compilers and programs that may never end.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// How long a process may take. It may also use no more of a processor's time than that, so
/// that it ends even if this process is killed before.
pub const LIMIT: Duration = Duration::from_mins(1);

/// What a process left.
pub struct Ended {
    /// How it ended; `None` if it was stopped after [`LIMIT`].
    pub status: Option<ExitStatus>,
    /// The first bytes of its standard output.
    pub output: Vec<u8>,
    /// The first bytes of its standard error.
    pub errors: Vec<u8>,
}

/// The most bytes kept of what a process says on standard error.
const MOST_ERRORS: u64 = 1 << 20;

/// Runs a process with this text as its input, and keeps at most `most` bytes of its output:
/// if it writes more, its output is closed.
///
/// # Errors
/// If it cannot be started or waited for.
pub fn run(command: &mut Command, input: String, most: u64) -> io::Result<Ended> {
    limited(command);
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // All three by threads of their own: a process that answers while it reads would
    // otherwise wait for ever once a pipe is full.
    let stdin = child.stdin.take();
    let feeder = spawn(move || {
        // If the process ends early, its status says so.
        let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
    });
    let output = read(child.stdout.take(), most);
    let errors = read(child.stderr.take(), MOST_ERRORS);
    let status = ended(&mut child)?;
    if status.is_none() {
        // A process that it began may hold the pipes open for ever.
        return Ok(Ended {
            status,
            output: Vec::new(),
            errors: Vec::new(),
        });
    }
    let _ = feeder.join();
    Ok(Ended {
        status,
        output: output.join().unwrap_or_default(),
        errors: errors.join().unwrap_or_default(),
    })
}

/// Waits for a process; one that takes too long is killed.
fn ended(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Reads the first bytes of a pipe.
fn read<R: Read + Send + 'static>(pipe: Option<R>, most: u64) -> JoinHandle<Vec<u8>> {
    spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(most).read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Bounds the processor time of a process, and lets it end with this one where that is
/// possible.
#[cfg(unix)]
fn limited(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    let limits = || {
        let seconds = LIMIT.as_secs() as libc::rlim_t;
        let limit = libc::rlimit {
            rlim_cur: seconds,
            rlim_max: seconds,
        };
        // SAFETY: the structure is whole, and is only read. Both functions may be called
        // between fork and exec.
        unsafe {
            libc::setrlimit(libc::RLIMIT_CPU, &raw const limit);
            #[cfg(target_os = "linux")]
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        }
        Ok(())
    };
    // SAFETY: the closure takes no memory and no lock.
    unsafe { command.pre_exec(limits) };
}

/// Elsewhere only the time is bounded.
#[cfg(not(unix))]
fn limited(_command: &mut Command) {}

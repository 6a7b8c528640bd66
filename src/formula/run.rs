//! Compiling and running the source code of programs.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::policy::{AnswerKind, Policy};
use crate::base::threads::begin;
use crate::game::Language;

/// Why a program could not be run: there is no compiler or interpreter, or the program does not
/// compile, fails, takes too long or gives other answers than one number for each state.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct RunError(String);

/// The answers of a program to these states. `source` is source code with a function named
/// for the kind of answer, which is compiled and run in a temporary folder. The environment
/// variables `RUSTC`, `CC` and `PYTHON` name other compilers and interpreters.
///
/// # Errors
/// [`RunError`] if there is no compiler or interpreter, or the program fails.
pub fn run(
    source: &str,
    language: Language,
    kind: AnswerKind,
    codes: &[u64],
) -> Result<Vec<u64>, RunError> {
    let asked = |text: &str| text.replace("ASKED", kind.function());
    let unwritten = |error| {
        RunError(format!(
            "cannot write the program to a temporary folder: {error}"
        ))
    };
    let folder = tempfile::tempdir().map_err(unwritten)?;
    let path = |name: &str| folder.path().join(name);
    let put = |name: &str, text: &str| std::fs::write(path(name), text).map_err(unwritten);
    let tool =
        |variable: &str, tool: &str| std::env::var(variable).unwrap_or_else(|_| tool.to_owned());
    put(&format!("program.{}", language.extension()), source)?;
    let program = path("trial");
    let compiled = |compile: &mut Command, source: &str| {
        let compile = compile.arg(&program).arg(path(source));
        finished(compile, language, String::new(), 0)?;
        Ok(Command::new(&program))
    };
    let mut run = match language {
        Language::Rust => {
            put("trial.rs", &asked(include_str!("programs/trial.rs.txt")))?;
            let mut compile = Command::new(tool("RUSTC", "rustc"));
            // Warnings about the program do not matter here.
            compile.args(["--edition", "2021", "--cap-lints", "allow"]);
            compile.args(["-C", "opt-level=2", "-o"]);
            compiled(&mut compile, "trial.rs")?
        }
        Language::C => {
            put("trial.c", &asked(include_str!("programs/trial.c.txt")))?;
            let mut compile = Command::new(tool("CC", "cc"));
            compile.args(["-std=c99", "-O2", "-o"]);
            compiled(&mut compile, "trial.c")?
        }
        Language::Python => {
            put("trial.py", &asked(include_str!("programs/trial.py.txt")))?;
            let mut python = Command::new(tool("PYTHON", "python3"));
            // No modules but those in the temporary folder and the standard library.
            python.args(["-B", "-E", "-s"]).arg(path("trial.py"));
            python
        }
    };
    let lines: Vec<String> = codes.iter().map(u64::to_string).collect();
    // No answer needs more bytes than a number and a line end.
    let most = 24 * (codes.len() as u64 + 1);
    let input = lines.join("\n") + "\n";
    let output = finished(run.current_dir(folder.path()), language, input, most)?;
    let text = String::from_utf8_lossy(&output);
    let read = text.lines();
    let read = read.map(|line| line.trim().parse().map_err(|_| line));
    let why = match read.collect::<Result<Vec<u64>, &str>>() {
        Ok(answers) if answers.len() == codes.len() => return Ok(answers),
        Ok(_) => "it must not print or exit itself".to_owned(),
        Err(line) => {
            let line: String = line.chars().take(80).collect();
            format!("first line that is not a number: {line:?}")
        }
    };
    Err(RunError(format!(
        "the {} program gave {} answers for {} states; {why}",
        language.name(),
        text.lines().count(),
        codes.len()
    )))
}

/// Runs a process with this text as its input, and returns at most `most` bytes of its output.
fn finished(
    command: &mut Command,
    language: Language,
    input: String,
    most: u64,
) -> Result<Vec<u8>, RunError> {
    let ended = supervised(command, input, most);
    let tool = command.get_program();
    let language_name = language.name();
    let ended = ended.map_err(|error| {
        RunError(format!(
            "cannot start '{}' ({error}): install it, or leave {language_name} out of --verify",
            tool.display()
        ))
    })?;
    let tool = Path::new(tool).file_name().unwrap_or(tool).display();
    // A compiler gives no answers.
    let (work, worked) = if most == 0 {
        ("compile", "compiled")
    } else {
        ("run", "ran")
    };
    let Some(ended) = ended else {
        return Err(RunError(format!(
            "{tool} was stopped while it {worked} the {language_name} program: it took more than {} seconds, or left its output to a process that goes on",
            LIMIT.as_secs()
        )));
    };
    if ended.status.success() {
        return Ok(ended.stdout);
    }
    let message = String::from_utf8_lossy(&ended.stderr);
    // Python reports the error last, compilers first.
    let lines = message.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    let message = match (language, lines.as_slice()) {
        (_, []) => format!("no message, {}", ended.status),
        (Language::Python, [.., last]) => (*last).to_owned(),
        _ => lines[..lines.len().min(3)].join("; "),
    };
    Err(RunError(format!(
        "{tool} could not {work} the {language_name} program: {message}"
    )))
}

/// The states in which a program is wrong, with its answers; empty if it is right in every
/// state of the policy.
///
/// # Errors
/// [`RunError`] if there is no compiler or interpreter, or the program fails.
pub fn check(
    source: &str,
    language: Language,
    policy: &Policy,
) -> Result<Vec<(u64, u64)>, RunError> {
    let codes: Vec<u64> = policy.entries.iter().map(|entry| entry.code).collect();
    let answers = run(source, language, policy.kind(), &codes)?;
    let given = policy.entries.iter().zip(answers);
    let wrong = given.filter(|(entry, answer)| !policy.is_right(entry, *answer));
    Ok(wrong.map(|(entry, answer)| (entry.code, answer)).collect())
}

/// How long a process may take. It may also use no more of a processor's time than that, so
/// that it ends even if this process is killed before.
const LIMIT: Duration = Duration::from_mins(1);

/// How long the output of a process that has ended is waited for.
const GRACE: Duration = Duration::from_secs(5);

/// The most bytes kept of what a process says on standard error.
const MOST_ERRORS: u64 = 1 << 20;

/// Runs a process with this text as its input, and keeps at most `most` bytes of its output:
/// if it writes more, its output is closed. `None` if it was stopped after [`LIMIT`], or left its
/// output to another process that cannot be stopped.
fn supervised(command: &mut Command, input: String, most: u64) -> io::Result<Option<Output>> {
    limited(command);
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    AT_WORK.store(child.id(), Relaxed);
    // All three by threads of their own: a process that answers while it reads would
    // otherwise wait for ever once a pipe is full.
    let attend = || {
        let stdin = child.stdin.take();
        begin(move || {
            // If the process ends early, its status says so.
            let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
        })?;
        let output = read(child.stdout.take(), most)?;
        Ok((output, read(child.stderr.take(), MOST_ERRORS)?))
    };
    let attended: io::Result<_> = attend();
    let (output, errors) = attended.inspect_err(|_| drop(child.kill()))?;
    let status = ended(&mut child)?;
    // Processes that it has left behind hold the pipes open.
    end_group(child.id());
    AT_WORK.store(0, Relaxed);
    let begun = Instant::now();
    while begun.elapsed() < GRACE && !(output.is_finished() && errors.is_finished()) {
        sleep(Duration::from_millis(1));
    }
    let status = status.filter(|_| output.is_finished() && errors.is_finished());
    Ok(status.map(|status| Output {
        status,
        stdout: output.join().unwrap_or_default(),
        stderr: errors.join().unwrap_or_default(),
    }))
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

fn read<R: Read + Send + 'static>(pipe: Option<R>, most: u64) -> io::Result<JoinHandle<Vec<u8>>> {
    Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.map(|pipe| pipe.take(most).read_to_end(&mut bytes));
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
    command.process_group(0);
    // SAFETY: the closure takes no memory and no lock.
    unsafe { command.pre_exec(limits) };
}

/// Stops what a process has begun and left behind: its process group.
#[cfg(unix)]
fn end_group(child: u32) {
    if let Ok(group @ 1..) = libc::pid_t::try_from(child) {
        // SAFETY: the function takes numbers. The group is that of the child, which has the number
        // of the child as long as a member lives.
        unsafe { libc::killpg(group, libc::SIGKILL) };
    }
}

/// The process that was started last, if it goes on.
static AT_WORK: AtomicU32 = AtomicU32::new(0);

/// Lets a signal that ends this process end what it runs, too. It is for programs: the signals of a
/// process are not for a library to take.
#[cfg(unix)]
pub fn end_together() {
    extern "C" fn end(signal: libc::c_int) {
        end_group(AT_WORK.load(Relaxed));
        // SAFETY: these, and what is called above, may be called in a signal handler.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    let handler: extern "C" fn(libc::c_int) = end;
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler has the type that is expected. What is ignored stays so.
        unsafe {
            if libc::signal(signal, handler as libc::sighandler_t) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// Elsewhere only the time is bounded.
#[cfg(not(unix))]
fn limited(_command: &mut Command) {}

#[cfg(not(unix))]
fn end_group(_child: u32) {}

/// Elsewhere such signals are not known.
#[cfg(not(unix))]
pub const fn end_together() {}

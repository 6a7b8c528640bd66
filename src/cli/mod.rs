//! The command line: one file for each command.

#![expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]

/// Prints a message. If it cannot be written, on a full disk for instance, the program goes on.
macro_rules! eprintln {
    ($($words:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{}\n", format_args!($($words)*)))
            .unwrap_or(())
    };
}

mod args;
mod book;
mod check;
mod compose;
mod draw;
mod engine;
mod explore;
mod export;
mod formula;
mod lure;
mod manual;
mod mine;
mod nimbers;
mod play;
mod probe;
mod progress;
mod report;
mod score;
mod searches;
mod solution;
mod solve;
mod stats;
mod tables;
mod twins;

use std::process::{ExitCode, Termination};

use clap::{Parser, Subcommand};

use report::UNPRINTED;
use tesuji::base::text::{shortened, visible, with_causes};
use tesuji::base::threads;

/// Solve a game completely, mine the solution for puzzles, export and draw them.
///
/// A game is given by its spec: `ostle` is the published game (5x5, five pieces for each
/// side, two losses lose), `ostle:4x4,pieces=3,losses=2` is a smaller version; `kings:5x6`,
/// `regio:4x4` and `graph:FILE` are placement games; `neutreeko`, `mondrago` and `teeko` are
/// line-up games; `chess:KQ-KR` is a chess ending, `hexapawn` and `minichess` are small games of
/// pieces, and `rules:FILE` is any such game from a file; `dobutsu` is Dobutsu shogi;
/// `tictactoe` and `sliding:3x3` are the well-known games; `tsuitate` is shogi mate problems in
/// which Black does not see White's pieces. Sizes of boards are rows by columns.
#[derive(Debug, Parser)]
#[command(name = "tesuji", version, about, long_about, max_term_width = 100)]
#[command(
    after_help = "Start with: tesuji mine        (solves a small Ostle, mines it, writes output/)\n\nExit code: 0 done, 1 the answer is \"no\" (verify, check, --compare), 2 failure"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands, each with its arguments and the function that runs it.
macro_rules! commands {
    ($($name:ident($arguments:ty) => $run:path,)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($arguments),)+
        }

        impl Command {
            fn run(&self) -> anyhow::Result<ExitCode> {
                match self {
                    $(Self::$name(args) => $run(args).map(Termination::report),)+
                }
            }
        }
    };
}

commands! {
    Mine(mine::Args) => mine::run,
    Solve(solve::Args) => solve::run,
    Verify(stats::VerifyArgs) => stats::verify,
    Stats(stats::StatsArgs) => stats::stats,
    Info(tables::InfoArgs) => tables::info,
    Repack(tables::RepackArgs) => tables::repack,
    Probe(probe::Args) => probe::run,
    Solution(solution::Args) => solution::run,
    Check(check::Args) => check::run,
    Twins(twins::Args) => twins::run,
    Compose(compose::Args) => compose::run,
    Export(export::Args) => export::run,
    Draw(draw::Args) => draw::run,
    Style(draw::StyleArgs) => draw::style_sheet,
    Book(book::Args) => book::run,
    Explore(explore::Args) => explore::run,
    Features(mine::FeaturesArgs) => mine::features,
    Perft(searches::PerftArgs) => searches::perft,
    Reach(searches::ReachArgs) => searches::reach,
    Path(searches::PathArgs) => searches::path,
    Lure(lure::Args) => lure::run,
    Nimbers(nimbers::Args) => nimbers::run,
    Formula(formula::Args) => formula::run,
    Play(play::Args) => play::run,
    Engine(engine::Args) => engine::run,
    Completions(manual::CompletionsArgs) => manual::completions,
    Man(manual::ManArgs) => manual::man,
}

/// Parses the arguments and runs the command. Invalid input and failures print one message
/// on standard error and return exit code 2; a verification or comparison that finds
/// differences returns 1.
pub(crate) fn main() -> ExitCode {
    answer_signals();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return shown(&error),
    };
    if let Err(message) = start_threads() {
        eprintln!("tesuji: {message}");
        return ExitCode::from(2);
    }
    cli.command.run().unwrap_or_else(|error| {
        // A reader that closes the pipe, as `head` does, is not an error.
        let closed = error
            .chain()
            .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
            .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe);
        if closed {
            return ExitCode::SUCCESS;
        }
        let text = with_causes(error.as_ref());
        eprintln!("tesuji: {}", shortened(&visible(&text)));
        ExitCode::from(2)
    })
}

/// Prints help, a version, or what is wrong with the arguments.
fn shown(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        // It quotes what was given.
        let text = error.render().to_string();
        eprintln!("{}", visible(text.trim_end()));
        return ExitCode::from(2);
    }
    match error.print() {
        Err(fault) if fault.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("tesuji: {UNPRINTED}: {fault}");
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Starts the threads that share the work, but not beyond reason.
fn start_threads() -> Result<(), String> {
    const NAME: &str = "RAYON_NUM_THREADS";
    // For each processor.
    const MOST: usize = 16;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let given = |name| std::env::var(name).ok()?.parse::<usize>().ok();
    if let Some(stack) = given("RUST_MIN_STACK").filter(|stack| *stack < 2 << 20) {
        return Err(format!(
            "RUST_MIN_STACK is {stack}, less than the 2097152 bytes that a thread needs; unset it"
        ));
    }
    match given(NAME) {
        Some(asked) if asked > MOST * processors => Err(format!(
            "{NAME} is {asked}, more than {MOST} threads for each processor; unset it, or give the number of processors, {processors}"
        )),
        _ => threads::start().map_err(|error| format!(
            "cannot start the threads that share the work: {error}; ask for fewer with {NAME}=1, allow more processes (ulimit -u), or unset RUST_MIN_STACK"
        )),
    }
}

/// Lets the process end with a message and exit code 2 where it reads a mapped file beyond its
/// new end, and lets writing beyond the size that files may have (`ulimit -f`) fail like any other.
#[cfg(unix)]
fn answer_signals() {
    extern "C" fn lost(_signal: libc::c_int) {
        const MESSAGE: &[u8] = b"tesuji: a table was truncated, or could no longer be read, while it was in use; nothing was overwritten: restore the table and run the command again\n";
        // SAFETY: both functions may be called in a signal handler, and the bytes are static.
        unsafe {
            libc::write(2, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::_exit(2);
        }
    }
    let handler: extern "C" fn(libc::c_int) = lost;
    // SAFETY: an action of zeros is one without flags; the handler has the type that is
    // expected without SA_SIGINFO.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Elsewhere a mapped file cannot shrink.
#[cfg(not(unix))]
fn answer_signals() {}

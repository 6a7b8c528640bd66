//! The command line: one file for each command.

mod args;
mod book;
mod check;
mod check_many;
mod completions;
mod compose;
mod convert;
mod draw;
mod explore;
mod export;
mod features;
mod formula;
mod info;
mod lost_files;
mod lure;
mod man;
mod mine;
mod nimbers;
mod path;
mod perft;
mod play;
mod play_umpire;
mod probe;
mod probe_batch;
mod progress;
mod reach;
mod repack;
mod report;
mod solution;
mod solve;
mod stats;
mod style;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::base::text::{shortened, visible};

/// Solve a game completely, mine the solution for puzzles, export and draw them.
///
/// A game is given by its spec: `ostle` is the published game (5x5, five pieces for each
/// side, two losses lose), `ostle:4x4,pieces=3,losses=2` is a smaller version; `kings:5x6`,
/// `regio:4x4` and `graph:FILE` are placement games; `neutreeko`, `mondrago`, `teeko` and
/// `rules:FILE` are line-up games; `dobutsu` is Dobutsu shogi; `tictactoe` and `sliding:3x3`
/// are the well-known games; `tsuitate` is shogi mate problems in which Black does not see
/// White's pieces. Sizes of boards are rows by columns.
#[derive(Debug, Parser)]
#[command(name = "tesuji", version, about, long_about, max_term_width = 100)]
#[command(
    after_help = "Start with: tesuji mine        (solves a small Ostle, mines it, writes output/)\n\nExit code: 0 done, 1 the answer is \"no\" (verify, check, --compare), 2 it could not be done"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Mine(mine::Args),
    Solve(solve::Args),
    Verify(verify::Args),
    Stats(stats::Args),
    Info(info::Args),
    Repack(repack::Args),
    Probe(probe::Args),
    Solution(solution::Args),
    Check(check::Args),
    Compose(compose::Args),
    Export(export::Args),
    Draw(draw::Args),
    Style(style::Args),
    Book(book::Args),
    Explore(explore::Args),
    Features(features::Args),
    Perft(perft::Args),
    Reach(reach::Args),
    Path(path::Args),
    Lure(lure::Args),
    Nimbers(nimbers::Args),
    Formula(formula::Args),
    Play(play::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Parses the arguments and runs the command. Invalid input and failures print one message
/// on standard error and return exit code 2; a verification or comparison that finds
/// differences returns 1.
#[must_use]
pub fn main() -> ExitCode {
    lost_files::explain();
    let cli = Cli::parse();
    if let Err(message) = threads_in_reason() {
        eprintln!("tesuji: {message}");
        return ExitCode::from(2);
    }
    let result = match cli.command {
        Command::Mine(args) => mine::run(&args),
        Command::Draw(args) => draw::run(&args),
        Command::Style(args) => style::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Features(args) => features::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Repack(args) => repack::run(&args),
        Command::Probe(args) => probe::run(&args),
        Command::Compose(args) => compose::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Solution(args) => solution::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Reach(args) => reach::run(&args),
        Command::Path(args) => path::run(&args),
        Command::Lure(args) => lure::run(&args),
        Command::Nimbers(args) => nimbers::run(&args),
        Command::Formula(args) => formula::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    result.unwrap_or_else(|error| {
        // A reader that closes the pipe, as `head` does, is not an error.
        let closed = error
            .chain()
            .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
            .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe);
        if closed {
            return ExitCode::SUCCESS;
        }
        eprintln!("tesuji: {}", with_causes(&error));
        ExitCode::from(2)
    })
}

/// Refuses threads beyond reason, all of which would be started before any work is done.
fn threads_in_reason() -> Result<(), String> {
    const NAME: &str = "RAYON_NUM_THREADS";
    const MOST: usize = 1024;
    let asked = std::env::var(NAME).ok();
    let asked = asked.and_then(|text| text.parse::<usize>().ok());
    match asked {
        Some(asked) if asked > MOST => Err(format!(
            "{NAME} is {asked}, more than {MOST} threads; unset it, or give the number of processors"
        )),
        _ => Ok(()),
    }
}

/// An error with its causes, leaving out those that are already in the message.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    shortened(&visible(&text)).into_owned()
}

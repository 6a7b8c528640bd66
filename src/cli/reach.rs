//! `tesuji reach`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::args::{GameArgs, parse_bytes};
use super::progress::ProgressBar;
use super::report::{compared, print};
use crate::base::text::grouped;
use crate::session::{Published, ReachOptions, ReachReport};

/// Count the states that can be reached from the initial one, by distance.
///
/// A state is a position, up to symmetry and from the view of the side to move, with the
/// move that rule 8 forbids there, if any. Moves need not be good, and a finished game is
/// not a state. "Not reached" are states that a move from some position leads to, but that
/// no game reaches. The published game takes about 4 GB of memory.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji reach ostle:4x4,pieces=3,losses=2
  tesuji reach ostle --repetition up-to-symmetry --take-backs --compare table3.csv

Exit code with --compare: 0 if all rows agree, 1 if any differs.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Compare with published counts: a CSV file with the columns
    /// `plies_from_start,states`. Rows that differ are listed, and the exit code is 1. May
    /// be repeated.
    #[arg(long, value_name = "FILE.csv")]
    compare: Vec<PathBuf>,
    /// Also make the moves that rule 8 forbids, as in the published Table 3.
    #[arg(long)]
    take_backs: bool,
    /// The most memory to use, such as 9GiB; a game that needs more is refused.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    // Files are read first, so that an error in one does not cost a search.
    let published = Published::read(&args.compare, &["plies_from_start,states".to_owned()])?;
    let session = args.game.open(None)?;
    let options = ReachOptions {
        take_backs: args.take_backs,
        memory: args.memory,
    };
    let progress = ProgressBar::new();
    let found = session.searching()?.reach(options, &progress)?;
    progress.finish();
    let comparisons = published.compare(|_| found.counts());
    print(&compared(args.json, &found, &comparisons, as_text)?)?;
    Ok(ExitCode::from(u8::from(!comparisons.agree())))
}

fn as_text(found: &ReachReport) -> String {
    let mut text = format!("game         {}\n", found.game);
    let _ = writeln!(text, "states       {}", grouped(found.states));
    let _ = writeln!(text, "not reached  {}", grouped(found.not_reached));
    let _ = writeln!(text, "\n{:>5} {:>16}", "plies", "states");
    for row in &found.distances {
        let plies = row.plies_from_start;
        let _ = writeln!(text, "{plies:>5} {:>16}", grouped(row.states));
    }
    text
}

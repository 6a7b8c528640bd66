//! `tesuji perft`, `tesuji reach` and `tesuji path`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::cli::args::GameArgs;
use crate::cli::progress::ProgressBar;
use crate::cli::report::{answer, compared, print};
use tesuji::base::text::grouped;
use tesuji::session::{PathReport, Published, ReachOptions, ReachReport};

/// Count the sequences of exactly DEPTH moves from a position.
///
/// Rule 8 is obeyed. A move that ends the game counts only as the last move of a sequence.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji perft ostle initial 4
  tesuji perft ostle:3x3,pieces=2,losses=2 \"1ww/1o1/bb1 b -\" 5")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation, or 'initial'.
    position: String,
    /// Number of plies, at most 1000.
    depth: u32,
}

pub(super) fn perft(args: &PerftArgs) -> Result<()> {
    let session = args.game.open()?;
    let progress = ProgressBar::new();
    let lines = session.lines()?;
    let count = lines.perft(&args.position, args.depth, &progress)?;
    progress.finish();
    print(&format!("{count}\n"))
}

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
pub(crate) struct ReachArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Compare with published counts: a CSV file with the columns
    /// `plies_from_start,states`. Rows that differ are listed, and the exit code is 1. May
    /// be repeated.
    #[arg(long, value_name = "FILE.csv")]
    compare: Vec<PathBuf>,
    #[command(flatten)]
    options: ReachOptions,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn reach(args: &ReachArgs) -> Result<ExitCode> {
    // Files are read first, so that an error in one does not cost a search.
    let published = Published::read(&args.compare, &["plies_from_start,states".to_owned()])?;
    let session = args.game.open()?;
    let searching = session.searching()?;
    let found = searching.reach(args.options, &ProgressBar::new())?;
    let comparisons = published.compare(|_, _| found.counts());
    compared(args.json, &found, &comparisons, reach_as_text)
}

fn reach_as_text(found: &ReachReport) -> String {
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

/// Find a shortest sequence of legal moves from one position to another.
///
/// Positions are exact, not up to symmetry, and include the side to move. Rule 8 is obeyed,
/// and moves need not be good. If TO names a forbidden move, that move must be forbidden at
/// the end; otherwise, any or no move may be. In FROM, nothing is forbidden unless named.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji path ostle initial \"4w/b3w/b1o1w/b3w/b4 b\"
  tesuji path ostle:3x3,pieces=2,losses=2 initial \"1ww/1o1/bb1 w -\" --json")]
pub(crate) struct PathArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The first position, in the game's notation, or 'initial'.
    from: String,
    /// The last position.
    to: String,
    /// The most plies to try.
    #[arg(long, value_name = "N", default_value_t = 24)]
    max_plies: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn path(args: &PathArgs) -> Result<()> {
    let session = args.game.open()?;
    let (searching, most) = (session.searching()?, args.max_plies);
    let found = searching.path(&args.from, &args.to, most, &ProgressBar::new())?;
    answer(args.json, &found, path_as_text)
}

fn path_as_text(found: &PathReport) -> String {
    let mut text = format!("game   {}\nplies  {}\n\n", found.game, found.plies);
    let before = std::iter::once("").chain(found.moves.iter().map(String::as_str));
    for (ply, (mv, position)) in before.zip(&found.positions).enumerate() {
        let _ = writeln!(text, "{ply:>4}  {mv:<4}  {position}");
    }
    text
}

//! `tesuji perft`

use std::process::ExitCode;

use anyhow::Result;

use super::args::GameArgs;
use super::report::print;

/// Count the sequences of exactly DEPTH moves from a position.
///
/// Rule 8 is obeyed. A move that ends the game counts only as the last move of a sequence.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji perft ostle initial 4
  tesuji perft ostle:3x3,pieces=2,losses=2 \"1ww/1o1/bb1 b -\" 5")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation, or 'initial'.
    position: String,
    /// Number of plies, at most 1000.
    depth: u32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = args.game.open(None)?;
    let count = session.lines()?.perft(&args.position, args.depth)?;
    print(&format!("{count}\n"))?;
    Ok(ExitCode::SUCCESS)
}

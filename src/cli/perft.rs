//! `tesuji perft`

use std::process::ExitCode;

use anyhow::Result;

use super::args::GameArgs;
use super::report::print;

/// Count the move sequences of exactly DEPTH plies from a position.
///
/// Rule 8 is obeyed, and a finished game has no sequences: a move that ends the
/// game counts in the last ply only.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples: tesuji perft ostle initial 4\n          tesuji perft ostle:3x3,pieces=2,losses=2 \"1ww/1o1/bb1 b -\" 5"
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation, or 'initial'.
    position: String,
    /// Number of plies.
    depth: u32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = args.game.open(None)?;
    let count = session.lines()?.perft(&args.position, args.depth)?;
    print(&format!("{count}\n"))?;
    Ok(ExitCode::SUCCESS)
}

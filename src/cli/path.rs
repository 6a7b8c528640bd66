//! `tesuji path`

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;

use super::args::GameArgs;
use super::progress::ProgressBar;
use super::report::{json, print};

/// Find a shortest sequence of legal moves from one position to another.
///
/// Positions are exact, not up to symmetry, and include the side to move. Rule 8 is obeyed,
/// and moves need not be good. If TO names a forbidden move, that move must be forbidden at
/// the end; otherwise, any or no move may be. In FROM, nothing is forbidden unless named.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji path ostle initial \"4w/b3w/b1o1w/b3w/b4 b\"
  tesuji path ostle:3x3,pieces=2,losses=2 initial \"1ww/1o1/bb1 w -\" --json")]
pub struct Args {
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

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = args.game.open(None)?;
    let progress = ProgressBar::new();
    let most = args.max_plies;
    let found = session
        .searching()?
        .path(&args.from, &args.to, most, &progress)?;
    progress.finish();
    if args.json {
        print(&json(&found)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("game   {}\nplies  {}\n\n", found.game, found.plies);
    let before = std::iter::once("").chain(found.moves.iter().map(String::as_str));
    for (ply, (mv, position)) in before.zip(&found.positions).enumerate() {
        let _ = writeln!(text, "{ply:>4}  {mv:<4}  {position}");
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

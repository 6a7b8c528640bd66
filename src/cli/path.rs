//! `tesuji path`

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use super::common::{GameArgs, position, print};
use super::progress::Progress;
use crate::game::{Backward, Next};
use crate::games::registry::with_table_game;
use crate::solve::shortest_path;

/// Positions held in memory at most: 4 GB or less.
const MOST_POSITIONS: usize = 50_000_000;

/// Find a shortest sequence of legal moves from one position to another.
///
/// Positions are exact, not up to symmetry, with the side to move. Rule 8 is
/// observed, and nobody is obliged to win. If TO names no forbidden move, any state
/// of its position will do, whatever is forbidden there; if it names one, that
/// move must be the one forbidden at the end. In FROM, nothing is forbidden unless
/// named.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji path ostle initial \"4w/b3w/b1o1w/b3w/b4 b\"
  tesuji path ostle:3x3,pieces=2,losses=2 initial \"1ww/1o1/bb1 w -\" --json")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position to begin with, in the game's notation, or 'initial'.
    from: String,
    /// The position to end with.
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
    with_table_game!(args.game.game()?, game => path(&game, args))
}

fn path<G: Backward>(game: &G, args: &Args) -> Result<ExitCode> {
    let from = position(game, &args.from).context("FROM cannot be read")?;
    let to = position(game, &args.to).context("TO cannot be read")?;
    let progress = Progress::new();
    let moves = shortest_path(game, &from, &to, args.max_plies, MOST_POSITIONS, &progress);
    progress.finish();
    let moves = moves.with_context(|| {
        let (from, to) = (game.format_state(&from), game.format_state(&to));
        format!("no path from '{from}' to '{to}'")
    })?;
    let mut states = vec![from];
    for &mv in &moves {
        if let Some(Next::State(next)) = states.last().map(|state| game.play(state, mv)) {
            states.push(next);
        }
    }
    let names: Vec<_> = moves.iter().map(|&mv| game.format_move(mv)).collect();
    let positions: Vec<_> = states
        .iter()
        .map(|state| game.format_state(state))
        .collect();
    if args.json {
        let object = json!({
            "game": game.spec(),
            "from": positions.first(),
            "to": positions.last(),
            "plies": moves.len(),
            "moves": names,
            "positions": positions,
        });
        print(&format!("{object:#}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("game   {}\nplies  {}\n\n", game.spec(), moves.len());
    let before = std::iter::once("").chain(names.iter().map(String::as_str));
    for (ply, (mv, position)) in before.zip(&positions).enumerate() {
        let _ = writeln!(text, "{ply:>4}  {mv:<4}  {position}");
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

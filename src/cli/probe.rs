//! `tesuji probe`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};

use super::common::{GameArgs, heading, position, print};
use super::hidden::{self, HiddenArgs};
use super::{nimbers, solitaire, solution};
use crate::analysis::{Analysis, Step};
use crate::base::value::Value;
use crate::game::{Game, Moves, Ranked};
use crate::games::registry::AnyGame;
use crate::table::{Table, TableOracle};

/// Show every move of a position with its value, best first, and the best line.
///
/// Plies count to the end of the game, the last move included; the Ostle paper
/// counts to the checkmate position, one less. Without a position the initial one
/// is probed; without a table a small game is solved in passing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji probe ostle:4x4,pieces=3,losses=2
  tesuji probe ostle:3x3,pieces=2,losses=2 \"1ww/1o1/bb1 b -\" --json
  tesuji probe ostle --table output/ostle.tsj 22222-00000-00300-00000-11111
  tesuji probe tsuitate \"5S2k/9/8P/9/9/9/9/9/9 b BS 1\" --depth 9 --fouls 2")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation [default: the initial one].
    #[arg(num_args = 0..)]
    position: Vec<String>,
    /// The game's table.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Of games with nimbers: only who wins, which larger boards allow.
    #[arg(long, conflicts_with = "table")]
    outcome: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    hidden: HiddenArgs,
    /// Of games with hidden information: tell how long the search took.
    #[arg(long)]
    times: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let game = args.game.game()?;
    if let AnyGame::Tsuitate(game) = &game {
        if args.table.is_some() || args.outcome {
            bail!(
                "{} has neither tables nor nimbers: leave --table and --outcome out",
                game.spec()
            );
        }
        let text = args.position.join(" ");
        return hidden::probe(game, &text, args.hidden, (args.json, args.times));
    }
    args.hidden.none_of(&game.spec())?;
    if args.times {
        bail!("--times is for games with hidden information; leave it out");
    }
    let path = args.table.as_ref();
    match game {
        AnyGame::Ostle(game) => probe(&game, args, || solution::load(&game, path)),
        AnyGame::TicTacToe(game) => probe(&game, args, || solution::load(&game, path)),
        AnyGame::Sliding(game) => {
            game.solvable()?;
            probe(&game, args, || solitaire::load(&game, path))
        }
        // A table has plies, a search nimbers.
        AnyGame::Placement(game) if args.table.is_none() => {
            nimbers::probe(&game, &args.position.join(" "), (args.outcome, args.json))
        }
        AnyGame::Placement(game) => {
            game.numbered()?;
            probe(&game, args, || solution::load(&game, path))
        }
        AnyGame::Tsuitate(_) => unreachable!("answered above"),
    }
}

fn probe<G: Moves + Ranked>(
    game: &G,
    args: &Args,
    load: impl FnOnce() -> Result<Table>,
) -> Result<ExitCode> {
    // The position is read first: a slip in it should not cost a solve.
    let state = position(game, &args.position.join(" "))?;
    let table = load()?;
    let oracle = TableOracle::new(&table, game)?;
    let analysis = Analysis::new(game, &oracle, &state)?;
    let line = analysis.line(game, &oracle)?;
    let text = if args.json {
        format!("{:#}\n", as_json(game, &table, &state, &analysis, &line))
    } else {
        as_text(game, &state, &analysis, &line)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn as_json<G: Moves>(
    game: &G,
    table: &Table,
    state: &G::State,
    analysis: &Analysis<G>,
    line: &[Step<G::State, G::Move>],
) -> Json {
    let valued = |value: Value| {
        (
            value.outcome().name(),
            value.plies(),
            value.plies_to_checkmate(),
        )
    };
    let moves: Vec<_> = analysis
        .rated()
        .iter()
        .map(|rated| {
            let (outcome, plies, _) = valued(rated.value);
            json!({ "move": game.format_move(rated.mv), "outcome": outcome, "plies": plies })
        })
        .collect();
    let (outcome, plies, plies_to_checkmate) = valued(analysis.value());
    json!({
        "game": game.spec(),
        "position": game.format_state(state),
        "side": game.side_to_move(state),
        "outcome": outcome,
        "plies": plies,
        "plies_to_checkmate": plies_to_checkmate,
        "moves": moves,
        "line": line.iter().map(|step| game.format_move(step.mv)).collect::<Vec<_>>(),
        "uniqueness": analysis.uniqueness(),
        "fingerprint": table.description().fingerprint,
    })
}

fn as_text<G: Moves>(
    game: &G,
    state: &G::State,
    analysis: &Analysis<G>,
    line: &[Step<G::State, G::Move>],
) -> String {
    let mut text = heading(game, state);
    let side = game.side_to_move(state);
    let _ = writeln!(
        text,
        "value     {} ({side} to move)\n",
        in_words(analysis.value())
    );
    for rated in analysis.rated() {
        let _ = writeln!(
            text,
            "{:>8}  {}",
            game.format_move(rated.mv),
            in_words(rated.value)
        );
    }
    let moves: Vec<_> = line.iter().map(|step| game.format_move(step.mv)).collect();
    let _ = writeln!(text, "\nline      {}", moves.join(" "));
    text
}

fn in_words(value: Value) -> String {
    match value.plies() {
        Some(1) => format!("{} in 1 ply", value.outcome()),
        Some(plies) => format!("{} in {plies} plies", value.outcome()),
        None => "draw".to_owned(),
    }
}

//! `tesuji stats`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::common::{GameArgs, grouped, print};
use super::progress::Progress;
use super::solution;
use crate::game::{Arrivals, Game, Ranked};
use crate::games::registry::AnyGame;
use crate::table::{Statistics, Table, statistics};

/// Count positions and states of a solved game, by layer and by distance.
///
/// States are the possibly reachable ones (some move of some position leads to
/// them) of positions that are not checkmate, up to symmetry.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji stats ostle:4x4,pieces=3,losses=2 --json")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The game's table; without it a small game is solved in passing.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    match args.game.game()? {
        AnyGame::Ostle(game) => stats(&game, args),
    }
}

fn stats<G: Arrivals>(game: &G, args: &Args) -> Result<ExitCode> {
    let table = solution::load(game, args.table.as_ref())?;
    let progress = Progress::new();
    let counted = statistics(&table, game, &progress)?;
    progress.finish();
    let text = if args.json {
        format!("{:#}\n", as_json(game, &table, &counted))
    } else {
        as_text(game, &table, &counted)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn example<G: Ranked>(game: &G, slot: u64, forbidden: Option<u8>) -> String {
    let state = game.unrank(slot);
    let state = match forbidden {
        Some(number) => state.and_then(|state| game.forbid(&state, number)),
        None => state,
    };
    state
        .map(|state| game.format_state(&state))
        .unwrap_or_default()
}

fn as_json<G: Ranked>(game: &G, table: &Table, counted: &Statistics) -> Json {
    let layers: Vec<_> = counted
        .layers()
        .iter()
        .map(|layer| json!({ "layer": layer.name, "positions": layer.positions, "checkmate_positions": layer.checkmates }))
        .collect();
    let histogram: Vec<_> = counted
        .histogram()
        .map(|row| {
            json!({
                "plies_to_checkmate": row.plies_to_checkmate,
                "outcome": row.outcome.name(),
                "states": row.states,
                "example": example(game, row.example, row.example_forbidden),
            })
        })
        .collect();
    json!({
        "game": Game::spec(game),
        "positions": counted.positions(),
        "checkmate_positions": counted.checkmate_positions(),
        "states": counted.states(),
        "layers": layers,
        "histogram": histogram,
        "fingerprint": table.description().fingerprint,
    })
}

fn as_text<G: Ranked>(game: &G, table: &Table, counted: &Statistics) -> String {
    let mut text = format!("game                 {}\n", Game::spec(game));
    let _ = writeln!(
        text,
        "fingerprint          {}",
        table.description().fingerprint
    );
    let _ = writeln!(
        text,
        "positions            {}",
        grouped(counted.positions())
    );
    let _ = writeln!(
        text,
        "checkmate positions  {}",
        grouped(counted.checkmate_positions())
    );
    let _ = writeln!(text, "states               {}", grouped(counted.states()));
    let _ = writeln!(
        text,
        "\n{:>7} {:>16} {:>16}",
        "layer", "positions", "checkmate"
    );
    for layer in counted.layers() {
        let (positions, checkmates) = (grouped(layer.positions), grouped(layer.checkmates));
        let _ = writeln!(text, "{:>7} {positions:>16} {checkmates:>16}", layer.name);
    }
    let _ = writeln!(
        text,
        "\nplies to checkmate (the winning move itself is one ply more)\n{:>7} {:>7} {:>16}  example",
        "plies", "outcome", "states"
    );
    for row in counted.histogram() {
        let plies = row
            .plies_to_checkmate
            .map_or("-".to_owned(), |plies| plies.to_string());
        let example = example(game, row.example, row.example_forbidden);
        let _ = writeln!(
            text,
            "{plies:>7} {:>7} {:>16}  {example}",
            row.outcome.name(),
            grouped(row.states)
        );
    }
    text
}

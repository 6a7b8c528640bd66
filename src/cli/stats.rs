//! `tesuji stats`

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::{Value as Json, json};

use super::common::{GameArgs, grouped, parse_game, print};
use super::progress::Progress;
use super::published::{Counts, Published};
use super::{solitaire, solution};
use crate::game::{Classified, Game, Ranked, Retrograde};
use crate::games::registry::{AnyGame, with_table_game};
use crate::table::{Statistics, Table, difference, statistics};

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
    /// Compare with published counts: a CSV file with the columns
    /// `plies_to_checkmate,states` or `hole,player_pieces,opponent_pieces,positions`.
    /// Rows that differ are listed, and the exit code is 1. May be given repeatedly.
    #[arg(long, value_name = "FILE.csv")]
    compare: Vec<PathBuf>,
    /// Compare with a table of the same game under the other reading of rule 8.
    #[arg(long, value_name = "TABLE")]
    against: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let game = args.game.game()?;
    if let AnyGame::Sliding(game) = &game {
        if args.against.is_some() || !args.compare.is_empty() {
            bail!("--compare and --against are for games of two players; leave them out");
        }
        game.solvable()?;
        let table = solitaire::load(game, args.table.as_ref())?;
        print(&solitaire::stats(game, &table, args.json)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(path) = &args.against else {
        return with_table_game!(game, game => stats(&game, args));
    };
    let spec = Table::open(path)?.description().game.clone();
    let other = parse_game(&spec, None)
        .with_context(|| format!("{} names a game unknown here", path.display()))?;
    match (game, other) {
        (AnyGame::Ostle(game), AnyGame::Ostle(other)) => against(&game, &other, path, args),
        (game, _) => bail!(
            "--against compares the two readings of Ostle's rule 8, not {} and {spec}",
            game.spec()
        ),
    }
}

fn stats<G: Classified>(game: &G, args: &Args) -> Result<ExitCode> {
    let known = known_columns(game);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    // Files are read first: a slip in one should not cost the counting.
    let published = Published::read(&args.compare, &known)?;
    let table = solution::load(game, args.table.as_ref())?;
    let progress = Progress::new();
    let counted = statistics(&table, game, &progress)?;
    progress.finish();
    let comparisons = published.compare(|which| counts(game, &counted, which));
    print(&comparisons.report(
        args.json,
        || as_json(game, &table, &counted),
        || as_text(game, &table, &counted),
    ))?;
    Ok(comparisons.exit_code())
}

/// Compares two tables of one game under the two readings of rule 8.
fn against<G: Retrograde>(game: &G, other: &G, path: &Path, args: &Args) -> Result<ExitCode> {
    let table = solution::load(game, args.table.as_ref())?;
    let other_table = Table::open(path)?;
    let progress = Progress::new();
    let found = difference(&table, game, &other_table, other, &progress)?;
    progress.finish();
    let examples: Vec<_> = found
        .examples
        .iter()
        .map(|&(slot, forbidden)| {
            let value = |table: &Table| {
                let value = table.record(slot)?.without(forbidden);
                anyhow::Ok(value.to_string())
            };
            let state = example(game, slot, forbidden);
            Ok((state, value(&table)?, value(&other_table)?))
        })
        .collect::<Result<_>>()?;
    let text = if args.json {
        let examples: Vec<_> = examples
            .iter()
            .map(|(state, here, there)| json!({ "state": state, "value": here, "other_value": there }))
            .collect();
        let json = json!({
            "game": Game::spec(game),
            "other": Game::spec(other),
            "positions_with_other_records": found.records,
            "positions_with_other_values": found.positions,
            "states_with_other_values": found.states,
            "states_with_other_outcomes": found.outcomes,
            "examples": examples,
        });
        format!("{json:#}\n")
    } else {
        let mut text = format!(
            "game   {}\nother  {}\n\n",
            Game::spec(game),
            Game::spec(other)
        );
        for (count, what) in [
            (
                found.positions,
                "positions are worth something else, nothing being forbidden",
            ),
            (
                found.records,
                "positions have some state (reachable or not) worth something else",
            ),
            (
                found.states,
                "possibly reachable states are worth something else",
            ),
            (
                found.outcomes,
                "of these have another outcome, not only another distance",
            ),
        ] {
            let _ = writeln!(text, "{:>14} {what}", grouped(count));
        }
        for (state, here, there) in &examples {
            let _ = writeln!(text, "\n{state}\n  here {here}, other {there}");
        }
        text
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The headers of files that can be compared.
fn known_columns<G: Classified>(game: &G) -> [String; 2] {
    [
        "plies_to_checkmate,states".to_owned(),
        format!(
            "{},player_pieces,opponent_pieces,positions",
            game.criterion()
        ),
    ]
}

/// Our counts in the terms of a file with the header of number `which`.
fn counts<G: Classified>(game: &G, counted: &Statistics, which: usize) -> Counts {
    if which == 0 {
        let mut counts = Counts::new();
        for row in counted.histogram() {
            let plies = row.plies_to_checkmate;
            let name = plies.map_or("draw".to_owned(), |plies| plies.to_string());
            *counts.entry(vec![name]).or_default() += row.states;
        }
        return counts;
    }
    let classes = game.classes();
    let layers = counted.layers().iter().flat_map(|layer| {
        let (own, opponent) = layer.name.split_once('-').unwrap_or((&layer.name, ""));
        let names = classes
            .iter()
            .map(move |class| vec![class.clone(), own.to_owned(), opponent.to_owned()]);
        names.zip(layer.classes.iter().copied())
    });
    layers.filter(|&(_, count)| count > 0).collect()
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

fn as_json<G: Classified>(game: &G, table: &Table, counted: &Statistics) -> Json {
    let layers: Vec<_> = counted
        .layers()
        .iter()
        .map(|layer| {
            let classes: serde_json::Map<_, _> = game
                .classes()
                .into_iter()
                .zip(layer.classes.iter().map(|&count| count.into()))
                .collect();
            json!({
                "layer": layer.name,
                "positions": layer.positions,
                "checkmate_positions": layer.checkmates,
                game.criterion(): classes,
            })
        })
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

fn as_text<G: Classified>(game: &G, table: &Table, counted: &Statistics) -> String {
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
    let _ = write!(text, "\n{:>7}", game.criterion());
    for layer in counted.layers() {
        let _ = write!(text, " {:>16}", layer.name);
    }
    text.push('\n');
    for (class, name) in game.classes().iter().enumerate() {
        let _ = write!(text, "{name:>7}");
        for layer in counted.layers() {
            let _ = write!(text, " {:>16}", grouped(layer.classes[class]));
        }
        text.push('\n');
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

//! `tesuji nimbers`, and `tesuji probe` for games with nimbers.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use rayon::prelude::*;
use serde_json::json;

use super::common::{grouped, heading, parse_game, position, print};
use super::output::put;
use super::progress::Progress;
use crate::base::value::Outcome;
use crate::base::watch::Watch;
use crate::game::{Effort, Nimber, outcome_of};
use crate::game::{Impartial, Judged};
use crate::games::registry::AnyGame;

/// List who wins on all boards of a placement game up to a size, with nimbers.
///
/// A row a board: who wins for the next player, its nimber, by what it is known (a
/// theorem or a search), how many questions the search asked and how many shapes it
/// kept. With a greater size for outcomes, further boards are listed without nimbers.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji nimbers kings 6x6
  tesuji nimbers regio 7x10 --outcomes 8x9 --output regio.csv")]
pub struct Args {
    /// kings or regio.
    #[arg(value_name = "FAMILY")]
    family: String,
    /// The largest board: rows x columns, with no more rows than columns.
    #[arg(value_name = "SIZE", value_parser = parse_size)]
    size: (usize, usize),
    /// The largest board of which only the outcome is wanted.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    outcomes: Option<(usize, usize)>,
    /// The CSV file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite a file with other content.
    #[arg(long)]
    force: bool,
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x');
    let size = sides.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    size.filter(|&(rows, columns)| 0 < rows && rows <= columns)
        .ok_or_else(|| {
            "a size is rows x columns, such as 8x9, with no more rows than columns".to_owned()
        })
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    if !matches!(args.family.as_str(), "kings" | "regio") {
        bail!(
            "'{}' is no family of boards with nimbers; try kings or regio",
            args.family
        );
    }
    let within = |(rows, columns): (usize, usize), (most_rows, most_columns): (usize, usize)| {
        rows <= most_rows && columns <= most_columns
    };
    let largest = args.outcomes.unwrap_or(args.size);
    let (rows, columns) = (largest.0.max(args.size.0), largest.1.max(args.size.1));
    let all = (1..=rows).flat_map(|m| (m..=columns).map(move |n| (m, n)));
    let mut boards: Vec<_> = all
        .filter(|&board| within(board, args.size) || within(board, largest))
        .collect();
    // Those that take longest come first, so that no thread is left with one.
    boards.sort_by_key(|(m, n)| std::cmp::Reverse(m * n));
    let progress = Progress::new();
    progress.begin("asking", 0);
    let one_by_one = boards.into_par_iter().with_max_len(1);
    let rows: Result<Vec<_>> = one_by_one
        .map(|(m, n)| {
            let spec = format!("{}:{m}x{n}", args.family);
            let AnyGame::Placement(game) = parse_game(&spec, None)? else {
                bail!("{spec} has no nimbers");
            };
            let cells = row(&game, within((m, n), args.size), &progress)?;
            Ok(((m, n), format!("{},{m},{n},{cells}\n", args.family)))
        })
        .collect();
    progress.finish();
    let mut rows = rows?;
    rows.sort();
    let head = "game,rows,columns,outcome,nimber,by,nodes,shapes\n".to_owned();
    let text = rows.into_iter().fold(head, |text, (_, row)| text + &row);
    match &args.output {
        Some(path) => put(path, text.as_bytes(), args.force)?,
        None => print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The cells of a board's row after its size.
fn row<G: Impartial>(game: &G, exact: bool, watch: &impl Watch) -> Result<String> {
    let judged = judge(game, &game.initial(), !exact, watch)?;
    let Effort { nodes, kept } = game.effort();
    let nimber = judged
        .nimber
        .map_or(String::new(), |nimber| nimber.to_string());
    // What theorems say has no comma.
    Ok(format!(
        "{},{nimber},{},{nodes},{kept}",
        judged.outcome, judged.by
    ))
}

/// Who wins, and unless only the outcome is wanted, the nimber.
fn judge<G: Impartial>(
    game: &G,
    state: &G::State,
    outcome: bool,
    watch: &impl Watch,
) -> Result<Judged> {
    if outcome {
        return Ok(game.outcome(state, watch)?);
    }
    if let Some(judged) = game.known(state).filter(|judged| judged.nimber.is_some()) {
        return Ok(judged);
    }
    let nimber = game.nimber(state, watch)?;
    Ok(Judged {
        outcome: outcome_of(nimber),
        by: "search".to_owned(),
        nimber: Some(nimber),
    })
}

/// Probes a position: its nimber, and every move's.
pub fn probe<G: Impartial>(
    game: &G,
    text: &str,
    (outcome, json): (bool, bool),
) -> Result<ExitCode> {
    let state = position(game, text)?;
    let progress = Progress::new();
    progress.begin("asking", 0);
    let judged = judge(game, &state, outcome, &progress)?;
    let moves = if outcome {
        Vec::new()
    } else {
        let mut moves = game.options(&state, &progress)?;
        // Winning moves first.
        moves.sort_by_key(|&(_, nimber)| nimber != 0);
        moves
    };
    progress.finish();
    print(&if json {
        format!("{:#}\n", as_json(game, &state, &judged, &moves))
    } else {
        as_text(game, &state, &judged, &moves)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn as_json<G: Impartial>(
    game: &G,
    state: &G::State,
    judged: &Judged,
    moves: &[(G::Move, Nimber)],
) -> serde_json::Value {
    let of_move = |&(mv, nimber): &(G::Move, Nimber)| {
        let outcome = outcome_of(nimber).reversed().name();
        json!({ "move": game.format_move(mv), "outcome": outcome, "nimber": nimber })
    };
    json!({
        "game": game.spec(),
        "position": game.format_state(state),
        "side": game.side_to_move(state),
        "outcome": judged.outcome.name(),
        "nimber": judged.nimber,
        "by": judged.by,
        "moves": moves.iter().map(of_move).collect::<Vec<_>>(),
        "nodes": game.effort().nodes,
    })
}

fn as_text<G: Impartial>(
    game: &G,
    state: &G::State,
    judged: &Judged,
    moves: &[(G::Move, Nimber)],
) -> String {
    let mut text = heading(game, state);
    let side = game.side_to_move(state);
    let end = if judged.outcome == Outcome::Win {
        "wins"
    } else {
        "loses"
    };
    let _ = writeln!(text, "value     the {} {end}", side.to_lowercase());
    if let Some(nimber) = judged.nimber {
        let _ = writeln!(text, "nimber    {nimber}");
    }
    let nodes = grouped(game.effort().nodes);
    let _ = writeln!(text, "by        {} ({nodes} nodes)", judged.by);
    if !moves.is_empty() {
        text.push('\n');
    }
    for &(mv, nimber) in moves {
        let end = if nimber == 0 { "wins" } else { "loses" };
        let _ = writeln!(
            text,
            "{:>8}  {end}, leaves nimber {nimber}",
            game.format_move(mv)
        );
    }
    text
}

//! `tesuji draw`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::common::{GameArgs, position, print};
use super::output::put;
use super::solution;
use crate::draw::{Diagram, Style, render, strip};
use crate::game::{Drawable, Moves, Next, Retrograde};
use crate::games::registry::AnyGame;
use crate::mine::Analysis;
use crate::table::TableOracle;

/// Draw a position, or its solution as a strip of boards, as SVG.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji draw ostle initial -o initial.svg --caption \"The initial position\"
  tesuji draw ostle:4x4,pieces=3,losses=2 \"1www/4/1o2/bbb1 b -\" --solution -o strip.svg
  tesuji draw ostle initial --moves a1U,a5D -o opening.svg")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation, or 'initial'.
    position: String,
    /// Draw the main line of the solution.
    #[arg(long, conflicts_with = "moves")]
    solution: bool,
    /// Draw these moves, separated by commas.
    #[arg(long, value_delimiter = ',')]
    moves: Vec<String>,
    /// A line of text under the board; may be given several times.
    #[arg(long)]
    caption: Vec<String>,
    /// print (black and white), screen or dark.
    #[arg(long, default_value = "print")]
    style: String,
    /// Boards in a row of a strip.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=50))]
    columns: u8,
    /// The game's table, for --solution.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    match args.game.game()? {
        AnyGame::Ostle(game) => draw(&game, args),
    }
}

fn draw<G: Drawable + Moves + Retrograde>(game: &G, args: &Args) -> Result<ExitCode> {
    let style = Style::preset(&args.style)?;
    let state = position(game, &args.position)?;
    let mut moves = Vec::new();
    let mut at = Some(state.clone());
    for text in &args.moves {
        let mv = game.parse_move(text).context("--moves")?;
        let Some(from) = at.filter(|from| game.moves(from).contains(&mv)) else {
            bail!("--moves: {text} is not a legal move at that point");
        };
        at = match game.play(&from, mv) {
            Next::State(next) => Some(next),
            Next::Over(_) => None,
        };
        moves.push(mv);
    }
    if args.solution {
        let table = solution::load(game, args.table.as_ref())?;
        let oracle = TableOracle::new(&table, game)?;
        let line = Analysis::new(game, &oracle, &state)?.line(game, &oracle)?;
        moves = line.into_iter().map(|step| step.mv).collect();
    }
    let svg = if moves.is_empty() {
        let diagram = args
            .caption
            .iter()
            .fold(game.diagram(&state), Diagram::caption);
        render(&diagram, &style)
    } else {
        let headline = args.caption.join(" ");
        strip(
            &headline,
            &boards(game, &state, &moves, usize::MAX),
            args.columns.into(),
            &style,
        )
    };
    match &args.output {
        Some(path) => put(path, svg.as_bytes(), args.force)?,
        None => print(&svg)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A numbered board for each of the first `limit` moves of a line, with the move
/// marked, and the position after them if the game is not over. If moves are left
/// out, the last caption says how many.
pub fn boards<G: Drawable + Moves>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    limit: usize,
) -> Vec<Diagram> {
    let mut boards = Vec::new();
    let mut at = Some(state.clone());
    for (ply, &mv) in (1u32..).zip(moves.iter().take(limit)) {
        let Some(from) = at else { break };
        let diagram = game.with_move(game.diagram(&from), &from, mv);
        boards.push(diagram.number(ply).caption(game.format_move(mv)));
        at = match game.play(&from, mv) {
            Next::State(next) => Some(next),
            Next::Over(_) => None,
        };
    }
    let rest = match moves.len().saturating_sub(limit) {
        0 => format!(
            "after {}",
            moves
                .last()
                .map_or(String::new(), |&mv| game.format_move(mv))
        ),
        1 => "\u{2026} 1 more ply".to_owned(),
        plies => format!("\u{2026} {plies} more plies"),
    };
    boards.extend(at.map(|last| game.diagram(&last).caption(rest)));
    boards
}

//! `tesuji draw`

mod hidden;
mod puzzles;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::boards::{after, boards, frames};
use super::common::{RepetitionArg, parse_game, position, print};
use super::pictures::{Format, PictureArgs};
use super::{solitaire, solution};
use crate::analysis::Analysis;
use crate::draw::{
    Animation, Cell, Diagram, Figure, Mark, Millimetres, Style, animate, grid, latex, render,
    strip, typst,
};
use crate::game::{Drawable, Moves, Ranked};
use crate::games::registry::AnyGame;
use crate::table::{Table, TableOracle};

/// Draw a position, a line of play, or all puzzles of a CSV, as SVG or PNG.
///
/// A line is drawn as a strip of boards, as pages of boards (--grid), or in motion
/// (--animate): that plays in a browser and shows the first position and the moves
/// elsewhere.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji draw ostle initial -o initial.svg --caption \"The initial position\"
  tesuji draw ostle:4x4,pieces=3,losses=2 \"1www/4/1o2/bbb1 b -\" --solution -o strip.svg
  tesuji draw ostle initial --moves a1U,a5D --animate --style screen -o opening.svg
  tesuji draw ostle initial --arrows a1U --highlight c3 --stipulation \"What happens here?\" -o key.svg
  tesuji draw ostle initial -o initial.png --dpi 600 --snippet latex
  tesuji draw --puzzles output/forced-sacrifice/puzzles.csv -o pictures")]
pub struct Args {
    /// The game: ostle, or e.g. ostle:4x4,pieces=3,losses=2.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// The position in the game's notation, or 'initial'.
    #[arg(required_unless_present = "puzzles")]
    position: Option<String>,
    /// How rule 8 is read; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<RepetitionArg>,
    /// Draw every puzzle of a CSV as 'tesuji mine' writes it, into a folder; with
    /// --solution the main line too.
    #[arg(
        long,
        value_name = "FILE.csv",
        requires = "output",
        conflicts_with_all = [
            "spec", "repetition", "moves", "number", "stipulation", "caption", "highlight",
            "arrows", "grid", "animate", "snippet", "table"
        ]
    )]
    puzzles: Option<PathBuf>,
    /// The format of --puzzles.
    #[arg(long, value_enum, default_value = "svg", requires = "puzzles")]
    format: Format,
    /// Draw the main line of the solution.
    #[arg(long, conflicts_with = "moves")]
    solution: bool,
    /// Draw these moves, separated by commas.
    #[arg(long, value_delimiter = ',')]
    moves: Vec<String>,
    /// Draw the line on pages as large as the style says.
    #[arg(long, conflicts_with = "columns")]
    grid: bool,
    /// Draw the line in motion.
    #[arg(long, conflicts_with_all = ["grid", "columns"])]
    animate: bool,
    /// The diagram's number.
    #[arg(long, value_name = "N")]
    number: Option<u32>,
    /// What is asked, under the board.
    #[arg(long, value_name = "TEXT")]
    stipulation: Option<String>,
    /// A line of text under the board; may be given several times.
    #[arg(long)]
    caption: Vec<String>,
    /// Squares to highlight, such as a1,c3.
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    highlight: Vec<String>,
    /// Legal moves to show as arrows on the one board, separated by commas.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', conflicts_with_all = ["moves", "solution"])]
    arrows: Vec<String>,
    /// Boards in a row of a strip.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=50))]
    columns: u8,
    /// Print the lines that put the picture into a document.
    #[arg(long, value_enum, requires = "output")]
    snippet: Option<Snippet>,
    /// The game's table, for --solution.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The file to write, .svg or .png; the folder for --puzzles [default: standard
    /// output, as SVG].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Kinds of documents that include pictures.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Snippet {
    /// A figure for LaTeX.
    Latex,
    /// A figure for Typst.
    Typst,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let (Some(csv), Some(folder)) = (&args.puzzles, &args.output) {
        return puzzles::draw(csv, folder, args.format, args.solution, &args.picture);
    }
    let spec = args.spec.as_deref().unwrap_or_default();
    let game = parse_game(spec, args.repetition)?;
    let path = args.table.as_ref();
    match game {
        AnyGame::Sliding(game) => draw(&game, args, || {
            game.solvable()?;
            solitaire::load(&game, path)
        }),
        AnyGame::Tsuitate(game) => hidden::draw(&game, args),
        AnyGame::Ostle(game) => draw(&game, args, || solution::load(&game, path)),
        AnyGame::TicTacToe(game) => draw(&game, args, || solution::load(&game, path)),
        AnyGame::Placement(game) => {
            game.pictured()?;
            draw(&game, args, || solution::load(&game, path))
        }
    }
}

fn draw<G: Drawable + Moves + Ranked>(
    game: &G,
    args: &Args,
    load: impl FnOnce() -> Result<Table>,
) -> Result<ExitCode> {
    let format = PictureArgs::format(args.output.as_ref())?;
    let style = args.picture.style(format)?;
    let state = position(game, args.position.as_deref().unwrap_or_default())?;
    let moves = line(game, &state, args, load)?;
    if !moves.is_empty() && !args.highlight.is_empty() {
        bail!("--highlight is for one board; leave --moves and --solution out");
    }
    if moves.is_empty() && (args.grid || args.animate) {
        bail!("--grid and --animate draw a line of play; give one with --moves or --solution");
    }
    let number = args.number.map(|number| format!("{number}."));
    let words = number.iter().chain(&args.stipulation).chain(&args.caption);
    let headline = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    let pages = if moves.is_empty() {
        vec![render(&one(game, &state, args)?, &style)]
    } else if args.animate {
        let film = Animation::new(frames(game, &state, &moves))?;
        vec![animate(&headline, &film, &style)]
    } else {
        let boards = boards(game, &state, &moves, usize::MAX);
        if args.grid {
            grid(&headline, &boards, &style)
        } else {
            vec![strip(&headline, &boards, args.columns.into(), &style)]
        }
    };
    let Some(path) = &args.output else {
        let [page] = pages.as_slice() else {
            bail!(
                "the line takes {} pages; give a file with --output, which gets a number a page",
                pages.len()
            );
        };
        print(page)?;
        return Ok(ExitCode::SUCCESS);
    };
    let snippet = match args.snippet {
        None => String::new(),
        Some(_) if pages.len() > 1 => {
            bail!("--snippet includes one picture, not {} pages", pages.len())
        }
        Some(kind) => snippet(kind, path, &pages[0], &headline)?,
    };
    args.picture.put_pages(path, pages)?;
    print(&snippet)?;
    Ok(ExitCode::SUCCESS)
}

/// One board with all that is asked for on and around it.
fn one<G: Drawable + Moves>(game: &G, state: &G::State, args: &Args) -> Result<Diagram> {
    let mut diagram = game.diagram(state);
    for name in &args.highlight {
        let square = name.trim();
        let cell = cell(square).with_context(|| {
            format!(
                "--highlight: '{square}' names no square; write a letter and a number, such as c3"
            )
        })?;
        diagram = diagram
            .mark(Mark::Highlight(cell))
            .with_context(|| format!("--highlight: the board has no square '{square}'"))?;
    }
    for text in &args.arrows {
        let mv = game.parse_move(text).context("--arrows")?;
        if !game.moves(state).contains(&mv) {
            bail!("--arrows: {text} is not a legal move");
        }
        diagram = game.with_move(diagram, state, mv);
    }
    Ok(captioned(diagram, args))
}

/// A diagram with its number and all that is written under it.
fn captioned(diagram: Diagram, args: &Args) -> Diagram {
    let diagram = args.number.into_iter().fold(diagram, Diagram::number);
    let diagram = args.stipulation.iter().fold(diagram, Diagram::stipulation);
    args.caption.iter().fold(diagram, Diagram::caption)
}

/// The cell with this name, such as c3.
fn cell(name: &str) -> Option<Cell> {
    let mut letters = name.chars();
    let column = u8::try_from(letters.next().filter(char::is_ascii_lowercase)?).ok()? - b'a';
    let rank: u8 = letters.as_str().parse().ok()?;
    Some(Cell::new(column, rank.checked_sub(1)?))
}

/// The moves to draw, if any.
fn line<G: Drawable + Moves + Ranked>(
    game: &G,
    state: &G::State,
    args: &Args,
    load: impl FnOnce() -> Result<Table>,
) -> Result<Vec<G::Move>> {
    if args.solution {
        let table = load()?;
        let oracle = TableOracle::new(&table, game)?;
        let line = Analysis::new(game, &oracle, state)?.line(game, &oracle)?;
        return Ok(line.into_iter().map(|step| step.mv).collect());
    }
    let mut moves = Vec::new();
    let mut at = Some(state.clone());
    for text in &args.moves {
        let mv = game.parse_move(text).context("--moves")?;
        let Some(from) = at.filter(|from| game.moves(from).contains(&mv)) else {
            bail!("--moves: {text} is not a legal move at that point");
        };
        at = after(game, &from, mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// The lines that include a picture whose caption is the given one.
fn snippet(kind: Snippet, path: &std::path::Path, svg: &str, caption: &str) -> Result<String> {
    let between = |from: &str, to: &str| {
        let rest = svg.split_once(from)?.1;
        rest.split_once(to).map(|(found, _)| found)
    };
    // The picture's own words; those of XML's escapes that it has.
    let said = between("<desc>", "</desc>").unwrap_or_default();
    let alt = said
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    let width = between(" width=\"", "mm\"").and_then(|width| width.parse().ok());
    let figure = Figure {
        file: path.display().to_string().replace('\\', "/"),
        width: Millimetres::new(width.unwrap_or(0.0)).context("the width of the picture")?,
        caption: caption.to_owned(),
        alt,
    };
    Ok(match kind {
        Snippet::Latex => latex(&figure),
        Snippet::Typst => typst(&figure),
    })
}

/// What is drawn of a puzzle: its number, what is asked, its themes.
pub fn puzzle(diagram: Diagram, number: usize, stipulation: &str, themes: &str) -> Diagram {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let themes = themes.split_whitespace().map(super::pictures::words);
    let diagram = diagram.number(number).stipulation(stipulation);
    themes.fold(diagram.title(stipulation), Diagram::theme)
}

/// A strip with the solution of a puzzle; a very long one fits no page, so its
/// beginning must do.
pub fn solution_strip<G: Drawable + Moves>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    (number, stipulation): (usize, &str),
    style: &Style,
) -> String {
    /// Boards that are drawn, besides the one after them.
    const STRIP: usize = 39;
    let headline = format!("{number}. {stipulation}");
    strip(&headline, &boards(game, state, moves, STRIP), 4, style)
}

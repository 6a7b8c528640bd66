//! `tesuji draw`

mod puzzles;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::args::{Format, PictureArgs, RowGameArgs, open, position, said};
use super::progress::ProgressBar;
use super::report::print;
use crate::draw::{
    Animation, BoardSquare, Diagram, Figure, Mark, Millimetres, animate, grid, latex, render,
    strip, typst,
};
use crate::game::Repetition;
use crate::session::Session;

/// Draw a position, a line of play, or all puzzles of a CSV, as SVG, PDF, EPS or PNG.
///
/// A line of play is drawn as a strip of boards, as pages of boards (--grid), or as an
/// animation (--animate), which plays in a browser; other viewers show the first position
/// and the moves.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji draw ostle initial -o initial.svg --caption \"The initial position\"
  tesuji draw ostle:4x4,pieces=3,losses=2 \"1www/4/1o2/bbb1 b -\" --solution -o strip.svg
  tesuji draw ostle initial --moves a1U,a5D --animate --style screen -o opening.svg
  tesuji draw ostle initial --arrows a1U --highlight c3 --caption \"What happens?\" -o key.svg
  tesuji draw ostle initial -o initial.pdf --snippet latex
  tesuji draw --puzzles output/forced-sacrifice/puzzles.csv -o pictures")]
pub struct Args {
    /// The game: ostle, or e.g. ostle:4x4,pieces=3,losses=2.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// The position in the game's notation, or 'initial', or for tsuitate a KIF file, FILE.kif.
    #[arg(required_unless_present = "puzzles")]
    position: Option<String>,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<Repetition>,
    /// Draw every puzzle of a CSV file from 'tesuji mine' into a folder; with --solution,
    /// the main line too.
    #[arg(
        long,
        value_name = "FILE.csv",
        requires = "output",
        conflicts_with_all = [
            "spec", "repetition", "moves", "number", "stipulation", "caption", "highlight",
            "arrows", "grid", "animate", "columns", "snippet", "table"
        ]
    )]
    puzzles: Option<PathBuf>,
    #[command(flatten)]
    game: RowGameArgs,
    /// The format of --puzzles.
    #[arg(long, value_enum, default_value = "svg", requires = "puzzles")]
    format: Format,
    /// Draw the main line of the solution.
    #[arg(long, conflicts_with = "moves")]
    solution: bool,
    /// Draw these moves, separated by commas.
    #[arg(long, value_delimiter = ',')]
    moves: Vec<String>,
    /// Draw the line on pages of the size that the style gives.
    #[arg(long, conflicts_with = "columns")]
    grid: bool,
    /// Draw the line as an animation.
    #[arg(long, conflicts_with_all = ["grid", "columns"])]
    animate: bool,
    /// The number of the diagram.
    #[arg(long, value_name = "N")]
    number: Option<u32>,
    /// The stipulation, under the board.
    #[arg(long, value_name = "TEXT")]
    stipulation: Option<String>,
    /// A line of text under the board; may be repeated.
    #[arg(long)]
    caption: Vec<String>,
    /// Squares to highlight, such as a1,c3.
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    highlight: Vec<String>,
    /// Legal moves to show as arrows on the board, separated by commas.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', conflicts_with_all = ["moves", "solution"])]
    arrows: Vec<String>,
    /// The number of boards in a row of a strip [default: 4].
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=50))]
    columns: Option<u8>,
    /// Print the lines that include the picture in a document.
    #[arg(long, value_enum, requires = "output")]
    snippet: Option<Snippet>,
    /// The game's table, for --solution.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The file to write, .svg, .png, .pdf or .eps; the folder for --puzzles [default: standard
    /// output, as SVG].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// A kind of document.
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
        return puzzles::draw(
            csv,
            &args.game,
            folder,
            args.format,
            args.solution,
            &args.picture,
        );
    }
    if args.game.given() {
        bail!("--game is for --puzzles; give the game as the first argument");
    }
    if args.table.is_some() && !args.solution {
        bail!("--table is for --solution; leave it out, or give --solution too");
    }
    let format = PictureArgs::format(args.output.as_ref())?;
    if args.animate && format != Format::Svg {
        bail!("--animate is for .svg; the other formats do not move");
    }
    let style = args.picture.style(format)?;
    let place = args.picture.place(args.output.as_ref())?;
    let spec = args.spec.as_deref().unwrap_or_default();
    let session = open(spec, args.repetition, args.table.as_ref())?;
    // As it was written: notation may have more than the position, such as where men stand.
    let position = &position(args.position.as_slice())?;
    session.position(position)?;
    let moves = line(&*session, position, args)?;
    if !moves.is_empty() && !args.highlight.is_empty() {
        bail!("--highlight is for a single board; leave out --moves and --solution");
    }
    if moves.is_empty() && (args.grid || args.animate || args.columns.is_some()) {
        bail!(
            "--grid, --animate and --columns draw a line of play; give one with --moves or --solution"
        );
    }
    let number = args.number.map(|number| format!("{number}."));
    let words = number.iter().chain(&args.stipulation).chain(&args.caption);
    let headline = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    let pages = if moves.is_empty() {
        vec![render(&one(&*session, position, args)?, &style)]
    } else if args.animate {
        let frames = session.lines()?.frames(position, &moves)?;
        vec![animate(&headline, &Animation::new(frames)?, &style)]
    } else {
        let boards = session.lines()?.boards(position, &moves, usize::MAX)?;
        if args.grid {
            grid(&headline, &boards, &style)
        } else {
            let columns = args.columns.unwrap_or(4).into();
            vec![strip(&headline, &boards, columns, &style)]
        }
    };
    let Some(place) = place else {
        let [page] = pages.as_slice() else {
            bail!(
                "the line takes {} pages; give --output, to which page numbers are added",
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
        Some(kind) => snippet(kind, place.path(), &pages[0])?,
    };
    args.picture.put_pages(place, pages)?;
    print(&snippet)?;
    Ok(ExitCode::SUCCESS)
}

/// Draws a single board.
fn one(session: &dyn Session, position: &str, args: &Args) -> Result<Diagram> {
    let mut diagram = session.diagram(position)?;
    for name in &args.highlight {
        let square = name.trim();
        let cell = BoardSquare::named(square).with_context(|| {
            format!(
                "--highlight: invalid square '{square}': write a letter and a number, such as c3"
            )
        })?;
        let Ok(marked) = diagram.mark(Mark::Highlight(cell)) else {
            bail!("--highlight: the board has no square '{square}'; give squares such as a1,c3");
        };
        diagram = marked;
    }
    if !args.arrows.is_empty() {
        let lines = session.lines()?;
        diagram = lines
            .marked(diagram, position, &args.arrows)
            .context("--arrows")?;
    }
    Ok(captioned(diagram, args))
}

/// Adds the number and the captions to a diagram.
fn captioned(diagram: Diagram, args: &Args) -> Diagram {
    let diagram = args.number.into_iter().fold(diagram, Diagram::number);
    let diagram = args.stipulation.iter().fold(diagram, Diagram::stipulation);
    args.caption.iter().fold(diagram, Diagram::caption)
}

/// The moves to draw, if any.
fn line(session: &dyn Session, position: &str, args: &Args) -> Result<Vec<String>> {
    if !args.solution {
        if !args.moves.is_empty() {
            // Names the option in the error.
            let lines = session.lines()?;
            lines.boards(position, &args.moves, 0).context("--moves")?;
        }
        return Ok(args.moves.clone());
    }
    session.lines()?;
    let progress = ProgressBar::new();
    let line = session.evaluating()?.main_line(position, &progress)?;
    progress.finish();
    Ok(line)
}

/// The lines that include a picture. Its caption is in the picture.
fn snippet(kind: Snippet, path: &std::path::Path, svg: &str) -> Result<String> {
    let between = |from: &str, to: &str| {
        let rest = svg.split_once(from)?.1;
        rest.split_once(to).map(|(found, _)| found)
    };
    let width = between(" width=\"", "mm\"").and_then(|width| width.parse().ok());
    let file = path.display().to_string();
    let figure = Figure {
        file: if cfg!(windows) {
            file.replace('\\', "/")
        } else {
            file
        },
        width: Millimetres::new(width.unwrap_or(0.0)).context("the width of the picture")?,
        // The picture has the words already.
        caption: String::new(),
        alt: said(svg),
    };
    Ok(match kind {
        Snippet::Latex => latex(&figure),
        Snippet::Typst => typst(&figure),
    })
}

//! `tesuji draw` and `tesuji style`

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use rayon::prelude::*;

use crate::cli::args::{
    Format, PictureArgs, RowGameArgs, TableArgs, between, has_extension, name_of, position, said,
    style, tell_unsound,
};
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use tesuji::base::files::{Claim, Existing, check_content, put_all_claimed};
use tesuji::base::progress::Progress;
use tesuji::base::text::plural;
use tesuji::draw::{
    Animation, BoardSquare, Diagram, Figure, Mark, Millimetres, Style, animate, grid, latex,
    render, strip, typst,
};
use tesuji::session::{
    Puzzle, Session, puzzle_svg, refuse_stale, remove_pictures, solution_svg, stale_pictures,
};

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
pub(crate) struct Args {
    /// The game: ostle, or e.g. ostle:4x4,pieces=3,losses=2.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// The position in the game's notation, or 'initial', or for tsuitate a KIF file, FILE.kif.
    #[arg(num_args = 1.., required_unless_present = "puzzles")]
    position: Vec<String>,
    /// Draw every puzzle of a CSV file from 'tesuji mine' into a folder; with --solution,
    /// the main line too.
    #[arg(
        long,
        value_name = "FILE.csv",
        requires = "output",
        conflicts_with_all = [
            "spec", "repetition", "moves", "number", "stipulation", "caption", "highlight",
            "arrows", "grid", "animate", "columns", "snippet"
        ]
    )]
    puzzles: Option<PathBuf>,
    #[command(flatten)]
    game: RowGameArgs,
    /// With --puzzles: refuse puzzles that are not sound, as 'tesuji check' finds them, or that
    /// cannot be checked. Without this, there is only a warning.
    #[arg(long)]
    strict: bool,
    /// The format of --puzzles.
    #[arg(
        long,
        value_enum,
        default_value = "svg",
        requires = "puzzles",
        conflicts_with = "position"
    )]
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
    #[command(flatten)]
    table: TableArgs,
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

pub(super) fn run(args: &Args) -> Result<()> {
    if let (Some(csv), Some(folder)) = (&args.puzzles, &args.output) {
        return draw_all(csv, folder, args);
    }
    if args.game.game.is_some() {
        bail!("--game is for --puzzles; give the game as the first argument");
    }
    if args.strict {
        bail!("--strict is for --puzzles; leave it out ('tesuji check' checks a position)");
    }
    if args.table.table.is_some() && !args.solution {
        bail!("--table is for --solution; leave it out, or give --solution too");
    }
    let format = PictureArgs::format(args.output.as_ref())?;
    if args.animate && format != Format::Svg {
        bail!("--animate is for .svg; the other formats do not move");
    }
    let style = args.picture.style(format)?;
    let place = args.picture.place(args.output.as_ref())?;
    let session = args.table.open(args.spec.as_deref().unwrap_or_default())?;
    // As it was written: notation may have more than the position, such as where men stand.
    let position = &position(&args.position)?;
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
            let count = pages.len();
            bail!("the line takes {count} pages; give --output, to which page numbers are added");
        };
        return print(page);
    };
    let snippet = match args.snippet {
        None => String::new(),
        Some(_) if pages.len() > 1 => {
            bail!("--snippet includes one picture, not {} pages", pages.len())
        }
        Some(kind) => snippet(kind, &place.path, &pages[0])?,
    };
    args.picture.put_pages(place, pages)?;
    print(&snippet)
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
        let marked = session.lines()?.marked(diagram, position, &args.arrows);
        diagram = marked.context("--arrows")?;
    }
    let diagram = args.number.into_iter().fold(diagram, Diagram::number);
    let diagram = args.stipulation.iter().fold(diagram, Diagram::stipulation);
    Ok(args.caption.iter().fold(diagram, Diagram::caption))
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
    let evaluating = session.evaluating()?;
    Ok(evaluating.main_line(position, &ProgressBar::new())?)
}

/// The lines that include a picture.
fn snippet(kind: Snippet, path: &Path, svg: &str) -> Result<String> {
    let width = between(svg, " width=\"", "mm\"").and_then(|width| width.parse().ok());
    let mut file = path.display().to_string();
    if cfg!(windows) {
        file = file.replace('\\', "/");
    }
    let figure = Figure {
        file,
        width: Millimetres::try_from(width.unwrap_or(0.0)).context("the width of the picture")?,
        alt: said(svg),
    };
    Ok(match kind {
        Snippet::Latex => latex(&figure),
        Snippet::Typst if has_extension(path, &["eps"]) => {
            bail!("--snippet typst: Typst reads no EPS; write a .svg, .pdf or .png")
        }
        Snippet::Typst => typst(&figure),
    })
}

/// Draws each puzzle into a file of the folder, `01-<id>.svg` and so on, and its solution,
/// if asked for, into `01-<id>-solution.svg`.
fn draw_all(csv: &Path, folder: &Path, args: &Args) -> Result<()> {
    let (format, picture) = (args.format, &args.picture);
    let style = picture.style(format)?;
    let (files, tables) = ([csv.to_owned()], args.table.table.as_slice());
    let mut puzzles = args.game.collect(&files, tables, None)?;
    if puzzles.rows().len() == 0 {
        bail!("{} has no puzzles", csv.display());
    }
    let _claim = Claim::folder(folder)?;
    tell_unsound(&puzzles.entries()?, args.strict)?;
    puzzles.complete(&ProgressBar::new())?;
    let entries = puzzles.entries()?;
    let jobs = jobs(&entries, folder, args)?;
    let in_row = |job: &Job| job.entry.name.clone();
    let make = |job: &Job| {
        let (session, row) = (job.entry.session, job.entry.row);
        let svg = if job.solution {
            solution_svg(session, row, job.number, &style)
        } else {
            puzzle_svg(session, row, job.number, &style)
        };
        let svg = svg.map_err(Into::into);
        let bytes = svg.and_then(|svg| format.bytes(svg, picture.dots()));
        bytes.with_context(|| in_row(job))
    };
    // If a row is wrong or a file may not be replaced, nothing is written.
    for_all(&jobs, |job| sound(job).with_context(|| in_row(job)))?;
    let made: HashSet<&Path> = jobs.iter().map(|job| job.path.as_path()).collect();
    let stale = stale_pictures(folder, |path| made.contains(path));
    if !picture.force {
        refuse_stale(&stale)?;
        for_all(&jobs, |job| {
            if job.path.exists() {
                check_content(&job.path, &make(job)?, Existing::Same)?;
            }
            Ok(())
        })?;
    }
    let progress = ProgressBar::new();
    progress.begin("drawing", jobs.len() as u64);
    // All at once could need more memory than there is.
    let written = AtomicUsize::new(0);
    let drawn = for_all(&jobs, |job| {
        put_all_claimed(&[(job.path.clone(), make(job)?)], picture.force)?;
        written.fetch_add(1, Ordering::Relaxed);
        progress.advance(1);
        Ok(())
    });
    drawn.with_context(|| {
        let written = written.load(Ordering::Relaxed);
        let (count, folder) = (jobs.len(), folder.display());
        if written == 0 {
            return "no picture was written".to_owned();
        }
        format!("{written} of {count} pictures are in {folder}; the same command draws the rest")
    })?;
    progress.finish();
    remove_pictures(&stale)?;
    let pictures = plural(jobs.len() as u64, "picture");
    print(&format!("{pictures} in {}\n", folder.display()))
}

/// A picture to make.
struct Job<'a> {
    number: usize,
    entry: &'a Puzzle<'a>,
    /// Whether it shows the solution, not the position.
    solution: bool,
    path: PathBuf,
}

/// The pictures to make.
fn jobs<'a>(entries: &'a [Puzzle<'a>], folder: &Path, args: &Args) -> Result<Vec<Job<'a>>> {
    let digits = entries.len().to_string().len().max(2);
    let extension = name_of(&args.format);
    let kinds = 1 + usize::from(args.solution);
    let mut jobs = Vec::new();
    for (number, entry) in (1..).zip(entries) {
        let id = &entry.row.puzzle_id;
        let sound = id.len() == 16 && id.chars().all(|digit| digit.is_ascii_hexdigit());
        if !sound {
            // The header is line 1, and rows have no line breaks.
            bail!(
                "{}: the puzzle_id {id:?} must be 16 hexadecimal digits, since it names a file",
                entry.name
            );
        }
        for solution in [false, true].into_iter().take(kinds) {
            let rest = if solution { "-solution" } else { "" };
            let name = format!("{number:0digits$}-{id}{rest}.{extension}");
            jobs.push(Job {
                number,
                entry,
                solution,
                path: folder.join(name),
            });
        }
    }
    Ok(jobs)
}

/// Runs all jobs in parallel. Of several errors, that of the first row is returned.
fn for_all(jobs: &[Job], work: impl Fn(&Job) -> Result<()> + Sync) -> Result<()> {
    let failed = jobs.par_iter().map(&work).find_first(Result::is_err);
    failed.unwrap_or(Ok(()))
}

/// Checks that the row's position and moves can be drawn.
fn sound(job: &Job) -> Result<()> {
    let (session, row) = (job.entry.session, job.entry.row);
    session.position(&row.position)?;
    if let (true, Ok(lines)) = (job.solution, session.lines()) {
        lines.boards(&row.position, &row.moves(), 0)?;
    }
    Ok(())
}

/// Print a style sheet to start from, or check one.
///
/// A preset is printed with explanations. A file is printed with all settings, including
/// those of its preset.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji style dark > my.toml
  tesuji draw ostle initial --style my.toml -o styled.svg
  tesuji style my.toml")]
pub(crate) struct StyleArgs {
    /// print, screen, dark, or a style sheet: FILE.toml.
    #[arg(default_value = "print")]
    style: String,
}

pub(crate) fn style_sheet(args: &StyleArgs) -> Result<()> {
    let text = match Style::sheet(&args.style) {
        Ok(sheet) => sheet.to_owned(),
        Err(_) => toml::to_string(&style(&args.style)?).context("the style cannot be written")?,
    };
    print(&text)
}

//! `tesuji book`

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use super::args::open;
use super::progress::Progress;
use crate::analysis::THEMES;
use crate::base::files::{Existing, Place};
use crate::base::text::words;
use crate::base::watch::{Unwatched, Watch};
use crate::book::{Book, Front, Paper, Problem, Setting, Theme, booklet, page};
use crate::draw::Style;
use crate::export::read_csv;
use crate::mine::PuzzleRow;
use crate::session::Problems;

/// Make a booklet or a web page of mined puzzles.
///
/// FILE.pdf is a booklet to print: diagrams, hints, solutions with tries and variations,
/// and indexes by theme and by length. FILE.html is a page that works offline: a gallery in
/// which every puzzle can be played.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji book output/forced-sacrifice/puzzles.csv -o book.pdf --paper a5 --per-page 4
  tesuji book puzzles.csv --table output/ostle.tsj --limit 120 -o book.html")]
pub struct Args {
    /// The puzzles, a CSV file from 'tesuji mine'.
    #[arg(value_name = "PUZZLES.csv")]
    puzzles: PathBuf,
    /// The file to write: .pdf or .html.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The table that the puzzles were mined from; a small game needs none.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Include at most the first N puzzles.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// The title [default: the name of the filter].
    #[arg(long)]
    title: Option<String>,
    /// A line below the title.
    #[arg(long)]
    subtitle: Option<String>,
    /// The author of the book.
    #[arg(long)]
    author: Option<String>,
    /// The paper: a4, a5 or letter (PDF).
    #[arg(long, default_value = "a4")]
    paper: String,
    /// The number of diagrams on a page, 1 to 12 (PDF).
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=12))]
    per_page: u8,
    /// The style of the diagrams: print (black and white), screen or dark (PDF).
    #[arg(long, default_value = "print")]
    style: String,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// The kind of book.
enum Form {
    Pdf(Setting),
    Html,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let form = form(args)?;
    let place = Place::claim(&args.output, Existing::refused_unless(args.force))?;
    let shown = args.puzzles.display();
    let file = File::open(&args.puzzles).with_context(|| format!("cannot read {shown}"))?;
    let mut rows = read_csv(file).with_context(|| format!("{shown}"))?;
    if let Some(limit) = args.limit {
        rows.truncate(usize::try_from(limit)?);
    }
    let Some(first) = rows.first() else {
        bail!("{shown} has no puzzles; mine some with 'tesuji mine'");
    };
    if let Some(place) = rows.iter().position(|row| row.game != first.game) {
        bail!(
            "{shown}: puzzle 1 is of {}, puzzle {} of {}; a book has only one game, so split the file",
            first.game,
            place + 1,
            rows[place].game
        );
    }
    let session = open(&first.game, None, args.table.as_ref());
    let session = session.with_context(|| format!("{shown}: puzzle 1"))?;
    let problems = session.problems()?;
    let themes = THEMES.iter().map(|theme| Theme {
        name: words(theme.name),
        meaning: theme.meaning.to_owned(),
    });
    let (board, found) = (problems.board(), all(problems, &rows, args)?);
    let book = Book::new(front(&rows, args), board, themes.collect(), found)
        .with_context(|| shown.to_string())?;
    let bytes = match form {
        Form::Html => page(&book).into_bytes(),
        Form::Pdf(setting) => booklet(&book, &setting)?,
    };
    place.put(&bytes)?;
    Ok(ExitCode::SUCCESS)
}

fn form(args: &Args) -> Result<Form> {
    let extension = args.output.extension().and_then(|name| name.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("pdf") => Ok(Form::Pdf(Setting {
            paper: Paper::named(&args.paper)?,
            per_page: args.per_page,
            style: Style::preset(&args.style)?,
        })),
        Some("html" | "htm") => Ok(Form::Html),
        _ => bail!(
            "{} is neither a PDF nor a web page; give --output a name that ends in .pdf or .html",
            args.output.display()
        ),
    }
}

/// Makes the problems of all rows.
fn all(problems: &dyn Problems, rows: &[PuzzleRow], args: &Args) -> Result<Vec<Problem>> {
    let progress = Progress::new();
    // The first problem prepares what the others share, such as the table.
    let first = rows.first().map(|row| problems.problem(row, &progress));
    progress.begin("solutions", rows.len() as u64);
    let rest = rows.par_iter().skip(1).map(|row| {
        let problem = problems.problem(row, &Unwatched);
        progress.advance(1);
        problem
    });
    let rest: Vec<_> = rest.collect();
    progress.finish();
    // The error of the first row is reported, not the first in time.
    let found = first.into_iter().chain(rest).zip(rows).enumerate();
    found
        .map(|(place, (problem, row))| {
            problem.with_context(|| {
                let file = args.puzzles.display();
                format!("{file}: puzzle {} ({})", place + 1, row.puzzle_id)
            })
        })
        .collect()
}

fn front(rows: &[PuzzleRow], args: &Args) -> Front {
    let filter = &rows[0].filter;
    let title = args.title.clone().unwrap_or_else(|| {
        if rows.iter().all(|row| row.filter == *filter) && !filter.trim().is_empty() {
            let name = words(filter);
            let mut letters = name.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters.clone()).collect()
        } else {
            "Puzzles".to_owned()
        }
    });
    let number = rows.len();
    let subtitle = args.subtitle.clone().unwrap_or_else(|| {
        let problems = if number == 1 { "problem" } else { "problems" };
        format!("{number} {problems} with their solutions")
    });
    Front {
        title,
        subtitle,
        author: args.author.clone().unwrap_or_default(),
        game: rows[0].game.clone(),
    }
}

//! `tesuji book`

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::args::open;
use super::progress::Progress;
use crate::base::files::{Existing, Place};
use crate::book::{Paper, Setting, booklet, page};
use crate::draw::Style;
use crate::export::read_csv;
use crate::session::{BookOptions, book};

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
    let session = open(&first.game, None, args.table.as_ref());
    let session = session.with_context(|| format!("{shown}: puzzle 1"))?;
    let options = BookOptions {
        title: args.title.clone(),
        subtitle: args.subtitle.clone(),
        author: args.author.clone(),
    };
    let progress = Progress::new();
    let book = book(&*session, &rows, &options, &progress).with_context(|| shown.to_string())?;
    progress.finish();
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

//! `tesuji twins`

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;

use super::args::{SolvedArgs, claimed, position};
use super::progress::ProgressBar;
use super::report::answer;
use tesuji::base::files::Existing;
use tesuji::base::text::grouped;
use tesuji::session::TwinReport;

/// Find twins of a problem: sound problems one change apart with another solution.
///
/// A twin asks for the same as the problem, and its first move is another one. A change moves
/// something on the board to an empty square, removes it, or adds something.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji twins ostle:4x4,pieces=3,losses=2 \"2b1/3w/1o2/1bw1 b -\"
  tesuji twins ostle:4x4,pieces=3,losses=2 \"2b1/3w/1o2/1bw1 b -\" --limit 2 -o twins.csv")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
    /// A sound problem, in the game's notation.
    #[arg(num_args = 1.., required = true)]
    position: Vec<String>,
    /// The stipulation of the problem and its twins, as in 'tesuji check' [default: that of the position's value].
    #[arg(long, value_name = "TASK")]
    stipulation: Option<String>,
    /// The most changes, 1 or 2.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    changes: u8,
    /// The most twins to show.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=25))]
    limit: u8,
    /// Write the problem and its twins to a CSV file for 'tesuji book', each with its change as the
    /// title.
    #[arg(short, long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "output")]
    force: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let place = claimed(args.output.as_ref(), Existing::refused_unless(args.force))?;
    let session = args.game.open()?;
    let (composing, asked) = (session.composing()?, args.stipulation.as_deref());
    let position = position(&args.position)?;
    let mut found = composing.twins(&position, asked, args.changes, &ProgressBar::new())?;
    let all = found.twins.len();
    found.twins.truncate(args.limit.into());
    if let Some(place) = place {
        place.put(&as_csv(&found)?)?;
    }
    answer(args.json, &found, |found| as_text(found, all))
}

/// The parts of the problem: letter and change, position, and main line.
fn parts(found: &TwinReport) -> impl Iterator<Item = (String, &str, &str)> {
    let first = ("(a)".to_owned(), &*found.position, &*found.line);
    let twins = ('b'..='z').zip(&found.twins).map(|(letter, twin)| {
        let title = format!("({letter}) {}", twin.change);
        (title, &*twin.position, &*twin.line)
    });
    std::iter::once(first).chain(twins)
}

fn as_text(found: &TwinReport, all: usize) -> String {
    let mut text = format!("stipulation  {}\n", found.stipulation);
    let _ = write!(text, "twins        {}", grouped(all as u64));
    let _ = match found.twins.len() {
        1 if all > 1 => writeln!(text, ", the soundest one is shown"),
        shown if shown < all => writeln!(text, ", the soundest {shown} are shown"),
        _ => writeln!(text),
    };
    for (title, position, line) in parts(found) {
        let _ = write!(text, "\n{title}\n  {position}\n  {line}\n");
    }
    text
}

fn as_csv(found: &TwinReport) -> Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(["game", "position", "stipulation", "title"])?;
    for (title, position, _) in parts(found) {
        csv.write_record([&*found.game, position, &*found.stipulation, &*title])?;
    }
    Ok(csv.into_inner()?)
}

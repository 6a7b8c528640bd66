//! `tesuji nimbers`

use std::path::PathBuf;

use anyhow::Result;

use super::args::claimed;
use super::progress::ProgressBar;
use super::report::print;
use tesuji::base::files::Existing;
use tesuji::session::rank_boards;

/// List the winners and nimbers of all boards of a placement game up to a size.
///
/// Each board has a row: the outcome for the next player, its nimber, how it is known (by a
/// theorem or a search), how many shapes the search examined, and how many it kept in
/// memory. With --outcomes, larger boards are listed without nimbers; under misère play
/// there are none.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji nimbers kings 6x6
  tesuji nimbers kings,colours=2 3x4
  tesuji nimbers kings,play=misere 5x5
  tesuji nimbers regio 7x10 --outcomes 8x9 --output regio.csv")]
pub(crate) struct Args {
    /// kings or regio, with settings after commas.
    #[arg(value_name = "FAMILY")]
    family: String,
    /// The largest board: rows x columns, with no more rows than columns.
    #[arg(value_name = "SIZE", value_parser = parse_size)]
    size: (usize, usize),
    /// The largest board, for outcomes only.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    outcomes: Option<(usize, usize)>,
    /// The CSV file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite a file with other content.
    #[arg(long, requires = "output")]
    force: bool,
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x');
    let size = sides.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let size = size.filter(|&(rows, columns)| 0 < rows && rows <= columns);
    let why = "a size is rows x columns, such as 8x9, with no more rows than columns";
    size.ok_or_else(|| why.to_owned())
}

pub(super) fn run(args: &Args) -> Result<()> {
    let place = claimed(args.output.as_ref(), Existing::same_unless(args.force))?;
    let boards = rank_boards(&args.family, args.size, args.outcomes, &ProgressBar::new())?;
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record([
        "game", "rows", "columns", "outcome", "nimber", "by", "nodes", "shapes",
    ])?;
    for it in boards {
        let size = (&args.family, it.rows, it.columns);
        let found = (it.judged.outcome.name(), it.judged.nimber, it.judged.by);
        csv.serialize((size, found, it.effort.nodes, it.effort.kept))?;
    }
    let bytes = csv.into_inner()?;
    match place {
        Some(place) => place.put(&bytes)?,
        None => print(&String::from_utf8(bytes)?)?,
    }
    Ok(())
}

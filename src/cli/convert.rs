//! `tesuji export --puzzles`: puzzles in another format.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::report::print;
use crate::analysis::firsts;
use crate::base::files::{Existing, Place};
use crate::base::text::grouped;
use crate::export::{read_csv, write_csv, write_csv_columns, write_jsonl, write_parquet};
use crate::mine::PuzzleRow;
use crate::session::open;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// JSON Lines, one object for each row.
    Jsonl,
    /// Comma-separated values, for puzzles.
    Csv,
}

/// The arguments for --puzzles.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// With --puzzles: only the first of several puzzles with the same solution up to
    /// symmetry.
    #[arg(long, requires = "puzzles")]
    distinct: bool,
    /// With --puzzles: at most the first N.
    #[arg(long, value_name = "N", requires = "puzzles")]
    limit: Option<usize>,
    /// With --puzzles and --format csv: only these columns, separated by commas.
    #[arg(
        long,
        value_name = "NAMES",
        requires = "puzzles",
        value_delimiter = ','
    )]
    columns: Vec<String>,
}

/// Writes puzzles in another format.
pub fn convert(
    puzzles: &Path,
    args: &ConvertArgs,
    format: FormatArg,
    output: &Path,
    force: bool,
) -> Result<()> {
    if !args.columns.is_empty() && format != FormatArg::Csv {
        bail!("--columns is for --format csv; the other formats have all columns");
    }
    let place = Place::claim(output, Existing::same_unless(force))?;
    let unreadable = || format!("cannot read {}", puzzles.display());
    let file = File::open(puzzles).with_context(unreadable)?;
    let mut rows = read_csv(BufReader::new(file)).with_context(unreadable)?;
    if args.distinct {
        rows = distinct(&rows, puzzles)?;
    }
    rows.truncate(args.limit.unwrap_or(usize::MAX));
    let mut content = Vec::new();
    match format {
        FormatArg::Parquet => write_parquet(&mut content, &rows)?,
        FormatArg::Jsonl => write_jsonl(&mut content, &rows)?,
        FormatArg::Csv if args.columns.is_empty() => write_csv(&mut content, &rows)?,
        FormatArg::Csv => {
            write_csv_columns(&mut content, &rows, &args.columns).context("--columns")?;
        }
    }
    place.put(&content)?;
    print(&format!(
        "{} puzzles in {}\n",
        grouped(rows.len() as u64),
        output.display()
    ))
}

/// The first of every group of puzzles with the same solution up to symmetry.
fn distinct(rows: &[PuzzleRow], puzzles: &Path) -> Result<Vec<PuzzleRow>> {
    let mut sessions = HashMap::new();
    let mut keys = Vec::with_capacity(rows.len());
    for (number, row) in (1..).zip(rows) {
        let game = row.game.as_str();
        if !sessions.contains_key(game) {
            sessions.insert(game, open(game)?);
        }
        let key = sessions[game].line_key(row);
        let key = key.with_context(|| format!("{}, row {number}", puzzles.display()))?;
        keys.push(key.map(|line| (game, line)));
    }
    let kept = firsts(&keys).into_iter();
    Ok(kept.map(|(first, _)| rows[first].clone()).collect())
}

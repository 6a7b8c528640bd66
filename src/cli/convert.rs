//! `tesuji export --puzzles`: puzzles in another format.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::args::RowGameArgs;
use super::progress::ProgressBar;
use super::report::print;
use crate::analysis::firsts;
use crate::base::files::{Existing, Place, open_lines};
use crate::base::text::grouped;
use crate::export::{read_entries, write_csv, write_csv_columns, write_jsonl, write_parquet};
use crate::mine::PuzzleRow;
use crate::session::completed;

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

impl FormatArg {
    const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    /// The format of a file: as its name says, which a format that was given may not
    /// contradict.
    fn of(output: &Path, given: Option<Self>) -> Result<Self> {
        let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
        let mut all = Self::value_variants().iter();
        let named = all.find(|format| extension == format.extension()).copied();
        match (named, given) {
            (Some(named), Some(given)) if named != given => bail!(
                "--format {}: {} is the name of a {} file; leave --format out, or give a name that ends in .{}",
                given.extension(),
                output.display(),
                named.extension(),
                given.extension()
            ),
            (_, Some(format)) | (Some(format), None) => Ok(format),
            (None, None) => bail!(
                "{}: give a name that ends in .csv, .jsonl or .parquet, or --format",
                output.display()
            ),
        }
    }
}

/// The arguments for --puzzles.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// With --puzzles: only the first of several puzzles with the same solution up to
    /// symmetry.
    #[arg(long)]
    distinct: bool,
    /// With --puzzles: at most the first N.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    game: RowGameArgs,
}

impl ConvertArgs {
    /// Refuses what says nothing about data sets. (The parser does not ask for --puzzles
    /// where a game is given, since the two exclude each other.)
    pub fn refuse(&self) -> Result<()> {
        let limit = self.limit.is_some();
        let all = [
            ("distinct", self.distinct),
            ("limit", limit),
            ("game", self.game.given()),
        ];
        for (name, given) in all {
            if given {
                bail!("--{name} is for --puzzles; leave it out (--sample takes a part of a game)");
            }
        }
        Ok(())
    }
}

/// Writes puzzles in another format, the named columns or all.
pub fn convert(
    puzzles: &Path,
    args: &ConvertArgs,
    columns: &[String],
    format: Option<FormatArg>,
    output: &Path,
    force: bool,
) -> Result<()> {
    let format = FormatArg::of(output, format)?;
    if !columns.is_empty() && format != FormatArg::Csv {
        bail!("--columns is for puzzles as CSV; the other formats have all columns");
    }
    let place = Place::claim(output, Existing::same_unless(force))?;
    if args.game.given() && !args.distinct {
        bail!("--game is for --distinct; leave it out, or give --distinct too");
    }
    let unreadable = || format!("cannot read {}", puzzles.display());
    let file = open_lines(puzzles).with_context(unreadable)?;
    let entries = read_entries(file).with_context(|| puzzles.display().to_string())?;
    let mut rows: Vec<_> = entries.into_iter().map(|entry| entry.row).collect();
    solve(&mut rows, puzzles, &args.game)?;
    if args.distinct {
        rows = distinct(&rows, puzzles, &args.game)?;
    }
    rows.truncate(args.limit.unwrap_or(usize::MAX));
    let mut content = Vec::new();
    match format {
        FormatArg::Parquet => write_parquet(&mut content, &rows)?,
        FormatArg::Jsonl => write_jsonl(&mut content, &rows)?,
        FormatArg::Csv if columns.is_empty() => write_csv(&mut content, &rows)?,
        FormatArg::Csv => {
            write_csv_columns(&mut content, &rows, columns).context("--columns")?;
        }
    }
    place.put(&content)?;
    print(&format!(
        "{} puzzles in {}\n",
        grouped(rows.len() as u64),
        output.display()
    ))
}

/// Finds out all columns of puzzles of which only game and position are known.
fn solve(rows: &mut [PuzzleRow], puzzles: &Path, given: &RowGameArgs) -> Result<()> {
    let mut sessions = HashMap::new();
    let progress = ProgressBar::new();
    for (number, row) in (1..).zip(rows) {
        if row.outcome.is_empty() {
            if !sessions.contains_key(&row.game) {
                sessions.insert(row.game.clone(), given.open(&row.game, None)?);
            }
            let found = completed(&*sessions[&row.game], row, &progress);
            *row = found.with_context(|| format!("{}, row {number}", puzzles.display()))?;
        }
    }
    progress.finish();
    Ok(())
}

/// The first of every group of puzzles with the same solution up to symmetry.
fn distinct(rows: &[PuzzleRow], puzzles: &Path, given: &RowGameArgs) -> Result<Vec<PuzzleRow>> {
    let mut sessions = HashMap::new();
    let mut keys = Vec::with_capacity(rows.len());
    for (number, row) in (1..).zip(rows) {
        let game = row.game.as_str();
        if !sessions.contains_key(game) {
            let session = given.open(game, None);
            let session =
                session.with_context(|| format!("{}, row {number}", puzzles.display()))?;
            sessions.insert(game, session);
        }
        let key = sessions[game].line_key(row);
        let key = key.with_context(|| format!("{}, row {number}", puzzles.display()))?;
        keys.push(key.map(|line| (game, line)));
    }
    let kept = firsts(&keys).into_iter();
    Ok(kept.map(|(first, _)| rows[first].clone()).collect())
}

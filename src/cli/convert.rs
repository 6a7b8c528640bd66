//! `tesuji export --puzzles`

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::common::{grouped, print};
use super::export::{Args, FormatArg};
use super::output::put;
use crate::export::{read_csv, write_csv, write_csv_columns, write_jsonl, write_parquet};

/// Writes puzzles in another format.
pub fn convert(puzzles: &Path, args: &Args) -> Result<ExitCode> {
    if !args.columns.is_empty() && args.format != FormatArg::Csv {
        bail!("--columns is for --format csv; the other formats have all columns");
    }
    let unreadable = || format!("cannot read {}", puzzles.display());
    let file = File::open(puzzles).with_context(unreadable)?;
    let mut rows = read_csv(BufReader::new(file)).with_context(unreadable)?;
    rows.truncate(args.limit.unwrap_or(usize::MAX));
    let mut content = Vec::new();
    match args.format {
        FormatArg::Parquet => write_parquet(&mut content, &rows)?,
        FormatArg::Jsonl => write_jsonl(&mut content, &rows)?,
        FormatArg::Csv if args.columns.is_empty() => write_csv(&mut content, &rows)?,
        FormatArg::Csv => {
            write_csv_columns(&mut content, &rows, &args.columns).context("--columns")?;
        }
    }
    put(&args.output, &content, args.force)?;
    print(&format!(
        "{} puzzles in {}\n",
        grouped(rows.len() as u64),
        args.output.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

//! `tesuji features`

use std::fmt::Write;
use std::process::ExitCode;

use super::report::{json, print};
use crate::session::{ColumnReport, open};
use anyhow::Result;

/// List the columns that a filter may use, with type, cost and meaning.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji features ostle")]
pub struct Args {
    /// The game.
    #[arg(value_name = "GAME", default_value = "ostle")]
    spec: String,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = open(&args.spec)?;
    let mining = session.mining()?;
    let columns = mining.columns();
    let columns: Vec<_> = columns.iter().map(ColumnReport::from).collect();
    if args.json {
        print(&json(&columns)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{}\n\n", mining.about_columns());
    for column in &columns {
        let _ = writeln!(
            text,
            "{:20} {:10} {:8}  {}",
            column.name, column.kind, column.cost, column.meaning
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

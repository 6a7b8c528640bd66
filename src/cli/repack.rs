//! `tesuji repack`

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::progress::ProgressBar;
use super::report::print;
use tesuji::base::text::grouped;
use tesuji::session::{SolveOptions, open_table};
use tesuji::table::Encoding;

/// Write a table in another compression: small to publish, or raw to mine.
///
/// The content stays the same, and its fingerprint is checked.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: tesuji repack output/ostle.tsj --raw --output output/ostle-raw.tsj"
)]
pub(crate) struct Args {
    /// The table.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// The table to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite an existing table.
    #[arg(long)]
    force: bool,
    /// Do not compress.
    #[arg(long, conflicts_with = "level")]
    raw: bool,
    /// Refused: dense tables are no longer written.
    #[arg(long, hide = true)]
    dense: bool,
    /// The compression level, 1 (fast) to 19 (small).
    #[arg(long, default_value_t = 19, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
}

pub(super) fn run(args: &Args) -> Result<()> {
    ensure!(
        !args.dense,
        "dense tables are no longer written; leave out '--dense' for a packed table"
    );
    let session = open_table(&args.table)?;
    let options = SolveOptions {
        encoding: if args.raw {
            Encoding::Raw
        } else {
            Encoding::Packed
        },
        level: args.level,
        force: args.force,
        ..SolveOptions::default()
    };
    let progress = ProgressBar::new();
    let tables = session.solving()?;
    let (packed, before) = tables.repack(&args.output, &options, &progress)?;
    progress.finish();
    let (table, fingerprint) = (args.output.display(), packed.fingerprint);
    let [size, before] = [packed.size, before].map(grouped);
    print(&format!(
        "table        {table} ({size} bytes, {before} before)\nfingerprint  {fingerprint}\n"
    ))
}

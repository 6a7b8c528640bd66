//! `tesuji repack`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::progress::ProgressBar;
use super::report::print;
use crate::base::text::grouped;
use crate::session::open_table;
use crate::table::Encoding;

/// Write a table in another compression: small to publish, dense to keep, or raw to mine.
///
/// The content stays the same, and its fingerprint is checked.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: tesuji repack output/ostle.tsj --raw --output output/ostle-raw.tsj"
)]
pub struct Args {
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
    #[arg(long, conflicts_with_all = ["dense", "level"])]
    raw: bool,
    /// Leave out what follows from other records by the rules: the smallest table. It takes
    /// longer to read.
    #[arg(long, conflicts_with = "level")]
    dense: bool,
    /// The compression level, 1 (fast) to 19 (small).
    #[arg(long, default_value_t = 19, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = open_table(&args.table)?;
    let encoding = match (args.raw, args.dense) {
        (true, _) => Encoding::Raw,
        (_, true) => Encoding::Dense,
        _ => Encoding::Packed,
    };
    let progress = ProgressBar::new();
    let packed =
        session
            .solving()?
            .repack(&args.output, encoding, args.level, args.force, &progress)?;
    progress.finish();
    print(&format!(
        "table        {} ({} bytes, {} before)\nfingerprint  {}\n",
        args.output.display(),
        grouped(packed.size),
        grouped(packed.size_before),
        packed.fingerprint,
    ))?;
    Ok(ExitCode::SUCCESS)
}

//! `tesuji info`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::progress::ProgressBar;
use super::report::print;
use crate::base::text::grouped;
use crate::session::{open_table, read_table};
use crate::table::Encoding;

/// Show the description of a table, and the size of its fields.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji info output/ostle.tsj --fields")]
pub struct Args {
    /// The table.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Show the bits per slot of every field, compressed separately in several forms; of a
    /// dense table, as it is stored.
    #[arg(long)]
    fields: bool,
    /// The compression level for --fields, 1 (fast) to 19 (small).
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
    /// For --fields, examine one block in this many.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let table = read_table(&args.table)?;
    let description = table.description();
    let slots = description.slots();
    let bits = 8.0 * table.file_size() as f64 / slots.max(1) as f64;
    let encoding = match description.encoding {
        Encoding::Raw => "not compressed",
        Encoding::Packed => "packed block by block",
        Encoding::Dense => "dense: records are derived from others",
    };
    let mut text = format!(
        "table        {}\ngame         {}\nwritten by   {}\nslots        {}\nvalues       {} bytes each\nblocks       {}, {encoding}\nsize         {} bytes, {bits:.2} bits a slot\nfingerprint  {}\n",
        args.table.display(),
        description.game,
        description.writer,
        grouped(slots),
        description.value_bytes,
        grouped(table.blocks() as u64),
        grouped(table.file_size()),
        description.fingerprint,
    );
    let _ = writeln!(
        text,
        "\n{:>7} {:>16} {:>16} {:>12}",
        "layer", "slots", "bytes", "bits a slot"
    );
    for (layer, bytes) in description.layers.iter().zip(table.bytes_by_layer()) {
        let slots = layer.end - layer.first;
        let _ = writeln!(
            text,
            "{:>7} {:>16} {:>16} {:>12.2}",
            layer.name,
            grouped(slots),
            grouped(bytes),
            8.0 * bytes as f64 / slots.max(1) as f64
        );
    }
    if args.fields {
        let progress = ProgressBar::new();
        let step = usize::try_from(args.step).unwrap_or(usize::MAX);
        let session = open_table(&args.table)?;
        let fields = session.solving()?.fields(args.level, step, &progress)?;
        progress.finish();
        let _ = match description.encoding {
            Encoding::Dense => writeln!(text, "\nbits a slot, by field"),
            Encoding::Raw | Encoding::Packed => writeln!(
                text,
                "\nbits a slot, each field compressed alone at level {}",
                args.level
            ),
        };
        for field in fields {
            let _ = writeln!(text, "{:>7.3}  {}", field.bits, field.name);
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

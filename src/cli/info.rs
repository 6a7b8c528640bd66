//! `tesuji info`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::progress::Progress;
use super::report::print;
use crate::base::text::grouped;
use crate::table::{Encoding, Table, fields};

/// Show the description of a table, and the size of its fields.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji info output/ostle.tsj --fields")]
pub struct Args {
    /// The table.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Compress every field separately, in several forms, and show the bits per slot.
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
    let table = Table::open(&args.table)?;
    let description = table.description();
    let slots = description.slots();
    let bits = 8.0 * table.file_size() as f64 / slots.max(1) as f64;
    let encoding = match description.encoding {
        Encoding::Raw => "not compressed",
        Encoding::Packed => "packed block by block",
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
    let _ = writeln!(text, "\n{:>7} {:>16}", "layer", "slots");
    for layer in &description.layers {
        let _ = writeln!(
            text,
            "{:>7} {:>16}",
            layer.name,
            grouped(layer.end - layer.first)
        );
    }
    if args.fields {
        let progress = Progress::new();
        let step = usize::try_from(args.step).unwrap_or(usize::MAX);
        let fields = fields(&table, args.level, step, &progress)?;
        progress.finish();
        let _ = writeln!(
            text,
            "\nbits a slot, each field compressed alone at level {}",
            args.level
        );
        for field in fields {
            let _ = writeln!(text, "{:>7.3}  {}", field.bits, field.name);
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

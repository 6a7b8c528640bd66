//! `tesuji info` and `tesuji repack`

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::progress::ProgressBar;
use super::report::print;
use tesuji::base::text::grouped;
use tesuji::session::{SolveOptions, open_table};
use tesuji::table::{Encoding, Table};

/// Show the description of a table, and the size of its layers.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji info output/ostle.tsj")]
pub(crate) struct InfoArgs {
    /// The table.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Refused: the fields of a table are no longer measured.
    #[arg(long, hide = true)]
    fields: bool,
}

pub(super) fn info(args: &InfoArgs) -> Result<()> {
    let why = "the fields of a table are no longer measured; leave out '--fields' for the sizes of its layers";
    ensure!(!args.fields, why);
    let table = Table::open(&args.table)?;
    let description = table.description.clone();
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
    text += "\n  layer            slots            bytes  bits a slot\n";
    for (layer, bytes) in description.layers.iter().zip(table.bytes_by_layer()) {
        let slots = layer.end - layer.first;
        let (name, bits) = (&layer.name, 8.0 * bytes as f64 / slots.max(1) as f64);
        let (slots, bytes) = (grouped(slots), grouped(bytes));
        let _ = writeln!(text, "{name:>7} {slots:>16} {bytes:>16} {bits:>12.2}");
    }
    print(&text)
}

/// Write a table in another compression: small to publish, or raw to mine.
///
/// The content stays the same, and its fingerprint is checked.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: tesuji repack output/ostle.tsj --raw --output output/ostle-raw.tsj"
)]
pub(crate) struct RepackArgs {
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

pub(super) fn repack(args: &RepackArgs) -> Result<()> {
    let why = "dense tables are no longer written; leave out '--dense' for a packed table";
    ensure!(!args.dense, why);
    let session = open_table(&args.table)?;
    let options = SolveOptions {
        raw: args.raw,
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

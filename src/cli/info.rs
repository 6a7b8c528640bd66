//! `tesuji info`

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::report::print;
use tesuji::base::text::grouped;
use tesuji::table::{Encoding, Table};

/// Show the description of a table, and the size of its layers.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji info output/ostle.tsj")]
pub(crate) struct Args {
    /// The table.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Refused: the fields of a table are no longer measured.
    #[arg(long, hide = true)]
    fields: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    ensure!(
        !args.fields,
        "the fields of a table are no longer measured; leave out '--fields' for the sizes of its layers"
    );
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

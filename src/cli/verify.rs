//! `tesuji verify`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::progress::ProgressBar;
use super::report::print;
use crate::base::text::grouped;
use crate::session::open_table;

/// Check a table: every checksum, the fingerprint, and every record against its
/// children's.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: tesuji verify output/ostle-4x4-pieces-3-losses-2.tsj\nExit code: 0 if all is well, 1 if a record is wrong, 2 if the file is damaged."
)]
pub struct Args {
    /// The table.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = open_table(&args.table)?;
    let progress = ProgressBar::new();
    let found = session.solving()?.verify(&progress)?;
    progress.finish();
    let mut text = format!(
        "verified     {}\ngame         {}\n",
        args.table.display(),
        found.game
    );
    let _ = writeln!(text, "records      {}", grouped(found.records));
    let _ = writeln!(text, "fingerprint  {}", found.fingerprint);
    for wrong in &found.examples {
        let position = wrong.position.as_deref().unwrap_or("no position");
        let _ = writeln!(text, "wrong        {} ({position})", wrong.fault);
    }
    if !found.fingerprint_holds {
        text += "wrong        the fingerprint is not that of the records\n";
    }
    let _ = if found.sound() {
        writeln!(text, "result       every record follows from its children")
    } else {
        let wrong = grouped(found.wrong);
        writeln!(
            text,
            "result       {wrong} wrong records: solve the game again"
        )
    };
    print(&text)?;
    Ok(ExitCode::from(u8::from(!found.sound())))
}

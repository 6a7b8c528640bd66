//! `tesuji verify`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::common::{grouped, parse_game, print};
use super::limits::check_memory;
use super::progress::Progress;
use crate::base::value::{Narrow, Wide};
use crate::game::{Ranked, Retrograde};
use crate::games::registry::{AnyGame, with_table_game};
use crate::solve::working_set;
use crate::table::{Table, Verified, verify, verify_solitaire};

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
    let table = Table::open(&args.table)?;
    let spec = &table.description().game;
    let game = parse_game(spec, None)
        .with_context(|| format!("{} names a game unknown here", args.table.display()))?;
    match game {
        AnyGame::Sliding(game) => {
            let progress = Progress::new();
            let found = verify_solitaire(&table, &game, &progress)?;
            progress.finish();
            report(&game, &table, &found, args)
        }
        game => with_table_game!(game, game => check(&game, &table, args)),
    }
}

fn check<G: Retrograde>(game: &G, table: &Table, args: &Args) -> Result<ExitCode> {
    // What verifying holds in memory is what solving does.
    let needed = match table.description().value_bytes {
        1 => working_set::<_, Narrow>(game),
        _ => working_set::<_, Wide>(game),
    };
    check_memory(&format!("verifying {}", game.spec()), needed, None)?;
    let progress = Progress::new();
    let found = verify(table, game, &progress)?;
    progress.finish();
    report(game, table, &found, args)
}

fn report<G: Ranked>(game: &G, table: &Table, found: &Verified, args: &Args) -> Result<ExitCode> {
    let mut text = format!(
        "verified     {}\ngame         {}\n",
        args.table.display(),
        game.spec()
    );
    let _ = writeln!(text, "records      {}", grouped(found.records));
    let _ = writeln!(text, "fingerprint  {}", table.description().fingerprint);
    for flaw in &found.flaws {
        let position = game
            .unrank(flaw.slot)
            .map_or("no position".to_owned(), |state| game.format_state(&state));
        let _ = writeln!(text, "wrong        {flaw} ({position})");
    }
    if !found.fingerprint_holds {
        text += "wrong        the fingerprint is not that of the records\n";
    }
    let sound = found.flawed == 0 && found.fingerprint_holds;
    let _ = if sound {
        writeln!(text, "result       every record follows from its children")
    } else {
        writeln!(
            text,
            "result       {} wrong records: solve the game again",
            grouped(found.flawed)
        )
    };
    print(&text)?;
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

//! `tesuji repack`

use std::fs;
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::common::{grouped, guard, parse_game, partial_name, print};
use super::progress::Progress;
use crate::base::claim::Claim;
use crate::base::watch::Watch;
use crate::game::Ranked;
use crate::games::registry::{AnyGame, with_table_game};
use crate::table::{Encoding, Table, TableWriter, ValueWidth};

/// Write a table again, compressed otherwise: small to publish, or raw to mine.
///
/// The content stays the same, and so does its fingerprint, which is checked.
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
    #[arg(long)]
    raw: bool,
    /// Compression level, 1 (quick) to 19 (small).
    #[arg(long, default_value_t = 19, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let table = Table::open(&args.table)?;
    let game = parse_game(&table.description().game, None)
        .with_context(|| format!("{} names a game unknown here", args.table.display()))?;
    match game {
        AnyGame::Sliding(game) => repack(&game, &table, args),
        game => with_table_game!(game, game => repack(&game, &table, args)),
    }
}

fn repack<G: Ranked>(game: &G, table: &Table, args: &Args) -> Result<ExitCode> {
    table.expect_game(game)?;
    guard(&args.output, args.force)?;
    let partial = partial_name(&args.output);
    let claim = Claim::file(&partial)?;
    let result = copy(game, table, args, &claim);
    let (fingerprint, size) = match result {
        Ok(written) => written,
        Err(error) => {
            // Nothing half-written stays behind.
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
    };
    print(&format!(
        "table        {} ({} bytes, {} before)\nfingerprint  {fingerprint}\n",
        args.output.display(),
        grouped(size),
        grouped(table.file_size()),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn copy<G: Ranked>(game: &G, table: &Table, args: &Args, claim: &Claim) -> Result<(String, u64)> {
    let encoding = if args.raw {
        Encoding::Raw
    } else {
        Encoding::Packed
    };
    let width = match table.description().value_bytes {
        1 => ValueWidth::NARROW,
        _ => ValueWidth::WIDE,
    };
    let partial = claim.path();
    let file = claim.handle().and_then(|file| {
        file.set_len(0)?;
        Ok(file)
    });
    let file = file.with_context(|| format!("cannot write {}", partial.display()))?;
    let sink = BufWriter::with_capacity(1 << 20, file);
    let mut writer = TableWriter::new(sink, partial, game, width, encoding, args.level)?;
    let progress = Progress::new();
    progress.begin("packing", table.description().slots());
    writer.append_blocks(
        game.slots(),
        |slots| table.records(slots),
        |done| progress.advance(done),
    )?;
    progress.finish();
    let (sink, fingerprint, size) = writer.finish()?;
    if fingerprint != table.description().fingerprint {
        bail!(
            "{}: the records have the fingerprint {fingerprint}, not {} as the table says; solve the game again",
            table.path().display(),
            table.description().fingerprint
        );
    }
    let file = sink
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error)?;
    file.sync_all()
        .and_then(|()| fs::rename(partial, &args.output))
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    Ok((fingerprint, size))
}

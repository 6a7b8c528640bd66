//! `tesuji solve`

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};

use super::common::{GameArgs, file_stem, grouped, guard, partial_name, print};
use super::progress::Progress;
use super::solution::solve_into;
use crate::game::Retrograde;
use crate::games::registry::AnyGame;
use crate::table::Encoding;

/// Solve a game completely and write its table.
///
/// The table holds, for every position up to symmetry, the best value, the only
/// best move and the value without it; the value of every state follows.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji solve ostle:5x5,pieces=3,losses=2 --output small.tsj")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The table to write [default: output/<game>.tsj].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing table.
    #[arg(long)]
    force: bool,
    /// Do not compress: larger, and quicker to scan.
    #[arg(long)]
    raw: bool,
    /// Compression level, 1 (quick) to 19 (small).
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    match args.game.game()? {
        AnyGame::Ostle(game) => solve(&game, args),
    }
}

fn solve<G: Retrograde>(game: &G, args: &Args) -> Result<ExitCode> {
    let path = args
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from("output").join(file_stem(&game.spec()) + ".tsj"));
    guard(&path, args.force)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let partial = partial_name(&path);
    let encoding = if args.raw {
        Encoding::Raw
    } else {
        Encoding::Zstd
    };
    let begun = Instant::now();
    let progress = Progress::new();
    let result = solve_into(game, &path, encoding, args.level, &progress, || {
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&partial);
        let file = file.with_context(|| format!("cannot write {}", partial.display()))?;
        Ok(BufWriter::with_capacity(1 << 20, file))
    });
    progress.finish();
    let finished = result.and_then(|(sink, fingerprint)| {
        let file = sink
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?;
        file.sync_all()
            .with_context(|| format!("cannot write {}", partial.display()))?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        fs::rename(&partial, &path).with_context(|| {
            format!("cannot rename {} to {}", partial.display(), path.display())
        })?;
        Ok((fingerprint, size))
    });
    let (fingerprint, size) = match finished {
        Ok(finished) => finished,
        Err(error) => {
            // Nothing that looks like a table is left behind.
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
    };
    print(&format!(
        "solved       {}\nslots        {}\ntable        {} ({} bytes)\nfingerprint  {fingerprint}\ntime         {:.1} s\n",
        game.spec(),
        grouped(game.slots()),
        path.display(),
        grouped(size),
        begun.elapsed().as_secs_f64(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

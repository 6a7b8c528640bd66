//! `tesuji solve`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::args::{GameArgs, TABLES};
use super::progress::ProgressBar;
use super::report::print;
use tesuji::base::text::grouped;
use tesuji::session::{SolveOptions, parse_bytes, table_name};
use tesuji::table::Encoding;

/// Solve a game completely and write its table.
///
/// The table has the best value of every position up to symmetry, the only best move, if
/// there is one, and the value without it. The value of every state follows.
///
/// If solving is stopped, by Ctrl-C or otherwise, the same command continues it: finished
/// layers are saved, and every few minutes a checkpoint of the unfinished layers.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji solve ostle:5x5,pieces=3,losses=2 --output small.tsj")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The table to write [default: output/<game>.tsj].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing table.
    #[arg(long)]
    force: bool,
    /// Do not compress: larger, but faster to scan.
    #[arg(long, conflicts_with = "level")]
    raw: bool,
    /// The compression level, 1 (fast) to 19 (small).
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
    /// Seconds between checkpoints within a layer.
    #[arg(long, value_name = "SECONDS", default_value_t = 240)]
    checkpoint_every: u64,
    /// Discard the checkpoints of an earlier run and start over.
    #[arg(long)]
    restart: bool,
    /// The most memory to use, such as 6GiB. Ostle is solved with packed records in three
    /// quarters of the memory, a third slower; a game that needs more than that is refused.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let session = args.game.open()?;
    let solving = session.solving()?;
    let spec = session.spec();
    let path = args.output.clone();
    let path = path.unwrap_or_else(|| Path::new(TABLES).join(table_name(&spec)));
    let options = SolveOptions {
        encoding: Encoding::packed_unless(args.raw),
        level: args.level,
        checkpoint_every: Duration::from_secs(args.checkpoint_every),
        restart: args.restart,
        memory: args.memory,
        force: args.force,
    };
    let begun = Instant::now();
    let solved = solving.solve(&path, &options, &ProgressBar::new())?;
    print(&format!(
        "solved       {spec}\nslots        {}\ntable        {} ({} bytes)\nfingerprint  {}\ntime         {:.1} s\n",
        grouped(solving.slots()),
        path.display(),
        grouped(solved.size),
        solved.fingerprint,
        begun.elapsed().as_secs_f64(),
    ))
}

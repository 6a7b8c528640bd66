//! `tesuji solve`

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::args::{GameArgs, TABLES};
use super::progress::ProgressBar;
use super::report::print;
use tesuji::base::text::grouped;
use tesuji::session::{SolveOptions, table_name};

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
    #[command(flatten)]
    options: SolveOptions,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let session = args.game.open()?;
    let solving = session.solving()?;
    let spec = session.spec();
    let path = args.output.clone();
    let path = path.unwrap_or_else(|| Path::new(TABLES).join(table_name(&spec)));
    let begun = Instant::now();
    let solved = solving.solve(&path, &args.options, &ProgressBar::new())?;
    print(&format!(
        "solved       {spec}\nslots        {}\ntable        {} ({} bytes)\nfingerprint  {}\ntime         {:.1} s\n",
        grouped(solving.slots()),
        path.display(),
        grouped(solved.size),
        solved.fingerprint,
        begun.elapsed().as_secs_f64(),
    ))
}

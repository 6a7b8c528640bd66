//! `tesuji solve`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::campaign::{Campaign, Claimed, Finished};
use super::common::{GameArgs, file_stem, grouped, print};
use super::limits::parse_bytes;
use super::progress::Progress;
use super::solitaire;
use crate::base::files::Existing;
use crate::game::{Ranked, Retrograde, Solitaire};
use crate::games::registry::{AnyGame, with_table_game};
use crate::table::Encoding;

/// Solve a game completely and write its table.
///
/// The table holds, for every position up to symmetry, the best value, the only
/// best move and the value without it; the value of every state follows.
///
/// A solve that is stopped, by Ctrl-C or otherwise, goes on when the same command
/// is given again: finished layers are kept, and every few minutes a checkpoint of
/// the layers under way.
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
    /// Seconds between checkpoints within a layer.
    #[arg(long, value_name = "SECONDS", default_value_t = 240)]
    checkpoint_every: u64,
    /// Forget the checkpoints of an earlier run and begin anew.
    #[arg(long)]
    restart: bool,
    /// The most memory to use, such as 9GiB; a game that needs more is refused.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    match args.game.game()? {
        AnyGame::Sliding(game) => {
            game.solvable()?;
            solve_puzzle(&game, args)
        }
        game => with_table_game!(game, game => solve(&game, args)),
    }
}

/// Where the table goes.
fn target(spec: &str, args: &Args) -> PathBuf {
    args.output
        .clone()
        .unwrap_or_else(|| PathBuf::from("output").join(file_stem(spec) + ".tsj"))
}

fn encoding(args: &Args) -> Encoding {
    if args.raw {
        Encoding::Raw
    } else {
        Encoding::Packed
    }
}

fn solve_puzzle<G: Solitaire>(game: &G, args: &Args) -> Result<ExitCode> {
    let path = target(&game.spec(), args);
    let begun = Instant::now();
    let form = solitaire::Form {
        encoding: encoding(args),
        level: args.level,
        memory: args.memory,
        force: args.force,
    };
    let (fingerprint, size) = solitaire::solve(game, &path, form)?;
    report(game, &path, &Finished { fingerprint, size }, begun)
}

fn solve<G: Retrograde>(game: &G, args: &Args) -> Result<ExitCode> {
    let path = target(&game.spec(), args);
    let claimed = Claimed::new(&path, Existing::refused_unless(args.force))?;
    let campaign = Campaign {
        path: path.clone(),
        encoding: encoding(args),
        level: args.level,
        every: Duration::from_secs(args.checkpoint_every),
        restart: args.restart,
        memory: args.memory,
    };
    let begun = Instant::now();
    let progress = Progress::new();
    let finished = campaign.run(game, &claimed, &progress);
    progress.finish();
    report(game, &path, &finished?, begun)
}

fn report<G: Ranked>(
    game: &G,
    path: &Path,
    finished: &Finished,
    begun: Instant,
) -> Result<ExitCode> {
    print(&format!(
        "solved       {}\nslots        {}\ntable        {} ({} bytes)\nfingerprint  {}\ntime         {:.1} s\n",
        game.spec(),
        grouped(game.slots()),
        path.display(),
        grouped(finished.size),
        finished.fingerprint,
        begun.elapsed().as_secs_f64(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

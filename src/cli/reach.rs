//! `tesuji reach`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::common::{GameArgs, grouped, print};
use super::limits::{check_memory, parse_bytes};
use super::progress::Progress;
use super::published::{Counts, Published};
use crate::game::Forward;
use crate::games::registry::with_table_game;
use crate::solve::{Reach, Rule, reach, reach_working_set};

/// Count the states that can be reached from the initial one, by distance.
///
/// A state is a position, up to symmetry and seen by the side to move, with the
/// move that rule 8 forbids there, if any. Nobody is obliged to win, and a game
/// that is over is no state. "Not reached" are states that some move of some
/// position leads to, but no game. The published game takes about 8 GB of memory.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji reach ostle:4x4,pieces=3,losses=2
  tesuji reach ostle --repetition up-to-symmetry --take-backs --compare table3.csv

Exit code with --compare: 0 if all rows agree, 1 if any differs.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Compare with published counts: a CSV file with the columns
    /// `plies_from_start,states`. Rows that differ are listed, and the exit code is 1.
    /// May be given repeatedly.
    #[arg(long, value_name = "FILE.csv")]
    compare: Vec<PathBuf>,
    /// Also make the moves that rule 8 forbids. The published Table 3 counts so.
    #[arg(long)]
    take_backs: bool,
    /// The most memory to use, such as 9GiB; a game that needs more is refused.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    // Files are read first: a slip in one should not cost a search.
    let published = Published::read(&args.compare, &["plies_from_start,states"])?;
    let (spec, reached) = with_table_game!(args.game.game()?, game => search(&game, args)?);
    let comparisons = published.compare(|_| counts(&reached));
    print(&comparisons.report(
        args.json,
        || as_json(&spec, &reached),
        || as_text(&spec, &reached),
    ))?;
    Ok(comparisons.exit_code())
}

fn search<G: Forward>(game: &G, args: &Args) -> Result<(String, Reach)> {
    check_memory(
        &format!("searching {}", game.spec()),
        reach_working_set(game),
        args.memory,
    )?;
    let progress = Progress::new();
    let rule = if args.take_backs {
        Rule::TakeBacks
    } else {
        Rule::Legal
    };
    let reached = reach(game, rule, &progress)?;
    progress.finish();
    Ok((game.spec(), reached))
}

fn counts(reached: &Reach) -> Counts {
    let rows = (0u64..).zip(reached.counts());
    rows.map(|(plies, &states)| (vec![plies.to_string()], states))
        .collect()
}

fn as_json(spec: &str, reached: &Reach) -> Json {
    let rows: Vec<_> = (0u64..)
        .zip(reached.counts())
        .map(|(plies, states)| json!({ "plies_from_start": plies, "states": states }))
        .collect();
    json!({
        "game": spec,
        "states": reached.reached(),
        "not_reached": reached.unreached(),
        "distances": rows,
    })
}

fn as_text(spec: &str, reached: &Reach) -> String {
    let mut text = format!("game         {spec}\n");
    let _ = writeln!(text, "states       {}", grouped(reached.reached()));
    let _ = writeln!(text, "not reached  {}", grouped(reached.unreached()));
    let _ = writeln!(text, "\n{:>5} {:>16}", "plies", "states");
    for (plies, &states) in reached.counts().iter().enumerate() {
        let _ = writeln!(text, "{plies:>5} {:>16}", grouped(states));
    }
    text
}

//! `tesuji reach`

use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value as Json, json};

use super::common::{GameArgs, grouped, print};
use super::progress::Progress;
use crate::game::Forward;
use crate::games::registry::AnyGame;
use crate::solve::{Reach, reach};

/// Count the states that can be reached from the initial one, by distance.
///
/// A state is a position, up to symmetry and seen by the side to move, with the
/// move that rule 8 forbids there, if any. Nobody is obliged to win, and a game
/// that is over is no state. "Not reached" are states that some move of some
/// position leads to, but no game. The published game takes about 8 GB of memory.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji reach ostle:4x4,pieces=3,losses=2
  tesuji reach ostle --repetition up-to-symmetry --compare table3.csv

Exit code with --compare: 0 if all rows agree, 1 if any differs.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Compare with a CSV file with the columns `plies_from_start` and states.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// A number of plies for which two counts differ.
struct Difference {
    plies: usize,
    expected: Option<u64>,
    found: Option<u64>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    // The file is read first: a slip in it should not cost a search.
    let expected = args.compare.as_deref().map(read).transpose()?;
    let (spec, reached) = match args.game.game()? {
        AnyGame::Ostle(game) => search(&game)?,
    };
    let differences = expected.map(|expected| compare(&expected, reached.counts()));
    let text = if args.json {
        let object = as_json(&spec, &reached, differences.as_deref());
        format!("{object:#}\n")
    } else {
        as_text(&spec, &reached, differences.as_deref(), args)
    };
    print(&text)?;
    let differs = differences.is_some_and(|differences| !differences.is_empty());
    Ok(ExitCode::from(u8::from(differs)))
}

fn search<G: Forward>(game: &G) -> Result<(String, Reach)> {
    let progress = Progress::new();
    let reached = reach(game, &progress)?;
    progress.finish();
    Ok((game.spec(), reached))
}

/// The counts of a file, by plies.
fn read(path: &Path) -> Result<Vec<Option<u64>>> {
    const HEADER: [&str; 2] = ["plies_from_start", "states"];
    let remedy = "give a CSV file that begins with the line plies_from_start,states";
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name} cannot be read; {remedy}"))?;
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(file);
    let fault = |error: csv::Error| anyhow!("{name} cannot be read: {error}; {remedy}");
    let header = reader.headers().map_err(fault)?;
    if header.iter().ne(HEADER) {
        let found: Vec<_> = header.iter().collect();
        bail!("{name}, line 1: found '{}'; {remedy}", found.join(","));
    }
    let mut counts: Vec<Option<u64>> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(fault)?;
        let line = row.position().map_or(0, csv::Position::line);
        let number = |column: usize| {
            let text = &row[column];
            text.parse::<u64>().map_err(|_| {
                let column = HEADER[column];
                anyhow!("{name}, line {line}: '{text}' is no {column}; give a whole number without separators")
            })
        };
        let (plies, states) = (number(0)?, number(1)?);
        let Some(place) = usize::try_from(plies).ok().filter(|&plies| plies < 256) else {
            bail!("{name}, line {line}: {plies} plies are out of range; give 0 to 255");
        };
        if counts.len() <= place {
            counts.resize(place + 1, None);
        }
        if counts[place].replace(states).is_some() {
            bail!("{name}, line {line}: {plies} plies are given twice; leave one row out");
        }
    }
    Ok(counts)
}

fn compare(expected: &[Option<u64>], found: &[u64]) -> Vec<Difference> {
    (0..expected.len().max(found.len()))
        .map(|plies| Difference {
            plies,
            expected: expected.get(plies).copied().flatten(),
            found: found.get(plies).copied(),
        })
        // A row that neither side has, or only one side has as zero, is no difference.
        .filter(|row| row.expected.unwrap_or(0) != row.found.unwrap_or(0))
        .collect()
}

fn as_json(spec: &str, reached: &Reach, differences: Option<&[Difference]>) -> Json {
    let rows: Vec<_> = (0..)
        .zip(reached.counts())
        .map(|(plies, states): (usize, _)| json!({ "plies_from_start": plies, "states": states }))
        .collect();
    let mut object = json!({
        "game": spec,
        "states": reached.reached(),
        "not_reached": reached.unreached(),
        "distances": rows,
    });
    if let Some(differences) = differences {
        object["differences"] = differences
            .iter()
            .map(|row| json!({ "plies_from_start": row.plies, "expected": row.expected, "found": row.found }))
            .collect();
    }
    object
}

fn as_text(spec: &str, reached: &Reach, differences: Option<&[Difference]>, args: &Args) -> String {
    let mut text = format!("game         {spec}\n");
    let _ = writeln!(text, "states       {}", grouped(reached.reached()));
    let _ = writeln!(text, "not reached  {}", grouped(reached.unreached()));
    let _ = writeln!(text, "\n{:>5} {:>16}", "plies", "states");
    for (plies, &states) in reached.counts().iter().enumerate() {
        let _ = writeln!(text, "{plies:>5} {:>16}", grouped(states));
    }
    let (Some(differences), Some(path)) = (differences, &args.compare) else {
        return text;
    };
    if differences.is_empty() {
        let _ = writeln!(text, "\nall rows agree with {}", path.display());
        return text;
    }
    let _ = writeln!(
        text,
        "\n{} rows differ from {}",
        differences.len(),
        path.display()
    );
    let shown = |count: Option<u64>| count.map_or("-".to_owned(), grouped);
    let _ = writeln!(text, "{:>5} {:>16} {:>16}", "plies", "expected", "found");
    for row in differences {
        let (expected, found) = (shown(row.expected), shown(row.found));
        let _ = writeln!(text, "{:>5} {expected:>16} {found:>16}", row.plies);
    }
    text
}

//! `tesuji compose`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::common::{RepetitionArg, ScopeArgs, grouped, parse_game, print};
use super::filters;
use super::limits::most_memory;
use super::progress::Progress;
use super::solution;
use crate::game::{Classified, Game, Patterned};
use crate::games::registry::with_table_game;
use crate::mine::PuzzleRow;
use crate::mine::{Catalogue, Filter, Minable, Predicate, Solved, puzzles, scan_solved};

/// Find positions that fit a partial diagram and a filter.
///
/// The pattern is the board as in the one-line notation, for Black to move, with ?
/// for a square that may hold anything, x for a piece of either side and . or a
/// digit for empty squares. It may be turned and mirrored; finds are shown as they
/// fit it. How many pieces there are is for the condition to say.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  tesuji compose ostle:4x4,pieces=3,losses=2 \"????/?o??/????/b??w\" --where \"plies = 9 AND n_winning = 1\"")]
pub struct Args {
    /// The game.
    #[arg(value_name = "GAME")]
    spec: String,
    /// The partial diagram.
    #[arg(value_name = "PATTERN")]
    pattern: String,
    /// How rule 8 is read; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<RepetitionArg>,
    /// The game's table; without it a small game is solved in passing.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// A filter: a TOML file, or the name of a shipped one.
    #[arg(long, value_name = "FILTER", conflicts_with = "condition")]
    filter: Option<String>,
    /// A SQL condition over the columns that 'tesuji features' lists [default: every
    /// win with one shortest first move].
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Show at most so many finds.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    with_table_game!(parse_game(&args.spec, args.repetition)?, game => compose(&game, args))
}

/// The filter asked for.
fn filter(family: &str, args: &Args) -> Result<Filter> {
    if let Some(name) = &args.filter {
        let mut found = filters::load(family, std::slice::from_ref(name))?;
        return Ok(found.remove(0));
    }
    let condition = args
        .condition
        .as_deref()
        .unwrap_or("outcome = 'win' AND plies > 1 AND n_best = 1");
    let condition = toml::Value::String(condition.to_owned());
    let text = format!(
        "name = 'where'\ntitle = ''\ntext = ''\npredicate = {condition}\norder = ['-plies']\ndistinct = true"
    );
    Ok(Filter::parse(&text, "--where")?)
}

fn compose<G: Minable + Patterned + Classified>(game: &G, args: &Args) -> Result<ExitCode> {
    let pattern = game.parse_pattern(&args.pattern)?;
    let family = args.spec.split(':').next().unwrap_or_default();
    let filter = filter(family, args)?;
    let predicate = Predicate::new(&filter, &Catalogue::new(game))?;
    let table = solution::load(game, args.table.as_ref())?;
    let progress = Progress::new();
    let limit = Some(args.limit as usize);
    let scope = args.scope.scope(game)?.memory(most_memory(None));
    let fit = |state: &G::State| game.fit(&pattern, state);
    let mut source = Solved::new(&table, game)?;
    let mut scans = scan_solved(
        game,
        &mut source,
        &[(&predicate, filter.scanned(limit))],
        &scope,
        &fit,
        &progress,
    )?;
    let scan = scans.remove(0);
    let matched = scan.matched();
    let rows = puzzles(game, &source, &filter, scan, limit, &progress)?;
    progress.finish();
    let rows: Vec<_> = rows.into_iter().map(|(row, _)| row).collect();
    let text = if args.json {
        format!("{:#}\n", json!({ "matched": matched, "puzzles": rows }))
    } else {
        as_text(game, matched, &rows)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn as_text<G: Game>(game: &G, matched: u64, rows: &[PuzzleRow]) -> String {
    let mut text = format!(
        "{}: {} positions fit; shown are {} with different solutions\n\n",
        game.spec(),
        grouped(matched),
        rows.len()
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{}  {}  {}  score {}  {}",
            row.position, row.stipulation, row.soundness, row.score, row.themes
        );
    }
    text
}

//! `tesuji mine`

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::common::{RepetitionArg, ScopeArgs, grouped, parse_game, print};
use super::draw::{puzzle, solution_strip};
use super::filters;
use super::limits::{most_memory, parse_bytes};
use super::mine_hidden::{self, SupplyArgs};
use super::output::put_all;
use super::pictures::{stale, style, tidy};
use super::progress::Progress;
use super::solution;
use crate::analysis::Solution;
use crate::base::claim::Claim;
use crate::draw::{Style, render, strip};
use crate::export::{write_csv, write_parquet};
use crate::game::{Classified, Drawable, Game, Moves};
use crate::games::registry::{AnyGame, RegistryError, with_table_game};
use crate::mine::PuzzleRow;
use crate::mine::{Catalogue, Filter, Minable, Predicate, Solved, puzzles, scan_solved};
use crate::table::{Table, TableOracle};

/// The game that is mined when none is named: it solves in seconds and, unlike the
/// 5x5 board with three pieces (which has no or one forced sacrifice), is rich
/// enough for every shipped filter.
const DEFAULT_GAME: &str = "ostle:4x4,pieces=4,losses=2";

/// Finds that are worth loading the whole table to solve them.
const MANY: usize = 1000;

/// Puzzles on a contact sheet, and how many side by side.
const SHEET: usize = 24;
const SHEET_COLUMNS: usize = 6;

/// Find puzzles in a solved game, export them and draw the best.
///
/// Without arguments a small Ostle is solved and every shipped filter is run. Each
/// filter leaves a folder with puzzles.csv, puzzles.parquet, sheet.svg with the
/// 24 best puzzles side by side and, for the best few, a diagram and a strip with the
/// solution.
///
/// Games with hidden information have no table: positions are made up and solved one by
/// one, and a folder has puzzles.csv, puzzles.parquet and columns.csv with every column
/// of features.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji mine
  tesuji mine ostle:4x4,pieces=3,losses=2 --filter forced-sacrifice --output finds
  tesuji mine ostle --table output/ostle.tsj --filter my-filter.toml
  tesuji mine tsuitate --filter needs-foul --positions 100000 --depth 7 --output finds")]
pub struct Args {
    /// The game.
    #[arg(value_name = "GAME", default_value = DEFAULT_GAME)]
    pub spec: String,
    /// How rule 8 is read; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    pub repetition: Option<RepetitionArg>,
    /// The game's table; without it a small game is solved in passing.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// A filter: a TOML file, or the name of a shipped one. May be given several
    /// times [default: all shipped filters of the game].
    #[arg(long, value_name = "FILTER")]
    filter: Vec<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Memory that the table may take, such as 9GiB; where it does not fit, it is read
    /// from its file, more slowly [default: four fifths of what is free].
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Keep at most so many finds of each filter; overrides the filter's limit.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Compare so many finds of each filter, the first in its order, by their score, and
    /// keep the best of them; overrides the filter's shortlist.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub shortlist: Option<u32>,
    /// How many of the best puzzles to draw one by one; with 0 there is no sheet either.
    #[arg(long, default_value_t = 6)]
    draw: usize,
    /// print (black and white), screen, dark, or a style sheet: FILE.toml.
    #[arg(long, default_value = "print")]
    style: String,
    /// The folder to write to.
    #[arg(short, long, value_name = "FOLDER", default_value = "output")]
    pub output: PathBuf,
    /// Overwrite files with other content.
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub supply: SupplyArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let game = parse_game(&args.spec, args.repetition)?;
    if let AnyGame::Sliding(game) = &game {
        return Err(RegistryError::OnePlayer(game.spec()).into());
    }
    let mut filters = filters::load(game.family(), &args.filter)?;
    if let Some(shortlist) = args.shortlist {
        let with = |filter: Filter| filter.with_shortlist(shortlist as usize);
        filters = filters.into_iter().map(with).collect();
    }
    if let AnyGame::Tsuitate(game) = &game {
        return mine_hidden::mine(game, &filters, args);
    }
    args.supply.none_of(&game.spec())?;
    with_table_game!(&game, game => mine(game, &filters, args))
}

fn mine<G: Minable + Drawable + Classified>(
    game: &G,
    filters: &[Filter],
    args: &Args,
) -> Result<ExitCode> {
    let style = style(&args.style)?;
    let catalogue = Catalogue::new(game);
    for (place, filter) in filters.iter().enumerate() {
        if filters[..place]
            .iter()
            .any(|other| other.name() == filter.name())
        {
            bail!(
                "two filters are named '{}'; each needs a folder of its own, so rename one",
                filter.name()
            );
        }
    }
    // All filters are checked before any work begins.
    let predicates = filters
        .iter()
        .map(|filter| Predicate::new(filter, &catalogue))
        .collect::<Result<Vec<_>, _>>()?;
    let scope = args.scope.scope(game)?.memory(most_memory(args.memory));
    let folders = filters.iter().map(|filter| args.output.join(filter.name()));
    let _claims = folders
        .map(|folder| {
            let claim = Claim::folder(&folder)?;
            tidy(&folder).map(|()| claim)
        })
        .collect::<Result<Vec<_>>>()?;
    let begun = Instant::now();
    let table = solution::load(game, args.table.as_ref())?;
    let solved = begun.elapsed().as_secs_f64();
    let mut text = format!(
        "{}: {} slots, fingerprint {}, ready after {solved:.1} s\n\n{:22} {:>10} {:>6}  {:34} folder\n",
        game.spec(),
        grouped(game.slots()),
        table.description().fingerprint,
        "filter",
        "found",
        "kept",
        "best"
    );
    let limit = |filter: &Filter| args.limit.map(|limit| limit as usize).or(filter.limit());
    let tasks: Vec<_> = predicates
        .iter()
        .zip(filters)
        .map(|(predicate, filter)| (predicate, filter.scanned(limit(filter))))
        .collect();
    let progress = Progress::new();
    let mut source = Solved::new(&table, game)?;
    let whole = |state: &G::State| Some(state.clone());
    let scans = scan_solved(game, &mut source, &tasks, &scope, &whole, &progress)?;
    if scans.iter().map(|scan| scan.finds().len()).sum::<usize>() > MANY {
        source.load(scope.most_memory(), &progress)?;
    }
    let scans = scans
        .into_iter()
        .zip(filters)
        .map(|(scan, filter)| {
            let matched = scan.matched();
            let rows = puzzles(game, &source, filter, scan, limit(filter), &progress);
            Ok(Found {
                matched,
                rows: rows.with_context(|| format!("filter {}", filter.name()))?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();
    // Everything is made before anything is written, and nothing is written if one
    // file may not be.
    let (mut files, mut old) = (Vec::new(), Vec::new());
    for (filter, found) in filters.iter().zip(&scans) {
        let folder = args.output.join(filter.name());
        let (line, made) = make_files(game, &table, filter, found, &style, args)
            .with_context(|| format!("filter {}", filter.name()))?;
        old.extend(stale(&folder, |path| {
            made.iter().any(|(kept, _)| kept == path)
        }));
        files.extend(made);
        text += &line;
    }
    if let Some(picture) = old.first().filter(|_| !args.force) {
        bail!(
            "{} is a picture of an earlier, different run; give --force to replace it, or another folder with --output",
            picture.display()
        );
    }
    put_all(&files, args.force)?;
    for picture in old {
        fs::remove_file(&picture)
            .with_context(|| format!("cannot remove {}", picture.display()))?;
    }
    let _ = writeln!(text, "\ntook {:.1} s in all", begun.elapsed().as_secs_f64());
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What a filter found.
struct Found<S> {
    matched: u64,
    rows: Vec<(PuzzleRow, S)>,
}

/// A file's path and content.
type Made = (PathBuf, Vec<u8>);

/// Makes the tables and pictures of one filter, and its line of the report.
fn make_files<G: Minable + Drawable + Classified>(
    game: &G,
    table: &Table,
    filter: &Filter,
    found: &Found<G::State>,
    style: &Style,
    args: &Args,
) -> Result<(String, Vec<Made>)> {
    let folder = args.output.join(filter.name());
    let oracle = TableOracle::new(table, game)?;
    let drawn = found
        .rows
        .iter()
        .take(args.draw)
        .enumerate()
        .map(|(place, (row, state))| {
            let solution = Solution::new(game, &oracle, state, 1)?;
            Ok(pictures(game, state, &solution.line, row, place + 1, style))
        });
    let pictures = drawn.collect::<Result<Vec<_>>>()?;
    let rows: Vec<_> = found.rows.iter().map(|(row, _)| row.clone()).collect();
    let (mut csv, mut parquet) = (Vec::new(), Vec::new());
    write_csv(&mut csv, &rows)?;
    write_parquet(&mut parquet, &rows)?;
    let mut files = vec![
        (folder.join("puzzles.csv"), csv),
        (folder.join("puzzles.parquet"), parquet),
    ];
    files.extend(
        pictures
            .into_iter()
            .flatten()
            .map(|(name, svg)| (folder.join(name), svg.into_bytes())),
    );
    if args.draw > 0 && !found.rows.is_empty() {
        let sheet = sheet(game, filter, &found.rows, style);
        files.push((folder.join("sheet.svg"), sheet.into_bytes()));
    }
    let best = rows.first().map_or("no state meets the condition", |row| {
        row.stipulation.as_str()
    });
    let line = format!(
        "{:22} {:>10} {:>6}  {best:34} {}\n",
        filter.name(),
        grouped(found.matched),
        rows.len(),
        folder.display()
    );
    Ok((line, files))
}

/// The best puzzles side by side.
fn sheet<G: Drawable>(
    game: &G,
    filter: &Filter,
    rows: &[(PuzzleRow, G::State)],
    style: &Style,
) -> String {
    let boards: Vec<_> = (1..)
        .zip(rows.iter().take(SHEET))
        .map(|(number, (row, state))| {
            let diagram = game.diagram(state).number(number);
            diagram.caption(format!("{}, score {}", row.stipulation, row.score))
        })
        .collect();
    strip(filter.title(), &boards, SHEET_COLUMNS, style)
}

/// The diagram and the solution of a puzzle, with the names of their files.
fn pictures<G: Moves + Drawable>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    row: &PuzzleRow,
    number: usize,
    style: &Style,
) -> Vec<(String, String)> {
    let diagram = puzzle(game.diagram(state), number, &row.stipulation, &row.themes);
    let stem = format!("{number:02}-{}", row.puzzle_id);
    let asked = (number, row.stipulation.as_str());
    vec![
        (format!("{stem}.svg"), render(&diagram, style)),
        (
            format!("{stem}-solution.svg"),
            solution_strip(game, state, moves, asked, style),
        ),
    ]
}

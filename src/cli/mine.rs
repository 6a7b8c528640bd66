//! `tesuji mine`

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};

use super::args::{RepetitionArg, ScopeArgs, SupplyArgs, open, parse_bytes, style};
use super::pictures::{refuse_stale, remove, stale};
use super::progress::{INTERRUPTED, Progress, estimated};
use super::puzzle_pictures::{puzzle_svg, solution_svg};
use super::report::print;
use crate::base::files::{Claim, put_all_claimed};
use crate::base::text::{grouped, percent};
use crate::base::watch::Watch;
use crate::draw::{Style, strip};
use crate::export::{write_batch, write_csv, write_parquet};
use crate::mine::{Filter, filters};
use crate::session::{MinedSet, MiningOptions, Session};

/// The default game: it is solved in seconds and, unlike the 5x5 board with three pieces
/// (which has at most one forced sacrifice), has puzzles for every shipped filter.
const DEFAULT_GAME: &str = "ostle:4x4,pieces=4,losses=2";

/// The number of puzzles on a contact sheet, and in each row.
const SHEET: usize = 24;
const SHEET_COLUMNS: usize = 6;

/// Find puzzles in a solved game, export them and draw the best.
///
/// Without arguments, a small Ostle is solved and every shipped filter is run. Each filter
/// has a folder with puzzles.csv, puzzles.parquet, sheet.svg with the 24 best puzzles side
/// by side and, for the best few, a diagram and a strip with the solution.
///
/// Games with hidden information have no table: positions are generated and solved one by
/// one. A folder then also has columns.csv with all feature columns, and solutions are
/// drawn as trees.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji mine
  tesuji mine ostle:4x4,pieces=3,losses=2 --filter forced-sacrifice --output finds
  tesuji mine ostle --table output/ostle.tsj --filter my-filter.toml
  tesuji mine tsuitate --filter needs-foul --positions 100000 --depth 7 --output finds")]
pub struct Args {
    /// The game.
    #[arg(value_name = "GAME", default_value = DEFAULT_GAME)]
    spec: String,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<RepetitionArg>,
    /// The game's table; a small game needs none.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// A filter: a TOML file, or the name of a shipped one; may be repeated [default: all
    /// shipped filters of the game].
    #[arg(long, value_name = "FILTER")]
    filter: Vec<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Estimate the number of finds after a second, and show the best so far; Ctrl-C then keeps
    /// what was found. By default, on a terminal, for games with tables.
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, require_equals = true,
          default_value = "auto", default_missing_value = "always")]
    progressive: When,
    /// Only positions that some game from the initial position reaches, by whatever moves.
    #[arg(long)]
    reachable: bool,
    /// The most memory for the table, such as 9GiB; a larger table is read from its file,
    /// more slowly [default: four fifths of the free memory].
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Keep at most N finds of each filter; overrides the filter's limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Compare the first N finds of each filter by score, and keep the best; overrides the
    /// filter's shortlist.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    shortlist: Option<u32>,
    /// The number of puzzles to draw separately; with 0, there is no sheet either.
    #[arg(long, default_value_t = 6)]
    draw: usize,
    /// print (black and white), screen, dark, or a style sheet: FILE.toml.
    #[arg(long, default_value = "print")]
    style: String,
    /// The folder to write to.
    #[arg(short, long, value_name = "FOLDER", default_value = "output")]
    output: PathBuf,
    /// Overwrite files with other content.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    supply: SupplyArgs,
}

/// When to do something that is of use at a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum When {
    /// If standard error is a terminal.
    Auto,
    /// In any case.
    Always,
    /// Not at all.
    Never,
}

/// The file in a filter's folder that says how far a scan got which was stopped.
const SAMPLE: &str = "sample.json";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = open(&args.spec, args.repetition, args.table.as_ref())?;
    let mining = session.mining()?;
    let mut filters = filters(&session.family(), &args.filter)?;
    if let Some(shortlist) = args.shortlist {
        let with = |filter: Filter| filter.with_shortlist(shortlist as usize);
        filters = filters.into_iter().map(with).collect();
    }
    let style = style(&args.style)?;
    let options = MiningOptions {
        scope: args.scope.options(),
        reachable: args.reachable,
        memory: args.memory,
        limit: args.limit.map(|limit| limit as usize),
        progressive: match args.progressive {
            When::Auto => {
                std::io::stderr().is_terminal() && mining.estimates(&args.scope.options())
            }
            When::Always => true,
            When::Never => false,
        },
        supply: args.supply.options(),
    };
    // Filters and output files are checked before any work begins.
    mining.check(&filters, &options)?;
    let folders = filters.iter().map(|filter| args.output.join(filter.name()));
    let _claims = folders
        .map(|folder| Claim::folder(&folder))
        .collect::<Result<Vec<_>, _>>()?;
    let begun = Instant::now();
    let progress = if options.progressive {
        Progress::interruptible()?
    } else {
        Progress::new()
    };
    let mined = mining.mine(&filters, &options, &progress);
    progress.finish();
    if mined.is_err() && progress.cancelled() {
        // Before there was anything to keep.
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let mined = mined?;
    let mut text = format!(
        "{}\n\n{:22} {:>10} {:>6}  {:34} folder\n",
        mined.about, "filter", "found", "kept", "best"
    );
    // Everything is made before anything is written, and if one file may not be written,
    // none is.
    let (mut files, mut old) = (Vec::new(), Vec::new());
    for set in &mined.sets {
        let folder = args.output.join(&set.filter);
        let made = make_files(&*session, set, &folder, &style, args.draw)
            .with_context(|| format!("filter {}", set.filter))?;
        old.extend(stale(&folder, |path| {
            made.iter().any(|(kept, _)| kept == path)
        }));
        let sample = folder.join(SAMPLE);
        if set.coverage.is_none() && sample.is_file() {
            old.push(sample);
        }
        files.extend(made);
        let best = set.rows.first();
        let best = best.map_or("no state satisfies the condition", |row| &row.stipulation);
        let _ = writeln!(
            text,
            "{:22} {:>10} {:>6}  {best:34} {}",
            set.filter,
            grouped(set.matched),
            set.rows.len(),
            folder.display()
        );
        if let Some(coverage) = set.coverage {
            let _ = writeln!(
                text,
                "{:22} stopped after {} of the positions; in all of them there are {}",
                "",
                percent(coverage.looked_at, coverage.of),
                estimated(coverage.estimate)
            );
        }
    }
    refuse_stale(&old, args.force)?;
    put_all_claimed(&files, args.force)?;
    remove(&old)?;
    let _ = writeln!(
        text,
        "\ntook {:.1} s in total",
        begun.elapsed().as_secs_f64()
    );
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A file's path and content.
type Made = (PathBuf, Vec<u8>);

/// Makes the tables of a filter, and pictures of its `drawn` best puzzles.
fn make_files(
    session: &dyn Session,
    set: &MinedSet,
    folder: &Path,
    style: &Style,
    drawn: usize,
) -> Result<Vec<Made>> {
    let (mut csv, mut parquet) = (Vec::new(), Vec::new());
    write_csv(&mut csv, &set.rows)?;
    write_parquet(&mut parquet, &set.rows)?;
    let mut files = vec![
        (folder.join("puzzles.csv"), csv),
        (folder.join("puzzles.parquet"), parquet),
    ];
    if let Some(columns) = &set.columns {
        let mut csv = Vec::new();
        write_batch(&mut csv, columns)?;
        files.push((folder.join("columns.csv"), csv));
    }
    if let Some(coverage) = set.coverage {
        let json = serde_json::json!({
            "filter": set.filter,
            "complete": false,
            "slots_looked_at": coverage.looked_at,
            "slots": coverage.of,
            "found": set.matched,
            "estimated": coverage.estimate.number.round(),
            "error_95": coverage.estimate.error.ceil(),
        });
        let text = format!("{json:#}\n");
        files.push((folder.join(SAMPLE), text.into_bytes()));
    }
    for (number, row) in (1..).zip(set.rows.iter().take(drawn)) {
        let stem = format!("{number:02}-{}", row.puzzle_id);
        let puzzle = puzzle_svg(session, row, number, style)?;
        files.push((folder.join(format!("{stem}.svg")), puzzle.into_bytes()));
        let solution = solution_svg(session, row, number, style)?;
        let name = format!("{stem}-solution.svg");
        files.push((folder.join(name), solution.into_bytes()));
    }
    if drawn > 0 && !set.rows.is_empty() {
        let sheet = sheet(session, set, style)?;
        files.push((folder.join("sheet.svg"), sheet.into_bytes()));
    }
    Ok(files)
}

/// The best puzzles side by side.
fn sheet(session: &dyn Session, set: &MinedSet, style: &Style) -> Result<String> {
    let boards = (1..).zip(set.rows.iter().take(SHEET)).map(|(number, row)| {
        let diagram = session.diagram(&row.position)?.number(number);
        Ok(diagram.caption(format!("{}, score {}", row.stipulation, row.score)))
    });
    let boards = boards.collect::<Result<Vec<_>>>()?;
    Ok(strip(&set.title, &boards, SHEET_COLUMNS, style))
}

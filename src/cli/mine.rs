//! `tesuji mine` and `tesuji features`

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::cli::args::{ExcludeArgs, ScopeArgs, TableArgs, open, style};
use crate::cli::progress::{INTERRUPTED, ProgressBar, estimated};
use crate::cli::report::{answer, print};
use tesuji::base::progress::Progress;
use tesuji::base::text::{grouped, percent};
use tesuji::mine::{Filter, filters};
use tesuji::session::{
    ColumnReport, FindFolder, MiningOptions, ScopeOptions, SupplyOptions, parse_bytes, write_finds,
};

/// The default game: it is solved in seconds and, unlike the 5x5 board with three pieces
/// (which has at most one forced sacrifice), has puzzles for every shipped filter.
const DEFAULT_GAME: &str = "ostle:4x4,pieces=4,losses=2";

/// Find puzzles in a solved game, export them and draw the best.
///
/// Without arguments, a small Ostle is solved and the shipped filters are run. Each filter
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
  tesuji mine ostle --filter my-filter.toml
  tesuji mine tsuitate --filter needs-foul --positions 100000 --depth 7 --output finds")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_name = "GAME", default_value = DEFAULT_GAME)]
    spec: String,
    #[command(flatten)]
    table: TableArgs,
    /// A filter: a TOML file, or the name of a shipped one; may be repeated [default: all
    /// shipped filters of the game, except swindle-1 to swindle-6].
    #[arg(long, value_name = "FILTER")]
    filter: Vec<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    exclude: ExcludeArgs,
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
    supply: SupplyOptions,
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

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let session = args.table.open(&args.spec)?;
    let mining = session.mining()?;
    let mut filters = filters(&session.family(), &args.filter)?;
    if let Some(shortlist) = args.shortlist {
        for filter in &mut filters {
            filter.shortlist = Some(shortlist as usize);
        }
    }
    if args.draw == 0 && args.style != "print" {
        bail!("--style is for pictures, and --draw 0 makes none; leave one of them out");
    }
    let style = style(&args.style)?;
    let scope = args.scope.options();
    let options = MiningOptions {
        progressive: match args.progressive {
            When::Auto => std::io::stderr().is_terminal() && mining.estimates(&scope),
            When::Always => true,
            When::Never => false,
        },
        scope: ScopeOptions {
            exclude: args.exclude.positions(&*session)?,
            ..scope
        },
        reachable: args.reachable,
        memory: args.memory,
        limit: args.limit.map(|limit| limit as usize),
        supply: args.supply.clone(),
    };
    // Filters and output files are checked before any work begins.
    mining.check(&filters, &options)?;
    let spec = session.spec();
    let folder = |filter: &Filter| args.output.join(filter.name.clone());
    let claimed = filters.iter().map(|filter| {
        FindFolder::claim_for(&folder(filter), &spec, filter, &depends(args), args.force)
    });
    let folders = claimed.collect::<Result<Vec<_>, _>>()?;
    let begun = Instant::now();
    let progress = if options.progressive {
        ProgressBar::interruptible()?
    } else {
        ProgressBar::new()
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
    for ((set, filter), at) in mined.sets.iter().zip(&filters).zip(&folders) {
        let best = set.rows.first();
        let best = best.map_or("no state satisfies the condition", |row| &row.stipulation);
        let _ = writeln!(
            text,
            "{:22} {:>10} {:>6}  {best:34} {}",
            set.filter,
            grouped(set.matched),
            set.rows.len(),
            folder(filter).display()
        );
        if let Some(coverage) = set.coverage {
            let share = percent(coverage.looked_at, coverage.of);
            let all = estimated(coverage.estimate);
            let why =
                format!("stopped after {share} of the positions; in all of them there are {all}");
            let _ = writeln!(text, "{:22} {why}", "");
        }
        if at.keeps(set) {
            let why = "the folder keeps the finds of all positions, from an earlier run";
            let _ = writeln!(text, "{:22} {why}", "");
        }
    }
    let drawn = (&style, args.draw);
    write_finds(&*session, &mined.sets, &folders, drawn, args.force)?;
    let took = begun.elapsed().as_secs_f64();
    let _ = writeln!(text, "\ntook {took:.1} s in total");
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// All that the results depend on besides game and filter. How much memory there is and
/// whether a scan tells of its progress make no difference.
fn depends(args: &Args) -> String {
    let Args {
        table,
        scope,
        exclude,
        reachable,
        limit,
        shortlist,
        draw,
        style,
        supply,
        ..
    } = args;
    // The name that earlier versions wrote, so that their folders are known again.
    let supply = format!("{supply:?}").replacen("SupplyOptions", "SupplyArgs", 1);
    let excluded = exclude.exclude.as_ref();
    let excluded = excluded.map_or_else(String::new, |_| format!(" {exclude:?}"));
    format!(
        "{:?} {scope:?} {reachable} {limit:?} {shortlist:?} {draw} {style} {supply}{excluded}",
        table.table.as_ref()
    )
}

/// List the columns that a filter may use, with type, cost and meaning.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji features ostle")]
pub(crate) struct FeaturesArgs {
    /// The game.
    #[arg(value_name = "GAME", default_value = "ostle")]
    spec: String,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
}

pub(super) fn features(args: &FeaturesArgs) -> Result<()> {
    let session = open(&args.spec, None, None)?;
    let mining = session.mining()?;
    let columns = mining.columns().into_iter();
    let columns: Vec<_> = columns.map(ColumnReport::from).collect();
    answer(args.json, &columns, |columns| {
        let mut text = format!("{}\n\n", mining.about_columns());
        for column in columns {
            let (name, kind, cost) = (&column.name, column.kind, column.cost);
            let _ = writeln!(text, "{name:20} {kind:10} {cost:8}  {}", column.meaning);
        }
        text
    })
}

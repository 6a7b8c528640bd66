//! `tesuji export`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use super::args::{ScopeArgs, open};
use super::convert::{ConvertArgs, FormatArg, convert};
use super::progress::ProgressBar;
use super::report::print;
use crate::base::text::grouped;
use crate::export::Format;
use crate::game::Repetition;
use crate::session::{ExportColumns, ExportOptions, ExportRows, RowOptions};

/// Export all states of a solved game as a data set for other engines.
///
/// A filter's SQL runs on it unchanged, for example in Polars or Spark.
///
/// The data set is a folder of files in Hive partitions, such as
/// layer=5-4/hole=a1/part-00000.parquet. It has one row for each position without a
/// forbidden move, and the columns that 'tesuji features' lists as 'record'. States are
/// written as they are read, so a large table takes no more memory than a small one.
///
/// With --puzzles, the puzzles of a CSV file are written in another format instead.
#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
#[command(after_help = "Examples:
  tesuji export ostle:4x4,pieces=3,losses=2 --board --output states
  tesuji export ostle --table output/ostle.tsj --layer 5-4 --class c3 --output states
  tesuji export --puzzles output/longest-wins/puzzles.csv --format jsonl -o puzzles.jsonl
  tesuji export --puzzles puzzles.csv --limit 20 --columns position,plies,key -o best.csv")]
pub struct Args {
    /// The game.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<Repetition>,
    /// The game's table; a small game needs none.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The puzzles to write in another format, a CSV file from 'tesuji mine'.
    #[arg(
        long,
        value_name = "FILE.csv",
        conflicts_with_all = ["spec", "repetition", "table", "layer", "class", "hole", "sample", "restricted", "board", "position", "moves"]
    )]
    puzzles: Option<PathBuf>,
    #[command(flatten)]
    convert: ConvertArgs,
    /// Only these columns, separated by commas: any that 'tesuji features' lists, whatever
    /// they cost; with --puzzles, columns of a CSV.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        conflicts_with_all = ["board", "moves"]
    )]
    columns: Vec<String>,
    /// The moves instead of the states: one row for each move of each position.
    #[arg(long, conflicts_with_all = ["board", "restricted"])]
    moves: bool,
    /// The folder to write, or with --puzzles the file.
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// The format of the files [default: parquet; with --puzzles, as the name of the file
    /// says].
    #[arg(long, value_enum)]
    format: Option<FormatArg>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Also the states with each forbidden move that can arise; the column `forbidden` has
    /// the move. Filters scan these states only if they ask for all states.
    #[arg(long)]
    restricted: bool,
    /// Also the columns of the board; several times slower.
    #[arg(long)]
    board: bool,
    /// Also the position in one-line notation; slower, and the files are larger.
    #[arg(long)]
    position: bool,
    /// Replace an existing data set.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(puzzles) = &args.puzzles {
        convert(
            puzzles,
            &args.convert,
            &args.columns,
            args.format,
            &args.output,
            args.force,
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    args.convert.refuse()?;
    let format = match args.format {
        None | Some(FormatArg::Parquet) => Format::Parquet,
        Some(FormatArg::Jsonl) => Format::Jsonl,
        Some(FormatArg::Csv) => {
            bail!("--format csv is for --puzzles; a data set is parquet or jsonl")
        }
    };
    // Without --puzzles the parser requires a game.
    let spec = args.spec.as_deref().unwrap_or_default();
    let session = open(spec, args.repetition, args.table.as_ref())?;
    let columns = match (&args.columns[..], args.board) {
        ([], false) => ExportColumns::Record,
        ([], true) => ExportColumns::Board,
        (names, _) => ExportColumns::Named(names.to_vec()),
    };
    let options = ExportOptions {
        format,
        wanted: RowOptions {
            scope: args.scope.options(),
            rows: if args.moves {
                ExportRows::Moves
            } else {
                ExportRows::States {
                    columns,
                    restricted: args.restricted,
                }
            },
            position: args.position,
        },
        force: args.force,
    };
    let begun = Instant::now();
    let progress = ProgressBar::new();
    let exported = session
        .exporting()?
        .export(&args.output, &options, &progress)?;
    progress.finish();
    print(&format!(
        "exported     {}\ntable        fingerprint {}\nrows         {}\nfiles        {} ({} bytes) in {}\ntime         {:.1} s\n",
        exported.game,
        exported.fingerprint,
        grouped(exported.rows),
        grouped(exported.files),
        grouped(exported.bytes),
        args.output.display(),
        begun.elapsed().as_secs_f64(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

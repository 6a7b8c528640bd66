//! `tesuji export`

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::cli::args::{ExcludeArgs, RowGameArgs, ScopeArgs, entries, open, tell};
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use tesuji::analysis::Length;
use tesuji::base::files::{Existing, Place};
use tesuji::base::text::{grouped, plural};
use tesuji::book::deck;
use tesuji::export::{
    Format, PgnGame, write_csv, write_csv_columns, write_epd, write_jsonl, write_parquet, write_pgn,
};
use tesuji::game::Repetition;
use tesuji::mine::PuzzleRow;
use tesuji::session::{
    ExportColumns, ExportOptions, ExportRows, RowOptions, Session, SolutionOptions, cards,
    completed, distinct, title,
};

/// Export all states of a solved game as a data set for other engines.
///
/// A filter's SQL runs on it unchanged, for example in Polars or Spark.
///
/// The data set is a folder of files in Hive partitions, such as
/// layer=5-4/hole=a1/part-00000.parquet. It has one row for each position without a
/// forbidden move, and the columns that 'tesuji features' lists as 'record'. States are
/// written as they are read, so a large table takes no more memory than a small one.
///
/// With --puzzles, the puzzles of a CSV file are written in another format instead; FILE.apkg is
/// a deck of cards for Anki, and FILE.pgn and FILE.epd are chess puzzles for other programs.
#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
#[command(after_help = "Examples:
  tesuji export ostle:4x4,pieces=3,losses=2 --board --output states
  tesuji export ostle --table output/ostle.tsj --layer 5-4 --class c3 --output states
  tesuji export --puzzles output/longest-wins/puzzles.csv --format jsonl -o puzzles.jsonl
  tesuji export --puzzles puzzles.csv --limit 20 --columns position,plies,key -o best.csv
  tesuji export --puzzles output/longest-wins/puzzles.csv --limit 20 -o deck.apkg
  tesuji export --puzzles pawn/underpromotion/puzzles.csv -o underpromotions.pgn")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<Repetition>,
    /// The game's table; a small game needs none.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The puzzles to write in another format: a CSV file from 'tesuji mine', or one with the
    /// columns game and position. Columns of your own are kept.
    #[arg(
        long,
        value_name = "FILE.csv",
        conflicts_with_all = ["spec", "repetition", "layer", "class", "hole", "sample", "restricted", "board", "position", "moves"]
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
pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(puzzles) = &args.puzzles {
        return convert(puzzles, args);
    }
    args.convert.refuse()?;
    let format = match args.format {
        None | Some(FormatArg::Parquet) => Format::Parquet,
        Some(FormatArg::Jsonl) => Format::Jsonl,
        Some(format) => bail!(
            "--format {} is for --puzzles; a data set is parquet or jsonl",
            format.extension()
        ),
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
    let exported = session
        .exporting()?
        .export(&args.output, &options, &ProgressBar::new())?;
    print(&format!(
        "exported     {}\ntable        fingerprint {}\nrows         {}\nfiles        {} ({} bytes) in {}\ntime         {:.1} s\n",
        exported.game,
        exported.fingerprint,
        grouped(exported.rows),
        grouped(exported.files),
        grouped(exported.bytes),
        args.output.display(),
        begun.elapsed().as_secs_f64(),
    ))
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// JSON Lines, one object for each row.
    Jsonl,
    /// Comma-separated values, for puzzles.
    Csv,
    /// A deck of cards for Anki, of puzzles.
    Apkg,
    /// Games with variations, of chess puzzles.
    Pgn,
    /// Positions with the moves that solve them, of chess puzzles.
    Epd,
}

impl FormatArg {
    const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Apkg => "apkg",
            Self::Pgn => "pgn",
            Self::Epd => "epd",
        }
    }

    /// Whether solutions are written, which rows do not have whole.
    const fn has_solutions(self) -> bool {
        matches!(self, Self::Apkg | Self::Pgn | Self::Epd)
    }

    /// The format of a file: as its name says, which a format that was given may not
    /// contradict.
    fn of(output: &Path, given: Option<Self>) -> Result<Self> {
        let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
        let mut all = Self::value_variants().iter();
        let named = all.find(|format| extension == format.extension()).copied();
        match (named, given) {
            (Some(named), Some(given)) if named != given => bail!(
                "--format {}: {} is the name of a {} file; leave --format out, or give a name that ends in .{}",
                given.extension(),
                output.display(),
                named.extension(),
                given.extension()
            ),
            (_, Some(format)) | (Some(format), None) => Ok(format),
            (None, None) => bail!(
                "{}: give a name that ends in .csv, .jsonl, .parquet, .apkg, .pgn or .epd, or --format",
                output.display()
            ),
        }
    }
}

/// The arguments for --puzzles.
#[derive(Debug, clap::Args)]
struct ConvertArgs {
    /// With --puzzles: only the first of several puzzles with the same position, or the same
    /// solution, up to symmetry.
    #[arg(long)]
    distinct: bool,
    /// With --puzzles: at most the first N.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    exclude: ExcludeArgs,
    #[command(flatten)]
    game: RowGameArgs,
}

impl ConvertArgs {
    /// Refuses what says nothing about data sets. (The parser does not ask for --puzzles
    /// where a game is given, since the two exclude each other.)
    fn refuse(&self) -> Result<()> {
        let limit = self.limit.is_some();
        let all = [
            ("distinct", self.distinct),
            ("limit", limit),
            ("exclude", self.exclude.given()),
            ("game", self.game.given()),
        ];
        for (name, given) in all {
            if given {
                bail!("--{name} is for --puzzles; leave it out (--sample takes a part of a game)");
            }
        }
        Ok(())
    }
}

/// Writes puzzles in another format, the named columns or all.
fn convert(puzzles: &Path, args: &Args) -> Result<()> {
    let Args {
        convert,
        columns,
        output,
        ..
    } = args;
    let format = FormatArg::of(output, args.format)?;
    if !columns.is_empty() && format != FormatArg::Csv {
        bail!("--columns is for puzzles as CSV; the other formats have all columns");
    }
    let place = Place::claim(output, Existing::same_unless(args.force))?;
    let mut rows = entries(puzzles, "read")?;
    let unsolved = rows.iter().any(|row| row.outcome.is_empty());
    let reads = convert.distinct || convert.exclude.given();
    if !(reads || unsolved || format.has_solutions()) {
        for (name, given) in [
            ("game", convert.game.given()),
            ("table", args.table.is_some()),
        ] {
            if given {
                bail!(
                    "--{name} is for --distinct and --exclude, for apkg, pgn and epd, and for puzzles that are not solved; leave it out"
                );
            }
        }
    }
    let open = |row: &PuzzleRow| convert.game.open(&row.game, args.table.as_ref());
    solve(&mut rows, puzzles, &open)?;
    if convert.exclude.given() {
        leave_out(&mut rows, puzzles, &convert.exclude, &open)?;
    }
    if convert.distinct {
        rows = first_of_each(&rows, puzzles, &open)?;
    }
    rows.truncate(convert.limit.unwrap_or(usize::MAX));
    let mut content = Vec::new();
    match format {
        FormatArg::Parquet => write_parquet(&mut content, &rows)?,
        FormatArg::Jsonl => write_jsonl(&mut content, &rows)?,
        FormatArg::Csv if columns.is_empty() => write_csv(&mut content, &rows)?,
        FormatArg::Csv => {
            write_csv_columns(&mut content, &rows, columns).context("--columns")?;
        }
        FormatArg::Apkg => content = anki(&mut rows, puzzles, &open)?,
        FormatArg::Pgn => write_pgn(&mut content, &games(&rows, puzzles, &open)?)?,
        FormatArg::Epd => write_epd(&mut content, &games(&rows, puzzles, &open)?)?,
    }
    place.put(&content)?;
    print(&format!(
        "{} puzzles in {}\n",
        grouped(rows.len() as u64),
        output.display()
    ))
}

/// Opens the game of a puzzle.
type Open<'a> = dyn Fn(&PuzzleRow) -> Result<Box<dyn Session>> + 'a;

/// Makes a deck of puzzles, of each problem once, and leaves those that are in it.
fn anki(rows: &mut Vec<PuzzleRow>, puzzles: &Path, open: &Open<'_>) -> Result<Vec<u8>> {
    let mut of_game: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        of_game.entry(row.game.clone()).or_default().push(place);
    }
    let mut all = BTreeMap::new();
    for places in of_game.values() {
        let session = open(&rows[places[0]]);
        let session =
            session.with_context(|| format!("{}, row {}", puzzles.display(), places[0] + 1))?;
        let some: Vec<_> = places.iter().map(|&place| rows[place].clone()).collect();
        let made = cards(&*session, &some, &ProgressBar::new());
        let made = made.with_context(|| puzzles.display().to_string())?;
        all.extend(places.iter().copied().zip(made));
    }
    let mut known = HashSet::new();
    all.retain(|_, card| known.insert(card.guid.clone()));
    if all.len() < rows.len() {
        eprintln!(
            "tesuji: {} left out: a deck has each problem once, up to symmetry",
            plural((rows.len() - all.len()) as u64, "row")
        );
    }
    let title = format!("tesuji::{}", title(rows));
    rows.truncate(all.len());
    Ok(deck(&title, &all.into_values().collect::<Vec<_>>())?)
}

/// Sessions of the games of puzzles, by spec.
type Sessions = HashMap<String, Box<dyn Session>>;

/// The session of a puzzle's game, opened once; `place` says where the puzzle stands.
fn opened<'s>(
    sessions: &'s mut Sessions,
    row: &PuzzleRow,
    place: impl Fn() -> String,
    open: &Open<'_>,
) -> Result<&'s dyn Session> {
    Ok(&**match sessions.entry(row.game.clone()) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(open(row).with_context(place)?),
    })
}

/// The puzzles with their solutions.
fn games(rows: &[PuzzleRow], puzzles: &Path, open: &Open<'_>) -> Result<Vec<PgnGame>> {
    let mut sessions = HashMap::new();
    let progress = ProgressBar::new();
    let mut games = Vec::new();
    for (number, row) in (1..).zip(rows) {
        let place = || format!("{}, row {number}", puzzles.display());
        let session = opened(&mut sessions, row, place, open)?;
        let options = SolutionOptions {
            length: Length::Short,
            ..SolutionOptions::default()
        };
        let game = session.solutions()?.pgn(row, &options, &progress);
        games.push(game.with_context(place)?);
    }
    progress.finish();
    Ok(games)
}

/// Finds out all columns of puzzles of which only game and position are known.
fn solve(rows: &mut [PuzzleRow], puzzles: &Path, open: &Open<'_>) -> Result<()> {
    let mut sessions = HashMap::new();
    let progress = ProgressBar::new();
    for (number, row) in (1..).zip(rows) {
        if row.outcome.is_empty() {
            if !sessions.contains_key(&row.game) {
                sessions.insert(row.game.clone(), open(row)?);
            }
            let found = completed(&*sessions[&row.game], row, &progress);
            *row = found.with_context(|| format!("{}, row {number}", puzzles.display()))?;
        }
    }
    progress.finish();
    Ok(())
}

/// Leaves out puzzles whose positions are known, or images of known ones; tells how many.
fn leave_out(
    rows: &mut Vec<PuzzleRow>,
    puzzles: &Path,
    exclude: &ExcludeArgs,
    open: &Open<'_>,
) -> Result<()> {
    let (mut sessions, mut known_of) = (Sessions::new(), HashMap::new());
    let mut kept = Vec::new();
    for (number, row) in (1..).zip(rows.iter()) {
        let place = || format!("{}, row {number}", puzzles.display());
        let session = opened(&mut sessions, row, place, open)?;
        let known = match known_of.entry(row.game.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let positions = exclude.positions(session)?;
                let keys = positions.iter().map(|text| session.position_key(text));
                new.insert(keys.collect::<Result<HashSet<_>, _>>()?)
            }
        };
        let key = session.position_key(&row.position).with_context(place)?;
        if !known.contains(&key) {
            kept.push(row.clone());
        }
    }
    let left_out = rows.len() - kept.len();
    tell(&[format!(
        "{} left out: their positions are known",
        plural(left_out as u64, "puzzle")
    )]);
    *rows = kept;
    Ok(())
}

/// The first of every group of puzzles that are one problem, or have the same solution up to
/// symmetry; tells how many are left out.
fn first_of_each(rows: &[PuzzleRow], puzzles: &Path, open: &Open<'_>) -> Result<Vec<PuzzleRow>> {
    let mut sessions = HashMap::new();
    for (number, row) in (1..).zip(rows) {
        let place = || format!("{}, row {number}", puzzles.display());
        opened(&mut sessions, row, place, open)?;
    }
    let of_games = rows.iter().map(|row| (&*sessions[row.game.as_str()], row));
    let found = distinct(of_games, true).with_context(|| puzzles.display().to_string())?;
    tell(&found.left_out());
    let kept = found.kept.iter();
    Ok(kept.map(|&place| rows[place].clone()).collect())
}

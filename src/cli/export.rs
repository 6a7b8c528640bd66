//! `tesuji export`

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::cli::args::{
    ChoiceArgs, ExcludeArgs, RowGameArgs, ScopeArgs, name_of, open, refuse, tell, tell_unsound,
};
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use tesuji::analysis::Length;
use tesuji::base::files::{Existing, Place};
use tesuji::base::text::{grouped, plural};
use tesuji::book::deck;
use tesuji::export::{
    Format, PgnGame, write_csv, write_csv_columns, write_epd, write_jsonl, write_lichess,
    write_parquet, write_pgn,
};
use tesuji::game::Repetition;
use tesuji::session::{
    ExportColumns, ExportOptions, ExportRows, Puzzle, RowOptions, SolutionOptions, cards, title,
};

/// Export all states of a solved game as a data set for other engines.
///
/// A filter's SQL runs on it unchanged, for example in Polars or Spark.
///
/// The data set is a folder of files, data/part-00000.parquet and so on. It has one row for each
/// position without a forbidden move, and the columns that 'tesuji features' lists as 'record'. States
/// are written as they are read, so a large table takes no more memory than a small one.
///
/// With --puzzles, the puzzles of a CSV file are written in another format instead; FILE.apkg is
/// a deck of cards for Anki, and FILE.pgn and FILE.epd are chess puzzles for other programs, as is
/// FILE.csv with --format lichess.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji export ostle:4x4,pieces=3,losses=2 --board --output states
  tesuji export ostle --layer 5-4 --class c3 --output states
  tesuji export --puzzles output/longest-wins/puzzles.csv --format jsonl -o puzzles.jsonl
  tesuji export --puzzles puzzles.csv --limit 20 --columns position,plies,key -o best.csv
  tesuji export --puzzles easy.csv hard.csv --stars 2-4 --order stars -o ladder.csv
  tesuji export --puzzles output/longest-wins/puzzles.csv --limit 20 -o deck.apkg
  tesuji export --puzzles pawn/underpromotion/puzzles.csv -o underpromotions.pgn
  tesuji export --puzzles pawn/underpromotion/puzzles.csv --format lichess -o trainer.csv")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<Repetition>,
    /// The game's table; a small game needs none. With --puzzles it may be repeated, for several
    /// games [default: output/<game>.tsj, if it is there].
    #[arg(long, value_name = "FILE")]
    table: Vec<PathBuf>,
    /// The puzzles to write in another format: CSV files from 'tesuji mine', or with the columns
    /// game and position. Problems that occur in more than one file are kept once. Columns of your
    /// own are kept.
    #[arg(
        long,
        value_name = "FILE.csv",
        num_args = 1..,
        conflicts_with_all = ["spec", "repetition", "layer", "class", "hole", "sample", "restricted", "board", "position", "moves"]
    )]
    puzzles: Vec<PathBuf>,
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

pub(super) fn run(args: &Args) -> Result<()> {
    if !args.puzzles.is_empty() {
        return convert(args);
    }
    args.convert.refuse()?;
    let format = match args.format {
        None | Some(FormatArg::Parquet) => Format::Parquet,
        Some(FormatArg::Jsonl) => Format::Jsonl,
        Some(format) => bail!(
            "--format {} is for --puzzles; a data set is parquet or jsonl",
            name_of(&format)
        ),
    };
    // Without --puzzles the parser requires a game.
    let spec = args.spec.as_deref().unwrap_or_default();
    if args.table.len() > 1 {
        bail!("--table: a game has one table; give one");
    }
    let session = open(spec, args.repetition, args.table.first())?;
    let restricted = args.restricted;
    let states = |columns| ExportRows::States {
        columns,
        restricted,
    };
    let rows = match &args.columns[..] {
        _ if args.moves => ExportRows::Moves,
        [] if args.board => states(ExportColumns::Board),
        [] => states(ExportColumns::Record),
        names => states(ExportColumns::Named(names.to_vec())),
    };
    let options = ExportOptions {
        format,
        wanted: RowOptions {
            scope: args.scope.options(),
            rows,
            position: args.position,
        },
        force: args.force,
    };
    let begun = Instant::now();
    let exporting = session.exporting()?;
    let exported = exporting.export(&args.output, &options, &ProgressBar::new())?;
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
    /// Comma-separated values as in the database of Lichess, of chess puzzles.
    Lichess,
}

impl FormatArg {
    /// How the names of its files end.
    fn extension(self) -> String {
        match self {
            Self::Lichess => name_of(&Self::Csv),
            format => name_of(&format),
        }
    }

    /// Whether solutions are written, which rows do not have whole.
    const fn has_solutions(self) -> bool {
        matches!(self, Self::Apkg | Self::Pgn | Self::Epd | Self::Lichess)
    }

    /// The format of a file: as its name says, which a format that was given may not
    /// contradict.
    fn of(output: &Path, given: Option<Self>) -> Result<Self> {
        let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
        let mut all = Self::value_variants().iter();
        let named = all.find(|format| extension == *format.extension()).copied();
        match (named, given) {
            (Some(named), Some(given)) if named.extension() != given.extension() => bail!(
                "--format {}: {} is the name of a {} file; leave --format out, or give a name that ends in .{}",
                name_of(&given),
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
    /// With --puzzles: only the first of several puzzles with the same position and forbidden
    /// move, or the same solution, up to symmetry.
    #[arg(long)]
    distinct: bool,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    exclude: ExcludeArgs,
    #[command(flatten)]
    game: RowGameArgs,
}

impl ConvertArgs {
    /// Refuses what says nothing about data sets. (The parser does not ask for --puzzles
    /// where a game is given, since the two exclude each other.)
    fn refuse(&self) -> Result<()> {
        let all = [
            ("distinct", self.distinct),
            ("exclude", self.exclude.exclude.is_some()),
            ("game", self.game.game.is_some()),
        ];
        let why = "is for --puzzles; leave it out (--sample takes a part of a game)";
        refuse(all.into_iter().chain(self.choice.given()), why)
    }
}

/// Writes puzzles in another format, the named columns or all.
fn convert(args: &Args) -> Result<()> {
    let Args {
        convert,
        columns,
        output,
        ..
    } = args;
    let format = FormatArg::of(output, args.format)?;
    if !columns.is_empty() && format != FormatArg::Csv {
        bail!("--columns is for puzzles as CSV; other formats have all columns, or their own");
    }
    let place = Place::claim(output, Existing::same_unless(args.force))?;
    let leaves_out = convert.distinct || convert.exclude.exclude.is_some();
    let is_deck = format == FormatArg::Apkg && !leaves_out;
    let for_one = convert.choice.all_for("deck").filter(|_| is_deck);
    let mut puzzles = convert.game.collect(&args.puzzles, &args.table, for_one)?;
    let joined = args.puzzles.len() > 1;
    if !(leaves_out || joined || !puzzles.is_complete() || format.has_solutions()) {
        let given = [
            ("game", convert.game.game.is_some()),
            ("table", !args.table.is_empty()),
        ];
        let why = "is for --distinct and --exclude, for several files, for apkg, pgn, epd and lichess, and for puzzles that are not solved; leave it out";
        refuse(given, why)?;
    }
    let progress = ProgressBar::new();
    if convert.exclude.exclude.is_some() {
        let left_out = puzzles.exclude(|session| convert.exclude.positions(session))?;
        let left_out = plural(left_out as u64, "puzzle");
        tell(&[format!("{left_out} left out: their positions are known")]);
    }
    convert.choice.choose(&mut puzzles, false, |puzzles| {
        // What is left out, or not chosen, is not solved.
        let solved = puzzles.is_complete();
        if convert.distinct && !solved || joined && !convert.distinct {
            tell(&puzzles.distinct(false)?.left_out());
        }
        if convert.distinct {
            if !solved {
                puzzles.complete(&progress)?;
            }
            tell(&puzzles.distinct(true)?.left_out());
        }
        Ok(())
    })?;
    if !puzzles.is_complete() {
        puzzles.complete(&progress)?;
    }
    let rows: Vec<_> = puzzles.rows().cloned().collect();
    let mut count = rows.len();
    let mut content = Vec::new();
    match format {
        FormatArg::Parquet => write_parquet(&mut content, &rows)?,
        FormatArg::Jsonl => write_jsonl(&mut content, &rows)?,
        FormatArg::Csv if columns.is_empty() => write_csv(&mut content, &rows)?,
        FormatArg::Csv => {
            write_csv_columns(&mut content, &rows, columns).context("--columns")?;
        }
        FormatArg::Apkg => {
            let cards = cards(&puzzles.entries()?, &progress)?;
            if cards.len() < count {
                let left_out = plural((count - cards.len()) as u64, "row");
                let why = "a deck has each problem once, up to symmetry";
                eprintln!("tesuji: {left_out} left out: {why}");
            }
            count = cards.len();
            content = deck(&format!("tesuji::{}", title(&rows)), &cards)?;
        }
        FormatArg::Pgn => write_pgn(&mut content, &games(&puzzles.entries()?, &progress)?)?,
        FormatArg::Epd => write_epd(&mut content, &games(&puzzles.entries()?, &progress)?)?,
        FormatArg::Lichess => {
            let entries = puzzles.entries()?;
            tell_unsound(&entries, false)?;
            let games = games(&entries, &progress)?;
            count -= tell_left_out(&games);
            write_lichess(&mut content, &games)?;
        }
    }
    progress.finish();
    place.put(&content)?;
    let puzzles = plural(count as u64, "puzzle");
    print(&format!("{puzzles} in {}\n", output.display()))
}

/// Tells which puzzles are no puzzles of Lichess, and counts them.
fn tell_left_out(games: &[PgnGame]) -> usize {
    let (lost, others): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.is_lost());
    let first = others.iter().filter(|game| game.before.is_none()).count();
    let loses = "the side to move loses, and in a puzzle of Lichess it wins or draws";
    let begins = "no move from a position of the same game leads there, and a puzzle of Lichess begins with one";
    let reasons = [(lost.len(), loses), (first, begins)];
    for (left_out, why) in reasons.into_iter().filter(|(left_out, _)| *left_out > 0) {
        let puzzles = plural(left_out as u64, "puzzle");
        tell(&[format!("{puzzles} left out: {why}")]);
    }
    lost.len() + first
}

/// The puzzles with their solutions.
fn games(entries: &[Puzzle<'_>], progress: &ProgressBar) -> Result<Vec<PgnGame>> {
    let options = SolutionOptions {
        length: Length::Short,
        ..SolutionOptions::default()
    };
    let games = entries.iter().map(|entry| {
        let solutions = entry.session.solutions()?;
        let game = solutions.pgn(entry.row, &options, progress);
        game.with_context(|| entry.name.clone())
    });
    games.collect()
}

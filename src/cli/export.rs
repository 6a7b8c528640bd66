//! `tesuji export`

use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::ValueEnum;
use rayon::prelude::*;

use super::common::{RepetitionArg, ScopeArgs, grouped, parse_game, print};
use super::convert::convert;
use super::limits::check_disk;
use super::progress::Progress;
use super::solution;
use crate::base::watch::Watch;
use crate::export::{Batch, Cells, DataColumn, DataSet, Format, Written};
use crate::game::{Backward, Cell, CellKind, Classified, Feature};
use crate::games::registry::with_table_game;
use crate::mine::{Catalogue, Measured, Minable, Partition, Scope, Tier, Wanted, measure_slots};
use crate::table::Table;

/// Rows of one Parquet file, about.
const PART: u64 = 1 << 24;

/// States of a position, about: with no move forbidden, and with one that can be.
const STATES: u64 = 4;

/// Export all states of a solved game as a data set for other engines.
///
/// A filter's SQL runs on it unchanged, for example in Polars or Spark.
///
/// The data set is a folder of files in hive partitions, such as
/// layer=5-4/hole=a1/part-00000.parquet, with one row for each position that has no
/// move forbidden, and the columns that 'tesuji features' calls record. A filter's
/// SQL runs on it unchanged. The states are written as they are read, so a large table
/// takes no more memory than a small one.
///
/// With --puzzles, the puzzles of an exported CSV are written in another format instead.
#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
#[command(after_help = "Examples:
  tesuji export ostle:4x4,pieces=3,losses=2 --board --output states
  tesuji export ostle --table output/ostle.tsj --layer 5-4 --hole c3 --output states
  tesuji export --puzzles output/longest-wins/puzzles.csv --format jsonl -o puzzles.jsonl
  tesuji export --puzzles puzzles.csv --format csv --limit 20 --columns position,plies,key -o best.csv")]
pub struct Args {
    /// The game.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// How rule 8 is read; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<RepetitionArg>,
    /// The game's table; without it a small game is solved in passing.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Puzzles, as 'tesuji mine' leaves them, to write in another format.
    #[arg(
        long,
        value_name = "FILE.csv",
        conflicts_with_all = ["spec", "repetition", "table", "layer", "hole", "sample", "restricted", "board", "position"]
    )]
    puzzles: Option<PathBuf>,
    /// Of puzzles whose solutions are the same up to a symmetry of the board, only the
    /// first.
    #[arg(long, requires = "puzzles")]
    pub(super) distinct: bool,
    /// Only the first so many of them.
    #[arg(long, value_name = "N", requires = "puzzles")]
    pub(super) limit: Option<usize>,
    /// Only these columns of them, with commas between; for --format csv.
    #[arg(
        long,
        value_name = "NAMES",
        requires = "puzzles",
        value_delimiter = ','
    )]
    pub(super) columns: Vec<String>,
    /// The folder (with --puzzles, the file) to write.
    #[arg(short, long, value_name = "FOLDER")]
    pub(super) output: PathBuf,
    /// What the files are.
    #[arg(long, value_enum, default_value = "parquet")]
    pub(super) format: FormatArg,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Also the states with a forbidden move that can arise; the column `forbidden`
    /// names it. Filters see them only if they ask for all states.
    #[arg(long)]
    restricted: bool,
    /// Also the columns that are read off the board; several times slower.
    #[arg(long)]
    board: bool,
    /// Also the position in one-line notation; slower, and the files are larger.
    #[arg(long)]
    position: bool,
    /// Replace an existing data set.
    #[arg(long)]
    pub(super) force: bool,
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// JSON Lines, one object a row.
    Jsonl,
    /// Comma-separated values, for puzzles.
    Csv,
}

impl FormatArg {
    /// The format of a data set.
    const fn of_data_set(self) -> Format {
        match self {
            Self::Parquet => Format::Parquet,
            Self::Jsonl | Self::Csv => Format::Jsonl,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(puzzles) = &args.puzzles {
        return convert(puzzles, args);
    }
    if args.format == FormatArg::Csv {
        bail!("--format csv is for --puzzles; a data set is parquet or jsonl");
    }
    // Without --puzzles the parser asks for a game.
    let spec = args.spec.as_deref().unwrap_or_default();
    with_table_game!(&parse_game(spec, args.repetition)?, game => export(game, args))
}

fn export<G: Minable + Classified + Backward>(game: &G, args: &Args) -> Result<ExitCode> {
    let scope = args.scope.scope(game)?;
    let begun = Instant::now();
    let set = DataSet::begin(&args.output, args.format.of_data_set(), args.force)?;
    let partitions = scope.partitions(game);
    check_disk(
        &format!("exporting {}", game.spec()),
        room(slots_of(&partitions), args),
        set.partial(),
    )?;
    let table = solution::load(game, args.table.as_ref())?;
    let written = write(game, &table, &scope, &partitions, &set, args)?;
    if written.rows == 0 {
        bail!("no position is among those asked for; take a lower --sample");
    }
    set.finish()?;
    print(&format!(
        "exported     {}\ntable        fingerprint {}\nrows         {}\nfiles        {} ({} bytes) in {}\ntime         {:.1} s\n",
        game.spec(),
        table.description().fingerprint,
        grouped(written.rows),
        grouped(written.files),
        grouped(written.bytes),
        args.output.display(),
        begun.elapsed().as_secs_f64(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn slots_of(partitions: &[Partition]) -> u64 {
    let slots = partitions.iter().map(|part| &part.slots);
    slots.map(|slots| slots.end - slots.start).sum()
}

/// Bytes that the states of so many slots take on disk, about.
fn room(slots: u64, args: &Args) -> u64 {
    // As measured on the 5x5 board with three pieces, rounded up.
    let (record, board, position) = match args.format {
        FormatArg::Parquet => (5, 1, 5),
        FormatArg::Jsonl | FormatArg::Csv => (170, 260, 40),
    };
    let row = record + board * u64::from(args.board) + position * u64::from(args.position);
    slots / args.scope.sample * row * if args.restricted { STATES } else { 1 }
}

/// One file to write.
struct Part<'a> {
    partition: &'a Partition,
    number: usize,
    slots: Range<u64>,
}

/// Writes all files, several at a time.
fn write<G: Minable + Classified + Backward>(
    game: &G,
    table: &Table,
    scope: &Scope,
    partitions: &[Partition],
    set: &DataSet,
    args: &Args,
) -> Result<Written> {
    let catalogue = Catalogue::new(game);
    let columns = wanted_columns(game, &catalogue, args.board);
    let headings: Vec<_> = columns
        .iter()
        .map(|&place| Heading::new(&catalogue.columns()[place].feature))
        .collect();
    let parts = parts(partitions, part_slots(args));
    let progress = Progress::new();
    progress.begin("exporting", slots_of(partitions));
    let wanted = Wanted {
        columns: &columns,
        scope,
        restricted: args.restricted,
        states: args.restricted || args.position,
    };
    let written = parts
        .par_iter()
        .with_max_len(1)
        .map(|part| {
            let values = [
                ("layer", part.partition.layer.as_str()),
                (game.criterion(), part.partition.class.as_str()),
            ];
            let mut writer = set.part(&values, part.number);
            measure_slots(game, table, &catalogue, wanted, &part.slots, |measured| {
                let span = measured.span.end - measured.span.start;
                writer.push(batch(game, &headings, measured, args)?)?;
                progress.advance(span);
                anyhow::Ok(())
            })?;
            Ok(writer.finish()?)
        })
        .try_reduce(Written::default, |a, b| {
            Ok(Written {
                files: a.files + b.files,
                rows: a.rows + b.rows,
                bytes: a.bytes + b.bytes,
            })
        });
    progress.finish();
    written
}

/// The places of the columns to export. One that is in every path anyway is left out.
fn wanted_columns<G: Classified>(game: &G, catalogue: &Catalogue, board: bool) -> Vec<usize> {
    let columns = catalogue.columns().iter().enumerate();
    columns
        .filter(|(_, column)| column.tier == Tier::Record || board && column.tier == Tier::Board)
        .filter(|(_, column)| column.feature.name != game.criterion())
        .map(|(place, _)| place)
        .collect()
}

/// Slots of one file at most. JSON Lines have one file a partition.
fn part_slots(args: &Args) -> u64 {
    match args.format {
        FormatArg::Jsonl | FormatArg::Csv => u64::MAX,
        FormatArg::Parquet if args.restricted => (PART / STATES).saturating_mul(args.scope.sample),
        FormatArg::Parquet => PART.saturating_mul(args.scope.sample),
    }
}

/// Cuts partitions into files of at most so many slots.
fn parts(partitions: &[Partition], most: u64) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for partition in partitions {
        let mut from = partition.slots.start;
        let mut number = 0;
        while from < partition.slots.end {
            let slots = from..partition.slots.end.min(from.saturating_add(most));
            from = slots.end;
            parts.push(Part {
                partition,
                number,
                slots,
            });
            number += 1;
        }
    }
    parts
}

/// A column's feature, with its words ready to share.
struct Heading<'a> {
    feature: &'a Feature,
    words: Arc<[String]>,
}

impl<'a> Heading<'a> {
    fn new(feature: &'a Feature) -> Self {
        let words = match &feature.kind {
            CellKind::Word(words) => words.as_slice(),
            CellKind::Flag | CellKind::Number => &[],
        };
        Self {
            feature,
            words: words.into(),
        }
    }

    fn column(&self, cells: &[Cell]) -> DataColumn {
        let cells = cells.iter().map(|cell| cell.get());
        DataColumn {
            name: self.feature.name.clone(),
            cells: match self.feature.kind {
                CellKind::Flag => Cells::Flags(cells.map(|cell| Some(cell? != 0)).collect()),
                CellKind::Number => Cells::Numbers(cells.collect()),
                CellKind::Word(_) => Cells::Words {
                    words: Arc::clone(&self.words),
                    places: cells.collect(),
                },
            },
        }
    }
}

/// The rows of some states.
fn batch<G: Minable + Backward>(
    game: &G,
    headings: &[Heading<'_>],
    measured: Measured<G::State>,
    args: &Args,
) -> Result<Batch> {
    let slots = measured.slots.into_iter().map(i64::try_from);
    let slots = slots.collect::<Result<Vec<_>, _>>()?;
    let column = |name: &str, cells| DataColumn {
        name: name.to_owned(),
        cells,
    };
    let mut columns = vec![column("slot", Cells::Indices(slots))];
    let states = measured.states.iter();
    if args.position {
        let texts = states.clone().map(|state| Some(game.format_state(state)));
        columns.push(column("position", Cells::Texts(texts.collect())));
    }
    if args.restricted {
        let moves = states.map(|state| game.forbidden(state).map(|mv| game.format_move(mv)));
        columns.push(column("forbidden", Cells::Texts(moves.collect())));
    }
    let cells = headings.iter().zip(&measured.columns);
    columns.extend(cells.map(|(heading, cells)| heading.column(cells)));
    Ok(Batch::new(columns)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_slot_once_and_are_numbered_in_each_partition() {
        let partition = |slots| Partition {
            layer: "5-4".to_owned(),
            class: "a1".to_owned(),
            slots,
        };
        let partitions = [partition(3..13), partition(13..16)];
        let parts = parts(&partitions, 4);
        let found: Vec<_> = parts.into_iter().map(|p| (p.number, p.slots)).collect();
        assert_eq!(found, [(0, 3..7), (1, 7..11), (2, 11..13), (0, 13..16)]);
    }
}

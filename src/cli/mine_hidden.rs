//! `tesuji mine` for games with hidden information.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::common::{grouped, print};
use super::mine::Args;
use super::output::put_all;
use super::progress::Progress;
use crate::export::{Batch, Cells, DataColumn, write_batch, write_csv, write_parquet};
use crate::game::{CellKind, Features, Inventive};
use crate::mine::PuzzleRow;
use crate::mine::hidden::{Find, Supply, Task, Wanted, catalogue, mine as mine_positions, row};
use crate::mine::{Catalogue, Filter, Predicate, States};
use crate::solve::belief::{Limits, MOST_FOULS};

/// Memory that one search may take.
const MEMORY: usize = 1 << 27;

/// How positions are made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Made up at random.
    Random,
    /// Changes of the positions given with --from.
    Vary,
    /// Backwards from random positions that are won at once.
    Backwards,
}

/// Where the positions of a game with hidden information come from.
#[derive(Debug, Clone, clap::Args)]
pub struct SupplyArgs {
    /// Of games with hidden information: how positions are made up [default: random].
    #[arg(long, value_enum)]
    method: Option<Method>,
    /// Of games with hidden information: a position to vary; may be given several times
    /// [default: the sample problem].
    #[arg(long, value_name = "POSITION")]
    from: Vec<String>,
    /// Of games with hidden information: what decides the positions [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// Of games with hidden information: how many positions to make up [default: 20000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Of games with hidden information: the number of the first one; a run goes on where
    /// another ended [default: 0].
    #[arg(long, value_name = "NUMBER")]
    first: Option<u64>,
    /// Of games with hidden information: plies to look for a solution at most
    /// [default: 7].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=99))]
    depth: Option<u8>,
    /// Of games with hidden information: fouls to allow at most, up to 8 [default: 2].
    #[arg(long, value_name = "FOULS", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_FOULS)))]
    fouls: Option<u8>,
    /// Of games with hidden information: give a position up after so many steps
    /// [default: 200000].
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    effort: Option<u64>,
}

impl SupplyArgs {
    /// Refuses arguments that a game without hidden information has no use for.
    pub fn none_of(&self, spec: &str) -> Result<()> {
        let given = [
            ("--method", self.method.is_some()),
            ("--from", !self.from.is_empty()),
            ("--seed", self.seed.is_some()),
            ("--positions", self.positions.is_some()),
            ("--first", self.first.is_some()),
            ("--depth", self.depth.is_some()),
            ("--fouls", self.fouls.is_some()),
            ("--effort", self.effort.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => bail!(
                "{name} is for games with hidden information, such as tsuitate; {spec} has none, so leave it out"
            ),
            None => Ok(()),
        }
    }

    fn supply<G: Inventive>(&self, game: &G) -> Result<Supply<G::State>> {
        let method = self.method.unwrap_or(if self.from.is_empty() {
            Method::Random
        } else {
            Method::Vary
        });
        if method != Method::Vary && !self.from.is_empty() {
            bail!("--from gives positions to vary; leave it out, or give --method vary");
        }
        Ok(match method {
            Method::Random => Supply::Random,
            Method::Backwards => Supply::Backwards(3),
            Method::Vary if self.from.is_empty() => Supply::Variations(vec![game.initial()]),
            Method::Vary => {
                let read = |text: &String| {
                    let spec = game.spec();
                    let no = || format!("--from {text:?} is no position of {spec}");
                    game.parse_state(text).with_context(no)
                };
                Supply::Variations(self.from.iter().map(read).collect::<Result<_>>()?)
            }
        })
    }

    fn limits(&self) -> Limits {
        Limits::new(self.depth.unwrap_or(7), self.fouls.unwrap_or(2))
            .memory(MEMORY)
            .effort(self.effort.unwrap_or(200_000))
    }
}

/// Mines a game.
pub fn mine<G: Inventive + Features>(
    game: &G,
    filters: &[Filter],
    args: &Args,
) -> Result<ExitCode> {
    let supply_args = &args.supply;
    if args.table.is_some() || args.shortlist.is_some() || args.scope.is_given() {
        bail!(
            "{} has no table to scan: leave --table, --shortlist, --layer, --hole and --sample out",
            game.spec()
        );
    }
    let catalogue = catalogue(game);
    for filter in filters {
        if filter.shortlist().is_some() || filter.states() != States::default() {
            bail!(
                "filter {}: shortlist and states are for games with tables; leave them out",
                filter.name()
            );
        }
    }
    let predicates = filters
        .iter()
        .map(|filter| Predicate::new(filter, &catalogue))
        .collect::<Result<Vec<_>, _>>()?;
    let limit = |filter: &Filter| args.limit.map(|limit| limit as usize).or(filter.limit());
    let tasks: Vec<_> = predicates
        .iter()
        .zip(filters)
        .map(|(predicate, filter)| Wanted {
            predicate,
            limit: limit(filter),
            distinct: filter.distinct(),
        })
        .collect();
    let supply = supply_args.supply(game)?;
    let first = supply_args.first.unwrap_or(0);
    let count = supply_args.positions.unwrap_or(20_000);
    let end = first
        .checked_add(count)
        .context("--first and --positions together are past the last number")?;
    let task = Task {
        supply: &supply,
        seed: supply_args.seed.unwrap_or(1),
        numbers: (first, end),
        limits: supply_args.limits(),
        filters: &tasks,
    };
    let begun = Instant::now();
    let progress = Progress::new();
    let found = mine_positions(game, &catalogue, &task, &progress)?;
    progress.finish();
    let mut text = format!(
        "{}: {} positions, {} solved, {} given up, {:.1} s; go on with --first {end}\n\n{:22} {:>10} {:>6}  {:52} folder\n",
        game.spec(),
        grouped(found.positions),
        grouped(found.solved),
        grouped(found.given_up),
        begun.elapsed().as_secs_f64(),
        "filter",
        "found",
        "kept",
        "best"
    );
    let mut files = Vec::new();
    for (filter, (finds, admitted)) in filters.iter().zip(&found.finds) {
        let rows: Vec<PuzzleRow> = finds
            .iter()
            .map(|find| row(game, filter.name(), find))
            .collect();
        let (mut csv, mut parquet, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        write_csv(&mut csv, &rows)?;
        write_parquet(&mut parquet, &rows)?;
        write_batch(&mut columns, &measured(&catalogue, &rows, finds)?)?;
        let folder = args.output.join(filter.name());
        files.push((folder.join("puzzles.csv"), csv));
        files.push((folder.join("puzzles.parquet"), parquet));
        files.push((folder.join("columns.csv"), columns));
        let best = rows
            .first()
            .map_or("no position meets the condition", |row| &row.stipulation);
        let _ = writeln!(
            text,
            "{:22} {:>10} {:>6}  {best:52} {}",
            filter.name(),
            grouped(*admitted),
            rows.len(),
            folder.display()
        );
    }
    put_all(&files, args.force)?;
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// All columns of finds, with the puzzle's name and position first.
fn measured<G: Inventive>(
    catalogue: &Catalogue,
    rows: &[PuzzleRow],
    finds: &[Find<G>],
) -> Result<Batch> {
    let text = |name: &str, of: fn(&PuzzleRow) -> &String| DataColumn {
        name: name.to_owned(),
        cells: Cells::Texts(rows.iter().map(|row| Some(of(row).clone())).collect()),
    };
    let mut columns = vec![
        text("puzzle_id", |row| &row.puzzle_id),
        text("position", |row| &row.position),
        text("key", |row| &row.key),
    ];
    for (place, column) in catalogue.columns().iter().enumerate() {
        let cells = finds.iter().map(|find| find.cells[place].get());
        let cells = match &column.feature.kind {
            CellKind::Number => Cells::Numbers(cells.collect()),
            CellKind::Flag => Cells::Flags(cells.map(|cell| cell.map(|cell| cell != 0)).collect()),
            CellKind::Word(words) => Cells::Words {
                words: words.clone().into(),
                places: cells.collect(),
            },
        };
        columns.push(DataColumn {
            name: column.feature.name.clone(),
            cells,
        });
    }
    Ok(Batch::new(columns)?)
}

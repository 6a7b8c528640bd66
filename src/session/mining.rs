//! What is mined, exported and bound, and what comes of it.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use crate::analysis::Length;
use crate::book::Template;
use crate::export::{Batch, ColumnData, DataColumn, Format};
use crate::game::{Feature, FeatureKind, FeatureValue, Retrograde};
use crate::mine::{Column, Coverage, Filter, MineError, PuzzleRow, Scope};
use crate::session::{Result, SessionError};
#[cfg(feature = "cli")]
use crate::solve::belief::MOST_FOULS;

/// The part of a table that is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeOptions {
    /// Only these layers, by name, e.g. `5-4`; none means all.
    pub layers: Vec<String>,
    /// Only positions of these classes, by name, e.g. the square of Ostle's hole; none
    /// means all.
    pub classes: Vec<String>,
    /// Only one of this many positions, evenly distributed and always the same ones; 0 and 1
    /// mean all.
    pub sample: u64,
    /// Positions that are left out with all their images, in the game's notation.
    pub exclude: Vec<String>,
    /// Only these slots; `None` means all.
    pub slots: Option<Vec<Range<u64>>>,
}

impl ScopeOptions {
    pub(super) fn scope<G: Retrograde>(&self, game: &G) -> Result<Scope> {
        let excluded = self.exclude.iter().map(|text| {
            let state = game.parse_state(text);
            let state = state.map_err(|source| SessionError::Position {
                spec: game.spec(),
                source,
            });
            Ok(game.rank(&state?))
        });
        let mut excluded: Vec<_> = excluded.collect::<Result<_>>()?;
        excluded.sort_unstable();
        let mut scope = Scope {
            one_in: self.sample,
            excluded,
            slots: self.slots.clone(),
            ..Scope::all()
        };
        if let Some(slots) = &mut scope.slots {
            slots.retain(|range| !range.is_empty());
            slots.sort_unstable_by_key(|range| range.start);
            if let Some(pair) = slots.windows(2).find(|pair| pair[0].end > pair[1].start) {
                let why = format!("has ranges that overlap at slot {}", pair[1].start);
                return Err(SessionError::inapplicable("slots", &why));
            }
        }
        for name in &self.layers {
            scope = scope.layer(game, name)?;
        }
        for name in &self.classes {
            scope = scope.class(game, name)?;
        }
        Ok(scope)
    }
}

/// How positions of a game with hidden information are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum SupplyMethod {
    /// At random.
    Random,
    /// By varying the positions given with --from.
    Vary,
    /// Backward from random positions that are won at once.
    Backwards,
}

/// Where the positions of a game with hidden information come from. What is not given has
/// its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SupplyOptions {
    /// Games with hidden information: how to generate positions [default: random].
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub method: Option<SupplyMethod>,
    /// Games with hidden information: a position to vary; may be repeated [default: the
    /// sample problem].
    #[cfg_attr(feature = "cli", arg(long, value_name = "POSITION"))]
    pub from: Vec<String>,
    /// Games with hidden information: the seed of the random numbers [default: 1].
    #[cfg_attr(feature = "cli", arg(long))]
    pub seed: Option<u64>,
    /// Games with hidden information: the number of positions to generate [default: 20000].
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..)))]
    pub positions: Option<u64>,
    /// Games with hidden information: the number of the first position, to continue another
    /// run [default: 0].
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER"))]
    pub first: Option<u64>,
    /// Games with hidden information: the most plies of a solution [default: 7].
    #[cfg_attr(feature = "cli", arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=99)))]
    pub depth: Option<u8>,
    /// Games with hidden information: the most fouls to allow, up to 8 [default: 2].
    #[cfg_attr(feature = "cli", arg(long, value_name = "FOULS", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_FOULS))))]
    pub fouls: Option<u8>,
    /// Games with hidden information: give up a position after this many steps [default:
    /// 200000].
    #[cfg_attr(feature = "cli", arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..)))]
    pub effort: Option<u64>,
}

impl SupplyOptions {
    /// The options that were given.
    pub(super) fn given(&self) -> [(&'static str, bool); 8] {
        [
            ("method", self.method.is_some()),
            ("from", !self.from.is_empty()),
            ("seed", self.seed.is_some()),
            ("positions", self.positions.is_some()),
            ("first", self.first.is_some()),
            ("depth", self.depth.is_some()),
            ("fouls", self.fouls.is_some()),
            ("effort", self.effort.is_some()),
        ]
    }
}

/// What is mined. Options that say nothing about a game are refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MiningOptions {
    /// The part of the table that is scanned.
    pub scope: ScopeOptions,
    /// Only positions that some game from the initial position reaches, by whatever moves.
    pub reachable: bool,
    /// Bytes that the table may take in memory (default: four fifths of what is free).
    pub memory: Option<u64>,
    /// The most finds of each filter to keep, instead of the filter's own limit.
    pub limit: Option<usize>,
    /// Whether progress reports estimate how many finds there will be
    /// ([`Progress::interim`](crate::base::progress::Progress::interim)), and what was found is kept if
    /// the work is cancelled. For games with tables, and not of a sample.
    pub progressive: bool,
    /// Of games with hidden information: where positions come from.
    pub supply: SupplyOptions,
}

impl MiningOptions {
    pub(super) fn limit_of(&self, filter: &Filter) -> Option<usize> {
        self.limit.or(filter.limit)
    }
}

/// What came of mining.
#[derive(Debug, Clone)]
pub struct Mined {
    /// What was looked at, in a line: game, number of positions, fingerprint or effort.
    pub about: String,
    /// The finds of each filter, in the order of the filters.
    pub sets: Vec<MinedSet>,
}

/// What a filter found.
#[derive(Debug, Clone)]
pub struct MinedSet {
    /// The filter's name.
    pub filter: String,
    /// The filter's title.
    pub title: String,
    /// How many states the filter admits. If the scan was stopped, those that were found.
    pub matched: u64,
    /// How far the scan got, if it was stopped before its end.
    pub coverage: Option<Coverage>,
    /// The finds kept, in the filter's order or by score.
    pub rows: Vec<PuzzleRow>,
    /// Further columns of the same finds, where the game measures them: `puzzle_id`,
    /// `position`, `key` and all columns of features.
    pub columns: Option<Batch>,
}

pub(super) fn distinct_names(filters: &[Filter]) -> Result<()> {
    let mut known = HashSet::new();
    let again = filters.iter().find(|filter| !known.insert(&filter.name));
    again.map_or(Ok(()), |filter| {
        Err(SessionError::Mine(MineError::Refused(format!(
            "two filters are named '{}'; each needs a folder of its own, so rename one",
            filter.name
        ))))
    })
}

/// Checks that no filter asks for mates in a game that has none.
pub(super) fn expect_mates(filters: &[Filter], spec: &str, mates: Option<u16>) -> Result<()> {
    match filters.iter().find(|filter| filter.asks_mates()) {
        Some(filter) if mates.is_none() => Err(SessionError::Refused(format!(
            "filter '{}' asks for mates by checks, and there are none in {spec}; leave stipulation = \"mate\" out",
            filter.name
        ))),
        _ => Ok(()),
    }
}

/// A column as data.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnReport {
    /// The name in conditions.
    pub name: String,
    /// `true/false`, `number` or `word`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The words that a column of words may have.
    pub words: Option<Vec<String>>,
    /// What it costs to ask for it, such as `record`.
    pub cost: &'static str,
    /// What it says.
    pub meaning: String,
}

impl From<Column> for ColumnReport {
    fn from(Column { feature, tier }: Column) -> Self {
        let (kind, words) = match feature.kind {
            FeatureKind::Flag => ("true/false", None),
            FeatureKind::Number => ("number", None),
            FeatureKind::Word(words) => ("word", Some(words)),
        };
        Self {
            name: feature.name,
            kind,
            words,
            cost: tier.name(),
            meaning: feature.meaning,
        }
    }
}

/// The columns of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportColumns {
    /// Those of the table's record.
    Record,
    /// Those of the record, and those that are read off the board.
    Board,
    /// Those of the catalogue with these names, whatever they cost. `position` is the
    /// position; `slot`, the layer and the class are always there.
    Named(Vec<String>),
}

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportRows {
    /// A state.
    States {
        /// Its columns.
        columns: ExportColumns,
        /// Also states with a forbidden move that can arise.
        restricted: bool,
    },
    /// A move of a position in which nothing is forbidden.
    Moves,
}

impl ExportRows {
    /// Whether states with a forbidden move are among them.
    pub const fn restricted(&self) -> bool {
        matches!(self, Self::States { restricted, .. } if *restricted)
    }
}

/// Which rows are wanted.
#[derive(Debug, Clone)]
pub struct RowOptions {
    /// The part of the table that is looked at.
    pub scope: ScopeOptions,
    /// What a row is.
    pub rows: ExportRows,
    /// Also the position in one-line notation.
    pub position: bool,
}

/// What is exported, and how.
#[derive(Debug, Clone)]
pub struct ExportOptions {
    /// The format of the files.
    pub format: Format,
    /// Which rows.
    pub wanted: RowOptions,
    /// Replace an existing data set.
    pub force: bool,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The game's spec.
    pub game: String,
    /// Fingerprint of the table.
    pub fingerprint: String,
    /// Rows written.
    pub rows: u64,
    /// Files of rows written.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What a book says of itself. What is not given is made up from its puzzles.
#[derive(Debug, Clone, Default)]
pub struct BookOptions {
    /// The title (default: the name of the filter).
    pub title: Option<String>,
    /// The line below the title (default: the number of problems).
    pub subtitle: Option<String>,
    /// The author (default: none).
    pub author: Option<String>,
    /// How much of each solution is printed (default: the first variations).
    pub solutions: Option<Length>,
    /// The headings of chapters, each with the number of its rows.
    pub chapters: Vec<(String, usize)>,
    /// Whether problems that are nearly the same as one before are left out.
    pub apart: bool,
    /// What replaces the program's texts (default: those).
    pub template: Template,
}

/// The column of a feature with these values.
pub(super) fn column_of(
    feature: &Feature,
    values: impl Iterator<Item = FeatureValue>,
) -> DataColumn {
    let values = values.map(FeatureValue::get);
    let data = match &feature.kind {
        FeatureKind::Flag => ColumnData::Flags(values.map(|value| Some(value? != 0)).collect()),
        FeatureKind::Number => ColumnData::Numbers(values.collect()),
        FeatureKind::Word(words) => ColumnData::Words {
            words: words.as_slice().into(),
            places: values.collect(),
        },
    };
    column_with(feature, data)
}

/// The column of a feature with these data.
pub(super) fn column_with(feature: &Feature, data: ColumnData) -> DataColumn {
    DataColumn {
        name: feature.name.clone(),
        nullable: feature.nullable,
        values: data,
    }
}

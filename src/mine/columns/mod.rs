//! The columns that filters may use, by cost.
//!
//! Tiers of columns that need more than the state have a file each, with their computation.

pub(super) mod play;
mod solution;
mod state;

pub(crate) use state::LAYER;
pub(super) use state::{DEEPEST, board_values, record_value};

use std::collections::BTreeSet;
use std::ops::Range;

use super::error::nearest;
use super::frame::{ArrivalSet, Frame, Minable, RatingRequest, Ratings};
use super::rows::Source;
use crate::analysis::Soundness;
use crate::base::text::named;
use crate::base::value::{Outcome, Value};
use crate::game::{Feature, FeatureValue, Features, Slot};
use crate::table::TableError;

named! {
    /// The cost of computing a column.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Tier {
        /// Read from the table's record: hundreds of millions a second.
        Record = "record",
        /// Depends on the board alone: millions a second.
        Board = "board",
        /// Needs the same position with the other side to move: millions a second.
        Pass = "pass",
        /// Needs the moves that may have led here (rule 8): millions a second.
        Ban = "ban",
        /// Needs the values of the moves of one kind: millions a second.
        Kind = "kind",
        /// Needs the value of every move: millions a second.
        Play = "play",
        /// Needs a search over all drawn positions first, then millions a second.
        Lure = "lure",
        /// Needs the whole solution: thousands a second.
        Solution = "solution",
    }
}

impl Tier {
    /// Whether its columns need random access to the table.
    pub(crate) const fn reads_at_random(self) -> bool {
        matches!(self, Self::Pass | Self::Kind | Self::Play | Self::Solution)
    }
}

/// A column with its tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name, type and meaning.
    pub feature: Feature,
    /// Its cost.
    pub tier: Tier,
}

/// Columns that are computed and tested together: those of a tier, or of one kind of move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub tier: Tier,
    /// The bit of the kind of moves; none in other tiers.
    pub kind: u32,
    /// Indices into the catalogue.
    pub columns: Range<usize>,
}

/// All columns of a game.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The columns, cheap ones first.
    pub columns: Vec<Column>,
    pub(super) steps: Vec<Step>,
    /// Whether they are those of a file of puzzles.
    pub(super) of_rows: bool,
}

impl Catalogue {
    /// The columns of a game: the general ones, and its own.
    pub fn new<G: Minable>(game: &G) -> Self {
        let kinds = game.kinds();
        let tiers = Tier::ALL.map(|tier| {
            let features = match tier {
                Tier::Record => state::record_features(game),
                Tier::Pass | Tier::Ban => listed(tier.name()),
                Tier::Board => state::board_features(game),
                Tier::Kind => play::kind_features(kinds),
                Tier::Play => play::features(kinds),
                Tier::Lure => state::lure_features(game),
                Tier::Solution => solution::features(kinds),
            };
            (tier, features)
        });
        let tiers = tiers.into_iter();
        Self::of(tiers.filter(|(_, features)| !features.is_empty()))
    }

    /// The columns of a game with hidden information in two steps: those of the board, which may
    /// be none, and those of the solution.
    pub fn hidden<G: Features>(game: &G) -> Self {
        let solution = listed("hidden");
        Self::of([(Tier::Board, game.features()), (Tier::Solution, solution)])
    }

    /// The columns of rows of puzzles.
    pub fn of_rows(columns: Vec<Feature>) -> Self {
        Self {
            of_rows: true,
            ..Self::of([(Tier::Record, columns)])
        }
    }

    fn of(tiers: impl IntoIterator<Item = (Tier, Vec<Feature>)>) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        let mut steps = Vec::new();
        for (tier, features) in tiers {
            let first = columns.len();
            columns.extend(features.into_iter().map(|feature| Column { feature, tier }));
            let end = columns.len();
            match tier {
                Tier::Kind => {
                    let starts = (0..).zip((first..end).step_by(play::WIDTH));
                    steps.extend(starts.map(|(kind, start)| Step {
                        tier,
                        kind: 1 << kind,
                        columns: start..start + play::WIDTH,
                    }));
                }
                _ => steps.push(Step {
                    tier,
                    kind: 0,
                    columns: first..end,
                }),
            }
        }
        Self {
            columns,
            steps,
            of_rows: false,
        }
    }

    pub(super) fn step_of(&self, column: usize) -> usize {
        self.steps
            .partition_point(|step| step.columns.end <= column)
    }

    /// The index of a column.
    pub fn find(&self, name: &str) -> Option<usize> {
        let mut columns = self.columns.iter();
        columns.position(|column| column.feature.name == name)
    }

    /// Up to three column names that are similar to an unknown name.
    pub(crate) fn nearest(&self, name: &str) -> Vec<&str> {
        let known = self.columns.iter().map(|column| &column.feature.name[..]);
        nearest(name, known)
    }

    /// How many plies ahead the players look that some columns are about, in rising order. Lures
    /// must be found for them ([`Solved::find_lures`](super::Solved::find_lures)) before these
    /// columns are measured.
    pub(crate) fn depths_of(&self, columns: impl IntoIterator<Item = usize>) -> Vec<u8> {
        let of_lures = self.of_tier(Tier::Lure);
        let columns = columns.into_iter();
        let mine = columns.filter(|column| of_lures.contains(column));
        let depths = mine.map(|it| state::depth_of(it - of_lures.start));
        depths.collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(super) fn dual_free(&self) -> usize {
        self.of_tier(Tier::Solution).start + solution::DUAL_FREE
    }

    pub(super) fn of_tier(&self, tier: Tier) -> Range<usize> {
        let from = self.columns.partition_point(|column| column.tier < tier);
        from..self.columns.partition_point(|column| column.tier <= tier)
    }
}

/// Computes the columns of a step that are among those `needed` in a frame. Only the states are
/// measured that one of these filters, given as bits, has not refused; the others get no values.
pub(super) fn compute<G: Minable>(
    game: &G,
    catalogue: &Catalogue,
    step: &Step,
    needed: &[usize],
    source: Source<'_>,
    frame: &mut Frame<G::State>,
    filters: u64,
) -> Result<(), TableError> {
    let (tier, of_tier) = (step.tier, catalogue.of_tier(step.tier));
    let first = needed.partition_point(|&place| place < step.columns.start);
    let here = needed[first..].iter();
    let here = here.take_while(|&&place| place < step.columns.end);
    let wanted = &here.map(|place| place - of_tier.start).collect::<Vec<_>>()[..];
    if wanted.is_empty() {
        return Ok(());
    }
    let rated = |kinds, looked_at, positions| {
        let asked = RatingRequest {
            kinds,
            looked_at,
            positions,
            filters,
        };
        source.rated(game, &*frame, asked)
    };
    let ratings = match tier {
        Tier::Kind => rated(play::needed(wanted), play::needed(wanted), false)?,
        Tier::Play => {
            let positions = wanted.iter().any(|it| play::POSITIONS.contains(it));
            rated(u32::MAX, play::looked_at(game.kinds(), wanted), positions)?
        }
        _ => Ratings::default(),
    };
    let of_board = if tier == Tier::Board { wanted } else { &[] };
    let board = board_values(game, of_board);
    let mut values = Vec::with_capacity(frame.states.len() * wanted.len());
    for (place, row) in frame.states.iter().enumerate() {
        if filters & row.alive == 0 {
            values.extend(wanted.iter().map(|_| FeatureValue::NONE));
            continue;
        }
        match tier {
            Tier::Record => {
                let (record, restricted) = (row.record(), row.forbidden.is_some());
                let value = |&place| record_value(place, record, restricted);
                values.extend(wanted.iter().map(value));
            }
            Tier::Board => board(row.slot, &row.state, &mut values),
            Tier::Pass => {
                let passed = source.passed(game, row.slot, &row.state)?;
                let value = |&place| state::passed_value(place, row.value(), passed);
                values.extend(wanted.iter().map(value));
            }
            Tier::Ban => {
                let arrivals = ArrivalSet::of(game, row.slot);
                let arises = arrivals.has(game, row.slot, row.forbidden);
                let value = |&place| state::arrival_value(place, row, arrivals, arises);
                values.extend(wanted.iter().map(value));
            }
            Tier::Kind => play::kind_values(wanted, ratings.of(place), &mut values),
            Tier::Play => play::values(game.kinds(), wanted, ratings.of(place), &mut values),
            Tier::Lure => {
                let lures = |&place: &usize| source.solved.lures(state::depth_of(place));
                let (index, forbidden) = (row.slot, row.forbidden);
                let forced = |it| lures(it).forced_plies(Slot { index, forbidden });
                values.extend(wanted.iter().map(|it| FeatureValue::known(forced(it))));
            }
            Tier::Solution => solution::values(game, source, wanted, row, &mut values)?,
        }
    }
    frame.store(first, wanted.len(), &values);
    Ok(())
}

/// The columns that are the same in all positions of a layer, as indices into the catalogue.
pub(super) fn of_layers<G: Minable>(game: &G, catalogue: &Catalogue) -> Vec<usize> {
    let first = catalogue.of_tier(Tier::Board).start;
    let own = game.features_of_layers().into_iter();
    let places = std::iter::once(0).chain(own.map(|place| state::GENERAL + place));
    places.map(|place| first + place).collect()
}

/// The columns that are the same for all games, one a line.
const COLUMNS: &str = include_str!("columns.txt");

/// The columns that are listed for a tier of games with a table, or for games with hidden
/// information.
fn listed(of: &str) -> Vec<Feature> {
    let words = |kind: &str| match kind {
        "outcome" => OUTCOMES.map(str::to_owned).to_vec(),
        _ => Soundness::ALL.map(|it| it.name().to_owned()).to_vec(),
    };
    let columns = COLUMNS.lines().filter_map(|line| {
        let row = line.strip_prefix(of)?.strip_prefix(" | ")?;
        Some(Feature::read(row, words))
    });
    columns.collect()
}

fn moves(name: impl Into<String>, meaning: impl Into<String>) -> Feature {
    Feature::number(name, meaning).counts("moves").always()
}

/// The words of a column of outcomes.
const OUTCOMES: [&str; 3] = ["draw", "loss", "win"];

pub(super) fn outcome_word(outcome: Outcome) -> FeatureValue {
    FeatureValue::word(match outcome {
        Outcome::Draw => 0,
        Outcome::Loss => 1,
        Outcome::Win => 2,
    })
}

fn outcome(value: Value) -> FeatureValue {
    outcome_word(value.outcome())
}

pub(super) fn plies(value: Value) -> FeatureValue {
    FeatureValue::known(value.plies())
}

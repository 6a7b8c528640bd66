//! Statistics of a solved game: positions by layer, states by distance.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::error::{Result, TableError};
use super::read::Table;
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::{Outcome, Value};
use crate::game::{Held, Retrograde};

/// Statistics of a table, in the terms of the Ostle paper. Positions and states that are
/// symmetric to one another count as one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The layers, in the order of the table.
    pub(crate) layers: Vec<LayerStatistics>,
    histogram: BTreeMap<(Option<u16>, Outcome), Distance>,
}

/// Counts of a layer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LayerStatistics {
    /// Its name, e.g. `5-4`.
    pub layer: String,
    /// Positions.
    pub positions: u64,
    /// Of these, checkmate positions.
    pub checkmate_positions: u64,
    /// Positions that the side to move wins, with nothing forbidden.
    pub win: u64,
    /// Positions that are drawn.
    pub draw: u64,
    /// Positions that it loses.
    pub loss: u64,
    /// Plies of the longest win; `None` without any.
    pub longest_win: Option<u16>,
    /// Positions in which the game has ended, which are not among the others: lost, drawn and won
    /// for the side to move. `None` in games that have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// Positions by class, under the name of the criterion, for readers who do not know the classes.
    #[serde(flatten)]
    pub classes: Map<String, Json>,
    /// Positions by class (see [`Retrograde`]), in the order of the classes.
    #[serde(skip)]
    pub by_class: Vec<u64>,
}

/// Positions in which the game has ended, such as mates and stalemates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Won for the side to move.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
}

impl Ended {
    const fn of(&mut self, outcome: Outcome) -> &mut u64 {
        match outcome {
            Outcome::Win => &mut self.win,
            Outcome::Draw => &mut self.draw,
            Outcome::Loss => &mut self.loss,
        }
    }
}

impl LayerStatistics {
    /// The counts of several layers together, as those of a layer `all`.
    pub fn sum(layers: &[Self]) -> Self {
        let mut all = Self {
            layer: "all".to_owned(),
            ..Self::default()
        };
        for layer in layers {
            all.add(layer);
        }
        all
    }

    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.checkmate_positions += other.checkmate_positions;
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
        self.longest_win = self.longest_win.max(other.longest_win);
        if let Some(more) = other.ended {
            let ended = self.ended.get_or_insert_default();
            ended.win += more.win;
            ended.draw += more.draw;
            ended.loss += more.loss;
        }
        self.by_class.resize(other.by_class.len(), 0);
        for (sum, count) in self.by_class.iter_mut().zip(&other.by_class) {
            *sum += count;
        }
    }
}

/// A row of the histogram: the states with one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distance {
    /// Plies to a checkmate position; `None` for draws.
    pub plies_to_checkmate: Option<u16>,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// Number of states.
    pub states: u64,
    /// The slot of the first of them.
    pub example: u64,
    /// The number of the move forbidden in that state, if any.
    pub example_forbidden: Option<u8>,
}

impl Statistics {
    /// Number of states of positions that are not checkmate: the possibly reachable ones, which
    /// are the non-trivial states of the Ostle paper, where moves can be forbidden; all of them in
    /// other games.
    pub fn states(&self) -> u64 {
        self.histogram.values().map(|count| count.states).sum()
    }

    /// The [states](Self::states) by distance: draws first, then by plies to checkmate.
    pub fn histogram(&self) -> impl Iterator<Item = Distance> + '_ {
        self.histogram.values().copied()
    }

    /// Adds the counts of slots after those counted so far.
    fn followed_by(mut self, later: Self) -> Self {
        later.layers.into_iter().for_each(|layer| self.add(layer));
        for (key, count) in later.histogram {
            let known = self.histogram.entry(key);
            known
                .and_modify(|known| known.states += count.states)
                .or_insert(count);
        }
        self
    }

    fn add(&mut self, layer: LayerStatistics) {
        let mut known = self.layers.iter_mut().rev();
        match known.find(|known| known.layer == layer.layer) {
            Some(known) => known.add(&layer),
            None => self.layers.push(layer),
        }
    }
}

/// Computes the statistics of a table.
///
/// # Errors
/// If the table belongs to another game or is damaged.
pub fn statistics<G: Retrograde>(
    table: &Table,
    game: &G,
    progress: &dyn Progress,
) -> Result<Statistics> {
    table.expect_game(game)?;
    progress.begin("counting states", table.description.slots());
    let classes = game.classes().len();
    let bans = game.forbids_moves();
    // A tally is too large to have one per block, so runs of blocks share one.
    let numbers: Vec<_> = (0..table.blocks()).collect();
    let runs = numbers.chunks(table.blocks().div_ceil(256).max(1));
    let counted = threads::try_map(runs, |run| {
        // By the code of the value. Billions of states are counted, so a map would take
        // most of the time.
        let mut tally = vec![None; usize::from(u16::MAX) + 1];
        let mut total = Statistics::default();
        for &number in run {
            let block = table.block(number)?;
            let slots = block.slots.clone();
            let layer = game.layer_at(slots.start);
            let mut counted = LayerStatistics {
                layer: layer.map(|layer| layer.name.clone()).unwrap_or_default(),
                by_class: vec![0; classes],
                ended: game.has_ended_positions().then(Ended::default),
                ..LayerStatistics::default()
            };
            for (slot, record) in slots.clone().zip(block.records()) {
                let Some(cursor) = game.cursor(slot) else {
                    if let Some(ended) = &mut counted.ended
                        && let Held::Ended(outcome) = game.examine(slot, |_| {})
                    {
                        *ended.of(outcome) += 1;
                    }
                    continue;
                };
                let best = record.best();
                counted.positions += 1;
                match best.outcome() {
                    Outcome::Win => {
                        counted.win += 1;
                        counted.longest_win = counted.longest_win.max(best.plies());
                    }
                    Outcome::Draw => counted.draw += 1,
                    Outcome::Loss => counted.loss += 1,
                }
                counted.by_class[game.class(cursor)] += 1;
                if best == Value::CHECKMATE {
                    counted.checkmate_positions += 1;
                    continue;
                }
                let mut count = |forbidden| {
                    let value = record.without(forbidden);
                    // Slots and moves are visited in increasing order.
                    let first = || Distance {
                        plies_to_checkmate: value.plies_to_checkmate(),
                        outcome: value.outcome(),
                        states: 0,
                        example: slot,
                        example_forbidden: forbidden,
                    };
                    let entry = &mut tally[usize::from(value.code())];
                    entry.get_or_insert_with(first).states += 1;
                };
                if bans {
                    game.arrivals(cursor, count);
                } else {
                    count(None);
                }
            }
            progress.advance(slots.end - slots.start);
            total.add(counted);
        }
        let met = tally.into_iter().flatten();
        let by_value = met.map(|count| ((count.plies_to_checkmate, count.outcome), count));
        total.histogram = by_value.collect();
        Ok::<_, TableError>(total)
    })?;
    let counted = counted.into_iter();
    Ok(counted.fold(Statistics::default(), Statistics::followed_by))
}

/// The differences between two tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// Positions whose records differ, so that one of their states may have a different
    /// value.
    pub records: u64,
    /// Positions whose values differ with no move forbidden.
    pub positions: u64,
    /// States with different values, of those possibly reachable under the rules of the
    /// first table.
    pub states: u64,
    /// Of those, states with different outcomes, not just different distances.
    pub outcomes: u64,
    /// The first states that differ, at most 20, as slot and forbidden move.
    pub examples: Vec<(u64, Option<u8>)>,
}

const LISTED: usize = 20;

impl Difference {
    fn merge(mut self, mut other: Self) -> Self {
        self.records += other.records;
        self.positions += other.positions;
        self.states += other.states;
        self.outcomes += other.outcomes;
        self.examples.append(&mut other.examples);
        self.examples.sort_unstable();
        self.examples.truncate(LISTED);
        self
    }
}

/// Compares a table of `game` with a table of `other`, a game with the same positions.
///
/// # Errors
/// If a table belongs to another game or is damaged, or the layers of the games differ.
pub fn difference<G: Retrograde>(
    table: &Table,
    game: &G,
    other_table: &Table,
    other: &G,
    progress: &dyn Progress,
) -> Result<Difference> {
    table.expect_game(game)?;
    other_table.expect_game(other)?;
    if game.layers() != other.layers() {
        let (path, expected, found) = (&other_table.path, game.spec(), other.spec());
        return Err(TableError::other_game(path, &expected, &found));
    }
    progress.begin("comparing", table.description.slots());
    let found = threads::try_map(0..table.blocks(), |number| {
        let (block, other_block) = (table.block(number)?, other_table.block(number)?);
        let slots = block.slots.clone();
        let mut found = Difference::default();
        let records = block.records().zip(other_block.records());
        for (slot, (record, other_record)) in slots.clone().zip(records) {
            if record == other_record {
                continue;
            }
            let Some(cursor) = game.cursor(slot) else {
                continue;
            };
            found.records += 1;
            found.positions += u64::from(record.best() != other_record.best());
            game.arrivals(cursor, |forbidden| {
                // The other rule may call it by another of the moves that it forbids.
                let there = forbidden.zip(other.cursor(slot));
                let there =
                    there.map(|(number, cursor)| other.least_image_of_move(cursor, number).0);
                let (value, other) = (record.without(forbidden), other_record.without(there));
                if value != other {
                    found.states += 1;
                    found.outcomes += u64::from(value.outcome() != other.outcome());
                    if found.examples.len() < LISTED {
                        found.examples.push((slot, forbidden));
                    }
                }
            });
        }
        progress.advance(slots.end - slots.start);
        Ok::<_, TableError>(found)
    })?;
    let found = found.into_iter();
    Ok(found.fold(Difference::default(), Difference::merge))
}

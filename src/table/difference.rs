//! Comparing two solutions of the same positions under different rules.

use rayon::prelude::*;

use super::{Table, TableError};
use crate::base::progress::Progress;
use crate::game::{Layer, Retrograde};

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

/// The most examples listed.
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
) -> Result<Difference, TableError> {
    table.expect_game(game)?;
    other_table.expect_game(other)?;
    let same: fn(&Layer) -> _ = |layer| (layer.name.clone(), layer.slots.clone());
    if !game
        .layers()
        .iter()
        .map(same)
        .eq(other.layers().iter().map(same))
    {
        return Err(TableError::OtherGame {
            path: other_table.path().to_owned(),
            expected: game.spec(),
            found: other.spec(),
        });
    }
    progress.begin("comparing", table.description().slots());
    (0..table.blocks())
        .into_par_iter()
        .map(|number| {
            let (block, other_block) = (table.block(number)?, other_table.block(number)?);
            let slots = block.slots();
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
                    let there = forbidden
                        .zip(other.cursor(slot))
                        .map(|(number, cursor)| other.least_image_of_move(cursor, number).0);
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
            Ok(found)
        })
        .try_reduce(Difference::default, |a, b| Ok(a.merge(b)))
}

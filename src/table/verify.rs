//! Verification: every checksum, the fingerprint, and every record derived anew
//! from the records of its position's children.

use std::fmt;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::{Table, TableError, fingerprint, logical_bytes};
use crate::game::{Census, Repetition, Retrograde};
use crate::solve::Watch;
use crate::value::{Outcome, Record, Value};

/// What verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Records derived anew.
    pub records: u64,
    /// Records that differ from their children's, and how many there are in all.
    pub flaws: Vec<Flaw>,
    /// Number of flaws, of which [`flaws`](Self::flaws) lists the first few.
    pub flawed: u64,
    /// Whether the fingerprint in the description is that of the content.
    pub fingerprint_holds: bool,
}

/// A record that does not follow from its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw {
    /// The slot.
    pub slot: u64,
    /// The record in the table.
    pub stored: Record,
    /// The record that the children's records give.
    pub derived: Record,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            slot,
            stored,
            derived,
        } = self;
        let show = |record: &Record| match record.only_move() {
            Some(number) => format!(
                "{} by move {number} alone, else {}",
                record.best(),
                record.second()
            ),
            None => record.best().to_string(),
        };
        write!(
            f,
            "slot {slot}: stored '{}', its children give '{}'",
            show(stored),
            show(derived)
        )
    }
}

/// Flaws listed in full.
const LISTED: usize = 20;

/// Verifies a whole table.
///
/// # Errors
/// If the table is of another game or a block is damaged. Flaws in undamaged
/// records are not errors but findings.
pub fn verify<G: Retrograde>(
    table: &Table,
    game: &G,
    watch: &impl Watch,
) -> Result<Verified, TableError> {
    table.expect_game(game)?;
    watch.begin("verifying", table.description().slots());
    let blocks: Vec<_> = (0..table.blocks())
        .into_par_iter()
        .map(|number| {
            let block = table.block(number)?;
            let slots = block.slots();
            let mut logical = Vec::new();
            let mut flaws = Vec::new();
            for (slot, stored) in slots.clone().zip(block.records()) {
                logical.extend_from_slice(&logical_bytes(stored));
                let derived = derive(table, game, slot)?;
                if derived != Some(stored) {
                    let derived = derived.unwrap_or(Record::VACANT);
                    flaws.push(Flaw {
                        slot,
                        stored,
                        derived,
                    });
                }
            }
            let flawed = flaws.len() as u64;
            flaws.truncate(LISTED);
            watch.advance(slots.end - slots.start);
            Ok((xxh3_128(&logical), flaws, flawed, slots.end - slots.start))
        })
        .collect::<Result<_, TableError>>()?;
    let leaves: Vec<_> = blocks.iter().map(|block| block.0).collect();
    let description = table.description();
    let found = format!("{:032x}", fingerprint(&description.game, &leaves));
    Ok(Verified {
        records: blocks.iter().map(|block| block.3).sum(),
        flawed: blocks.iter().map(|block| block.2).sum(),
        flaws: blocks
            .into_iter()
            .flat_map(|block| block.1)
            .take(LISTED)
            .collect(),
        fingerprint_holds: found == description.fingerprint,
    })
}

/// The record of a slot as its children's records give it; `None` if a child's
/// distance leaves no room for one more ply.
fn derive<G: Retrograde>(table: &Table, game: &G, slot: u64) -> Result<Option<Record>, TableError> {
    let Some(cursor) = game.cursor(slot) else {
        return Ok(Some(Record::VACANT));
    };
    // Moves that leave the group cannot be forbidden: they count for both values.
    let mut free: Option<Value> = None;
    let mut lookups = Vec::new();
    game.census(cursor, |step| {
        let value = match step {
            Census::Over(Outcome::Win) => Value::CHECKMATE,
            Census::Over(Outcome::Draw) => Value::DRAW,
            Census::Over(Outcome::Loss) => Value::SELF_MATE,
            Census::Earlier(child) => {
                return lookups.push((game.place(child).slot, None, None));
            }
            Census::Within { .. } | Census::IntoCheckmate(_) => return,
        };
        free = free.max(Some(value));
    });
    game.edges(cursor, |number, child, has_undo| {
        let child = game.place(child);
        lookups.push((child.slot, Some(number), has_undo.then_some(child.number)));
    });
    let mut bound: Vec<(Value, u8)> = Vec::new();
    for (child, number, undo) in lookups {
        let record = table.record(child)?;
        let Some(number) = number else {
            let Some(value) = record.best().through_move() else {
                return Ok(None);
            };
            free = free.max(Some(value));
            continue;
        };
        let takes_back = match game.repetition() {
            Repetition::Exact => undo.is_some() && undo == record.only_move(),
            Repetition::UpToSymmetry => record.only_move().is_some_and(|only| {
                game.cursor(child)
                    .is_some_and(|child| game.follow(child, only) == slot)
            }),
        };
        let value = if takes_back {
            record.second()
        } else {
            record.best()
        };
        let Some(value) = value.through_move() else {
            return Ok(None);
        };
        bound.push((value, number));
    }
    bound.sort_unstable_by(|a, b| b.cmp(a));
    let mut values: Vec<_> = bound.into_iter().take(2).collect();
    if let Some(free) = free {
        values.extend([(free, Record::NO_MOVE); 2]);
        values.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    }
    let (best, only) = values
        .first()
        .copied()
        .unwrap_or((Value::SELF_MATE, Record::NO_MOVE));
    let second = values.get(1).map_or(Value::SELF_MATE, |entry| entry.0);
    Ok(Some(Record::new(best, second, only)))
}

//! Statistics and verification of tables of puzzles.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_128;

use super::error::{Result, TableError};
use super::format::logical_bytes;
use super::read::Table;
use super::verify::{Flaw, Verified};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::{Record, Value};
use crate::game::Solitaire;
use crate::solve::breadth_first::record;

/// The states of a puzzle with the same length of the shortest solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Depth {
    pub states: u64,
    /// The first slot of such a state.
    pub example: u64,
}

/// Counts the states of a puzzle by the number of moves of their shortest solutions; the
/// key `None` stands for states without a solution.
pub(crate) fn depths<G: Solitaire>(
    table: &Table,
    game: &G,
    progress: &dyn Progress,
) -> Result<BTreeMap<Option<u16>, Depth>> {
    table.expect_game(game)?;
    progress.begin("counting states", table.description.slots());
    let counted = threads::try_map(0..table.blocks(), |number| {
        let block = table.block(number)?;
        let mut depths = BTreeMap::<_, Depth>::new();
        for (slot, record) in block.slots.clone().zip(block.records()) {
            if record.is_vacant() {
                continue;
            }
            let depth = depths.entry(record.best().plies()).or_insert(Depth {
                states: 0,
                example: slot,
            });
            depth.states += 1;
        }
        progress.advance(block.slots.end - block.slots.start);
        Ok::<_, TableError>(depths)
    })?;
    let mut all = BTreeMap::new();
    for (plies, depth) in counted.into_iter().flatten() {
        // Its slots are behind those counted so far.
        let known = all.entry(plies).or_insert(Depth { states: 0, ..depth });
        known.states += depth.states;
    }
    Ok(all)
}

/// Verifies the table of a puzzle: checksums, the fingerprint, and every record against
/// those of the next states. Takes two bytes of memory per slot.
///
/// # Errors
/// If the table belongs to another game, a block is damaged, or memory runs out. Records
/// that are wrong are not errors, but part of the result.
pub fn verify_solitaire<G: Solitaire>(
    table: &Table,
    game: &G,
    progress: &dyn Progress,
) -> Result<Verified> {
    table.expect_game(game)?;
    let slots = table.description.slots();
    progress.begin("reading", slots);
    // All values in memory, so that children are found without reading blocks again.
    let mut codes: Vec<u16> = Vec::new();
    let reserved = codes.try_reserve_exact(usize::try_from(slots).unwrap_or(usize::MAX));
    reserved.map_err(|_| table.out_of_memory(std::io::ErrorKind::OutOfMemory.into()))?;
    let mut leaves = Vec::new();
    for number in 0..table.blocks() {
        let records: Vec<Record> = table.block(number)?.records().collect();
        codes.extend(records.iter().map(|record| record.best().code()));
        let logical: Vec<u8> = records.iter().copied().flat_map(logical_bytes).collect();
        leaves.push(xxh3_128(&logical));
        progress.advance(records.len() as u64);
    }
    let value = |slot: u64| {
        let code = codes.get(usize::try_from(slot).unwrap_or(usize::MAX));
        code.map_or(Value::DRAW, |&code| Value::from_code(code))
    };
    progress.begin("verifying", slots);
    let flaws = threads::try_map(0..table.blocks(), |number| {
        let block = table.block(number)?;
        let pairs = block.slots.clone().zip(block.records());
        let found: Vec<Flaw> = pairs
            .filter_map(|(slot, stored)| {
                let derived = record(game, slot, value);
                (stored != derived).then_some(Flaw {
                    slot,
                    stored,
                    derived,
                })
            })
            .collect();
        progress.advance(block.slots.end - block.slots.start);
        Ok::<_, TableError>(found)
    })?;
    Ok(Verified::of(table, flaws.concat(), &leaves))
}

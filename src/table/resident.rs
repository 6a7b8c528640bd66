//! The records of one group of layers in memory, one word each.
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields are extracted from packed words on purpose, and words are in memory"
)]

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128;

use super::block::Packed;
use super::error::{Result, TableError};
use super::format::{BLOCK_SLOTS, logical_bytes};
use super::read::Table;
use crate::base::progress::Progress;
use crate::base::threads;
use crate::game::Ranked;
use crate::solve::{WordArray, WordWidth};

pub(super) struct Resident<W: WordWidth> {
    pub slots: Range<u64>,
    words: WordArray<W::Atom>,
    /// The leaves of the fingerprint, in order.
    pub leaves: Vec<u128>,
}

impl<W: WordWidth> Resident<W> {
    pub(super) fn load<G: Ranked>(
        table: &Table,
        game: &G,
        group: usize,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let all = game.group_slots(group);
        let len = all.end - all.start;
        let count = usize::try_from(len).unwrap_or(usize::MAX);
        let words = WordArray::<W::Atom>::new(count).map_err(|source| table.no_room(source))?;
        progress.begin("loading", len);
        let leaves = threads::try_map(table.blocks_of(&all), |number| {
            let block = table.block(number)?;
            let slots = block.slots.clone();
            let at = usize::try_from(slots.start - all.start).unwrap_or(usize::MAX);
            let mut logical = Vec::with_capacity(5 * BLOCK_SLOTS as usize);
            for (word, record) in words[at..].iter().zip(block.records()) {
                logical.extend_from_slice(&logical_bytes(record));
                W::store(word, Packed::of::<W>(record).0);
            }
            progress.advance(slots.end - slots.start);
            Ok::<_, TableError>(xxh3_128(&logical))
        })?;
        Ok(Self {
            slots: all,
            words,
            leaves,
        })
    }

    #[inline(always)]
    pub(super) fn word(&self, slot: u64) -> &W::Atom {
        &self.words[(slot - self.slots.start) as usize]
    }

    #[inline(always)]
    pub(super) fn packed(&self, slot: u64) -> Packed {
        Packed(W::load(self.word(slot)))
    }
}

//! The records of one group of layers in memory, one word each.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields are extracted from packed words on purpose, and words are in memory"
)]

use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::error::TableError;
use super::format::{BLOCK_SLOTS, logical_bytes};
use super::read::Table;
use crate::base::progress::Progress;
use crate::base::value::{Record, Value};
use crate::game::Ranked;
use crate::solve::{Codes, WordArray, WordWidth};

/// A record in one word: code of the best value, code of the second value, only move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed(u64);

impl Packed {
    #[inline]
    pub const fn new(best: u16, second: u16, only: u8, width: usize) -> Self {
        let shift = 8 * width as u32;
        Self(best as u64 | (second as u64) << shift | (only as u64) << (2 * shift))
    }

    #[inline]
    pub const fn best(self, width: usize) -> u16 {
        (self.0 & ((1 << (8 * width)) - 1)) as u16
    }

    #[inline]
    pub const fn second(self, width: usize) -> u16 {
        (self.0 >> (8 * width) & ((1 << (8 * width)) - 1)) as u16
    }

    #[inline]
    pub const fn only(self, width: usize) -> u8 {
        (self.0 >> (16 * width)) as u8
    }
}

/// The records of a group of layers in memory.
pub(super) struct Resident<W: WordWidth> {
    first: u64,
    end: u64,
    words: WordArray<W::Atom>,
    /// The leaves of the fingerprint, in order.
    pub leaves: Vec<u128>,
}

impl<W: WordWidth> Resident<W> {
    /// Loads the records of a group.
    ///
    /// # Errors
    /// If a block is damaged, or memory runs out.
    pub fn load<G: Ranked>(
        table: &Table,
        game: &G,
        group: usize,
        progress: &dyn Progress,
    ) -> Result<Self, TableError> {
        let Range { start: first, end } = game.group_slots(group);
        let count = usize::try_from(end - first).unwrap_or(usize::MAX);
        let words = WordArray::<W::Atom>::new(count).map_err(|source| TableError::Io {
            path: table.path().to_owned(),
            action: "allocate memory for the records of",
            source,
        })?;
        progress.begin("loading", end - first);
        let blocks: Vec<usize> = (0..table.blocks())
            .filter(|&number| {
                let slots = table.slots_of(number);
                slots.start >= first && slots.end <= end
            })
            .collect();
        let leaves = blocks
            .into_par_iter()
            .map(|number| {
                let block = table.block(number)?;
                let slots = block.slots();
                let at = usize::try_from(slots.start - first).unwrap_or(usize::MAX);
                let mut logical = Vec::with_capacity(5 * BLOCK_SLOTS as usize);
                for (word, record) in words[at..].iter().zip(block.records()) {
                    logical.extend_from_slice(&logical_bytes(record));
                    W::store(word, pack::<W>(record).0);
                }
                progress.advance(slots.end - slots.start);
                Ok(xxh3_128(&logical))
            })
            .collect::<Result<_, TableError>>()?;
        Ok(Self {
            first,
            end,
            words,
            leaves,
        })
    }

    /// The slots of the group.
    pub const fn slots(&self) -> Range<u64> {
        self.first..self.end
    }

    /// The word of a slot in the group.
    #[inline(always)]
    pub fn word(&self, slot: u64) -> &W::Atom {
        &self.words[(slot - self.first) as usize]
    }

    #[inline(always)]
    pub fn packed(word: &W::Atom) -> Packed {
        Packed(W::load(word))
    }

    /// Appends the codes of the best values to `codes`, for later groups.
    pub(crate) fn append_best(&self, codes: &mut Codes) {
        let end = usize::try_from(self.end).unwrap_or(usize::MAX);
        codes.extend(end, |slots, bytes| {
            for (slot, bytes) in slots.zip(bytes.chunks_exact_mut(W::BYTES)) {
                let code = Self::packed(self.word(slot as u64))
                    .best(W::BYTES)
                    .to_le_bytes();
                bytes.copy_from_slice(&code[..W::BYTES]);
            }
        });
    }
}

/// Packs a record whose values fit the width `W`.
pub(super) fn pack<W: WordWidth>(record: Record) -> Packed {
    let code = |value: Value| value.resized::<W>().map_or(W::DRAW, Value::code);
    Packed::new(
        code(record.best()),
        code(record.second()),
        record.only_move().unwrap_or(Record::NO_MOVE),
        W::BYTES,
    )
}

/// The record of packed codes of the width `W`.
pub(super) fn unpack<W: WordWidth>(packed: Packed) -> Record {
    let value = |code| {
        Value::<W>::from_code(code)
            .resized()
            .unwrap_or(Value::VACANT)
    };
    let (best, second) = (packed.best(W::BYTES), packed.second(W::BYTES));
    Record::new(value(best), value(second), packed.only(W::BYTES))
}

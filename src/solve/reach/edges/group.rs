//! A group of layers while it is being searched.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "the number of words fits 32 bits, which is checked when they are allocated"
)]

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::super::super::memory::WordArray;
use super::super::GroupOfLayers;
use super::super::counts::Above;
use super::entry::Entry;
use crate::game::{Forward, Repetition};

/// Number of positions that share one set of levels; also the unit of work.
pub(super) const CHUNK: usize = 1 << 10;

/// Number of words in a chunk's set of levels.
const DUE: usize = 4;

/// A group of layers while it is being searched.
pub(super) struct Group<'a, G> {
    pub(super) game: &'a G,
    pub(super) slots: Range<u64>,
    pub(super) name: String,
    pub(super) words: WordArray<AtomicU32>,
    pub(super) above: &'a Above,
    pub(super) exact: bool,
    /// Whether forbidden moves are played too.
    pub(super) take_backs: bool,
    /// Slot of the initial position.
    start: u64,
    /// For each chunk, the levels at which the moves of one of its positions are played, as
    /// bit sets of [`DUE`] words.
    due: Vec<AtomicU64>,
    pub(super) furthest: AtomicU16,
}

impl<'a, G: Forward> Group<'a, G> {
    pub(super) fn new(
        game: &'a G,
        group: &GroupOfLayers,
        above: &'a Above,
        take_backs: bool,
    ) -> io::Result<Self> {
        let slots = group.slots.clone();
        // Arrivals hold indices in 32 bits.
        let len = u32::try_from(slots.end - slots.start)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))? as usize;
        Ok(Self {
            game,
            slots,
            name: group.name.clone(),
            words: WordArray::new(len)?,
            above,
            exact: game.repetition() == Repetition::Exact,
            take_backs,
            start: game.rank(&game.initial()),
            due: (0..len.div_ceil(CHUNK) * DUE)
                .map(|_| AtomicU64::new(0))
                .collect(),
            furthest: AtomicU16::new(0),
        })
    }

    /// Plies to a position by a move from a later group, 0 for the initial position, and
    /// [`NEVER`] if there is no such move.
    #[inline]
    pub(super) fn distance_from_above(&self, slot: u64) -> u8 {
        if slot == self.start {
            0
        } else {
            self.above.get(slot)
        }
    }

    pub(super) fn chunks(&self) -> usize {
        self.words.len().div_ceil(CHUNK)
    }

    /// The indices of a chunk's positions.
    pub(super) fn indices_of(&self, chunk: usize) -> Range<u32> {
        let first = chunk * CHUNK;
        first as u32..self.words.len().min(first + CHUNK) as u32
    }

    /// The chunks with positions whose moves are played at a level.
    pub(super) fn due_at(&self, level: u8) -> Vec<usize> {
        let (word, bit) = (usize::from(level >> 6), 1u64 << (level & 63));
        (0..self.chunks())
            .filter(|chunk| self.due[chunk * DUE + word].load(Relaxed) & bit != 0)
            .collect()
    }

    /// The index of a slot in this group.
    #[inline(always)]
    pub(super) fn index(&self, slot: u64) -> u32 {
        (slot - self.slots.start) as u32
    }

    /// The slot of an index.
    #[inline(always)]
    pub(super) fn slot(&self, index: u32) -> u64 {
        self.slots.start + u64::from(index)
    }

    #[inline(always)]
    pub(super) fn load(&self, index: u32) -> Entry {
        Entry::from_bits(self.words[index as usize].load(Relaxed))
    }

    /// Records that the position at `index` is reached at `level`, so that the search visits
    /// its chunk there.
    #[inline]
    pub(super) fn schedule(&self, index: u32, level: u8) {
        let word = &self.due[index as usize / CHUNK * DUE + usize::from(level >> 6)];
        let bit = 1 << (level & 63);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            self.furthest.fetch_max(level.into(), Relaxed);
        }
    }
}

//! The records of a row while a thread works on it.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::ops::Range;

use super::super::super::memory::prefetch_write;
use super::super::super::word::WordWidth;
use super::super::super::words::{RunWords, row_bytes};
use crate::base::cpu::{Cpu, PACKED};

/// Number of places from which on a whole row is unpacked at once.
const MANY: usize = 128;

/// The records of a row: the words themselves, or what was unpacked of them.
pub(super) enum Hand<'a, W: WordWidth> {
    Plain(&'a [W::Atom]),
    Packed {
        bytes: &'a mut [u8],
        room: &'a mut Room<W>,
    },
}

/// The memory of the row to come.
pub(super) enum NextRow<'a, W: WordWidth> {
    Plain(&'a [W::Atom]),
    Packed(&'a [u8]),
}

impl<W: WordWidth> NextRow<'_, W> {
    /// Fetches part number `part` of `parts`.
    #[inline(always)]
    pub fn fetch(&self, part: usize, parts: usize) {
        match self {
            Self::Plain(words) => fetch(words, part, parts),
            Self::Packed(bytes) => fetch(bytes, part, parts),
        }
    }
}

/// Bytes that are fetched together.
const LINE: usize = 64;

#[inline(always)]
fn fetch<T>(memory: &[T], part: usize, parts: usize) {
    let line = LINE / size_of::<T>();
    let share = (memory.len() / line).div_ceil(parts.max(1)) * line;
    for value in memory.iter().skip(part * share).take(share).step_by(line) {
        prefetch_write(value);
    }
}

/// Room for the records of one unpacked row.
pub(super) struct Room<W: WordWidth> {
    /// Whole blocks of records.
    words: Vec<W::Atom>,
    /// Number of records of the row.
    columns: usize,
    blocks: Vec<Held>,
    /// Whether all blocks are unpacked, to be changed.
    whole: bool,
}

/// What of a block is in the room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    Nothing,
    /// Its records, to be read.
    Unpacked,
    /// Its records, to be packed again.
    Changed,
}

impl<W: WordWidth> Default for Room<W> {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            columns: 0,
            blocks: Vec::new(),
            whole: false,
        }
    }
}

impl<'a, W: WordWidth> Hand<'a, W> {
    /// The row of number `row` of a run.
    #[inline(always)]
    pub fn of(
        run: &'a mut RunWords<'_, W>,
        row: usize,
        columns: usize,
        room: &'a mut Room<W>,
    ) -> Self {
        Self::with_next(run, row, columns, room).0
    }

    /// The row of number `row` of a run, and the one after it, empty if it is the last.
    #[inline(always)]
    pub fn with_next(
        run: &'a mut RunWords<'_, W>,
        row: usize,
        columns: usize,
        room: &'a mut Room<W>,
    ) -> (Self, NextRow<'a, W>) {
        match run {
            RunWords::Plain(words) => {
                let (now, next) = words[row * columns..].split_at(columns);
                let next = &next[..columns.min(next.len())];
                (Self::Plain(now), NextRow::Plain(next))
            }
            RunWords::Packed(bytes) => {
                let blocks = columns.div_ceil(PACKED);
                room.words.resize_with(blocks * PACKED, W::Atom::default);
                room.columns = columns;
                room.blocks.clear();
                room.blocks.resize(blocks, Held::Nothing);
                room.whole = false;
                let len = row_bytes::<W>(columns);
                let (now, next) = bytes[row * len..].split_at_mut(len);
                let next = &next[..len.min(next.len())];
                (Self::Packed { bytes: now, room }, NextRow::Packed(next))
            }
        }
    }

    /// The words. Of a packed row only those mean something that were asked for.
    #[inline(always)]
    pub fn words(&self) -> &[W::Atom] {
        match self {
            Self::Plain(words) => words,
            Self::Packed { room, .. } => &room.words[..room.columns],
        }
    }

    /// Asks for the records at some places, to change them.
    #[inline(always)]
    pub fn change<C: Cpu>(&mut self, cpu: C, places: &[u32]) {
        if let Self::Packed { bytes, room } = self
            && !room.whole
        {
            room.change(cpu, bytes, places);
        }
    }

    /// Asks for the first records of a range, to look for those with a value of code `code`.
    /// Returns the place up to which they were asked for, and whether there may be one.
    #[inline(always)]
    pub fn look<C: Cpu>(&mut self, cpu: C, places: Range<usize>, code: u16) -> (usize, bool) {
        let Self::Packed { bytes, room } = self else {
            return (places.end, true);
        };
        let block = places.start / PACKED;
        let end = places.end.min((block + 1) * PACKED);
        if room.blocks[block] == Held::Nothing {
            let bytes = &bytes[block * W::PACKED_BYTES..(block + 1) * W::PACKED_BYTES];
            if !W::may_have(bytes, code) {
                return (end, false);
            }
        }
        room.hold(cpu, bytes, block, Held::Unpacked);
        (end, true)
    }

    /// Asks for all records, to store new ones.
    #[inline(always)]
    pub fn replace(&mut self) {
        if let Self::Packed { room, .. } = self {
            room.blocks.fill(Held::Changed);
            room.whole = true;
        }
    }

    /// Packs what was changed.
    #[inline(always)]
    pub fn close<C: Cpu>(self, cpu: C) {
        if let Self::Packed { bytes, room } = self {
            for block in 0..room.blocks.len() {
                if room.blocks[block] == Held::Changed {
                    let (words, bytes) = room.block(bytes, block);
                    W::pack(cpu, words, bytes);
                }
            }
        }
    }
}

impl<W: WordWidth> Room<W> {
    #[inline(always)]
    fn block<'b>(&mut self, bytes: &'b mut [u8], block: usize) -> (&mut [W::Atom], &'b mut [u8]) {
        let words = &mut self.words[block * PACKED..(block + 1) * PACKED];
        let bytes = &mut bytes[block * W::PACKED_BYTES..(block + 1) * W::PACKED_BYTES];
        (words, bytes)
    }

    #[inline(always)]
    fn hold<C: Cpu>(&mut self, cpu: C, bytes: &mut [u8], block: usize, how: Held) {
        let held = self.blocks[block];
        if held < how {
            self.blocks[block] = how;
            if held == Held::Nothing {
                let (words, bytes) = self.block(bytes, block);
                W::unpack(cpu, bytes, words);
            }
        }
    }

    #[inline(always)]
    fn change<C: Cpu>(&mut self, cpu: C, bytes: &mut [u8], places: &[u32]) {
        if places.len() >= MANY {
            for block in 0..self.blocks.len() {
                self.hold(cpu, bytes, block, Held::Changed);
            }
            self.whole = true;
        } else {
            for &place in places {
                self.hold(cpu, bytes, place as usize / PACKED, Held::Changed);
            }
        }
    }
}

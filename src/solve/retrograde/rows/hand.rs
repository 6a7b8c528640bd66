//! The records of a row while a thread works on it.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::ops::Range;

use super::super::super::memory::prefetch_write;
use super::super::super::word::WordWidth;
use super::super::super::words::{RunWords, row_bytes};
use super::super::super::work::Work;
use crate::base::cpu::{Cpu, PACKED};
use crate::base::value::Value;

/// Records for each block from which on it is faster to unpack a row than to change them one by one.
const MANY: usize = 1;

const _: () = assert!(PACKED == 64, "a block is what is looked through at a time");

/// The records of a row: words, or packed as long as few of them change.
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
    /// Whether the records are here, to be packed again.
    unpacked: bool,
}

impl<W: WordWidth> Default for Room<W> {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            columns: 0,
            unpacked: false,
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
                room.unpacked = false;
                let len = row_bytes::<W>(columns);
                let (now, next) = bytes[row * len..].split_at_mut(len);
                let next = &next[..len.min(next.len())];
                (Self::Packed { bytes: now, room }, NextRow::Packed(next))
            }
        }
    }

    /// The words, unless they are packed.
    #[inline(always)]
    pub fn words(&self) -> Option<&[W::Atom]> {
        match self {
            Self::Plain(words) => Some(words),
            Self::Packed { room, .. } => room.unpacked.then(|| &room.words[..room.columns]),
        }
    }

    /// The bits of a record.
    #[inline(always)]
    pub fn load(&self, at: usize) -> u64 {
        match self {
            Self::Plain(words) => W::load(&words[at]),
            Self::Packed { room, .. } if room.unpacked => W::load(&room.words[at]),
            Self::Packed { bytes, .. } => W::get_packed(bytes, at),
        }
    }

    /// Replaces a record.
    #[inline(always)]
    pub fn store(&mut self, at: usize, bits: u64) {
        match self {
            Self::Plain(words) => W::store(&words[at], bits),
            Self::Packed { room, .. } if room.unpacked => W::store(&room.words[at], bits),
            Self::Packed { bytes, .. } => W::set_packed(bytes, at, bits),
        }
    }

    /// Unpacks the row, if it is faster to change `count` of its records that way.
    #[inline(always)]
    pub fn expect<C: Cpu>(&mut self, cpu: C, count: usize) {
        if let Self::Packed { bytes, room } = self
            && !room.unpacked
            && count >= MANY * room.words.len() / PACKED
        {
            let blocks = room.words.chunks_exact_mut(PACKED);
            for (words, bytes) in blocks.zip(bytes.chunks_exact(W::PACKED_BYTES)) {
                W::unpack(cpu, bytes, words);
            }
            room.unpacked = true;
        }
    }

    /// The words, to store new records in all.
    #[inline(always)]
    pub fn replace(&mut self) -> &[W::Atom] {
        match self {
            Self::Plain(words) => words,
            Self::Packed { room, .. } => {
                room.unpacked = true;
                &room.words[..room.columns]
            }
        }
    }

    /// Looks through the first records of a range for those that are decided to be `value`.
    /// Returns the place up to which it did, of at most 64, and a set of them; packed records
    /// that only have the value are in it too.
    #[inline(always)]
    pub fn look<C: Cpu>(&self, cpu: C, places: Range<usize>, value: Value<W>) -> (usize, u64) {
        let Range { start, end } = places;
        let end = end.min((start / 64 + 1) * 64);
        let found = if let Some(words) = self.words() {
            W::matching(cpu, &words[start..end], Work::deciding(value))
        } else if let Self::Packed { bytes, .. } = self {
            let block = start / PACKED;
            let bytes = &bytes[block * W::PACKED_BYTES..(block + 1) * W::PACKED_BYTES];
            W::with_value(cpu, bytes, value) >> (start % 64) & (u64::MAX >> (64 - (end - start)))
        } else {
            0
        };
        (end, found)
    }

    /// The bits of the records at up to sixteen places of a packed row.
    #[inline(always)]
    pub fn gather<C: Cpu>(&self, cpu: C, places: &[u32]) -> [u64; 16] {
        match self {
            Self::Packed { bytes, room } if !room.unpacked => {
                W::gather_packed(cpu, bytes, places).map(Into::into)
            }
            _ => {
                let mut found = [0; 16];
                for (&place, found) in places.iter().zip(&mut found) {
                    *found = self.load(place as usize);
                }
                found
            }
        }
    }

    /// Packs the row, if it was unpacked.
    #[inline(always)]
    pub fn close<C: Cpu>(self, cpu: C) {
        if let Self::Packed { bytes, room } = self
            && room.unpacked
        {
            let blocks = room.words.chunks_exact_mut(PACKED);
            for (words, bytes) in blocks.zip(bytes.chunks_exact_mut(W::PACKED_BYTES)) {
                W::pack(cpu, words, bytes);
            }
        }
    }
}

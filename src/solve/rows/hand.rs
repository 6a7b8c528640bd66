//! The records of a row while a thread works on it.
#![expect(
    clippy::cast_possible_truncation,
    reason = "records of narrow values have 32 bits"
)]

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use crate::base::cpu::{Cpu, PACKED};
use crate::base::value::{Narrow, Value};
use crate::solve::memory::{fetched_together, prefetch_write};
use crate::solve::words::{PACKED_BYTES, RunWords, WordWidth, row_bytes};
use crate::solve::work::Work;
use crate::solve::work::packed::PACKING;

const _: () = assert!(PACKED == 64, "a set of records of a block is one word");

/// The records of a row: words, or packed as long as few of them change.
pub(super) enum Hand<'a> {
    Plain(&'a [AtomicU32]),
    Packed {
        bytes: &'a mut [u8],
        room: &'a mut Room,
    },
}

/// The records of a row as they are at a moment.
pub(super) enum Held<'h> {
    Words(&'h [AtomicU32]),
    /// Bytes of whole blocks.
    Packed(&'h [u8]),
}

impl Held<'_> {
    /// Prefetches one of `parts` parts.
    #[inline(always)]
    pub(crate) fn fetch(&self, part: usize, parts: usize) {
        match self {
            Self::Words(words) => fetch(words, part, parts),
            Self::Packed(bytes) => fetch(bytes, part, parts),
        }
    }
}

#[inline(always)]
fn fetch<T>(memory: &[T], part: usize, parts: usize) {
    let line = fetched_together::<T>();
    let share = (memory.len() / line).div_ceil(parts.max(1)) * line;
    for value in memory.iter().skip(part * share).take(share).step_by(line) {
        prefetch_write(value);
    }
}

#[derive(Default)]
pub(super) struct Room {
    /// Whole blocks of records.
    words: Vec<AtomicU32>,
    /// Number of records of the row.
    columns: usize,
    /// Whether the records are here, to be packed again.
    unpacked: bool,
}

impl<'a> Hand<'a> {
    #[inline(always)]
    pub(super) fn of(
        run: &'a mut RunWords<'_>,
        row: usize,
        columns: usize,
        room: &'a mut Room,
    ) -> Self {
        Self::with_next(run, row, columns, room).0
    }

    /// The row of number `row` of a run, and the one after it, empty if it is the last.
    #[inline(always)]
    pub(crate) fn with_next(
        run: &'a mut RunWords<'_>,
        row: usize,
        columns: usize,
        room: &'a mut Room,
    ) -> (Self, Held<'a>) {
        match run {
            RunWords::Plain(words) => {
                let (now, next) = words[row * columns..].split_at(columns);
                let next = &next[..columns.min(next.len())];
                (Self::Plain(now), Held::Words(next))
            }
            RunWords::Packed(bytes) => {
                let blocks = columns.div_ceil(PACKED);
                room.words.resize_with(blocks * PACKED, AtomicU32::default);
                room.columns = columns;
                room.unpacked = false;
                let len = row_bytes(columns);
                let (now, next) = bytes[row * len..].split_at_mut(len);
                let next = &next[..len.min(next.len())];
                (Self::Packed { bytes: now, room }, Held::Packed(next))
            }
        }
    }

    /// The records as they are now.
    #[inline(always)]
    fn held(&self) -> Held<'_> {
        match self {
            Self::Plain(words) => Held::Words(words),
            Self::Packed { room, .. } if room.unpacked => Held::Words(&room.words[..room.columns]),
            Self::Packed { bytes, .. } => Held::Packed(bytes),
        }
    }

    /// The words, unless they are packed.
    #[inline(always)]
    pub(super) fn words(&self) -> Option<&[AtomicU32]> {
        match self.held() {
            Held::Words(words) => Some(words),
            Held::Packed(_) => None,
        }
    }

    #[inline(always)]
    pub(super) fn load(&self, at: usize) -> u64 {
        match self.held() {
            Held::Words(words) => Narrow::load(&words[at]),
            Held::Packed(bytes) => PACKING.get(bytes, at).into(),
        }
    }

    #[inline(always)]
    pub(super) fn store(&mut self, at: usize, bits: u64) {
        match self {
            Self::Plain(words) => Narrow::store(&words[at], bits),
            Self::Packed { room, .. } if room.unpacked => Narrow::store(&room.words[at], bits),
            Self::Packed { bytes, .. } => PACKING.set(bytes, at, bits as u32),
        }
    }

    /// Unpacks the row if `count` of its records are about to change, and that many are faster
    /// to change unpacked: one for each block (measured).
    #[inline(always)]
    pub(super) fn expect<C: Cpu>(&mut self, cpu: C, count: usize) {
        if let Self::Packed { bytes, room } = self
            && !room.unpacked
            && count >= room.words.len() / PACKED
        {
            let blocks = room.words.chunks_exact_mut(PACKED);
            for (words, bytes) in blocks.zip(bytes.as_chunks().0) {
                cpu.unpack(bytes, words.as_mut_array().expect("a block"), PACKING);
            }
            room.unpacked = true;
        }
    }

    /// The words, to store new records in all.
    #[inline(always)]
    pub(super) fn replace(&mut self) -> &[AtomicU32] {
        match self {
            Self::Plain(words) => words,
            Self::Packed { room, .. } => {
                room.unpacked = true;
                &room.words[..room.columns]
            }
        }
    }

    /// Looks through the first records of a range for those that are decided to be `value`.
    /// Returns the place up to which it did, the end of a block at most, and a set of them; packed records
    /// that only have the value are in it too.
    #[inline(always)]
    pub(super) fn look<C: Cpu>(
        &self,
        cpu: C,
        places: Range<usize>,
        value: Value<Narrow>,
    ) -> (usize, u64) {
        let Range { start, end } = places;
        let end = end.min((start / PACKED + 1) * PACKED);
        let found = match self.held() {
            Held::Words(words) => Narrow::matching(cpu, &words[start..end], Work::deciding(value)),
            Held::Packed(bytes) => {
                let block = start / PACKED * PACKED_BYTES;
                let bytes = &bytes[block..block + PACKED_BYTES];
                let all = {
                    // Both values of a record are in its lowest bytes.
                    let bytes = bytes.as_array().expect("the bytes of a block");
                    cpu.with_byte(bytes, value.code().to_le_bytes()[0]) >> (start % PACKED)
                };
                all & (u64::MAX >> (PACKED - (end - start)))
            }
        };
        (end, found)
    }

    /// The bits of the records at up to sixteen places.
    #[inline(always)]
    pub(crate) fn gather<C: Cpu>(&self, cpu: C, places: &[u32]) -> [u64; 16] {
        match self.held() {
            Held::Packed(bytes) => {
                let mut found = [0; 16];
                cpu.gather_packed(bytes, places, PACKING, &mut found);
                found.map(Into::into)
            }
            Held::Words(words) => {
                let mut found = [0; 16];
                for (&place, found) in places.iter().zip(&mut found) {
                    *found = Narrow::load(&words[place as usize]);
                }
                found
            }
        }
    }

    /// Packs the row, if it was unpacked.
    #[inline(always)]
    pub(super) fn close<C: Cpu>(self, cpu: C) {
        if let Self::Packed { bytes, room } = self
            && room.unpacked
        {
            let blocks = room.words.chunks_exact_mut(PACKED);
            for (words, bytes) in blocks.zip(bytes.as_chunks_mut().0) {
                cpu.pack(words.as_mut_array().expect("a block"), bytes, PACKING);
            }
        }
    }
}

//! Blocks of records.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use crate::base::value::{Narrow, Record, Value, Width};

/// A decoded block: the records of up to [`BLOCK_SLOTS`](super::BLOCK_SLOTS) consecutive
/// slots of a layer.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    /// The slots of the block.
    pub slots: Range<u64>,
    pub(super) width: usize,
    pub(super) planes: Cow<'a, [u8]>,
}

impl Block<'_> {
    /// The records, in the order of slots.
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record> + '_ {
        (0..self.count()).map(move |at| self.record(at))
    }

    /// The record at an index, 0 being the first slot of the block.
    ///
    /// # Panics
    /// If the index is out of bounds.
    pub fn record(&self, at: usize) -> Record {
        record_in(&self.planes, self.width, self.count(), at)
    }

    /// The records of values of one byte, in the order of slots.
    pub(super) fn packed(&self) -> Vec<Packed> {
        let (best, second, only) = self.parts();
        let codes = best.iter().zip(second).zip(only);
        let record = |((&best, &second), &only): ((&u8, &u8), &u8)| {
            let only = if best == second {
                Record::NO_MOVE
            } else {
                only
            };
            Packed::new(best.into(), second.into(), only, 1)
        };
        codes.map(record).collect()
    }

    fn count(&self) -> usize {
        self.planes.len() / (2 * self.width + 1)
    }

    /// The planes of the block: codes of the best values, codes of the second values, and
    /// only moves.
    fn parts(&self) -> (&[u8], &[u8], &[u8]) {
        let (best, rest) = self.planes.split_at(self.count() * self.width);
        let (second, only) = rest.split_at(self.count() * self.width);
        (best, second, only)
    }

    /// The planes of a block of values of one byte.
    pub(crate) fn narrow_planes(&self) -> Option<(&[u8], &[u8], &[u8])> {
        (self.width == 1).then(|| self.parts())
    }

    /// Writes the records one after the other, each as best value, second value and only
    /// move.
    pub(super) fn interleave(&self, records: &mut [u8]) {
        let width = self.width;
        let (best, second, only) = self.parts();
        let values = best.chunks_exact(width).zip(second.chunks_exact(width));
        if width == 1 {
            let values = best.iter().zip(second).zip(only);
            for (record, ((best, second), only)) in
                records.as_chunks_mut::<3>().0.iter_mut().zip(values)
            {
                *record = [*best, *second, *only];
            }
            return;
        }
        let size = 2 * width + 1;
        for ((record, (best, second)), only) in records.chunks_exact_mut(size).zip(values).zip(only)
        {
            record[..width].copy_from_slice(best);
            record[width..2 * width].copy_from_slice(second);
            record[2 * width] = *only;
        }
    }
}

/// A record in one word: code of the best value, code of the second value, only move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed(pub u64);

#[expect(
    clippy::cast_possible_truncation,
    reason = "fields are extracted from packed words on purpose"
)]
impl Packed {
    #[inline]
    pub(super) const fn new(best: u16, second: u16, only: u8, width: usize) -> Self {
        let shift = 8 * width as u32;
        Self(best as u64 | (second as u64) << shift | (only as u64) << (2 * shift))
    }

    #[inline]
    pub(super) const fn best(self, width: usize) -> u16 {
        (self.0 & ((1 << (8 * width)) - 1)) as u16
    }

    #[inline]
    pub(super) const fn second(self, width: usize) -> u16 {
        (self.0 >> (8 * width) & ((1 << (8 * width)) - 1)) as u16
    }

    #[inline]
    pub(super) const fn only(self, width: usize) -> u8 {
        (self.0 >> (16 * width)) as u8
    }

    /// Packs a record whose values fit the width `W`.
    pub(super) fn of<W: Width>(record: Record) -> Self {
        let code = |value: Value| value.resized::<W>().map_or(W::DRAW, Value::code);
        let only = record.only_move().unwrap_or(Record::NO_MOVE);
        Self::new(code(record.best()), code(record.second()), only, W::BYTES)
    }

    /// The record of packed codes of the width `W`.
    pub(super) fn record<W: Width>(self) -> Record {
        let value = |code| {
            Value::<W>::from_code(code)
                .resized()
                .unwrap_or(Value::VACANT)
        };
        let (best, second) = (self.best(W::BYTES), self.second(W::BYTES));
        Record::new(value(best), value(second), self.only(W::BYTES))
    }
}

/// The values of one-byte codes.
static WIDENED: LazyLock<[Value; 256]> = LazyLock::new(|| {
    std::array::from_fn(|code| {
        let narrow = Value::<Narrow>::from_code(u16::try_from(code).unwrap_or(u16::MAX));
        narrow.resized().unwrap_or(Value::VACANT)
    })
});

/// The value with a code of one or two bytes.
#[inline]
pub(super) fn decode(code: &[u8]) -> Value {
    match *code {
        [narrow] => WIDENED[usize::from(narrow)],
        [low, high, ..] => Value::from_code(u16::from_le_bytes([low, high])),
        [] => Value::VACANT,
    }
}

/// The record at index `at` in a block of `count` records with values of `width` bytes.
pub(super) fn record_in(planes: &[u8], width: usize, count: usize, at: usize) -> Record {
    let value = |plane: usize| {
        let from = (plane * count + at) * width;
        decode(&planes[from..from + width])
    };
    Record::new(value(0), value(1), planes[2 * count * width + at])
}

/// Packs the planes of `slots` records with values of `width` bytes.
pub(super) fn pack(planes: &[u8], slots: usize, width: usize) -> Vec<u8> {
    let (best, rest) = planes.split_at(slots * width);
    let (second, only) = rest.split_at(slots * width);
    let mut packed = vec![0; 2 * slots * width];
    let (kept, seconds) = packed.split_at_mut(slots * width);
    kept.copy_from_slice(best);
    // Written without branches: which slots imply their second value cannot be foreseen.
    let mut moves = vec![0; slots + 1];
    let mut count = 0;
    for (slot, &only) in only.iter().enumerate() {
        let code = slot * width..(slot + 1) * width;
        let differs = match width {
            1 => best[slot] != second[slot],
            _ => best[code.clone()] != second[code.clone()],
        };
        for at in code {
            seconds[at] = if differs { second[at] } else { 0 };
        }
        moves[count] = only;
        count += usize::from(differs);
    }
    packed.extend_from_slice(&moves[..count]);
    packed
}

/// Unpacks a block of `slots` records with values of `width` bytes. `None` if the bytes are
/// not such a block.
pub(super) fn unpack(packed: &[u8], slots: usize, width: usize) -> Option<Vec<u8>> {
    let (best, rest) = packed.split_at_checked(slots * width)?;
    let (second, moves) = rest.split_at_checked(slots * width)?;
    let mut planes = vec![0; slots * (2 * width + 1)];
    let (bests, rest) = planes.split_at_mut(slots * width);
    bests.copy_from_slice(best);
    let (seconds, only) = rest.split_at_mut(slots * width);
    let whole = match width {
        1 => unpack_seconds::<1>(best, second, moves, seconds, only),
        _ => unpack_seconds::<2>(best, second, moves, seconds, only),
    };
    whole.then_some(planes)
}

/// Unpacks second values and only best moves. Returns whether there are as many of these as
/// second values of their own. Without branches, as [`pack`].
fn unpack_seconds<const WIDTH: usize>(
    best: &[u8],
    packed: &[u8],
    moves: &[u8],
    seconds: &mut [u8],
    only: &mut [u8],
) -> bool {
    let (best, packed) = (best.as_chunks::<WIDTH>().0, packed.as_chunks::<WIDTH>().0);
    let seconds = seconds.as_chunks_mut::<WIDTH>().0.iter_mut();
    for (second, (best, packed)) in seconds.zip(best.iter().zip(packed)) {
        *second = if *packed == [0; WIDTH] {
            *best
        } else {
            *packed
        };
    }
    let mut next = 0;
    for (only, packed) in only.iter_mut().zip(packed) {
        let differs = *packed != [0; WIDTH];
        let mv = moves.get(next).copied().unwrap_or(Record::NO_MOVE);
        *only = if differs { mv } else { Record::NO_MOVE };
        next += usize::from(differs);
    }
    next == moves.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for width in [1, 2] {
            let best = [7u16, 0, 255, 31, 9];
            let second = [7u16, 3, 255, 34, 2];
            let only = [Record::NO_MOVE, 12, Record::NO_MOVE, 0, 254];
            let mut planes = Vec::new();
            for plane in [best, second] {
                for code in plane {
                    planes.extend_from_slice(&code.to_le_bytes()[..width]);
                }
            }
            planes.extend_from_slice(&only);
            let packed = pack(&planes, 5, width);
            assert_eq!(packed.len(), 10 * width + 3);
            assert_eq!(unpack(&packed, 5, width), Some(planes));
            assert_eq!(unpack(&packed[..packed.len() - 1], 5, width), None);
            assert_eq!(unpack(&[&packed[..], &[1]].concat(), 5, width), None);
            assert_eq!(unpack(&packed, 6, width), None);
        }
    }
}

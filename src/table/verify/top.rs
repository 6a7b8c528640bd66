//! The best two moves of a position, and the record that follows from them.

use super::Flaw;
use crate::base::value::{Record, Value};
use crate::solve::{Ordinal, ValueOrder, WordWidth};
use crate::table::block::Packed;

/// The best two moves of a position: each an ordinal and, in the low byte, the number of the
/// move. Of moves of the same worth any may come first, since then none is the only best.
#[derive(Clone, Copy)]
pub(in crate::table) struct Top {
    best: u32,
    second: u32,
}

impl Top {
    pub(super) const NONE: Self = Self { best: 0, second: 0 };

    /// The best and the second move, each as from [`key`](Self::key), or 0 if there is none.
    #[inline(always)]
    pub(super) const fn of(best: u32, second: u32) -> Self {
        Self { best, second }
    }

    /// A move as one number: greater than another's if it is better.
    #[inline(always)]
    pub(super) const fn key(ordinal: Ordinal, number: u8) -> u32 {
        ordinal << 8 | number as u32
    }

    /// Adds a move that may be forbidden.
    #[inline(always)]
    pub(super) fn bound(&mut self, ordinal: Ordinal, number: u8) {
        let mv = Self::key(ordinal, number);
        self.second = self.second.max(self.best.min(mv));
        self.best = self.best.max(mv);
    }

    /// Adds a move that cannot be forbidden, which counts for both values.
    #[inline(always)]
    pub(super) fn free(&mut self, ordinal: Ordinal) {
        self.bound(ordinal, Record::NO_MOVE);
        self.bound(ordinal, Record::NO_MOVE);
    }

    #[inline(always)]
    pub(crate) const fn ordinals(self) -> [Ordinal; 2] {
        [self.best >> 8, self.second >> 8]
    }

    /// The number of the only best move, [`Record::NO_MOVE`] if there are several.
    #[inline(always)]
    pub(super) const fn only(self) -> u8 {
        let [number, ..] = self.best.to_le_bytes();
        if self.best >> 8 == self.second >> 8 {
            Record::NO_MOVE
        } else {
            number
        }
    }

    /// The record with these best moves; `None` if a distance is too long.
    pub(super) fn record<W: WordWidth>(self, order: &ValueOrder<W>) -> Option<Record> {
        let [best, second] = self.ordinals().map(|ordinal| match ordinal {
            0 => Some(Value::SELF_MATE),
            _ => order.value(ordinal)?.resized(),
        });
        Some(Record::new(best?, second?, self.only()))
    }
}

/// The flaw of a slot, if the record derived for it is not the stored one. A record that has
/// no code, because a distance is too long, is no stored one.
pub(super) fn flaw<W: WordWidth>(
    slot: u64,
    stored: Packed,
    derived: Option<Record>,
) -> Option<Flaw> {
    (derived.map(Packed::of::<W>) != Some(stored)).then(|| Flaw {
        slot,
        stored: stored.record::<W>(),
        derived: derived.unwrap_or(Record::VACANT),
    })
}

//! A bit for each slot of a range.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::solve::{WordArray, prefetch_read};

/// Which slots of a range something is true of.
#[derive(Debug)]
pub(in crate::mine) struct SlotBits {
    first: u64,
    pub words: WordArray<AtomicU64>,
}

impl SlotBits {
    /// The bytes of memory that the bits of this many slots take.
    pub(crate) const fn bytes(slots: u64) -> u64 {
        slots.div_ceil(64) * 8
    }

    /// It is true of no slot.
    pub(crate) fn new(slots: Range<u64>) -> io::Result<Self> {
        let words = usize::try_from((slots.end - slots.start).div_ceil(64));
        Ok(Self {
            first: slots.start,
            words: WordArray::new(words.unwrap_or(usize::MAX))?,
        })
    }

    /// Sets some bits from a slot on, of one word.
    #[inline]
    pub(crate) fn set(&self, slot: u64, bits: u64) {
        if let Some((word, bit)) = self.place(slot) {
            word.fetch_or(bits << bit, Relaxed);
        }
    }

    /// Sets the bit of a slot. Returns whether that is new.
    pub(crate) fn add(&self, slot: u64) -> bool {
        let place = self.place(slot);
        // Most bits are set already, and reading is cheaper than writing.
        place.is_some_and(|(word, bit)| {
            let bit = 1 << bit;
            word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
        })
    }

    pub(crate) fn clear(&self, slot: u64) {
        if let Some((word, bit)) = self.place(slot) {
            word.fetch_and(!(1 << bit), Relaxed);
        }
    }

    #[inline]
    fn place(&self, slot: u64) -> Option<(&AtomicU64, u64)> {
        let at = slot.checked_sub(self.first)?;
        let word = self.words.get(usize::try_from(at / 64).ok()?)?;
        Some((word, at % 64))
    }

    #[inline]
    pub(crate) fn prefetch(&self, slot: u64) {
        if let Some((word, _)) = self.place(slot) {
            prefetch_read(word);
        }
    }

    /// Whether it is true of a slot; not of a slot out of the range.
    #[inline]
    pub(crate) fn has(&self, slot: u64) -> bool {
        self.place(slot)
            .is_some_and(|(word, bit)| word.load(Relaxed) >> bit & 1 == 1)
    }
}

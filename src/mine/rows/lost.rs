//! Which positions of a group are lost, a bit for each.
//!
//! A move to a lost position wins whatever may be forbidden after it. So most positions that
//! must not have winning moves of some kind are refused by bits, which take a fortieth of the
//! memory that the records take and are read that much faster.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::base::value::{Narrow, Outcome, Value};
use crate::base::watch::Watch;
use crate::mine::MineError;
use crate::solve::{WordArray, prefetch_read};
use crate::table::{Block, Table};

/// The positions of a range of slots that are lost for the side to move.
pub(in crate::mine) struct Lost {
    first: u64,
    words: WordArray<AtomicU64>,
}

impl Lost {
    /// The memory in bytes that the bits of so many slots take.
    pub const fn bytes(slots: u64) -> u64 {
        slots.div_ceil(64) * 8
    }

    /// Reads the values of a range of slots, that of whole blocks of a table. `None` if there is
    /// no memory for it.
    ///
    /// # Errors
    /// If the table is damaged, or the watch asks to stop.
    pub fn new(
        table: &Table,
        slots: &Range<u64>,
        watch: &impl Watch,
    ) -> Result<Option<Self>, MineError> {
        let count = slots.end - slots.start;
        let words = usize::try_from(count.div_ceil(64)).map(WordArray::new);
        let Ok(Ok(words)) = words else {
            return Ok(None);
        };
        let lost = Self {
            first: slots.start,
            words,
        };
        watch.begin("reading outcomes", count);
        let numbers: Vec<_> = (0..table.blocks())
            .filter(|&number| slots.contains(&table.slots_of(number).start))
            .collect();
        numbers.into_par_iter().try_for_each(|number| {
            if watch.cancelled() {
                return Err(MineError::Cancelled);
            }
            let block = table.block(number)?;
            lost.mark(&block);
            table.forget(number);
            let slots = block.slots();
            watch.advance(slots.end - slots.start);
            Ok(())
        })?;
        Ok(Some(lost))
    }

    /// Marks the lost positions of a block.
    fn mark(&self, block: &Block<'_>) {
        let first = block.slots().start;
        let Some((codes, ..)) = block.narrow_planes() else {
            for (slot, record) in (first..).zip(block.records()) {
                self.set(slot, u64::from(record.best().outcome() == Outcome::Loss));
            }
            return;
        };
        let is_lost: [bool; 256] = std::array::from_fn(|code| {
            let code = u16::try_from(code).unwrap_or(u16::MAX);
            Value::<Narrow>::from_code(code).outcome() == Outcome::Loss
        });
        let (mut slot, mut rest) = (first, codes);
        while !rest.is_empty() {
            // Up to the next word.
            let bits = 64 - (slot - self.first) % 64;
            let len = usize::try_from(bits).unwrap_or(1).min(rest.len());
            let (some, later) = rest.split_at(len);
            rest = later;
            let lost = some.iter().enumerate().fold(0, |set, (bit, &code)| {
                set | u64::from(is_lost[usize::from(code)]) << bit
            });
            self.set(slot, lost);
            slot += len as u64;
        }
    }

    /// Sets some bits from a slot on, of one word.
    fn set(&self, slot: u64, bits: u64) {
        if let Some((word, bit)) = self.place(slot) {
            word.fetch_or(bits << bit, Relaxed);
        }
    }

    #[inline]
    fn place(&self, slot: u64) -> Option<(&AtomicU64, u64)> {
        let at = slot.checked_sub(self.first)?;
        let word = self.words.get(usize::try_from(at / 64).ok()?)?;
        Some((word, at % 64))
    }

    /// Prefetches the bit of a slot.
    #[inline]
    pub fn prefetch(&self, slot: u64) {
        if let Some((word, _)) = self.place(slot) {
            prefetch_read(word);
        }
    }

    /// Whether the position of a slot is lost; not of a slot out of the range.
    #[inline]
    pub fn has(&self, slot: u64) -> bool {
        self.place(slot)
            .is_some_and(|(word, bit)| word.load(Relaxed) >> bit & 1 == 1)
    }
}

//! What a scan asks of a table that is larger than memory: values at random places, told in
//! advance, and pages given back.

use std::ops::{Range, RangeInclusive};

use super::block::decode;
use super::read::Bytes;
use super::{Encoding, Table, TableError};
use crate::base::value::Value;
use crate::game::Slot;
use crate::solve::prefetch_read;

impl Bytes {
    /// Gives the memory of a range that is mapped back to the system.
    fn forget(&self, range: Range<usize>) {
        #[cfg(all(unix, not(miri)))]
        if let Self::Map(map) = self {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // Where this fails, only memory is lost.
            // SAFETY: nobody writes to the map, so the pages are those of the file when they
            // are read again.
            let _ = unsafe { map.unchecked_advise_range(advice, range.start, range.len()) };
        }
        #[cfg(not(all(unix, not(miri))))]
        let _ = range;
    }
}

impl Table {
    /// Gives the memory of a block back to the system, if it is mapped. The block is read from
    /// the file again when it is needed.
    pub(crate) fn forget(&self, number: usize) {
        self.bytes.forget(self.blocks[number].bytes.clone());
    }

    /// [`forget`](Self::forget) all blocks.
    #[cfg(feature = "rows")]
    pub(crate) fn forget_all(&self) {
        self.bytes.forget(0..self.bytes.len());
    }

    /// [`forget`](Self::forget) the blocks of some slots.
    pub(crate) fn forget_slots(&self, slots: RangeInclusive<u64>) {
        if let (Ok((first, ..)), Ok((last, ..))) =
            (self.find(*slots.start()), self.find(*slots.end()))
        {
            (first..=last).for_each(|number| self.forget(number));
        }
    }

    /// The best value of a slot.
    ///
    /// # Errors
    /// If the slot is out of range, or its block is damaged.
    pub(crate) fn best(&self, slot: u64) -> Result<Value, TableError> {
        if self.description.encoding != Encoding::Raw {
            return Ok(self.record(slot)?.best());
        }
        let (number, at, _) = self.find(slot)?;
        let width = usize::from(self.description.value_bytes);
        let planes = self.raw_planes(number)?;
        Ok(decode(&planes[at * width..(at + 1) * width]))
    }

    /// The value of a state.
    ///
    /// # Errors
    /// If its slot is out of range, or the block is damaged.
    pub fn value(&self, state: Slot) -> Result<Value, TableError> {
        match state.forbidden {
            None => self.best(state.index),
            forbidden => Ok(self.record(state.index)?.without(forbidden)),
        }
    }

    /// Prefetches the best value of a slot of a raw table.
    #[inline]
    pub(crate) fn prefetch(&self, slot: u64) {
        if self.description.encoding == Encoding::Raw
            && let Ok((number, at, _)) = self.find(slot)
        {
            let from = self.blocks[number].bytes.start;
            let width = usize::from(self.description.value_bytes);
            if let Some(byte) = self.bytes.get(from + at * width) {
                prefetch_read(byte);
            }
        }
    }
}

//! Which positions of a group are lost, a bit for each.

use std::ops::Range;

use rayon::prelude::*;

use super::slot_bits::SlotBits;
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Outcome, Value};
use crate::mine::MineError;
use crate::table::{Block, Table};

/// The positions of a range of slots that are lost for the side to move.
pub(in crate::mine) struct Lost {
    slots: Range<u64>,
    bits: SlotBits,
}

impl Lost {
    /// The memory in bytes that the bits of so many slots take.
    pub const fn bytes(slots: u64) -> u64 {
        SlotBits::bytes(slots)
    }

    /// Reads the values of a range of slots, that of whole blocks of a table. `None` if there is
    /// no memory for it.
    ///
    /// # Errors
    /// If the table is damaged, or the work is cancelled.
    pub fn new(
        table: &Table,
        slots: &Range<u64>,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, MineError> {
        let count = slots.end - slots.start;
        let Ok(bits) = SlotBits::new(slots.clone()) else {
            return Ok(None);
        };
        let lost = Self {
            slots: slots.clone(),
            bits,
        };
        progress.begin("reading outcomes", count);
        let numbers: Vec<_> = (0..table.blocks())
            .filter(|&number| slots.contains(&table.slots_of(number).start))
            .collect();
        numbers.into_par_iter().try_for_each(|number| {
            if progress.cancelled() {
                return Err(MineError::Cancelled);
            }
            let block = table.block(number)?;
            lost.mark(&block);
            table.forget(number);
            let slots = block.slots();
            progress.advance(slots.end - slots.start);
            Ok(())
        })?;
        Ok(Some(lost))
    }

    /// Marks the lost positions of a block.
    fn mark(&self, block: &Block<'_>) {
        let first = block.slots().start;
        let Some((codes, ..)) = block.narrow_planes() else {
            for (slot, record) in (first..).zip(block.records()) {
                self.bits
                    .set(slot, u64::from(record.best().outcome() == Outcome::Loss));
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
            let bits = 64 - (slot - self.slots.start) % 64;
            let len = usize::try_from(bits).unwrap_or(1).min(rest.len());
            let (some, later) = rest.split_at(len);
            rest = later;
            let lost = some.iter().enumerate().fold(0, |set, (bit, &code)| {
                set | u64::from(is_lost[usize::from(code)]) << bit
            });
            self.bits.set(slot, lost);
            slot += len as u64;
        }
    }

    /// Prefetches the bit of a slot.
    #[inline]
    pub fn prefetch(&self, slot: u64) {
        self.bits.prefetch(slot);
    }

    /// Whether the position of a slot is lost; not of a slot out of the range.
    #[inline]
    pub fn has(&self, slot: u64) -> bool {
        self.bits.has(slot)
    }
}

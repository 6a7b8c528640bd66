//! Which positions after moves within a group are lost.
//!
//! A move to a lost position wins whatever may be forbidden after it. So most positions that
//! must not have winning moves of some kind are refused before all of their moves are rated.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use std::ops::Range;

use rayon::prelude::*;

use super::group::RowGroup;
use super::slot_bits::SlotBits;
use crate::base::cpu::Cpu;
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Outcome, Value};
use crate::game::{ByRows, RowMove, Squares};
use crate::mine::MineError;
use crate::solve::{Ordinal, RowTable, ValueOrder};
use crate::table::{Block, MoveValues, Table};

/// What tells which positions are lost.
pub(in crate::mine) enum Losses<'a> {
    /// A bit for each position, which takes a fortieth of the memory that the records take.
    Bits(Lost),
    /// The values of the group, if they are arranged anyway.
    Values(ValueLosses<'a>),
}

impl<'a> Losses<'a> {
    /// Reads them from arranged values.
    pub(crate) fn of_values(values: &'a MoveValues, order: &ValueOrder<Narrow>) -> Self {
        Self::Values(ValueLosses {
            values,
            draw: order.ordinal(Value::DRAW),
        })
    }
}

/// Arranged values: moves that are worth more than a draw lead to lost positions.
#[derive(Clone, Copy)]
pub(in crate::mine) struct ValueLosses<'a> {
    values: &'a MoveValues,
    draw: Ordinal,
}

/// The number in a bucket of the squares of the side to move.
pub(super) enum Set {
    Known(u32),
    /// To be worked out: they are among these squares, those that are free there.
    Among(Squares),
}

/// A way to find out whether positions are lost.
pub(super) trait IsLost: Copy {
    /// Whether the moves of a row can be tested for many positions at once
    /// ([`wins`](Self::wins)).
    const SIDE_BY_SIDE: bool;

    /// Where it is found of a position.
    type At: Copy;

    /// Where it is found of the position after a move or after passing, in the layer that answers
    /// a row: given by its bucket, by the squares of the side to move there, and by their set.
    fn at<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        group: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        at: (u32, Squares),
        set: Set,
    ) -> Self::At;

    /// Prefetches it.
    fn prefetch(self, at: Self::At);

    /// Whether the position is lost.
    fn has(self, at: Self::At) -> bool;

    /// Whether it is known that the position is lost or drawn.
    fn is_held(self, at: Self::At) -> bool;

    /// By set in the bucket of a move: whether the position after the move is lost.
    fn wins(self, table: &RowTable<'_>, mv: &RowMove) -> impl Fn(u32) -> bool;
}

impl IsLost for &Lost {
    const SIDE_BY_SIDE: bool = false;

    type At = u64;

    #[inline(always)]
    fn at<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        group: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        (bucket, squares): (u32, Squares),
        _: Set,
    ) -> u64 {
        let answers = group.layer(table.answers);
        group
            .game
            .transposed_slot(cpu, answers, bucket as usize, squares)
    }

    #[inline(always)]
    fn prefetch(self, slot: u64) {
        self.bits.prefetch(slot);
    }

    #[inline(always)]
    fn has(self, slot: u64) -> bool {
        self.bits.has(slot)
    }

    #[inline(always)]
    fn is_held(self, slot: u64) -> bool {
        self.has(slot)
    }

    fn wins(self, _: &RowTable<'_>, _: &RowMove) -> impl Fn(u32) -> bool {
        |_| false
    }
}

impl IsLost for &ValueLosses<'_> {
    const SIDE_BY_SIDE: bool = true;

    /// The layer within the group, the bucket, and the set.
    type At = (usize, u32, u32);

    #[inline(always)]
    fn at<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        _: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        (bucket, squares): (u32, Squares),
        set: Set,
    ) -> Self::At {
        let set = match set {
            Set::Known(set) => set,
            Set::Among(free) => table.shape.ranker.rank(cpu.extract(squares, free)),
        };
        (table.answers, bucket, set)
    }

    #[inline(always)]
    fn prefetch(self, (layer, bucket, set): Self::At) {
        self.values.prefetch(layer, bucket as usize, set as usize);
    }

    #[inline(always)]
    fn has(self, (layer, bucket, set): Self::At) -> bool {
        let value = self.values.get(layer, bucket as usize, set as usize);
        value.after(false) > self.draw
    }

    #[inline(always)]
    fn is_held(self, (layer, bucket, set): Self::At) -> bool {
        let value = self.values.get(layer, bucket as usize, set as usize);
        value.after(false) >= self.draw
    }

    #[inline(always)]
    fn wins(self, table: &RowTable<'_>, mv: &RowMove) -> impl Fn(u32) -> bool {
        let values = self.values.bucket(table.answers, mv.bucket as usize);
        move |set| values(set as usize) > self.draw
    }
}

/// The positions of a range of slots that are lost for the side to move.
pub(in crate::mine) struct Lost {
    slots: Range<u64>,
    bits: SlotBits,
}

impl Lost {
    /// The bytes of memory that the bits of this many slots take.
    pub(crate) const fn bytes(slots: u64) -> u64 {
        SlotBits::bytes(slots)
    }

    /// Reads the values of a range of slots, that of whole blocks of a table. `None` if there is
    /// no memory for it.
    pub(crate) fn new(
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
}

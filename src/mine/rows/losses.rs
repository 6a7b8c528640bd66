//! Which positions after moves within a group are lost.
//!
//! A move to a lost position wins whatever may be forbidden after it. So most positions that
//! must not have winning moves of some kind are refused before all of their moves are rated.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::{Lost, RowGroup};
use crate::base::cpu::Cpu;
use crate::base::value::{Narrow, Value};
use crate::game::{ByRows, RowMove, Squares};
use crate::solve::{Ordinal, RowTable, ValueOrder};
use crate::table::MoveValues;

/// What tells which positions are lost.
pub(in crate::mine) enum Losses<'a> {
    /// A bit for each position, which takes a fortieth of the memory that the records take.
    Bits(Lost),
    /// The values of the group, if they are arranged anyway.
    Values(ValueLosses<'a>),
}

impl<'a> Losses<'a> {
    /// Reads them from arranged values.
    pub fn of_values(values: &'a MoveValues, order: &ValueOrder<Narrow>) -> Self {
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

/// A way to find out whether positions are lost.
pub(super) trait IsLost: Copy {
    /// Whether the moves of a row can be tested for many positions at once
    /// ([`wins`](Self::wins)).
    const SIDE_BY_SIDE: bool;

    /// Where it is found of a position.
    type At: Copy;

    /// Where it is found of the position after a move of a row with the opponent on `opponent`
    /// (squares of the board).
    fn after<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        group: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        mv: &RowMove,
        opponent: Squares,
    ) -> Self::At;

    /// Where it is found of the position after passing, in that of a row and a column with the
    /// opponent on `opponent`.
    fn passed<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        group: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        at: (usize, usize),
        opponent: Squares,
    ) -> Self::At;

    /// Prefetches it.
    fn prefetch(self, at: Self::At);

    /// Whether the position is lost.
    fn has(self, at: Self::At) -> bool;

    /// By set in the bucket of a move: whether the position after the move is lost.
    fn wins(self, table: &RowTable<'_>, mv: &RowMove) -> impl Fn(u32) -> bool;
}

impl IsLost for &Lost {
    const SIDE_BY_SIDE: bool = false;

    type At = u64;

    #[inline(always)]
    fn after<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        group: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        mv: &RowMove,
        opponent: Squares,
    ) -> u64 {
        let after = group.game.turn(mv.turn)(opponent ^ mv.flip);
        let answers = group.layer(table.answers);
        group
            .game
            .transposed_slot(cpu, answers, mv.bucket as usize, after)
    }

    #[inline(always)]
    fn passed<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        group: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        (row, _): (usize, usize),
        opponent: Squares,
    ) -> u64 {
        // The other side's squares are the bucket.
        let answers = group.layer(table.answers);
        group.game.transposed_slot(cpu, answers, row, opponent)
    }

    #[inline(always)]
    fn prefetch(self, slot: u64) {
        Lost::prefetch(self, slot);
    }

    #[inline(always)]
    fn has(self, slot: u64) -> bool {
        Lost::has(self, slot)
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
    fn after<G: ByRows, C: Cpu>(
        self,
        cpu: C,
        group: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        mv: &RowMove,
        opponent: Squares,
    ) -> Self::At {
        let after = group.game.turn(mv.turn)(opponent ^ mv.flip);
        let set = table.shape.ranker.rank(cpu.extract(after, mv.bucket_free));
        (table.answers, mv.bucket, set)
    }

    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rows and columns are numbered by words of 32 bits"
    )]
    fn passed<G: ByRows, C: Cpu>(
        self,
        _: C,
        _: &RowGroup<'_, G>,
        table: &RowTable<'_>,
        (row, column): (usize, usize),
        _: Squares,
    ) -> Self::At {
        (table.answers, row as u32, column as u32)
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
    fn wins(self, table: &RowTable<'_>, mv: &RowMove) -> impl Fn(u32) -> bool {
        let values = self.values.bucket(table.answers, mv.bucket as usize);
        move |set| values(set as usize) > self.draw
    }
}

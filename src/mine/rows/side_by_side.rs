//! Winning moves of all positions of a row, counted side by side.
//!
//! A move that is not turned leads from the columns that have it to the sets of its bucket in
//! their order. So what is known of these is read from one end to the other, and most positions
//! that have more winning moves than filters admit are found out at little cost.

use std::ops::Range;

use super::losses::IsLost;
use crate::base::cpu::{Cpu, CpuTask};
use crate::game::RowMove;
use crate::mine::verdicts::{MOST_LIMITS, WinTests};
use crate::solve::RowTable;

/// Moves that are counted by limit: a byte each.
pub(super) type Counts = u64;

const _: () = assert!(MOST_LIMITS == size_of::<Counts>());

/// The limits that moves of some kinds count for: one in the byte of each.
pub(super) fn counted(tests: &WinTests, kinds: u32) -> Counts {
    let limits = tests.limits().iter().enumerate();
    limits.fold(0, |counts, (number, limit)| {
        counts | Counts::from(limit.has(kinds)) << (8 * number)
    })
}

/// Counts a move that is not turned in all positions of some columns of a row in which it wins.
pub(super) struct CountMove<'a, 'g, L> {
    pub losses: L,
    pub table: &'a RowTable<'g>,
    pub mv: &'a RowMove,
    /// What it counts.
    pub counts: Counts,
    pub columns: Range<usize>,
    /// What was counted, by column from the first of `columns` on.
    pub counted: &'a mut [Counts],
}

impl<L: IsLost> CpuTask for CountMove<'_, '_, L> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "special instructions are used only where everything is inlined"
    )]
    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Self { table, mv, .. } = self;
        let Range { start, end } = self.columns;
        let columns = table.lists.fulfilling(mv.condition);
        let sets = table.lists.fulfilling(mv.image);
        let here = columns.partition_point(|&column| (column as usize) < start)
            ..columns.partition_point(|&column| (column as usize) < end);
        let wins = self.losses.wins(table, mv);
        for (&column, &set) in columns[here.clone()].iter().zip(&sets[here]) {
            let counts = self.counts & Counts::from(wins(set)).wrapping_neg();
            self.counted[column as usize - start] += counts;
        }
    }
}

//! Conditions on winning moves that stay in the group, tested by the bits of lost positions.
//!
//! Nearly every won position wins in several ways. A filter that allows no winning move of some
//! kind, or one winning move in all, refuses it when the first or the second is found, long
//! before the values of all moves are known.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::{Lost, RowGroup};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Outcome, Record};
use crate::game::{ByRows, RowMove, Squares};
use crate::mine::plan::Admitted;
use crate::mine::win_tests::{MOST_LIMITS, WinTests};
use crate::solve::RowTable;
use crate::table::Block;

/// Positions whose bits are fetched from memory together.
const TOGETHER: usize = 32;

/// Moves of a position whose bits are fetched at a time. Further ones are often not needed.
const AT_ONCE: usize = 4;

/// What filters ask of the winning moves within a group.
pub(in crate::mine) struct Winners<'a, 'g, G> {
    pub group: &'a RowGroup<'g, G>,
    pub lost: &'a Lost,
    pub tests: &'a WinTests,
}

/// A row in which positions are tested.
struct AtRow<'a, 'g> {
    table: &'a RowTable<'g>,
    row: usize,
    free: Squares,
    /// The moves that limits ask for, with their kinds.
    moves: Vec<(RowMove, u32)>,
}

/// A position on its way through its moves.
#[derive(Clone, Copy)]
struct Candidate {
    column: Squares,
    /// The opponent's squares on the board.
    opponent: Squares,
    /// The filters whose limits may still refuse it.
    asking: u64,
    /// The next move to look at, and how many are left.
    next: usize,
    left: usize,
    /// Winning moves found, by limit.
    found: [u8; MOST_LIMITS],
}

impl<G: ByRows> Winners<'_, '_, G> {
    /// Takes filters away from the unrestricted states of a block whose winning moves they
    /// refuse, and positions that no filter is left for. Positions are given by their place in
    /// the block, in order.
    pub fn narrow(&self, block: &Block<'_>, admitted: &mut Vec<(usize, Admitted)>) {
        let (group, tests) = (self.group, self.tests);
        let before = group.index(block.slots().start);
        let index_of = |place: usize| before + place;
        let asking = tests.asking();
        let mut rest = &mut admitted[..];
        while let Some(&(place, _)) = rest.first() {
            let Some((table, row)) = group.row_of(index_of(place)) else {
                break;
            };
            let records = table.records(row);
            let end = rest.partition_point(|&(place, _)| index_of(place) < records.end);
            let (here, later) = rest.split_at_mut(end);
            rest = later;
            if here.iter().all(|(_, admitted)| admitted.free & asking == 0) {
                continue;
            }
            let kinds = tests.kinds();
            let moves = table.moves(row).iter().map(|mv| {
                let kinds = group.game.kinds_of_row_move(table.layer, row, mv);
                (*mv, kinds)
            });
            let at = AtRow {
                table,
                row,
                free: group.game.row(table.layer, row).free,
                moves: moves
                    .filter(|(_, of)| kinds == u32::MAX || of & kinds != 0)
                    .collect(),
            };
            for some in here.chunks_mut(TOGETHER) {
                dispatch(Narrow {
                    winners: self,
                    at: &at,
                    first: records.start,
                    before,
                    block,
                    some,
                });
            }
        }
        admitted.retain(|(_, admitted)| !admitted.is_empty());
    }
}

/// Tests some positions of a row.
struct Narrow<'a, 'g, 'b, G> {
    winners: &'a Winners<'a, 'g, G>,
    at: &'a AtRow<'a, 'g>,
    /// The index of the row's first record in the group.
    first: usize,
    /// The index of the block's first record in the group.
    before: usize,
    block: &'a Block<'b>,
    some: &'a mut [(usize, Admitted)],
}

impl<G: ByRows> CpuTask for Narrow<'_, '_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) {
        let mut candidates = [None; TOGETHER];
        for (number, candidate) in candidates.iter_mut().enumerate().take(self.some.len()) {
            *candidate = self.candidate(cpu, number);
        }
        self.pass(cpu, &mut candidates);
        self.count(cpu, &mut candidates);
    }
}

impl<G: ByRows> Narrow<'_, '_, '_, G> {
    /// The position of a number, if a test may refuse it that has not done so yet.
    #[inline(always)]
    fn candidate<C: Cpu>(&mut self, cpu: C, number: usize) -> Option<Candidate> {
        let tests = self.winners.tests;
        let (place, admitted) = &mut self.some[number];
        if admitted.free & tests.asking() == 0 {
            return None;
        }
        let column = self.at.table.shape.columns[self.before + *place - self.first];
        let record = self.block.record(*place);
        let moves = &self.at.moves;
        // If one move alone is best, it is the one that a limit of none is most likely to forbid.
        // What a move pushes depends on the column, so several have the number.
        let only = record.only_move();
        let next = only.and_then(|only| {
            let is_it = |(mv, _): &(RowMove, u32)| mv.number == only && mv.condition.holds(column);
            moves.iter().position(is_it)
        });
        if let Some(next) = next
            && record.best().outcome() == Outcome::Win
        {
            let kinds = moves[next].1;
            for limit in tests.limits() {
                if limit.most == 0 && limit.for_all && limit.has(kinds) {
                    admitted.free &= !limit.filters;
                }
            }
            if admitted.free & tests.asking() == 0 {
                return None;
            }
        }
        Some(Candidate {
            column,
            opponent: cpu.deposit(column, self.at.free),
            asking: admitted.free & tests.limited(wins_once(record)),
            next: next.unwrap_or(0),
            left: moves.len(),
            found: [0; MOST_LIMITS],
        })
    }

    /// Refuses positions that must win if the side to move passes, and do not.
    #[inline(always)]
    fn pass<C: Cpu>(&mut self, cpu: C, candidates: &mut [Option<Candidate>; TOGETHER]) {
        let Winners { group, lost, tests } = self.winners;
        if tests.passes() == 0 {
            return;
        }
        let answers = group.layer(self.at.table.answers);
        let mut slots = [None; TOGETHER];
        for ((slot, candidate), (_, admitted)) in
            slots.iter_mut().zip(&*candidates).zip(&*self.some)
        {
            if let Some(candidate) = candidate
                && admitted.free & tests.passes() != 0
            {
                // The other side's squares are the bucket.
                let passed =
                    group
                        .game
                        .transposed_slot(cpu, answers, self.at.row, candidate.opponent);
                lost.prefetch(passed);
                *slot = Some(passed);
            }
        }
        for ((slot, candidate), (_, admitted)) in slots.iter().zip(candidates).zip(&mut *self.some)
        {
            if let (Some(slot), Some(candidate)) = (*slot, candidate)
                && !lost.has(slot)
            {
                admitted.free &= !tests.passes();
                candidate.asking &= !tests.passes();
            }
        }
    }

    /// Refuses positions with more winning moves than a filter admits.
    #[inline(always)]
    fn count<C: Cpu>(&mut self, cpu: C, candidates: &mut [Option<Candidate>; TOGETHER]) {
        let Winners { group, lost, tests } = self.winners;
        let answers = group.layer(self.at.table.answers);
        let moves = &self.at.moves;
        // The number of a candidate, the slot after a move of it, and the kinds of the move.
        let mut pending = [(0, 0, 0); TOGETHER * AT_ONCE];
        loop {
            let mut count = 0;
            for (number, candidate) in (0..).zip(&mut *candidates) {
                let Some(candidate) = candidate else {
                    continue;
                };
                if candidate.asking == 0 {
                    continue;
                }
                let before = count;
                while candidate.left > 0 && count < before + AT_ONCE {
                    let (mv, kinds) = &moves[candidate.next];
                    candidate.left -= 1;
                    candidate.next += 1;
                    if candidate.next == moves.len() {
                        candidate.next = 0;
                    }
                    if !mv.condition.holds(candidate.column) {
                        continue;
                    }
                    let after = group.game.turn(mv.turn)(candidate.opponent ^ mv.flip);
                    let slot = group
                        .game
                        .transposed_slot(cpu, answers, mv.bucket as usize, after);
                    lost.prefetch(slot);
                    pending[count] = (number, slot, *kinds);
                    count += 1;
                }
            }
            if count == 0 {
                return;
            }
            for &(number, slot, kinds) in &pending[..count] {
                if !lost.has(slot) {
                    continue;
                }
                let Some(candidate) = &mut candidates[number] else {
                    continue;
                };
                for (limit, found) in tests.limits().iter().zip(&mut candidate.found) {
                    if !limit.has(kinds) {
                        continue;
                    }
                    *found = found.saturating_add(1);
                    if *found > limit.most && candidate.asking & limit.filters != 0 {
                        candidate.asking &= !limit.filters;
                        self.some[number].1.free &= !limit.filters;
                    }
                }
            }
        }
    }
}

/// Whether the record says that at most one move wins.
fn wins_once(record: Record) -> bool {
    record.only_move().is_some() && record.second().outcome() != Outcome::Win
}

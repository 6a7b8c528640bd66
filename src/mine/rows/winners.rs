//! Conditions on winning moves that stay in the group, tested by the positions that are lost.
//!
//! Nearly every won position wins in several ways. A filter that allows no winning move of some
//! kind, or one winning move in all, refuses it when the first or the second is found, long
//! before the values of all moves are known.
//!
//! A move to a lost position wins whatever may be forbidden after it. One that is not turned leads
//! from the columns that have it to the sets of its bucket in their order. So what is known of
//! these is read from one end to the other, and most positions that have more winning moves than
//! filters admit are refused at little cost.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use std::ops::Range;

use rayon::prelude::*;

use super::group::{Admitted, RowGroup};
use super::slot_bits::SlotBits;
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Outcome, Value};
use crate::game::{ByRows, RowMove, Squares, asks_for};
use crate::mine::MineError;
use crate::mine::verdicts::{MOST_LIMITS, MOST_MOVES, WinTests};
use crate::solve::{Ordinal, RowTable};
use crate::table::{Block, MoveValues, Table};

/// Positions whose bits are fetched from memory together.
const TOGETHER: usize = 32;

/// Moves of a position whose bits are fetched at a time. Further ones are often not needed.
const AT_ONCE: usize = 4;

/// Moves of a row that are counted side by side before it is asked how many positions are left.
const COUNTED: usize = 4;

/// If fewer than one position of this many in a row is left, they are looked at one by one.
const FEW: usize = 16;

/// What filters ask of the winning moves within a group.
pub(in crate::mine) struct Winners<'a, 'g, G> {
    pub group: &'a RowGroup<'g, G>,
    pub losses: &'a Losses<'a>,
    pub tests: &'a WinTests,
}

/// A row in which positions are tested.
struct AtRow<'a, 'g> {
    table: &'a RowTable<'g>,
    row: usize,
    free: Squares,
    /// The moves that limits ask for, with their kinds, those that are not turned first.
    moves: Vec<(RowMove, u32)>,
    /// How many of them were counted side by side, and what was found, by column.
    counted: usize,
    found: Vec<Counts>,
    /// The first of these columns.
    first: usize,
    /// The indices of the first slot of the block and of the first one of the row.
    of_block: usize,
    of_row: usize,
}

impl AtRow<'_, '_> {
    /// The number of the column of a place in the block.
    #[inline(always)]
    const fn column_of(&self, place: usize) -> usize {
        self.of_block + place - self.of_row
    }
}

/// A position whose moves are being looked at.
#[derive(Clone, Copy)]
struct Candidate {
    /// The number of its column, and the column.
    number: usize,
    column: Squares,
    /// The opponent's squares on the board.
    opponent: Squares,
    /// The filters whose limits may still refuse it.
    asking: u64,
    /// The next move to look at, and how many are left.
    next: usize,
    left: usize,
    /// Whether it is drawn, and moves that draw are looked for: one move out of the group does.
    is_drawn: bool,
    /// Winning moves found, by limit.
    found: [u8; MOST_LIMITS],
}

impl<'g, G: ByRows> Winners<'_, 'g, G> {
    /// Takes filters away from the unrestricted states of a block whose winning moves they
    /// refuse, and positions that no filter is left for. Positions are given by their place in
    /// the block, in order.
    pub(crate) fn narrow(&self, block: &Block<'_>, admitted: &mut Vec<(usize, Admitted)>) {
        match self.losses {
            Losses::Bits(lost) => self.narrow_by(lost, block, admitted),
            Losses::Values(values) => self.narrow_by(values, block, admitted),
        }
    }

    fn narrow_by<L: IsLost>(
        &self,
        losses: L,
        block: &Block<'_>,
        admitted: &mut Vec<(usize, Admitted)>,
    ) {
        let (group, tests) = (self.group, self.tests);
        let of_block = group.index(block.slots.start);
        let mut found = Vec::new();
        group.visit_rows(block, admitted, tests.asking(), |table, row, here| {
            let mut at = self.enter(table, row, of_block, std::mem::take(&mut found));
            if let Losses::Values(values) = self.losses {
                self.side_by_side(values, &mut at, here);
            }
            for some in here.chunks_mut(TOGETHER) {
                dispatch(PositionTests {
                    group,
                    tests,
                    losses,
                    at: &at,
                    block,
                    some,
                });
            }
            found = at.found;
        });
    }

    /// A row; `found` is memory for what is found in it.
    fn enter<'t>(
        &self,
        table: &'t RowTable<'g>,
        row: usize,
        of_block: usize,
        mut found: Vec<Counts>,
    ) -> AtRow<'t, 'g> {
        let game = self.group.game;
        let kinds = self.tests.kinds();
        let moves = table.moves(row).iter().map(|mv| {
            let kinds = game.kinds_of_row_move(table.layer, row, mv);
            (*mv, kinds)
        });
        let mut moves: Vec<_> = moves.filter(|(_, of)| asks_for(kinds, *of)).collect();
        moves.sort_by_key(|(mv, _)| mv.turn != 0);
        found.clear();
        AtRow {
            table,
            row,
            free: game.row(table.layer, row).free,
            moves,
            counted: 0,
            found,
            first: 0,
            of_block,
            of_row: table.records(row).start,
        }
    }

    /// Counts winning moves of some positions of a row side by side until few are left that
    /// filters do not refuse.
    fn side_by_side(
        &self,
        losses: &ValueLosses<'_>,
        at: &mut AtRow<'_, 'g>,
        here: &mut [(usize, Admitted)],
    ) {
        let tests = self.tests;
        let limited = tests.limited(false);
        let (Some(&(first, _)), Some(&(last, _))) = (here.first(), here.last()) else {
            return;
        };
        let columns = at.column_of(first)..at.column_of(last) + 1;
        at.first = columns.start;
        at.found.resize(columns.len(), 0);
        let plain = at.moves.iter().filter(|(mv, _)| mv.turn == 0);
        let plain = plain.count().min(MOST_MOVES);
        let mut left = here.iter().filter(|(_, it)| it.free & limited != 0).count();
        while at.counted < plain && left * FEW > columns.len() {
            let some = at.counted..plain.min(at.counted + COUNTED);
            for (mv, kinds) in &at.moves[some.clone()] {
                dispatch(CountMove {
                    losses,
                    table: at.table,
                    mv,
                    counts: counted(tests, *kinds),
                    columns: columns.clone(),
                    counted: &mut at.found,
                });
            }
            at.counted = some.end;
            left = 0;
            for (place, admitted) in &mut *here {
                if admitted.free & limited == 0 {
                    continue;
                }
                let found = at.found[at.column_of(*place) - columns.start].to_le_bytes();
                for (limit, found) in tests.limits.iter().zip(found) {
                    if found > limit.most {
                        admitted.free &= !limit.filters;
                    }
                }
                left += usize::from(admitted.free & limited != 0);
            }
        }
    }
}

/// Tests some positions of a row.
struct PositionTests<'a, 'g, 'b, G, L> {
    group: &'a RowGroup<'g, G>,
    tests: &'a WinTests,
    losses: L,
    at: &'a AtRow<'a, 'g>,
    block: &'a Block<'b>,
    some: &'a mut [(usize, Admitted)],
}

impl<G: ByRows, L: IsLost> CpuTask for PositionTests<'_, '_, '_, G, L> {
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

impl<G: ByRows, L: IsLost> PositionTests<'_, '_, '_, G, L> {
    /// The position of a number, if a test may refuse it that has not done so yet.
    #[inline(always)]
    fn candidate<C: Cpu>(&mut self, cpu: C, number: usize) -> Option<Candidate> {
        let (tests, at) = (self.tests, self.at);
        let (place, admitted) = &mut self.some[number];
        if admitted.free & tests.asking() == 0 {
            return None;
        }
        let number = at.column_of(*place);
        let column = at.table.shape.columns[number];
        let record = self.block.record(*place);
        let moves = &at.moves;
        // If one move alone is best, it is the one that a limit of none is most likely to forbid.
        // What a move pushes depends on the column, so several have the number.
        let only = record.only_move();
        let is_drawn = record.best() == Value::DRAW;
        if is_drawn && only.is_some() {
            return None;
        }
        let next = only.and_then(|only| {
            let is_it = |(mv, _): &(RowMove, u32)| mv.number == only && mv.condition.holds(column);
            moves.iter().position(is_it)
        });
        if let Some(next) = next
            && record.best().outcome() == Outcome::Win
        {
            let kinds = moves[next].1;
            for limit in &tests.limits {
                if limit.most == 0 && limit.for_all && asks_for(limit.kinds, kinds) {
                    admitted.free &= !limit.filters;
                }
            }
            if admitted.free & tests.asking() == 0 {
                return None;
            }
        }
        // Whether the record says that at most one move wins.
        let once = only.is_some() && record.second().outcome() != Outcome::Win;
        let found = at.found.get(number.wrapping_sub(at.first)).copied();
        let (next, left) = match next {
            // No other move wins.
            Some(only) if once => (only, usize::from(only >= at.counted)),
            None if once => (0, 0),
            Some(only) if at.counted == 0 => (only, moves.len()),
            _ => (at.counted, moves.len() - at.counted),
        };
        Some(Candidate {
            number,
            column,
            opponent: cpu.deposit(column, at.free),
            asking: if is_drawn {
                admitted.free & tests.draws
            } else {
                admitted.free & tests.limited(once)
            },
            next: if is_drawn { 0 } else { next },
            left: if is_drawn { moves.len() } else { left },
            is_drawn,
            found: found.unwrap_or_default().to_le_bytes(),
        })
    }

    /// Refuses positions that must win if the side to move passes, and do not.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rows and columns are numbered by words of 32 bits"
    )]
    fn pass<C: Cpu>(&mut self, cpu: C, candidates: &mut [Option<Candidate>; TOGETHER]) {
        let (group, tests, losses, table) = (self.group, self.tests, self.losses, self.at.table);
        if tests.passes == 0 {
            return;
        }
        let mut passed = [None; TOGETHER];
        for ((passed, candidate), (_, admitted)) in
            passed.iter_mut().zip(&*candidates).zip(&*self.some)
        {
            if let Some(candidate) = candidate
                && admitted.free & tests.passes != 0
            {
                // The other side's squares are the bucket.
                let at = (self.at.row as u32, candidate.opponent);
                let after = losses.at(cpu, group, table, at, Set::Known(candidate.number as u32));
                losses.prefetch(after);
                *passed = Some(after);
            }
        }
        for ((passed, candidate), (_, admitted)) in
            passed.iter().zip(candidates).zip(&mut *self.some)
        {
            if let (Some(passed), Some(candidate)) = (*passed, candidate)
                && !losses.has(passed)
            {
                admitted.free &= !tests.passes;
                candidate.asking &= !tests.passes;
            }
        }
    }

    /// Refuses positions with more winning moves than a filter admits.
    #[inline(always)]
    fn count<C: Cpu>(&mut self, cpu: C, candidates: &mut [Option<Candidate>; TOGETHER]) {
        let (group, tests, losses, table) = (self.group, self.tests, self.losses, self.at.table);
        let moves = &self.at.moves;
        // The number of a candidate, the position after a move of it, and the kinds of the move.
        let mut pending = [None; TOGETHER * AT_ONCE];
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
                    let squares = group.game.turn(mv.turn)(candidate.opponent ^ mv.flip);
                    let at = (mv.bucket, squares);
                    let set = Set::Among(mv.bucket_free);
                    let after = losses.at(cpu, group, table, at, set);
                    losses.prefetch(after);
                    pending[count] = Some((number, after, *kinds));
                    count += 1;
                }
            }
            if count == 0 {
                return;
            }
            for (number, after, kinds) in pending[..count].iter().copied().flatten() {
                let Some(candidate) = &mut candidates[number] else {
                    continue;
                };
                if candidate.is_drawn {
                    if losses.is_held(after) {
                        self.some[number].1.free &= !tests.draws;
                        candidate.asking = 0;
                    }
                    continue;
                }
                if !losses.has(after) {
                    continue;
                }
                for (limit, found) in tests.limits.iter().zip(&mut candidate.found) {
                    if !asks_for(limit.kinds, kinds) {
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

/// Moves that are counted by limit: a byte each.
type Counts = u64;

const _: () = assert!(MOST_LIMITS == size_of::<Counts>());

/// The limits that moves of some kinds count for: one in the byte of each.
fn counted(tests: &WinTests, kinds: u32) -> Counts {
    let limits = tests.limits.iter().enumerate();
    limits.fold(0, |counts, (number, limit)| {
        counts | Counts::from(asks_for(limit.kinds, kinds)) << (8 * number)
    })
}

/// Counts a move that is not turned in all positions of some columns of a row in which it wins.
struct CountMove<'a, 'g> {
    pub losses: &'a ValueLosses<'a>,
    pub table: &'a RowTable<'g>,
    pub mv: &'a RowMove,
    /// What it counts.
    pub counts: Counts,
    pub columns: Range<usize>,
    /// What was counted, by column from the first of `columns` on.
    pub counted: &'a mut [Counts],
}

impl CpuTask for CountMove<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Self {
            table, mv, losses, ..
        } = self;
        let Range { start, end } = self.columns;
        let columns = table.lists.fulfilling(mv.condition);
        let sets = table.lists.fulfilling(mv.image);
        let here = columns.partition_point(|&column| (column as usize) < start)
            ..columns.partition_point(|&column| (column as usize) < end);
        let values = losses.values.bucket(table.answers, mv.bucket as usize);
        for (&column, &set) in columns[here.clone()].iter().zip(&sets[here]) {
            let wins = values(set as usize) > losses.draw;
            let counts = self.counts & Counts::from(wins).wrapping_neg();
            self.counted[column as usize - start] += counts;
        }
    }
}

/// What tells which positions are lost.
pub(in crate::mine) enum Losses<'a> {
    /// A bit for each position, which takes a fortieth of the memory that the records take.
    Bits(SlotBits),
    /// The values of the group, if they are arranged anyway.
    Values(ValueLosses<'a>),
}

/// Arranged values: moves that are worth more than a draw lead to lost positions.
#[derive(Clone, Copy)]
pub(in crate::mine) struct ValueLosses<'a> {
    pub values: &'a MoveValues,
    pub draw: Ordinal,
}

/// The number in a bucket of the squares of the side to move.
enum Set {
    Known(u32),
    /// To be worked out: they are among these squares, those that are free there.
    Among(Squares),
}

/// A way to find out whether positions are lost.
trait IsLost: Copy {
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
    #[inline(always)]
    fn is_held(self, at: Self::At) -> bool {
        self.has(at)
    }
}

impl IsLost for &SlotBits {
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
        let answers = group.tables[table.answers].layer;
        let bucket = bucket as usize;
        group.game.transposed_place(cpu, answers, bucket, squares).0
    }

    #[inline(always)]
    fn prefetch(self, slot: u64) {
        SlotBits::prefetch(self, slot);
    }

    #[inline(always)]
    fn has(self, slot: u64) -> bool {
        SlotBits::has(self, slot)
    }
}

impl IsLost for &ValueLosses<'_> {
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
}

/// The positions of a range of slots, that of whole blocks of a table, that are lost for the side
/// to move. `None` if there is no memory for it.
pub(in crate::mine) fn lost_positions(
    table: &Table,
    slots: &Range<u64>,
    progress: &dyn Progress,
) -> Result<Option<SlotBits>, MineError> {
    let Ok(lost) = SlotBits::new(slots.clone()) else {
        return Ok(None);
    };
    progress.begin("reading outcomes", slots.end - slots.start);
    let numbers = table.blocks_of(slots).into_par_iter();
    numbers.try_for_each(|number| {
        progress.go_on(MineError::Cancelled)?;
        let block = table.block(number)?;
        mark(&lost, slots.start, &block);
        table.forget(number);
        let slots = block.slots;
        progress.advance(slots.end - slots.start);
        Ok::<_, MineError>(())
    })?;
    Ok(Some(lost))
}

/// Marks the lost positions of a block; `start` is the first slot of the bits.
fn mark(lost: &SlotBits, start: u64, block: &Block<'_>) {
    let planes = block.narrow_planes();
    let (codes, ..) = planes.expect("values that are read row by row are narrow");
    let is_lost: [bool; 256] = std::array::from_fn(|code| {
        let code = u16::try_from(code).unwrap_or(u16::MAX);
        Value::<Narrow>::from_code(code).outcome() == Outcome::Loss
    });
    let (mut slot, mut rest) = (block.slots.start, codes);
    while !rest.is_empty() {
        // Up to the next word.
        let bits = 64 - (slot - start) % 64;
        let len = usize::try_from(bits).unwrap_or(1).min(rest.len());
        let (some, later) = rest.split_at(len);
        rest = later;
        let set = some.iter().enumerate().fold(0, |set, (bit, &code)| {
            set | u64::from(is_lost[usize::from(code)]) << bit
        });
        lost.set(slot, set);
        slot += len as u64;
    }
}

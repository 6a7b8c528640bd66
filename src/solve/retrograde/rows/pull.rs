//! A pass: every row takes the values of one distance that its moves lead to.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::super::memory::prefetch_write;
use super::super::super::word::WordWidth;
use super::super::super::work::Work;
use super::events::{Collector, Event, EventLists};
use super::{RowGroup, RowTable};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Outcome, Value};
use crate::base::watch::Watch;
use crate::game::{ByRows, RowMove};

/// Events for each row from which on its records are prefetched.
const MANY: usize = 20;

impl<'g, G: ByRows, W: WordWidth> RowGroup<'g, G, W> {
    /// Brings every event of the given value to the predecessors. With `next`, the events
    /// of that value are collected meanwhile, and returned in place of the old ones.
    pub(super) fn pull(
        &self,
        depth: u16,
        value: Value<W>,
        mut lists: Vec<EventLists>,
        next: Option<Value<W>>,
        watch: &impl Watch,
    ) -> Vec<EventLists> {
        let group = &self.group;
        let all = group.slots.end - group.slots.start;
        watch.begin(&format!("layer {}: distance {depth}", group.name), all);
        let events: usize = lists.iter().map(EventLists::len).sum();
        let before = value.through_move();
        if before.is_none() && events > 0 {
            group.too_long.store(true, Relaxed);
            return lists;
        }
        let rows: usize = self.tables.iter().map(|table| table.shape.rows).sum();
        let mut collected = Vec::new();
        for table in &self.tables {
            let collectors = next.map(|_| self.collectors(table));
            let pull = Pull {
                rows: self,
                table,
                events: &lists[table.answers],
                before: before.unwrap_or(Value::DRAW),
                prefetch: events > MANY * rows,
                next,
            };
            table.runs().for_each(|rows| {
                if !watch.cancelled() {
                    let done = (rows.len() * table.columns()) as u64;
                    match &collectors {
                        Some(collectors) => {
                            collectors.with(|collector| pull.run(rows, Some(collector)));
                        }
                        None => pull.run(rows, None),
                    }
                    watch.advance(done);
                }
            });
            collected.extend(collectors);
        }
        if next.is_none() {
            return lists;
        }
        let old = lists.drain(..);
        let collected = collected.into_iter().zip(old);
        collected.map(|(new, old)| new.sorted(old)).collect()
    }
}

/// What all rows of a layer have in common in a pass.
struct Pull<'r, 'g, G, W: WordWidth> {
    rows: &'r RowGroup<'g, G, W>,
    table: &'r RowTable<'g>,
    events: &'r EventLists,
    /// The value for the predecessors.
    before: Value<W>,
    prefetch: bool,
    next: Option<Value<W>>,
}

impl<G: ByRows, W: WordWidth> Pull<'_, '_, G, W> {
    fn run(&self, rows: Range<usize>, mut collector: Option<&mut Collector>) {
        for row in rows {
            dispatch(PullRow {
                pull: self,
                row,
                collector: collector.as_deref_mut(),
            });
        }
    }

    #[inline(always)]
    fn row<C: Cpu, const LOSS: bool>(&self, cpu: C, row: usize) {
        let table = self.table;
        let moves = table.moves(row);
        let records = table.records(row);
        let row = RowInHand {
            pull: self,
            free: self.rows.group.game.row(table.layer, row).free,
            first: records.start,
        };
        // The next row's records are fetched while this row is worked on, some with each
        // move.
        let (mut ahead, end) = if self.prefetch {
            let end = self.rows.group.words.len();
            (records.end.min(end), (records.end + records.len()).min(end))
        } else {
            (0, 0)
        };
        let line = 64 / size_of::<W::Atom>();
        let share = (records.len() / line).div_ceil(moves.len().max(1)) * line;
        for mv in moves {
            let stop = end.min(ahead + share);
            while ahead < stop {
                prefetch_write(&self.rows.group.words[ahead]);
                ahead += line;
            }
            let events = self.events.of(mv.bucket);
            if events.is_empty() {
                continue;
            }
            if mv.undo == RowMove::NO_UNDO {
                row.pull::<C, LOSS, false>(cpu, mv, events);
            } else {
                row.pull::<C, LOSS, true>(cpu, mv, events);
            }
        }
    }
}

/// A row that is being worked on.
struct RowInHand<'p, 'r, 'g, G, W: WordWidth> {
    pull: &'p Pull<'r, 'g, G, W>,
    free: u32,
    /// The index of its first record in the group.
    first: usize,
}

impl<G: ByRows, W: WordWidth> RowInHand<'_, '_, '_, G, W> {
    /// Takes the events of a bucket that come from a move of the row.
    #[inline(always)]
    fn pull<C: Cpu, const LOSS: bool, const UNDO: bool>(
        &self,
        cpu: C,
        mv: &RowMove,
        events: &[u32],
    ) {
        // A move that cannot be taken back asks for the best value.
        let asked = if UNDO { 0 } else { Event::BEST };
        let (mask, bits) = (mv.image_mask | asked, mv.image | asked);
        let (eights, rest) = events.as_chunks::<8>();
        for eight in eights {
            let mut hits = cpu.matching(eight, mask, bits);
            while hits != 0 {
                let at = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                self.take::<C, LOSS, UNDO>(cpu, mv, Event(eight[at & 7]));
            }
        }
        for &event in rest {
            if event & mask == bits {
                self.take::<C, LOSS, UNDO>(cpu, mv, Event(event));
            }
        }
    }

    #[inline(always)]
    fn take<C: Cpu, const LOSS: bool, const UNDO: bool>(&self, cpu: C, mv: &RowMove, event: Event) {
        if event.is_unsure() {
            return self.take_unsure::<LOSS>(mv, event);
        }
        if UNDO && !event.reaches(mv.undo) {
            return;
        }
        let game = self.pull.rows.group.game;
        let set = cpu.deposit(event.0 & Event::SET, mv.bucket_free);
        let turned = if mv.turn_back == 0 {
            set
        } else {
            game.turned(mv.turn_back, set)
        };
        let column = cpu.extract(turned ^ mv.flip, self.free);
        let at = self.first + self.pull.table.shape.ranker.rank(column) as usize;
        self.resolve::<LOSS>(at, mv.number);
    }

    /// Resolves a move of the position at `index`.
    #[inline(always)]
    fn resolve<const LOSS: bool>(&self, index: usize, number: u8) {
        let group = &self.pull.rows.group;
        let word = &group.words[index];
        let bits = W::load(word);
        if LOSS {
            if let Some(open) = Work::<W>::resolve_early_loss(bits, number) {
                W::store(word, open);
                return;
            }
        }
        let old = Work::<W>::from_bits(bits);
        let value = self.pull.before;
        let new = if LOSS {
            old.resolve_loss(value, number)
        } else {
            old.resolve_win(value, number)
        };
        if new == old {
            return;
        }
        W::store(word, new.bits());
        let index = u32::try_from(index).expect("indices of a group fit 32 bits");
        if new.has_best() && (!old.has_best() || new.best() != old.best()) {
            group.schedule(index, new.best());
        }
        if new.has_second() && (!old.has_second() || new.second() != old.second()) {
            group.schedule(index, new.second());
        }
    }

    /// Takes an event of a position from which a move other than the one that takes the
    /// last move back may lead to an image of the position before.
    #[cold]
    #[inline(never)]
    fn take_unsure<const LOSS: bool>(&self, mv: &RowMove, event: Event) {
        let rows = self.pull.rows;
        let game = rows.group.game;
        let layer = rows.tables[self.pull.table.answers].layer;
        let portable = crate::base::cpu::Portable;
        let set = portable.deposit(event.0 & Event::SET, mv.bucket_free);
        let turned = game.turned(mv.turn_back, set);
        let column = portable.extract(turned ^ mv.flip, self.free);
        let at = self.first + self.pull.table.shape.ranker.rank(column) as usize;
        let back = game.transposed_follow(layer, mv.bucket as usize, set, event.number());
        let leads_back = back == rows.group.slots.start + at as u64;
        if leads_back == event.unsure_second() {
            self.resolve::<LOSS>(at, mv.number);
        }
    }
}

struct PullRow<'p, 'r, 'g, 'c, G, W: WordWidth> {
    pull: &'p Pull<'r, 'g, G, W>,
    row: usize,
    collector: Option<&'c mut Collector>,
}

impl<G: ByRows, W: WordWidth> CpuTask for PullRow<'_, '_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let pull = self.pull;
        if pull.before.outcome() == Outcome::Win {
            pull.row::<C, false>(cpu, self.row);
        } else {
            pull.row::<C, true>(cpu, self.row);
        }
        if let (Some(next), Some(collector)) = (pull.next, self.collector) {
            pull.rows
                .emit_row(cpu, pull.table, self.row, next, collector);
        }
    }
}

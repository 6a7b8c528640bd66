//! A pass: every row takes the values of one distance that its moves lead to.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::super::memory::prefetch_write;
use super::super::super::rows::RowTable;
use super::super::super::word::WordWidth;
use super::super::super::work::Work;
use super::RowGroup;
use super::emit::Where;
use super::events::{Collector, Event, EventLists};
use crate::base::cpu::{Cpu, CpuTask, Portable, SELECTED, dispatch};
use crate::base::subsets::Ranker;
use crate::base::value::{Outcome, Value};
use crate::base::watch::Watch;
use crate::game::{ByRows, RowMove};

/// Events for each row from which on its records are prefetched.
const MANY: usize = 20;

impl<G: ByRows, W: WordWidth> RowGroup<'_, G, W> {
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
        let lists: Vec<_> = collected.map(|(new, old)| new.sorted(old)).collect();
        if lists.iter().any(|list| list.len() > 0) {
            // Values of the next distance that come from this pass are not put down.
            group.furthest.fetch_max(depth + 1, Relaxed);
        }
        lists
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
        let mut fresh = Vec::new();
        for row in rows {
            dispatch(PullRow {
                pull: self,
                row,
                fresh: &mut fresh,
                collector: collector.as_deref_mut(),
            });
        }
    }

    #[inline(always)]
    fn row<C: Cpu, const LOSS: bool>(&self, cpu: C, row: usize, fresh: &mut Vec<u32>) {
        let (table, group) = (self.table, &self.rows.group);
        let moves = table.moves(row);
        let records = table.records(row);
        let mut row = RowInHand {
            pull: self,
            words: &group.words[records.clone()],
            ranker: table.shape.ranker,
            free: group.game.row(table.layer, row).free,
            first: records.start,
            fresh,
        };
        let mut selected = [0; SELECTED + 8];
        let selected = &mut selected;
        // The next row's records are fetched while this row is worked on, some with each
        // move.
        let next = records.end..(records.end + records.len()).min(group.words.len());
        let next = &group.words[if self.prefetch { next } else { 0..0 }];
        let line = 64 / size_of::<W::Atom>();
        let share = (records.len() / line).div_ceil(moves.len().max(1)) * line;
        let mut shares = next.chunks(share.max(1));
        for &mv in moves {
            for word in shares.next().unwrap_or_default().iter().step_by(line) {
                prefetch_write(word);
            }
            let events = self.events.of(mv.bucket);
            match (mv.undo == RowMove::NO_UNDO, mv.turn_back == 0) {
                (true, true) => row.pull::<C, LOSS, false, false>(cpu, mv, events, selected),
                (true, false) => row.pull::<C, LOSS, false, true>(cpu, mv, events, selected),
                (false, true) => row.pull::<C, LOSS, true, false>(cpu, mv, events, selected),
                (false, false) => row.pull::<C, LOSS, true, true>(cpu, mv, events, selected),
            }
        }
    }
}

/// A row that is being worked on.
struct RowInHand<'p, 'r, 'g, G, W: WordWidth> {
    pull: &'p Pull<'r, 'g, G, W>,
    words: &'p [W::Atom],
    ranker: &'p Ranker,
    free: u32,
    /// The index of its first record in the group.
    first: usize,
    /// Places in the row of positions with a new value of the next distance.
    fresh: &'p mut Vec<u32>,
}

impl<G: ByRows, W: WordWidth> RowInHand<'_, '_, '_, G, W> {
    /// Takes the events of a bucket that come from a move of the row.
    #[inline(always)]
    fn pull<C: Cpu, const LOSS: bool, const UNDO: bool, const TURNED: bool>(
        &mut self,
        cpu: C,
        mv: RowMove,
        events: &[u32],
        selected: &mut [u32; SELECTED + 8],
    ) {
        // A move that cannot be taken back asks for the best value.
        let asked = if UNDO { 0 } else { Event::BEST };
        let (mask, bits) = (mv.image.mask | asked, mv.image.bits | asked);
        let (words, ranker, free, value) = (self.words, self.ranker, self.free, self.pull.before);
        let turn = self.pull.rows.group.game.turn(mv.turn_back);
        for events in events.chunks(SELECTED) {
            let count = cpu.select(events, mask, bits, selected);
            for &event in &selected[..count] {
                let event = Event(event);
                if event.is_unsure() {
                    self.take_unsure::<LOSS>(mv, event);
                    continue;
                }
                if UNDO && !event.reaches(mv.undo) {
                    continue;
                }
                let set = cpu.deposit(event.0 & Event::SET, mv.bucket_free);
                let set = if TURNED { turn(set) } else { set };
                let column = cpu.extract(set ^ mv.flip, free);
                let at = ranker.rank(column) as usize;
                let word = &words[at];
                let bits = W::load(word);
                if LOSS && let Some(open) = Work::<W>::resolve_early_loss(bits, mv.number) {
                    W::store(word, open);
                } else if LOSS || !Work::<W>::is_won(bits, value) {
                    self.resolve::<LOSS>(at, mv.number);
                }
            }
        }
    }

    /// Resolves a move of the position at place `at` of the row.
    fn resolve<const LOSS: bool>(&mut self, at: usize, number: u8) {
        let group = &self.pull.rows.group;
        let word = &self.words[at];
        let old = Work::<W>::from_bits(W::load(word));
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
        let best = new.has_best() && (!old.has_best() || new.best() != old.best());
        let second = new.has_second() && (!old.has_second() || new.second() != old.second());
        if !best && !second {
            return;
        }
        let index = self.first + at;
        let here = (best && new.best() == value) || (second && new.second() == value);
        if here && self.pull.next.is_some() && old.decides(value) == (false, false) {
            self.fresh
                .push(u32::try_from(at).expect("columns fit 32 bits"));
        }
        for (is_new, found) in [(best, new.best()), (second, new.second())] {
            if is_new && (found != value || self.pull.next.is_none()) {
                let index = u32::try_from(index).expect("indices of a group fit 32 bits");
                group.schedule(index, found);
            }
        }
    }

    /// Takes an event of a position from which a move other than the one that takes the
    /// last move back may lead to an image of the position before.
    #[cold]
    #[inline(never)]
    fn take_unsure<const LOSS: bool>(&mut self, mv: RowMove, event: Event) {
        let rows = self.pull.rows;
        let game = rows.group.game;
        let layer = rows.tables[self.pull.table.answers].layer;
        let set = Portable.deposit(event.0 & Event::SET, mv.bucket_free);
        let turned = game.turn(mv.turn_back)(set);
        let at = self
            .ranker
            .rank(Portable.extract(turned ^ mv.flip, self.free)) as usize;
        let back = game.transposed_follow(layer, mv.bucket as usize, set, event.number());
        let leads_back = back == rows.group.slots.start + (self.first + at) as u64;
        if leads_back == event.unsure_second() {
            self.resolve::<LOSS>(at, mv.number);
        }
    }
}

struct PullRow<'p, 'r, 'g, 'c, G, W: WordWidth> {
    pull: &'p Pull<'r, 'g, G, W>,
    row: usize,
    fresh: &'p mut Vec<u32>,
    collector: Option<&'c mut Collector>,
}

impl<G: ByRows, W: WordWidth> CpuTask for PullRow<'_, '_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let pull = self.pull;
        self.fresh.clear();
        if pull.before.outcome() == Outcome::Win {
            pull.row::<C, false>(cpu, self.row, self.fresh);
        } else {
            pull.row::<C, true>(cpu, self.row, self.fresh);
        }
        if let (Some(next), Some(collector)) = (pull.next, self.collector) {
            let places = Where::Noted(self.fresh);
            pull.rows
                .emit_row(cpu, pull.table, self.row, next, places, collector);
        }
    }
}

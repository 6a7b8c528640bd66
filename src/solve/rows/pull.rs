//! A pass: every row takes the values of one distance that its moves lead to, and tells those of
//! the next one.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::events::{Collector, Collectors, Event, EventLists};
use super::group::RowGroup;
use super::hand::{Hand, Held, Room};
use super::table::RowTable;
use crate::base::cpu::{
    Cpu, CpuTask, NONE_SELECTED, Portable, SELECTED, Selected, Shifts, dispatch,
};
use crate::base::progress::Progress;
use crate::base::subsets::Ranker;
use crate::base::value::{Narrow, Outcome, Value};
use crate::game::{ByRows, Repetition, RowImages, RowMove, Transposed};
use crate::solve::retrograde::group::CHUNK;
use crate::solve::words::{RunWords, Words};
use crate::solve::work::Work;

/// Events for each row from which on its records are prefetched.
const MANY: usize = 20;

impl<G: ByRows> RowGroup<'_, G> {
    /// Brings every event of the given value to the predecessors. With `next`, the events
    /// of that value are collected meanwhile, and returned in place of the old ones.
    pub(super) fn pull(
        &self,
        words: &mut Words,
        depth: u16,
        value: Value<Narrow>,
        lists: Vec<EventLists>,
        next: Option<Value<Narrow>>,
        progress: &dyn Progress,
    ) -> Vec<EventLists> {
        let group = &self.group;
        let all = group.slots.end - group.slots.start;
        progress.begin(&format!("layer {}: distance {depth}", group.name), all);
        let events: usize = lists.iter().map(EventLists::len).sum();
        let before = value.through_move();
        if before.is_none() && events > 0 {
            group.too_long.store(true, Relaxed);
            return lists;
        }
        let rows: usize = self.tables.iter().map(|table| table.shape.rows).sum();
        let mut collected = Vec::new();
        for (table, runs) in self.layers(words) {
            let collectors = next.map(|_| self.collectors(table, 0));
            let pull = Pull {
                rows: self,
                table,
                events: &lists[table.answers],
                before: before.unwrap_or(Value::DRAW),
                prefetch: events > MANY * rows,
                next,
            };
            runs.into_par_iter().for_each(|(rows, run)| {
                if !progress.cancelled() {
                    let done = (rows.len() * table.columns()) as u64;
                    match &collectors {
                        Some(collectors) => {
                            collectors.with(|collector| pull.run(rows, run, Some(collector)));
                        }
                        None => pull.run(rows, run, None),
                    }
                    progress.advance(done);
                }
            });
            collected.extend(collectors);
        }
        if next.is_none() {
            return lists;
        }
        for list in lists {
            list.give_back(&self.memory);
        }
        let lists: Vec<_> = collected.into_iter().map(Collectors::sorted).collect();
        if lists
            .iter()
            .any(|list| list.len() > 0 || list.rest.is_some())
        {
            // Values of the next distance that come from this pass are not put down.
            group.furthest.fetch_max(depth + 1, Relaxed);
        }
        lists
    }
}

struct Lists {
    selected: Selected,
    rest: Selected,
    /// Places in the row of positions with a new value of the next distance.
    fresh: Vec<u32>,
}

/// What all rows of a layer have in common in a pass.
struct Pull<'r, 'g, G> {
    rows: &'r RowGroup<'g, G>,
    table: &'r RowTable<'g>,
    events: &'r EventLists,
    /// The value for the predecessors.
    before: Value<Narrow>,
    prefetch: bool,
    next: Option<Value<Narrow>>,
}

impl<G: ByRows> Pull<'_, '_, G> {
    fn run(
        &self,
        rows: Range<usize>,
        mut run: RunWords<'_>,
        mut collector: Option<&mut Collector>,
    ) {
        let mut room = Room::default();
        let mut lists = Lists {
            selected: NONE_SELECTED,
            rest: NONE_SELECTED,
            fresh: Vec::new(),
        };
        let columns = self.table.columns();
        for row in rows.clone() {
            let place = row - rows.start;
            let (hand, next) = Hand::with_next(&mut run, place, columns, &mut room);
            dispatch(PullRow {
                pull: self,
                row,
                // It is fetched while this row is worked on.
                next: self.prefetch.then_some(next),
                hand,
                lists: &mut lists,
                collector: collector.as_deref_mut(),
            });
        }
    }

    #[inline(always)]
    fn row<C: Cpu, const LOSS: bool>(
        &self,
        cpu: C,
        row: usize,
        next: Option<&Held<'_>>,
        hand: &mut Hand<'_>,
        lists: &mut Lists,
    ) {
        let (table, group) = (self.table, &self.rows.group);
        let moves = table.moves(row);
        let records = table.records(row);
        let Lists {
            selected,
            rest,
            fresh,
        } = lists;
        fresh.clear();
        let mut row = RowInHand {
            pull: self,
            hand,
            ranker: table.shape.ranker,
            free: group.game.row(table.layer, row).free,
            first: records.start,
            may_be_unsure: group.game.repetition() == Repetition::UpToSymmetry,
            fresh,
        };
        for (place, mv) in moves.iter().enumerate() {
            if let Some(next) = next {
                next.fetch(place, moves.len());
            }
            for events in self.events.of(mv.bucket) {
                if mv.undo == RowMove::NO_UNDO {
                    row.pull::<C, LOSS, false>(cpu, mv, events, selected, rest);
                } else {
                    row.pull::<C, LOSS, true>(cpu, mv, events, selected, rest);
                }
            }
        }
    }
}

struct RowInHand<'p, 'a, 'r, 'g, G> {
    pull: &'p Pull<'r, 'g, G>,
    hand: &'p mut Hand<'a>,
    ranker: &'p Ranker,
    free: u32,
    /// The index of its first record in the group.
    first: usize,
    /// Whether events may be unsure.
    may_be_unsure: bool,
    /// Places in the row of positions with a new value of the next distance.
    fresh: &'p mut Vec<u32>,
}

impl<G: ByRows> RowInHand<'_, '_, '_, '_, G> {
    /// Takes those events of a bucket that come from a move of the row.
    #[inline(always)]
    fn pull<C: Cpu, const LOSS: bool, const UNDO: bool>(
        &mut self,
        cpu: C,
        mv: &RowMove,
        events: &[u32],
        selected: &mut Selected,
        rest: &mut Selected,
    ) {
        let filter = Event::reaching(mv.image, UNDO.then_some(mv.undo));
        let shifts = match mv.turn_back {
            0 => Shifts::between(cpu, mv.bucket_free, self.free, mv.flip),
            _ => None,
        };
        for events in events.chunks(SELECTED) {
            let count = cpu.select::<UNDO>(events, filter, selected);
            let places = &mut selected[..count];
            match shifts {
                Some(shifts) => cpu.ranks(places, shifts, self.ranker),
                None => places
                    .iter_mut()
                    .for_each(|place| *place = self.place(cpu, mv, *place)),
            }
            self.hand.expect(cpu, places.len());
            let count = self.settle::<C, LOSS>(cpu, mv.number, places, rest);
            for &at in &rest[..count] {
                self.resolve::<LOSS>(at as usize, mv.number);
            }
        }
        if self.may_be_unsure {
            for events in events.chunks(SELECTED) {
                let count = cpu.select::<false>(events, Event::unsure(mv.image), selected);
                for &event in &selected[..count] {
                    self.take_unsure::<LOSS>(mv, Event(event));
                }
            }
        }
    }

    /// The place of the position that a move leads from to the position of an event.
    #[inline(always)]
    fn place<C: Cpu>(&self, cpu: C, mv: &RowMove, event: u32) -> u32 {
        let set = cpu.deposit(event & Event::SET, mv.bucket_free);
        let turned = self.pull.rows.group.game.turn(mv.turn_back)(set);
        self.ranker.rank(cpu.extract(turned ^ mv.flip, self.free))
    }

    /// Resolves a move of the positions at some places, but for those that take more than a
    /// step: their places are put to the front of `rest`. Returns their number.
    #[inline(always)]
    fn settle<C: Cpu, const LOSS: bool>(
        &mut self,
        cpu: C,
        number: u8,
        places: &[u32],
        rest: &mut Selected,
    ) -> usize {
        let value = self.pull.before;
        if let Some(words) = self.hand.words() {
            let done = if LOSS {
                cpu.count_down(words, places, Work::<Narrow>::early_loss(number), rest)
            } else {
                cpu.failing(words, places, Work::<Narrow>::won(value), rest)
            };
            if let Some(count) = done {
                return count;
            }
        }
        let mut count = 0;
        for places in places.chunks(16) {
            for (&at, bits) in places.iter().zip(self.hand.gather(cpu, places)) {
                if LOSS && let Some(open) = Work::<Narrow>::resolve_early_loss(bits, number) {
                    self.hand.store(at as usize, open);
                } else if LOSS || !Work::<Narrow>::is_won(bits, value) {
                    rest[count] = at;
                    count += 1;
                }
            }
        }
        count
    }

    /// Resolves a move of the position at place `at` of the row.
    fn resolve<const LOSS: bool>(&mut self, at: usize, number: u8) {
        let group = &self.pull.rows.group;
        let old = Work::<Narrow>::from_bits(self.hand.load(at));
        let value = self.pull.before;
        let new = if LOSS {
            old.resolve_loss(value, number)
        } else {
            old.resolve_win(value, number)
        };
        if new == old {
            return;
        }
        self.hand.store(at, new.bits());
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
    fn take_unsure<const LOSS: bool>(&mut self, mv: &RowMove, event: Event) {
        let rows = self.pull.rows;
        let game = rows.group.game;
        let layer = rows.tables[self.pull.table.answers].layer;
        let set = Portable.deposit(event.0 & Event::SET, mv.bucket_free);
        let at = self.place(Portable, mv, event.0) as usize;
        let back = game.transposed_follow(layer, mv.bucket as usize, set, event.number());
        let leads_back = back == rows.group.slots.start + (self.first + at) as u64;
        if leads_back == event.unsure_second() {
            self.resolve::<LOSS>(at, mv.number);
        }
    }
}

struct PullRow<'p, 'r, 'g, 'b, G> {
    pull: &'p Pull<'r, 'g, G>,
    row: usize,
    /// The records of the row to come.
    next: Option<Held<'b>>,
    hand: Hand<'b>,
    lists: &'b mut Lists,
    collector: Option<&'b mut Collector>,
}

impl<G: ByRows> CpuTask for PullRow<'_, '_, '_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) {
        let pull = self.pull;
        let (hand, lists) = (&mut self.hand, &mut *self.lists);
        if pull.before.outcome() == Outcome::Win {
            pull.row::<C, false>(cpu, self.row, self.next.as_ref(), hand, lists);
        } else {
            pull.row::<C, true>(cpu, self.row, self.next.as_ref(), hand, lists);
        }
        if let (Some(next), Some(collector)) = (pull.next, self.collector) {
            let emit = EmitRow {
                rows: pull.rows,
                table: pull.table,
                row: self.row,
                hand,
                value: next,
                noted: Some(&lists.fresh),
                collector,
            };
            emit.run(cpu);
        }
        self.hand.close(cpu);
    }
}

impl<'g, G: ByRows> RowGroup<'g, G> {
    /// The lists of the events of a value, of each layer from a partition on, in place of `old`.
    pub(super) fn emit(
        &self,
        words: &mut Words,
        value: Value<Narrow>,
        from: &[usize],
        old: Vec<EventLists>,
    ) -> Vec<EventLists> {
        for list in old {
            list.give_back(&self.memory);
        }
        let layers = self.layers(words).into_iter().zip(from);
        layers
            .map(|((table, runs), &from)| {
                let collectors = self.collectors(table, from);
                runs.into_par_iter().for_each(|(rows, mut run)| {
                    let mut room = Room::default();
                    collectors.with(|collector| {
                        for row in rows.clone() {
                            let place = row - rows.start;
                            dispatch(EmitRow {
                                rows: self,
                                table,
                                row,
                                hand: &Hand::of(&mut run, place, table.columns(), &mut room),
                                value,
                                noted: None,
                                collector,
                            });
                        }
                    });
                });
                collectors.sorted()
            })
            .collect()
    }

    pub(super) fn collectors(&self, table: &RowTable<'g>, from: usize) -> Collectors {
        Collectors::new(self.tables[table.answers].shape.rows, from, &self.memory)
    }
}

struct Emitting<'r, 'g, G> {
    rows: &'r RowGroup<'g, G>,
    value: Value<Narrow>,
    first: usize,
    columns: &'r [u32],
    images: RowImages,
    free: u32,
    collector: &'r mut Collector,
}

impl<G: ByRows> Emitting<'_, '_, G> {
    #[inline(always)]
    fn position<C: Cpu>(&mut self, cpu: C, at: usize, hand: &Hand<'_>) {
        let group = &self.rows.group;
        let work = Work::<Narrow>::from_bits(hand.load(at));
        let (best, second) = work.decides(self.value);
        if !best && !second {
            return;
        }
        let slot = group.slots.start + (self.first + at) as u64;
        let unsure = best != second && group.game.may_lead_back_turned(slot);
        let kind = Event::kind((best, second), unsure);
        let opponent = cpu.deposit(self.columns[at], self.free);
        let collector = &mut *self.collector;
        let collect = |seen: Transposed| collector.push(seen.bucket, Event::new(kind, seen));
        group
            .game
            .transposed(cpu, &self.images, opponent, work.mv(), collect);
    }
}

/// The collecting of the events of a value from one row.
struct EmitRow<'r, 'h, 'g, G> {
    rows: &'r RowGroup<'g, G>,
    table: &'r RowTable<'g>,
    row: usize,
    hand: &'r Hand<'h>,
    value: Value<Narrow>,
    /// The places of values that are not put down. Without them, all places are looked at.
    noted: Option<&'r [u32]>,
    collector: &'r mut Collector,
}

impl<G: ByRows> CpuTask for EmitRow<'_, '_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self {
            rows,
            table,
            row,
            hand,
            value,
            noted,
            collector,
        } = self;
        let group = &rows.group;
        let Some(distance) = value.plies_to_checkmate() else {
            return;
        };
        let records = table.records(row);
        let chunks = records.start / CHUNK..=(records.end - 1) / CHUNK;
        let is_due = |chunk: usize| noted.is_none() || group.is_due(chunk, distance);
        let fresh = noted.unwrap_or_default();
        if fresh.is_empty() && !chunks.clone().any(is_due) {
            return;
        }
        let mut emitting = Emitting {
            rows,
            value,
            first: records.start,
            columns: table.shape.columns,
            images: group.game.row_images(table.layer, row),
            free: group.game.row(table.layer, row).free,
            collector,
        };
        let mut some_due = false;
        for chunk in chunks {
            if !is_due(chunk) {
                continue;
            }
            some_due = true;
            let from = records.start.max(chunk * CHUNK) - records.start;
            let to = records.end.min((chunk + 1) * CHUNK) - records.start;
            let mut from = from;
            while from < to {
                let (end, mut found) = hand.look(cpu, from..to, value);
                while found != 0 {
                    let at = found.trailing_zeros() as usize;
                    found &= found - 1;
                    emitting.position(cpu, from + at, hand);
                }
                from = end;
            }
        }
        for &at in fresh {
            let at = at as usize;
            if !some_due || !is_due((records.start + at) / CHUNK) {
                emitting.position(cpu, at, hand);
            }
        }
    }
}

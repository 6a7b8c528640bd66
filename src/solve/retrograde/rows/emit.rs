//! Events from the records that hold values of a distance.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use rayon::prelude::*;

use super::super::super::rows::RowTable;
use super::super::super::words::Words;
use super::super::super::work::Work;
use super::super::group::CHUNK;
use super::RowGroup;
use super::collect::{Collector, Collectors};
use super::events::{Due, Event, EventLists};
use super::hand::{Hand, Room};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Narrow, Value};
use crate::game::{ByRows, RowImages, Transposed};

/// Which positions of a row have values of a distance.
#[derive(Clone, Copy)]
pub(super) enum Where<'f> {
    /// Any.
    Anywhere,
    /// Those in chunks for which the distance was put down, and these others.
    Noted(&'f [u32]),
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
                            dispatch(EmitRow {
                                rows: self,
                                table,
                                row,
                                hand: Hand::of(
                                    &mut run,
                                    row - rows.start,
                                    table.columns(),
                                    &mut room,
                                ),
                                value,
                                collector,
                            });
                        }
                    });
                });
                collectors.sorted()
            })
            .collect()
    }

    /// Collectors for the events of a layer, from a partition on.
    pub(super) fn collectors(&self, table: &RowTable<'g>, from: usize) -> Collectors {
        Collectors::new(self.tables[table.answers].shape.rows, from, &self.memory)
    }

    /// Collects the events of a value from one row.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "what a row is and what is sought"
    )]
    pub(super) fn emit_row<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'g>,
        row: usize,
        hand: &Hand<'_>,
        value: Value<Narrow>,
        places: Where<'_>,
        collector: &mut Collector,
    ) {
        let group = &self.group;
        let Some(distance) = value.plies_to_checkmate() else {
            return;
        };
        let records = table.records(row);
        let chunks = records.start / CHUNK..=(records.end - 1) / CHUNK;
        let is_due = |chunk: usize| match places {
            Where::Anywhere => true,
            Where::Noted(_) => group.is_due(chunk, distance),
        };
        let fresh = match places {
            Where::Anywhere => &[],
            Where::Noted(fresh) => fresh,
        };
        if fresh.is_empty() && !chunks.clone().any(is_due) {
            return;
        }
        let mut emitting = Emitting {
            rows: self,
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

/// A row whose events are being collected.
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
        let kind = Event::kind(Due { best, second }, unsure);
        let opponent = cpu.deposit(self.columns[at], self.free);
        let collector = &mut *self.collector;
        let collect = |seen: Transposed| collector.push(seen.bucket, Event::new(kind, seen));
        group
            .game
            .transposed(cpu, &self.images, opponent, work.mv(), collect);
    }
}

struct EmitRow<'r, 'g, G> {
    rows: &'r RowGroup<'g, G>,
    table: &'r RowTable<'g>,
    row: usize,
    hand: Hand<'r>,
    value: Value<Narrow>,
    collector: &'r mut Collector,
}

impl<G: ByRows> CpuTask for EmitRow<'_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let places = Where::Anywhere;
        self.rows.emit_row(
            cpu,
            self.table,
            self.row,
            &self.hand,
            self.value,
            places,
            self.collector,
        );
    }
}

//! Events from the records that hold values of a distance.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use rayon::prelude::*;

use super::super::super::rows::RowTable;
use super::super::super::word::WordWidth;
use super::super::super::work::Work;
use super::super::group::CHUNK;
use super::RowGroup;
use super::events::{Collector, Collectors, Due, Event, EventLists};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::Value;
use crate::game::{ByRows, RowImages, Transposed};

/// Which positions of a row have values of a distance.
#[derive(Clone, Copy)]
pub(super) enum Where<'f> {
    /// Any.
    Anywhere,
    /// Those in chunks for which the distance was put down, and these others.
    Noted(&'f [u32]),
}

impl<'g, G: ByRows, W: WordWidth> RowGroup<'g, G, W> {
    /// The lists of all events of a value, made in the memory of `old`.
    pub(super) fn emit(&self, value: Value<W>, old: Vec<EventLists>) -> Vec<EventLists> {
        let tables = self.tables.iter().zip(old);
        tables
            .map(|(table, old)| {
                let collectors = self.collectors(table);
                table.runs().for_each(|rows| {
                    collectors.with(|collector| {
                        for row in rows {
                            dispatch(EmitRow {
                                rows: self,
                                table,
                                row,
                                value,
                                collector,
                            });
                        }
                    });
                });
                collectors.sorted(old)
            })
            .collect()
    }

    /// Collectors for the events of a layer.
    pub(super) fn collectors(&self, table: &RowTable<'g>) -> Collectors {
        Collectors::new(self.tables[table.answers].shape.rows)
    }

    /// Collects the events of a value from one row.
    #[inline(always)]
    pub(super) fn emit_row<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'g>,
        row: usize,
        value: Value<W>,
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
        let patterns = Work::deciding(value);
        let mut some_due = false;
        for chunk in chunks {
            if !is_due(chunk) {
                continue;
            }
            some_due = true;
            let from = records.start.max(chunk * CHUNK);
            let to = records.end.min((chunk + 1) * CHUNK);
            for (place, some) in group.words[from..to].chunks(64).enumerate() {
                let mut found = W::matching(cpu, some, patterns);
                while found != 0 {
                    let at = found.trailing_zeros() as usize;
                    found &= found - 1;
                    emitting.position(cpu, from + 64 * place + at);
                }
            }
        }
        for &at in fresh {
            let index = records.start + at as usize;
            if !some_due || !is_due(index / CHUNK) {
                emitting.position(cpu, index);
            }
        }
    }
}

/// A row whose events are being collected.
struct Emitting<'r, 'g, G, W: WordWidth> {
    rows: &'r RowGroup<'g, G, W>,
    value: Value<W>,
    first: usize,
    columns: &'r [u32],
    images: RowImages,
    free: u32,
    collector: &'r mut Collector,
}

impl<G: ByRows, W: WordWidth> Emitting<'_, '_, G, W> {
    #[inline(always)]
    fn position<C: Cpu>(&mut self, cpu: C, index: usize) {
        let group = &self.rows.group;
        let work = Work::<W>::from_bits(W::load(&group.words[index]));
        let (best, second) = work.decides(self.value);
        let slot = group.slots.start + index as u64;
        let unsure = best != second && group.game.may_lead_back_turned(slot);
        let kind = Event::kind(Due { best, second }, unsure);
        let opponent = cpu.deposit(self.columns[index - self.first], self.free);
        let collector = &mut *self.collector;
        let collect = |seen: Transposed| collector.push(seen.bucket, Event::new(kind, seen));
        group
            .game
            .transposed(cpu, &self.images, opponent, work.mv(), collect);
    }
}

struct EmitRow<'r, 'g, G, W: WordWidth> {
    rows: &'r RowGroup<'g, G, W>,
    table: &'r RowTable<'g>,
    row: usize,
    value: Value<W>,
    collector: &'r mut Collector,
}

impl<G: ByRows, W: WordWidth> CpuTask for EmitRow<'_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let places = Where::Anywhere;
        self.rows.emit_row(
            cpu,
            self.table,
            self.row,
            self.value,
            places,
            self.collector,
        );
    }
}

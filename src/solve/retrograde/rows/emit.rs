//! Events from the records that hold values of a distance.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::super::word::WordWidth;
use super::super::super::work::Work;
use super::super::group::CHUNK;
use super::events::{Collector, Collectors, Due, Event, EventLists};
use super::{RowGroup, RowTable};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::Value;
use crate::game::ByRows;

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
        collector: &mut Collector,
    ) {
        let group = &self.group;
        let Some(distance) = value.plies_to_checkmate() else {
            return;
        };
        let (word, bit) = (usize::from(distance >> 6), 1u64 << (distance & 63));
        let records = table.records(row);
        let patterns = Work::deciding(value);
        let mut images = None;
        let mut from = records.start;
        while from < records.end {
            let chunk = from / CHUNK;
            let to = records.end.min((chunk + 1) * CHUNK);
            if group.due[chunk * super::Group::<G, W>::DUE + word].load(Relaxed) & bit != 0 {
                let images = images.get_or_insert_with(|| group.game.row_images(table.layer, row));
                let free = group.game.row(table.layer, row).free;
                for (place, some) in group.words[from..to].chunks(64).enumerate() {
                    let mut found = W::matching(some, patterns);
                    while found != 0 {
                        let at = found.trailing_zeros() as usize;
                        found &= found - 1;
                        let work = Work::<W>::from_bits(W::load(&some[at]));
                        let index = from + 64 * place + at;
                        let column = table.shape.columns[index - records.start];
                        let (best, second) = work.decides(value);
                        let due = Due { best, second };
                        let unsure = self.up_to_symmetry && best != second && self.is_unsure(index);
                        let kind = Event::kind(due, unsure);
                        let opponent = cpu.deposit(column, free);
                        let number = work.mv();
                        group
                            .game
                            .transposed(cpu, images, opponent, number, |seen| {
                                collector.push(seen.bucket, Event::new(kind, seen));
                            });
                    }
                }
            }
            from = to;
        }
    }

    /// Whether a move may lead back up to symmetry that does not take the last one back.
    #[cold]
    fn is_unsure(&self, index: usize) -> bool {
        let game = self.group.game;
        let cursor = game.cursor(self.group.slots.start + index as u64);
        cursor.is_some_and(|cursor| game.is_symmetric(cursor) || game.may_return_turned(cursor))
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
        self.rows
            .emit_row(cpu, self.table, self.row, self.value, self.collector);
    }
}

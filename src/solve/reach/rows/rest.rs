//! What follows the last level of a group: counting the states that were never reached, and
//! entering the positions of earlier groups.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::super::rows::Buckets;
use super::super::counts::NEVER;
use super::RowGroup;
use super::layer::LayerRows;
use super::planes::columns_of;
use super::singly::{Kind, Plays};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::game::{ByRows, RowExit, RowExitTo, RowLayer};

impl<G: ByRows> RowGroup<'_, G> {
    /// Counts the states that some move of some position leads to, but that are not reached.
    pub(super) fn unreached(&self, progress: &dyn Progress) -> u64 {
        let positions = self.slots.end - self.slots.start;
        progress.begin(&format!("layer {}: counting states", self.name), positions);
        let count = |layer: &LayerRows<'_>| -> u64 {
            let rows = layer.table.runs().map(|rows| {
                if progress.cancelled() {
                    return 0;
                }
                progress.advance((rows.len() * layer.table.columns()) as u64);
                rows.map(|row| {
                    self.after_row(layer, row)
                        + self.after_waiting(layer, row)
                        + self.free_in_bucket(layer, row)
                })
                .sum()
            });
            rows.sum()
        };
        self.layers.iter().map(count).sum()
    }

    /// Counts states with a forbidden move after the positions of a row that are not reached.
    fn after_row(&self, layer: &LayerRows<'_>, row: usize) -> u64 {
        let records = layer.table.records(row);
        let unreached = records.filter(|&index| self.first[index].load(Relaxed) == 0);
        let slots = unreached.map(|index| self.slots.start + index as u64);
        slots.map(|slot| self.forbidding(slot, Plays::All)).sum()
    }

    /// Counts states with a forbidden move after the positions of a bucket in which a move is
    /// forbidden for ever, by that move.
    fn after_waiting(&self, layer: &LayerRows<'_>, bucket: usize) -> u64 {
        let waiting = layer.waiting_in(bucket);
        let after = waiting.iter().map(|waiting| {
            let slot = self.slot_in_bucket(layer, bucket, waiting.column as usize);
            self.forbidding(slot, Plays::Only(waiting.forbidden))
        });
        after.sum()
    }

    /// Number of states with a forbidden move after moves of a position.
    fn forbidding(&self, slot: u64, plays: Plays) -> u64 {
        let mut states = 0;
        self.states_after(slot, self.is_odd_position(slot), plays, |arrival| {
            states += u64::from(arrival.kind != Kind::Free);
        });
        states
    }

    /// Counts positions of a bucket that are not reached with nothing forbidden, but that
    /// some move leads to with nothing forbidden.
    fn free_in_bucket(&self, layer: &LayerRows<'_>, bucket: usize) -> u64 {
        let columns = layer.table.columns();
        let mut slots = Vec::new();
        for (word, freed) in layer.freed.row(bucket).iter().enumerate() {
            let len = (columns - 64 * word).min(64);
            let rest = !freed.load(Relaxed) & u64::MAX >> (64 - len);
            for column in columns_of(word, rest) {
                slots.push(self.slot_in_bucket(layer, bucket, column));
            }
        }
        slots.sort_unstable();
        slots.dedup();
        let arises_free = |&slot: &u64| {
            let mut free = false;
            if let Some(cursor) = self.game.cursor(slot) {
                self.game
                    .arrivals(cursor, |forbidden| free |= forbidden.is_none());
            }
            free
        };
        slots.into_iter().filter(arises_free).count() as u64
    }

    /// Enters the positions of earlier groups that moves of the group lead to.
    pub(super) fn depart(&self, progress: &dyn Progress) {
        let positions = self.slots.end - self.slots.start;
        progress.begin(&format!("layer {}: entering others", self.name), positions);
        let shapes = self.game.row_layers();
        let mut earlier = HashMap::new();
        for layer in &self.layers {
            let mut exits = Vec::new();
            for row in 0..layer.table.shape.rows {
                exits.clear();
                self.game.row_exits(layer.table.layer, row, &mut exits);
                for exit in &exits {
                    if let RowExitTo::Earlier { layer, .. } = exit.to {
                        earlier
                            .entry(layer)
                            .or_insert_with(|| Earlier::new(self.game, &shapes, layer));
                    }
                }
            }
        }
        for layer in &self.layers {
            layer.table.runs().for_each_init(Vec::new, |exits, rows| {
                if progress.cancelled() {
                    return;
                }
                progress.advance((rows.len() * layer.table.columns()) as u64);
                for row in rows {
                    dispatch(DepartRow {
                        group: self,
                        earlier: &earlier,
                        layer,
                        row,
                        exits,
                    });
                }
            });
        }
    }
}

/// A layer of an earlier group, by bucket.
struct Earlier<'g> {
    buckets: Buckets<'g>,
    /// Slot of the first position by bucket.
    first: usize,
}

impl<'g> Earlier<'g> {
    fn new<G: ByRows>(game: &G, shapes: &[RowLayer<'g>], layer: usize) -> Self {
        let (buckets, number) = Buckets::new(shapes, layer);
        let first = game.layers()[number].slots.start;
        Self {
            buckets,
            first: usize::try_from(first).expect("positions of earlier groups are in memory"),
        }
    }
}

struct DepartRow<'r, 'g, G> {
    group: &'r RowGroup<'g, G>,
    earlier: &'r HashMap<usize, Earlier<'g>>,
    layer: &'r LayerRows<'g>,
    row: usize,
    exits: &'r mut Vec<RowExit>,
}

impl<G: ByRows> CpuTask for DepartRow<'_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let (group, table) = (self.group, &self.layer.table);
        let game = group.game;
        self.exits.clear();
        game.row_exits(table.layer, self.row, self.exits);
        let free = game.row(table.layer, self.row).free;
        let first = &group.first[table.records(self.row)];
        for exit in &*self.exits {
            let RowExitTo::Earlier { layer, bucket, .. } = exit.to else {
                continue;
            };
            let Some(earlier) = self.earlier.get(&layer) else {
                continue;
            };
            let buckets = &earlier.buckets;
            let begin = earlier.first + bucket as usize * buckets.shape.columns.len();
            buckets.visit(cpu, game, table, free, exit, |column, set| {
                let code = first[column].load(Relaxed);
                if code != 0 {
                    group.above.lower(begin + set as usize, NEVER - code + 1);
                }
            });
        }
    }
}

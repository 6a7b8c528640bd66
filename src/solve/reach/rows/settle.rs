//! Arrivals of a level: which positions and states are new.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::super::memory::prefetch_write;
use super::arrivals::Arrivals;
use super::closing::Closed;
use super::layer::{LayerRows, Waiting};
use super::planes::columns_of;
use super::singly::{Event, EventLists, Kind};
use super::{RowGroup, code};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::game::{ByRows, RowImages};

/// Number of new positions that are fetched together.
const FETCHED: usize = 128;

/// What is new at a level.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// Number of states: those with nothing forbidden, and those with a forbidden move that
    /// were not counted when their moves were played.
    pub states: u64,
    /// Number of positions reached for the first time.
    positions: u64,
    /// Positions reached for the first time, and with one forbidden move only: the slot, and
    /// the number of the move.
    pub alone: Vec<(u64, u8)>,
    /// Positions in which a move that was forbidden can be played now.
    pub second: Vec<(u64, u8)>,
}

impl Settled {
    /// Whether no more moves are to be played.
    pub const fn is_last(&self) -> bool {
        self.positions == 0 && self.second.is_empty()
    }

    fn merge(mut self, mut other: Self) -> Self {
        self.states += other.states;
        self.positions += other.positions;
        self.alone.append(&mut other.alone);
        self.second.append(&mut other.second);
        self
    }
}

/// Memory for the work on one bucket.
#[derive(Debug, Default)]
struct Buffers {
    arrivals: Arrivals,
    closed: Closed,
    /// The indices of new positions that are being fetched.
    fetching: Vec<usize>,
}

impl<G: ByRows> RowGroup<'_, G> {
    /// Makes the arrivals of a level.
    pub(super) fn arrive(
        &self,
        distance: u8,
        events: &[EventLists],
        progress: &dyn Progress,
    ) -> Settled {
        let positions = self.slots.end - self.slots.start;
        progress.begin(&format!("layer {}: {distance} plies", self.name), positions);
        let layers = self.layers.iter().zip(events);
        layers.fold(Settled::default(), |settled, (layer, events)| {
            let buckets = |buffers: &mut Buffers, buckets: std::ops::Range<usize>| {
                let mut settled = Settled::default();
                if progress.cancelled() {
                    return settled;
                }
                let done = (buckets.len() * layer.table.columns()) as u64;
                for bucket in buckets {
                    dispatch(SettleBucket {
                        group: self,
                        layer,
                        bucket,
                        distance,
                        events,
                        buffers,
                        settled: &mut settled,
                    });
                }
                progress.advance(done);
                settled
            };
            let runs = layer.table.runs().map_init(Buffers::default, buckets);
            settled.merge(runs.reduce(Settled::default, Settled::merge))
        })
    }
}

struct SettleBucket<'r, 'g, G> {
    group: &'r RowGroup<'g, G>,
    layer: &'r LayerRows<'g>,
    bucket: usize,
    distance: u8,
    events: &'r EventLists,
    buffers: &'r mut Buffers,
    settled: &'r mut Settled,
}

impl<G: ByRows> CpuTask for SettleBucket<'_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self {
            group,
            layer,
            bucket,
            distance,
            events,
            buffers,
            settled,
        } = self;
        let Buffers {
            arrivals,
            closed,
            fetching,
        } = buffers;
        settled.states += group.collect(cpu, layer, bucket, distance, events, arrivals);
        let row = group.game.row(layer.table.layer, bucket);
        let symmetric = row.symmetric;
        if symmetric {
            group.close(layer, bucket, arrivals, closed);
        }
        let arrivals = if symmetric {
            &closed.arrivals
        } else {
            &*arrivals
        };
        let bucket = Bucket {
            group,
            layer,
            number: bucket,
            distance,
            events,
            free: row.free,
            images: group.game.row_images(layer.table.layer, bucket),
        };
        bucket.end_waiting(arrivals, settled);
        for word in 0..arrivals.free.len() {
            let chosen = if symmetric {
                closed.chosen[word]
            } else {
                u64::MAX
            };
            bucket.settle(cpu, word, arrivals, chosen, fetching, settled);
        }
        bucket.enter(fetching);
    }
}

/// A bucket whose arrivals are settled.
struct Bucket<'r, 'g, G> {
    group: &'r RowGroup<'g, G>,
    layer: &'r LayerRows<'g>,
    number: usize,
    distance: u8,
    events: &'r EventLists,
    free: u32,
    images: RowImages,
}

impl<G: ByRows> Bucket<'_, '_, G> {
    /// Takes out the positions that are reached a second time.
    fn end_waiting(&self, arrivals: &Arrivals, settled: &mut Settled) {
        self.layer.waiting_in(self.number).retain(|waiting| {
            let at = waiting.column as usize;
            let any = arrivals.free[at / 64] | arrivals.once[at / 64];
            let reached = any >> (at % 64) & 1 == 1;
            if reached {
                let slot = self.group.slot_in_bucket(self.layer, self.number, at);
                settled.second.push((slot, waiting.forbidden));
            }
            !reached
        });
    }

    /// Settles the arrivals of a word, of which only the chosen ones are counted.
    #[inline(always)]
    fn settle<C: Cpu>(
        &self,
        cpu: C,
        word: usize,
        arrivals: &Arrivals,
        chosen: u64,
        fetching: &mut Vec<usize>,
        settled: &mut Settled,
    ) {
        let free = arrivals.free[word];
        let any = free | arrivals.once[word];
        if any == 0 {
            return;
        }
        let reached = &self.layer.reached.row(self.number)[word];
        let freed = &self.layer.freed.row(self.number)[word];
        let (old, old_free) = (reached.load(Relaxed), freed.load(Relaxed));
        settled.states += u64::from((free & !old_free & chosen).count_ones());
        freed.store(old_free | free, Relaxed);
        reached.store(old | any, Relaxed);
        let new = any & !old & chosen;
        settled.positions += u64::from(new.count_ones());
        let alone = if self.group.take_backs {
            0
        } else {
            new & !free & !arrivals.twice[word]
        };
        for column in columns_of(word, new) {
            let index = self.find(cpu, column);
            prefetch_write(&self.group.first[index]);
            fetching.push(index);
            if alone >> (column % 64) & 1 == 1 {
                self.begin_waiting(index, column, settled);
            }
        }
        if fetching.len() >= FETCHED {
            self.enter(fetching);
        }
    }

    /// Notes how soon positions are reached.
    fn enter(&self, fetching: &mut Vec<usize>) {
        for index in fetching.drain(..) {
            self.group.first[index].store(code(self.distance), Relaxed);
        }
    }

    /// The index of a position, whose row is noted as changing.
    #[inline(always)]
    fn find<C: Cpu>(&self, cpu: C, column: usize) -> usize {
        let group = self.group;
        let answers = &group.layers[self.layer.table.answers];
        let table = &answers.table;
        let opponent = cpu.deposit(self.layer.table.shape.columns[column], self.free);
        let (mut seen, mut several) = (None, false);
        let visit = |image| {
            several |= seen.is_some();
            seen = Some(image);
        };
        group.game.transposed(cpu, &self.images, opponent, 0, visit);
        let (row, index) = match seen {
            Some(seen) if !several => {
                let row = seen.bucket as usize;
                let column = table.shape.ranker.rank(seen.set) as usize;
                (row, table.first + row * table.columns() + column)
            }
            _ => {
                let slot = group.slot_in_bucket(self.layer, self.number, column);
                let index = group.index(slot);
                (answers.place(index).0, index)
            }
        };
        answers.touch(row);
        index
    }

    /// Notes that a position is reached with one forbidden move only.
    #[cold]
    fn begin_waiting(&self, index: usize, column: usize, settled: &mut Settled) {
        let slot = self.group.slots.start + index as u64;
        let forbidden = self.forbidden(slot);
        settled.alone.push((slot, forbidden));
        self.layer.waiting_in(self.number).push(Waiting {
            column: u32::try_from(column).expect("columns fit 32 bits"),
            forbidden,
        });
    }

    /// The move that is forbidden after the only move to a position at this level.
    fn forbidden(&self, slot: u64) -> u8 {
        let (group, layer) = (self.group, self.layer);
        let game = group.game;
        let mut found = None;
        if let Some(cursor) = game.cursor(slot) {
            let sources = layer.sources(true);
            game.unmoves_with_undo(cursor, |before, undo| {
                let (row, column) = layer.place(group.index(game.place(before).slot));
                if undo.is_some() && sources.get(row, column) {
                    debug_assert!(found.is_none());
                    found = undo;
                }
            });
        }
        found.unwrap_or_else(|| {
            let ranker = layer.table.shape.ranker;
            let slot_of = |event: &Event| {
                let column = ranker.rank(event.set()) as usize;
                group.slot_in_bucket(layer, self.number, column)
            };
            let mut events = self.events.of(self.number).iter();
            let event = events.find(|event| event.kind() == Kind::Once && slot_of(event) == slot);
            event.expect("a position is reached by some move").number()
        })
    }
}

//! The passes of the solver for games whose positions stand in rows.
//!
//! The records are those of the other passes, bit for bit but for three things: symmetric
//! positions count their moves like all others, vacant slots look like checkmates until the
//! end, and no record is written by two threads, since a thread pulls the values that a row
//! needs instead of pushing those that it has.
//!
//! Values of a distance are *events*, kept by bucket (see [`ByRows`]): the row of the side
//! that has just moved. A pass takes each row, and each move of the row, and looks through
//! the events of the bucket that the move leads to for those that come from it.

mod collect;
mod emit;
mod events;
mod first;
mod hand;
mod pieces;
mod pull;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::codes::Codes;
use super::super::rows::{Floors, FloorsError, RUN, RowTable};
use super::super::word::WordWidth;
use super::super::words::{LayerWords, RunWords, Words, row_bytes};
use super::super::work::Work;
use super::GroupRun;
use super::error::SolveError;
use super::group::Group;
use super::memory::{least_events, packs, rows_of};
use super::stage::{Snapshot, SnapshotSink};
use crate::base::cpu::Portable;
use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::game::{ByRows, RowVisitor};
use collect::Collectors;
use events::EventLists;
use hand::{Hand, Room};
use pieces::Memory;

/// A group with what its rows need.
struct RowGroup<'g, G, W: WordWidth> {
    group: Group<'g, G, W>,
    tables: Vec<RowTable<'g>>,
    /// For events.
    memory: Arc<Memory>,
}

/// The rows of a layer that a thread takes at a time, with their records.
type Run<'w, W> = (Range<usize>, RunWords<'w, W>);

impl<W: WordWidth, S: SnapshotSink<W>> RowVisitor for GroupRun<'_, W, S> {
    type Output = Result<Words<W>, SolveError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let mut rows = RowGroup::new(game, self.slots, self.number, self.name)?;
        let packed = match &self.begun {
            Some((_, words)) => words.is_packed(),
            None => packs::<G, W>(game, self.number, self.memory),
        };
        if let Some(memory) = self.memory.filter(|_| packed) {
            // A part is for what is not counted (measured: 2.4 to 3.1 percent beyond).
            let bytes = (memory - memory / 24).saturating_sub(rows.bytes_beside_events());
            let bytes = bytes.max(least_events(rows.group.len as u64));
            rows.memory = Arc::new(Memory::of(usize::try_from(bytes).unwrap_or(usize::MAX)));
        }
        let (words, depth) = if let Some((stage, words)) = self.begun {
            let depth = stage.depth;
            if words.view().len() != rows.group.len || !rows.group.restore(stage) {
                return Err(SolveError::Stage);
            }
            if self.last {
                *self.earlier = None;
            }
            (words, depth)
        } else {
            let floors = rows.floors(self.earlier.as_ref(), self.progress)?;
            if self.last {
                *self.earlier = None;
            }
            let room = if packed {
                Words::packed(rows_of(game, self.number))
            } else {
                Words::plain(rows.group.len)
            };
            let mut words =
                room.map_err(|source| Group::<G, W>::memory(&rows.group.slots, source))?;
            rows.begin(&mut words, floors, self.progress)?;
            (words, 0)
        };
        rows.finish(self.number, words, depth, self.progress, self.sink)
    }
}

impl<'g, G: ByRows, W: WordWidth> RowGroup<'g, G, W> {
    fn new(
        game: &'g G,
        slots: Range<u64>,
        number: usize,
        name: String,
    ) -> Result<Self, SolveError> {
        Ok(Self {
            group: Group::new(game, slots, name)?,
            tables: RowTable::of_group(game, number),
            memory: Arc::new(Memory::unbounded()),
        })
    }

    /// The memory that packed records take, and all that stays beside them.
    fn bytes_beside_events(&self) -> u64 {
        let bytes = |table: &RowTable<'_>| table.shape.rows * row_bytes::<W>(table.columns());
        let records: usize = self.tables.iter().map(bytes).sum();
        let moves: usize = self.tables.iter().map(RowTable::bytes).sum();
        (records + moves + self.group.due.len() * 8) as u64
    }

    /// The records of each layer, in runs of rows that threads share.
    fn layers<'w>(&self, words: &'w mut Words<W>) -> Vec<(&RowTable<'g>, Vec<Run<'w, W>>)> {
        let ranges: Vec<_> = self.tables.iter().map(RowTable::all_records).collect();
        let layers = words.layers_mut(&ranges);
        let runs = |(table, layer): (_, LayerWords<'w, W>)| {
            let table: &RowTable<'g> = table;
            let rows = table.shape.rows;
            let runs = layer.runs(table.columns(), RUN).into_iter().enumerate();
            let run = |(run, words)| (run * RUN..rows.min((run + 1) * RUN), words);
            (table, runs.map(run).collect())
        };
        self.tables.iter().zip(layers).map(runs).collect()
    }

    /// Arranges the best values of earlier groups.
    fn floors(
        &self,
        earlier: Option<&Codes<W>>,
        progress: &dyn Progress,
    ) -> Result<Floors<'g>, SolveError> {
        let earlier = earlier.ok_or(SolveError::Stage)?;
        let group = &self.group;
        Floors::new(group.game, &self.tables, earlier, &group.order, progress).map_err(|error| {
            match error {
                FloorsError::TooLong => SolveError::TooLong {
                    longest: W::LONGEST,
                },
                FloorsError::Cancelled => SolveError::Cancelled,
                FloorsError::Memory { bytes, source } => SolveError::Memory {
                    positions: group.slots.end - group.slots.start,
                    bytes,
                    source,
                },
            }
        })
    }

    /// Runs all passes from distance `depth` on.
    fn finish(
        self,
        number: usize,
        mut words: Words<W>,
        mut depth: u16,
        progress: &dyn Progress,
        sink: &mut impl SnapshotSink<W>,
    ) -> Result<Words<W>, SolveError> {
        let group = &self.group;
        let mut lists = self.no_lists();
        // Whether the lists hold the regular values of the pass to come.
        let mut ready = false;
        while depth <= group.furthest.load(Relaxed) {
            if sink.is_due() {
                progress.begin("saving a checkpoint", 0);
                let snapshot = Snapshot {
                    stage: group.stage(number, true, depth),
                    records: words.view(),
                };
                sink.save(&snapshot).map_err(SolveError::Snapshot)?;
            }
            let values: Vec<Value<W>> = group.values_at(depth).collect();
            let next = Value::from_code(depth + 1);
            for (place, &value) in values.iter().enumerate() {
                if !ready || place > 0 {
                    let from = vec![0; self.tables.len()];
                    lists = self.emit(&mut words, value, &from, lists);
                }
                let last = place + 1 == values.len();
                loop {
                    let rest = self.rest(&lists);
                    // Where two kinds of values meet, each has its lists in turn.
                    let next =
                        (last && rest.is_none() && !group.irregular.load(Relaxed)).then_some(next);
                    lists = self.pull(&mut words, depth, value, lists, next, progress);
                    ready = next.is_some();
                    let Some(rest) = rest else { break };
                    group.sound(progress)?;
                    lists = self.emit(&mut words, value, &rest, lists);
                }
            }
            if values.is_empty() || group.irregular.load(Relaxed) {
                ready = false;
            }
            group.sound(progress)?;
            depth += 1;
        }
        self.vacate(&mut words);
        Ok(words)
    }

    /// By layer, the partition with which events go on that are not in the lists; `None` if
    /// all are there.
    fn rest(&self, lists: &[EventLists]) -> Option<Vec<usize>> {
        lists.iter().any(|list| list.rest().is_some()).then(|| {
            let layers = lists.iter().zip(&self.tables);
            let rest = layers.map(|(list, table)| {
                let end = Collectors::partitions(self.tables[table.answers].shape.rows);
                list.rest().unwrap_or(end)
            });
            rest.collect()
        })
    }

    fn no_lists(&self) -> Vec<EventLists> {
        self.tables.iter().map(|_| EventLists::default()).collect()
    }

    /// Marks vacant slots, which looked like checkmates so far.
    fn vacate(&self, words: &mut Words<W>) {
        let (game, first) = (self.group.game, self.group.slots.start);
        for (table, runs) in self.layers(words) {
            runs.into_par_iter().for_each(|(rows, mut run)| {
                let mut room = Room::default();
                for row in rows.clone() {
                    if !game.row(table.layer, row).symmetric {
                        continue;
                    }
                    let columns = table.columns();
                    let mut hand = Hand::of(&mut run, row - rows.start, columns, &mut room);
                    for (at, index) in table.records(row).enumerate() {
                        if game.cursor(first + index as u64).is_none() {
                            hand.store(at, Work::<W>::VACANT.bits());
                        }
                    }
                    hand.close(Portable);
                }
            });
        }
    }
}

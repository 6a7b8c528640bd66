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

mod emit;
mod events;
mod first;
mod pull;

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::codes::Codes;
use super::super::memory::WordArray;
use super::super::rows::{Floors, FloorsError, RowTable};
use super::super::word::WordWidth;
use super::super::work::Work;
use super::GroupRun;
use super::error::SolveError;
use super::group::Group;
use super::stage::SnapshotSink;
use crate::base::value::Value;
use crate::base::watch::Watch;
use crate::game::{ByRows, RowVisitor};
use events::EventLists;

/// A group with what its rows need.
struct RowGroup<'g, G, W: WordWidth> {
    group: Group<'g, G, W>,
    tables: Vec<RowTable<'g>>,
}

impl<W: WordWidth, T: Watch, S: SnapshotSink<W>> RowVisitor for GroupRun<'_, W, T, S> {
    type Output = Result<WordArray<W::Atom>, SolveError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let mut rows = RowGroup::new(game, self.slots, self.number, self.name)?;
        let depth = if let Some((stage, words)) = self.begun {
            let depth = stage.depth;
            if !rows.group.restore(stage, words) {
                return Err(SolveError::Stage);
            }
            if self.last {
                *self.earlier = None;
            }
            depth
        } else {
            let floors = rows.floors(self.earlier.as_ref(), self.watch)?;
            if self.last {
                *self.earlier = None;
            }
            rows.begin(&floors, self.watch)?;
            0
        };
        rows.finish(self.number, depth, self.watch, self.sink)
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
        })
    }

    /// Arranges the best values of earlier groups.
    fn floors(
        &self,
        earlier: Option<&Codes<W>>,
        watch: &impl Watch,
    ) -> Result<Floors<'g>, SolveError> {
        let earlier = earlier.ok_or(SolveError::Stage)?;
        let group = &self.group;
        Floors::new(group.game, &self.tables, earlier, &group.order, watch).map_err(|error| {
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
        mut depth: u16,
        watch: &impl Watch,
        sink: &mut impl SnapshotSink<W>,
    ) -> Result<WordArray<W::Atom>, SolveError> {
        let group = &self.group;
        let mut lists = self.no_lists();
        // Whether the lists hold the regular values of the pass to come.
        let mut ready = false;
        while depth <= group.furthest.load(Relaxed) {
            if sink.is_due() {
                watch.begin("saving a checkpoint", 0);
                sink.save(&group.snapshot(number, true, depth))
                    .map_err(SolveError::Snapshot)?;
            }
            let values: Vec<Value<W>> = group.values_at(depth).collect();
            let next = Value::from_code(depth + 1);
            for (place, &value) in values.iter().enumerate() {
                if !ready || place > 0 {
                    lists = self.emit(value, lists);
                }
                let last = place + 1 == values.len();
                // Where two kinds of values meet, each has its lists in turn.
                let next = (last && !group.irregular.load(Relaxed)).then_some(next);
                lists = self.pull(depth, value, lists, next, watch);
                ready = next.is_some();
            }
            if values.is_empty() || group.irregular.load(Relaxed) {
                ready = false;
            }
            group.sound(watch)?;
            depth += 1;
        }
        self.vacate();
        Ok(self.group.words)
    }

    fn no_lists(&self) -> Vec<EventLists> {
        self.tables.iter().map(|_| EventLists::default()).collect()
    }

    /// Marks vacant slots, which looked like checkmates so far.
    fn vacate(&self) {
        let game = self.group.game;
        for table in &self.tables {
            (0..table.shape.rows)
                .into_par_iter()
                .filter(|&row| game.row(table.layer, row).symmetric)
                .for_each(|row| {
                    for index in table.records(row) {
                        if game.cursor(self.group.slots.start + index as u64).is_none() {
                            W::store(&self.group.words[index], Work::<W>::VACANT.bits());
                        }
                    }
                });
        }
    }
}

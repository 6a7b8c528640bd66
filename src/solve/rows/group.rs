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

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::events::{Collectors, EventLists, Memory, Piece};
use super::floors::Floors;
use super::hand::{Hand, Room};
use super::table::{RUN, RowTable};
use crate::base::cpu::Portable;
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Value};
use crate::game::{ByRows, Ranked, RowVisitor};
use crate::solve::memory::{OutOfMemory, WordArray};
use crate::solve::retrograde::group::Group;
use crate::solve::retrograde::stage::{GroupRun, Result, SnapshotSink, SolveError};
use crate::solve::words::{RowsOf, RunWords, WordWidth, Words, row_bytes};
use crate::solve::work::Work;
use crate::solve::work::packed::MOST_MOVES;

pub(super) struct RowGroup<'g, G> {
    pub group: Group<'g, G, Narrow>,
    pub tables: Vec<RowTable<'g>>,
    /// For events.
    pub memory: Arc<Memory>,
}

/// The rows of a layer that a thread takes at a time, with their records.
pub(super) type Run<'w> = (Range<usize>, RunWords<'w>);

/// The moves of a row, in bytes (measured, for the published game).
const MOVES_OF_A_ROW: u64 = 1100;

/// Solves the groups of a game whose positions stand in rows, with narrow values.
pub(in crate::solve) trait RowEngine {
    /// The rows of the layers of a group.
    fn rows_of(&self, group: usize) -> Vec<RowsOf>;

    /// The memory in bytes in which a group is solved with plain words.
    fn plain_need(&self, group: usize) -> u64;

    /// The memory in bytes in which a group is solved with packed records; `None` if some position
    /// has too many moves for them.
    fn packed_need(&self, group: usize) -> Option<u64>;

    /// Whether the records of a group are packed to be solved within `memory`.
    fn packs(&self, group: usize, memory: Option<u64>) -> bool {
        memory.is_some_and(|memory| {
            memory < self.plain_need(group) && self.packed_need(group).is_some()
        })
    }

    fn solve_group(&self, run: GroupRun<'_>) -> Result<Words>;
}

/// The rows of a game; `None` if it has none, or if values of this width are not solved by rows:
/// games that need wide values are small.
pub(in crate::solve) fn row_engine<'g, W: WordWidth>(
    game: &'g impl Ranked,
) -> Option<Box<dyn RowEngine + 'g>> {
    if W::BYTES > 1 {
        return None;
    }
    game.by_rows(Boxed).ok()
}

pub(crate) fn has_rows(game: &impl Ranked) -> bool {
    game.by_rows(Boxed).is_ok()
}

struct Boxed;

impl<'g> RowVisitor<'g> for Boxed {
    type Output = Box<dyn RowEngine + 'g>;

    fn visit<G: ByRows>(self, game: &'g G) -> Self::Output {
        Box::new(RowsOfGame(game))
    }
}

struct RowsOfGame<'g, G>(&'g G);

impl<G: ByRows> RowEngine for RowsOfGame<'_, G> {
    fn rows_of(&self, group: usize) -> Vec<RowsOf> {
        let layers = self.0.layers().iter().zip(self.0.row_layers());
        let layers = layers.filter(|(layer, _)| layer.group == group);
        let rows = layers.map(|(_, shape)| RowsOf {
            rows: shape.rows,
            columns: shape.columns.len(),
        });
        rows.collect()
    }

    fn plain_need(&self, group: usize) -> u64 {
        let slots = self.slots(group);
        let words = slots * size_of::<u32>() as u64 + Group::<G, Narrow>::due_bytes(slots);
        // Events of two passes, and the moves of rows, take three eighths of the working
        // records (measured, for the published game); earlier values, arranged by
        // bucket, are gone by then.
        words + (slots * 3 / 2).max(self.earlier(group))
    }

    fn packed_need(&self, group: usize) -> Option<u64> {
        if !self.can_be_packed(group) {
            return None;
        }
        let layers = self.rows_of(group);
        let bytes = |layer: &RowsOf| (layer.rows * row_bytes(layer.columns)) as u64;
        let records: u64 = layers.iter().map(bytes).sum();
        let rows: u64 = layers.iter().map(|layer| layer.rows as u64).sum();
        let slots = self.slots(group);
        let earlier = self.earlier(group);
        // Groups after this one need the values of all before.
        let is_last = group + 1 == self.0.groups();
        let kept = if is_last { 0 } else { earlier };
        let due = Group::<G, Narrow>::due_bytes(slots);
        let beside = rows * MOVES_OF_A_ROW + due + least_events(slots);
        // Before the first pass the values of earlier groups are there twice.
        Some((records + beside + kept).max(2 * earlier))
    }

    fn solve_group(&self, run: GroupRun<'_>) -> Result<Words> {
        let game = self.0;
        let mut rows = RowGroup {
            group: Group::new(game, run.number)?,
            tables: RowTable::of_group(game, run.number),
            memory: Arc::new(Memory::unbounded()),
        };
        let packed = match &run.begun {
            Some((_, Words::Wide(_))) => return Err(SolveError::Stage),
            Some((_, words)) => matches!(words, Words::Packed(_)),
            None => self.packs(run.number, run.memory),
        };
        if let Some(memory) = run.memory.filter(|_| packed) {
            let bytes = |table: &RowTable<'_>| {
                let records = table.shape.rows * row_bytes(table.columns());
                records + table.bytes()
            };
            let tables: usize = rows.tables.iter().map(bytes).sum();
            let beside = (tables + rows.group.due.len() * 8) as u64;
            // A part is for what is not counted (measured: 2.4 to 3.1 percent beyond).
            let bytes = (memory - memory / 24).saturating_sub(beside);
            let bytes = bytes.max(least_events(rows.group.len as u64));
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            rows.memory = Arc::new(Memory::of_pieces(bytes / Piece::BYTES));
        }
        let (words, depth) = if let Some((stage, words)) = run.begun {
            let depth = stage.head.depth;
            if words.len() != rows.group.len || !rows.group.restore(stage) {
                return Err(SolveError::Stage);
            }
            (words, depth)
        } else {
            let earlier = run.earlier.as_ref().ok_or(SolveError::Stage)?;
            let order = &rows.group.order;
            let floors = Floors::new(game, &rows.tables, earlier, order, run.progress)?;
            if run.last {
                *run.earlier = None;
            }
            let room = if packed {
                Words::packed(self.rows_of(run.number))
            } else {
                WordArray::new(rows.group.len).map(Words::Narrow)
            };
            let memory = OutOfMemory::of(rows.group.len as u64, size_of::<u32>());
            let mut words = room.map_err(memory)?;
            rows.begin(&mut words, floors, run.progress)?;
            (words, 0)
        };
        rows.finish(words, depth, run.progress, run.sink)
    }
}

impl<G: ByRows> RowsOfGame<'_, G> {
    /// Whether no position of a group has too many moves for packed records.
    fn can_be_packed(&self, group: usize) -> bool {
        let layers = self.0.layers().iter().zip(self.0.row_layers()).enumerate();
        let mut layers = layers.filter(|(_, (layer, _))| layer.group == group);
        let mut moves = Vec::new();
        layers.all(|(number, (_, shape))| {
            (0..shape.rows).all(|row| {
                moves.clear();
                self.0.row_moves(number, row, &mut moves);
                let numbers = moves.iter();
                let numbers = numbers.fold(0u128, |set, mv| set | 1 << (mv.number & 127));
                numbers.count_ones() <= MOST_MOVES
            })
        })
    }

    fn slots(&self, group: usize) -> u64 {
        let slots = self.0.group_slots(group);
        slots.end - slots.start
    }

    /// The bytes of the best values of the groups before.
    fn earlier(&self, group: usize) -> u64 {
        self.0.group_slots(group).start
    }
}

/// The bytes of events that packed records are solved with at least.
const fn least_events(positions: u64) -> u64 {
    positions / 5
}

impl<'g, G: ByRows> RowGroup<'g, G> {
    /// The records of each layer, in runs of rows that threads share.
    pub(super) fn layers<'w>(&self, words: &'w mut Words) -> Vec<(&RowTable<'g>, Vec<Run<'w>>)> {
        let layers = self.tables.iter();
        let layers: Vec<_> = layers.map(|it| (it.all_records(), it.columns())).collect();
        let layers = self.tables.iter().zip(words.runs(&layers, RUN));
        let numbered = layers.map(|(table, runs)| {
            let rows = table.shape.rows;
            let run = |(run, words)| (run * RUN..rows.min((run + 1) * RUN), words);
            (table, runs.into_iter().enumerate().map(run).collect())
        });
        numbered.collect()
    }

    /// Runs all passes from distance `depth` on.
    fn finish(
        self,
        mut words: Words,
        mut depth: u16,
        progress: &dyn Progress,
        mut sink: Option<&mut dyn SnapshotSink>,
    ) -> Result<Words> {
        let group = &self.group;
        let mut lists: Vec<_> = self.tables.iter().map(|_| EventLists::default()).collect();
        // Whether the lists hold the regular values of the pass to come.
        let mut ready = false;
        while depth <= group.furthest.load(Relaxed) {
            group.save_if_due(&words, true, depth, progress, sink.as_deref_mut())?;
            let values: Vec<Value<Narrow>> = group.values_at(depth).collect();
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
        lists.iter().any(|list| list.rest.is_some()).then(|| {
            let layers = lists.iter().zip(&self.tables);
            let rest = layers.map(|(list, table)| {
                let end = Collectors::partitions(self.tables[table.answers].shape.rows);
                list.rest.unwrap_or(end)
            });
            rest.collect()
        })
    }

    /// Marks vacant slots, which looked like checkmates so far.
    fn vacate(&self, words: &mut Words) {
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
                            hand.store(at, Work::<Narrow>::VACANT.bits());
                        }
                    }
                    hand.close(Portable);
                }
            });
        }
    }
}

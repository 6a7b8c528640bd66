//! The rules of a game by slot, and tables of values that other programs have found.

use std::ops::Range;
use std::path::Path;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::TableSession;
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Outcome, Record, Value};
use crate::export::{Batch, ColumnData, DataColumn};
use crate::game::{Game, Layer, ListedMove, Next, Placed, Ranked, Repetition, Retrograde};
use crate::mine::{Filter, Solved};
use crate::session::erased::ErasedGame;
use crate::session::table_files::{SMALL, claimed, write_whole};
use crate::session::{
    Asked, MiningOptions, Relation, Result, SessionError, SolveOptions, WrittenTable,
};
use crate::solve::WordWidth;
use crate::table::ValueWidth;

impl TableSession {
    /// The layers of the table, in the order in which they can be solved.
    pub fn layers(&self) -> Result<Vec<Layer>> {
        self.game.check_size()?;
        Ok(self.game.layers().to_vec())
    }

    /// The slot of each position, and the position stored there, which may be an image.
    ///
    /// # Errors
    /// If a position cannot be read, or a slot holds none ([`SessionError::OneOfMany`] has its
    /// number).
    pub fn places(&self, positions: &[Asked<'_>]) -> Result<Vec<(u64, String)>> {
        let game = &self.game;
        game.check_size()?;
        let places = positions.par_iter().enumerate().map(|(number, asked)| {
            let state = self.asked(asked).map_err(SessionError::of_many(number))?;
            let slot = game.rank(&state);
            let stored = game.unrank(slot).unwrap_or(state);
            Ok((slot, game.format_state(&stored)))
        });
        places.collect()
    }

    /// What a relation says of some slots.
    ///
    /// # Errors
    /// If the table has no such slot.
    pub fn relation(
        &self,
        relation: Relation,
        slots: &[u64],
        progress: &dyn Progress,
    ) -> Result<Batch> {
        let game = &self.game;
        game.check_size()?;
        if let Some(&slot) = slots.iter().find(|&&slot| slot >= game.slots()) {
            return Err(self.no_position(slot));
        }
        in_parts(slots, |first, slots| {
            progress.go_on(SessionError::Stopped)?;
            let rows = (first..).zip(slots.iter().copied());
            let columns = match relation {
                Relation::Degrees => degrees(game, slots),
                Relation::Successors => successors(game, rows),
                Relation::Predecessors => predecessors(game, rows),
            };
            let columns = columns.into_iter();
            let columns = columns.map(|(name, values)| DataColumn::nullable(name, values));
            Ok(Batch::new(columns.collect())?)
        })
    }

    /// The states that a filter admits: how many, and the slots of those that puzzles are made of, as
    /// many as [`Mining::mine`](crate::session::Mining::mine) looks at for its limit.
    pub fn finds(
        &self,
        filter: &Filter,
        options: &MiningOptions,
        progress: &dyn Progress,
    ) -> Result<(u64, Vec<u64>)> {
        let predicates = self.predicates(slice::from_ref(filter), options)?;
        let scope = self.scope(options, progress)?;
        let table = self.table(progress)?;
        let source = Solved::new(&table, &self.game)?;
        let scans = self.scan(&source, &predicates, options, &scope, progress)?;
        table.expect_unchanged()?;
        let matched = scans.iter().map(|scan| scan.matched).sum();
        let finds = scans.iter().flat_map(|scan| &scan.finds);
        let mut slots: Vec<_> = finds.map(|find| find.index).collect();
        slots.sort_unstable();
        slots.dedup();
        Ok((matched, slots))
    }

    /// Writes a table with the records that `records` gives for ranges of slots, several at a time
    /// and in any order. A range may be asked for twice. The records are not held against the
    /// rules: [`Solving::verify`](crate::session::Solving::verify) does that.
    ///
    /// # Errors
    /// Also if a range gets too many records or too few, or `records` fails.
    pub fn table_from(
        &self,
        path: &Path,
        force: bool,
        records: &(dyn Fn(Range<u64>) -> Result<Vec<Record>> + Sync),
        progress: &dyn Progress,
    ) -> Result<WrittenTable> {
        let game = &self.game;
        game.check_size()?;
        // As the solver chooses: one byte a value if all fit.
        if game.slots() > SMALL && Narrow::holds(game.most_moves()) {
            let too_long = AtomicBool::new(false);
            let narrow = |slots| {
                let found = records(slots)?;
                let fits = |value: Value| value.resized::<Narrow>().is_some();
                if found.iter().all(|it| fits(it.best()) && fits(it.second())) {
                    return Ok(found);
                }
                too_long.store(true, Relaxed);
                Err(SessionError::Stopped)
            };
            let written = self.written(path, force, ValueWidth::NARROW, &narrow, progress);
            if !too_long.into_inner() {
                return written;
            }
        }
        self.written(path, force, ValueWidth::WIDE, records, progress)
    }

    fn written(
        &self,
        path: &Path,
        force: bool,
        width: ValueWidth,
        records: &(dyn Fn(Range<u64>) -> Result<Vec<Record>> + Sync),
        progress: &dyn Progress,
    ) -> Result<WrittenTable> {
        let game = &self.game;
        let of_block = |slots: Range<u64>| {
            let Range { start, end } = slots;
            let (found, wanted) = (records(slots)?, end - start);
            let given = found.len();
            if given as u64 != wanted {
                return Err(SessionError::Refused(format!(
                    "{given} records were given for the {wanted} slots from {start} on; give one for each slot"
                )));
            }
            Ok(found)
        };
        let place = claimed(path, force)?;
        let (options, stage) = (SolveOptions::default(), ("writing", progress));
        write_whole(game, place, (width, &options), of_block, |_| Ok(()), stage)
    }
}

/// The rows of positions or slots, made part by part on all threads. `rows` is also told the place
/// of its first one. Without any, the columns are there all the same.
pub(super) fn in_parts<T: Sync>(
    asked: &[T],
    rows: impl Fn(usize, &[T]) -> Result<Batch> + Sync,
) -> Result<Batch> {
    /// Positions or slots of one part.
    const TOGETHER: usize = 1 << 10;
    let parts = asked.par_chunks(TOGETHER).enumerate();
    let parts = parts.map(|(part, asked)| rows(part * TOGETHER, asked));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let mut all = rows(0, &[])?;
    for part in parts {
        all.append(part)?;
    }
    Ok(all)
}

type Columns = Vec<(&'static str, ColumnData)>;

fn slots<R>(rows: &[R], value: impl Fn(&R) -> Option<u64>) -> ColumnData {
    ColumnData::slots(rows.iter().map(value))
}

fn numbers<R, T: Into<i32>>(rows: &[R], value: impl Fn(&R) -> Option<T>) -> ColumnData {
    ColumnData::Numbers(rows.iter().map(|row| value(row).map(Into::into)).collect())
}

fn flags<R>(rows: &[R], value: impl Fn(&R) -> Option<bool>) -> ColumnData {
    ColumnData::Flags(rows.iter().map(value).collect())
}

/// The moves of a position, each with the number of the move of the child that takes it back. Of
/// moves that are forbidden together one is listed.
fn steps(game: &ErasedGame, slot: u64) -> Vec<(ListedMove<Placed>, Option<u8>)> {
    let mut steps = Vec::new();
    game.moves_by_slot(slot, u32::MAX, |listed| {
        let undo = match listed.leads {
            Next::State((child, true)) => Some(child.number),
            _ => None,
        };
        steps.push((listed, undo));
    });
    if game.repetition() == Repetition::AllImages && game.is_symmetric(slot) {
        let child = |listed: &ListedMove<Placed>| match listed.leads {
            Next::State((child, _)) if listed.within => (child.slot, 0),
            _ => (u64::MAX, listed.number),
        };
        steps.sort_by_key(|(listed, _)| (child(listed), listed.number));
        steps.dedup_by_key(|(listed, _)| child(listed));
    }
    if game.repetition() != Repetition::Exact {
        for (listed, undo) in &mut steps {
            if let Next::State((child, _)) = listed.leads
                && listed.within
            {
                *undo = way_back(game, child.slot, slot);
            }
        }
    }
    steps
}

/// The first move of a position that leads to another one of its group.
fn way_back(game: &ErasedGame, from: u64, to: u64) -> Option<u8> {
    let mut first = None::<u8>;
    game.edges(from, |number, next| {
        if next.slot == to {
            first = Some(first.map_or(number, |before| before.min(number)));
        }
    });
    first
}

fn degrees(game: &ErasedGame, places: &[u64]) -> Columns {
    let degrees = places.iter().map(|&slot| {
        game.cursor(slot)?;
        let mut found = Degrees {
            symmetric: game.is_symmetric(slot),
            ..Degrees::default()
        };
        for (listed, _) in steps(game, slot) {
            match listed.leads {
                Next::Over(outcome) => found.over = found.over.max(Some(outcome)),
                Next::State(_) if listed.within => {
                    found.open += 1;
                    found.numbers ^= listed.number;
                }
                Next::State(_) => found.leaving += 1,
            }
        }
        Some(found)
    });
    let rows: Vec<_> = degrees.collect();
    let number = |value: fn(&Degrees) -> i32| numbers(&rows, |row| row.as_ref().map(value));
    let symmetric = flags(&rows, |row| Some(row.as_ref()?.symmetric));
    vec![
        ("slot", slots(places, |&slot| Some(slot))),
        ("open", number(|row| row.open)),
        ("numbers", number(|row| row.numbers.into())),
        ("leaving", number(|row| row.leaving)),
        ("over", numbers(&rows, |row| row.as_ref()?.over.map(result))),
        ("symmetric", symmetric),
    ]
}

#[derive(Default)]
struct Degrees {
    open: i32,
    numbers: u8,
    leaving: i32,
    over: Option<Outcome>,
    symmetric: bool,
}

fn result(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

fn successors(game: &ErasedGame, places: impl Iterator<Item = (usize, u64)>) -> Columns {
    let mut rows = Vec::new();
    for (row, slot) in places.filter(|&(_, slot)| game.cursor(slot).is_some()) {
        for (listed, undo) in steps(game, slot) {
            let (child, over) = match listed.leads {
                Next::State((child, _)) => (Some(child), None),
                Next::Over(outcome) => (None, Some(result(outcome))),
            };
            rows.push((row, listed, child, over, undo));
        }
    }
    let child = slots(&rows, |(.., child, _, _)| Some((*child)?.slot));
    let symmetric = flags(&rows, |(.., child, _, _)| Some((*child)?.symmetric));
    vec![
        ("row", slots(&rows, |row| Some(row.0 as u64))),
        ("number", numbers(&rows, |(_, it, ..)| Some(it.number))),
        ("child", child),
        ("within", flags(&rows, |(_, it, ..)| Some(it.within))),
        ("over", numbers(&rows, |&(.., over, _)| over)),
        ("undo", numbers(&rows, |&(.., undo)| undo)),
        ("symmetric", symmetric),
    ]
}

fn predecessors(game: &ErasedGame, places: impl Iterator<Item = (usize, u64)>) -> Columns {
    let exact = game.repetition() == Repetition::Exact;
    let mut rows = Vec::new();
    for (row, slot) in places.filter(|&(_, slot)| game.cursor(slot).is_some()) {
        game.unmoves_with_undo(slot, |before, undo| {
            if game.cursor(before.slot).is_some() {
                let undo = if exact {
                    undo
                } else {
                    way_back(game, slot, before.slot)
                };
                rows.push((row, before, undo));
            }
        });
    }
    vec![
        ("row", slots(&rows, |row| Some(row.0 as u64))),
        ("parent", slots(&rows, |(_, it, _)| Some(it.slot))),
        ("number", numbers(&rows, |(_, it, _)| Some(it.number))),
        ("undo", numbers(&rows, |&(.., undo)| undo)),
        ("symmetric", flags(&rows, |(_, it, _)| Some(it.symmetric))),
    ]
}

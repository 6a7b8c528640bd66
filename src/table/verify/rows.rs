//! Verification row by row: the records are arranged by bucket once, and then the values of
//! a move's positions are read side by side for all positions of a row.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields are extracted from packed words on purpose, and words are in memory"
)]

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::super::findings::Flaw;
use super::super::format::{BLOCK_SLOTS, logical_bytes};
use super::super::{Table, TableError};
use super::{Checked, GroupCheck, out_of_memory};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Record, Value};
use crate::base::watch::Watch;
use crate::game::{ByRows, Repetition, RowExit, RowExitTo, RowImages, RowMove, RowVisitor};
use crate::solve::{
    Condition, Floors, FloorsError, Ordinal, RowTable, TOO_LONG, ValueOrder, WordArray, WordWidth,
};

/// Number of rows that a thread takes at a time: so many that few blocks of the table are
/// read twice.
const RUN: usize = 64;

/// Stands for the number of a best move where several are best.
const NO_NUMBER: u8 = 127;

impl<W: WordWidth, T: Watch> RowVisitor for GroupCheck<'_, W, T> {
    type Output = Result<Checked, TableError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let tables = RowTable::of_group(game, self.number);
        let (table, watch) = (self.table, self.watch);
        let floors = match Floors::new(game, &tables, self.earlier, self.order, watch) {
            Ok(floors) => floors,
            Err(FloorsError::Memory { source, .. }) => return Err(out_of_memory(table, source)),
            // Only records that are wrong lead here, and this way has no room for them.
            Err(FloorsError::TooLong | FloorsError::Cancelled) => return self.by_edges(game),
        };
        let arranged = Arranged::new(game, &tables, table, self.order, watch)?;
        let Some((arranged, leaves)) = arranged else {
            return self.by_edges(game);
        };
        let slots = slots_of_group(game, self.number);
        watch.begin("verifying", slots.end - slots.start);
        let check = RowCheck {
            game,
            tables: &tables,
            table,
            floors: &floors,
            arranged: &arranged,
            order: self.order,
            first: slots.start,
        };
        let mut flaws = Vec::new();
        for (number, rows) in tables.iter().enumerate() {
            let found = rows.runs_of(RUN).map(|run| {
                let done = (run.len() * rows.columns()) as u64;
                let found = check.run(number, run);
                watch.advance(done);
                found
            });
            flaws.extend(found.collect::<Result<Vec<_>, TableError>>()?.concat());
        }
        let end = usize::try_from(slots.end).unwrap_or(usize::MAX);
        let failed = std::sync::Mutex::new(None);
        self.earlier.extend(end, |slots, codes| {
            if let Err(error) = table.best_codes(slots, codes)
                && let Ok(mut failed) = failed.lock()
            {
                *failed = Some(error);
            }
        });
        if let Some(error) = failed.into_inner().ok().flatten() {
            return Err(error);
        }
        Ok(Checked {
            records: slots.end - slots.start,
            flaws,
            leaves,
        })
    }
}

fn slots_of_group<G: ByRows>(game: &G, number: usize) -> Range<u64> {
    let layers = || game.layers().iter().filter(|layer| layer.group == number);
    let first = layers().map(|layer| layer.slots.start).min().unwrap_or(0);
    first..layers().map(|layer| layer.slots.end).max().unwrap_or(0)
}

/// What a move to a position is worth, in one word: the ordinals of its best and its second
/// value, its only best move, and whether a move that does not take the last one back may
/// lead back.
#[derive(Clone, Copy)]
struct Worth(u64);

impl Worth {
    #[inline(always)]
    fn new<W: WordWidth>(best: Ordinal, second: Ordinal, only: u8, unsure: bool) -> Self {
        let width = 8 * W::BYTES;
        Self(
            u64::from(best)
                | u64::from(second) << width
                | u64::from(only) << (2 * width)
                | u64::from(unsure) << (2 * width + 8 - 1),
        )
    }

    #[inline(always)]
    fn best<W: WordWidth>(self) -> Ordinal {
        (self.0 & ((1 << (8 * W::BYTES)) - 1)) as Ordinal
    }

    #[inline(always)]
    fn second<W: WordWidth>(self) -> Ordinal {
        Self(self.0 >> (8 * W::BYTES)).best::<W>()
    }

    /// The number of the only best move, of seven bits.
    #[inline(always)]
    fn only<W: WordWidth>(self) -> u8 {
        (self.0 >> (16 * W::BYTES)) as u8 & 127
    }

    #[inline(always)]
    fn is_unsure<W: WordWidth>(self) -> bool {
        self.0 >> (16 * W::BYTES + 7) & 1 == 1
    }
}

/// What moves to the positions of a group are worth, by layer, bucket and set.
struct Arranged<W: WordWidth>(Vec<WordArray<W::Atom>>);

impl<W: WordWidth> Arranged<W> {
    /// Arranges the records of a group, and hashes them for the fingerprint. `None` if a
    /// distance is too long for the width.
    fn new<'g, G: ByRows>(
        game: &'g G,
        tables: &[RowTable<'g>],
        table: &Table,
        order: &ValueOrder<W>,
        watch: &impl Watch,
    ) -> Result<Option<(Self, Vec<u128>)>, TableError> {
        let too_long = AtomicBool::new(false);
        let (mut layers, mut leaves) = (Vec::new(), Vec::new());
        for rows in tables {
            let buckets = &tables[rows.answers].shape;
            let words = WordArray::<W::Atom>::new(buckets.rows * buckets.columns.len())
                .map_err(|source| out_of_memory(table, source))?;
            let slots = game.layers()[rows.layer].slots.clone();
            watch.begin("loading", slots.end - slots.start);
            let blocks: Vec<usize> = (0..table.blocks())
                .filter(|&number| {
                    let block = table.slots_of(number);
                    slots.start <= block.start && block.end <= slots.end
                })
                .collect();
            let found: Vec<u128> = blocks
                .into_par_iter()
                .map(|number| {
                    let block = table.block(number)?;
                    let from = block.slots().start - slots.start;
                    let mut logical = Vec::with_capacity(5 * BLOCK_SLOTS as usize);
                    let records: Vec<Record> = block.records().collect();
                    for &record in &records {
                        logical.extend_from_slice(&logical_bytes(record));
                    }
                    let done = records.len() as u64;
                    let fits = dispatch(Arrange::<G, W> {
                        game,
                        rows,
                        buckets: &tables[rows.answers],
                        order,
                        words: &words,
                        from: from as usize,
                        records,
                    });
                    if !fits {
                        too_long.store(true, Relaxed);
                    }
                    watch.advance(done);
                    Ok(xxh3_128(&logical))
                })
                .collect::<Result<_, TableError>>()?;
            layers.push(words);
            leaves.extend(found);
        }
        Ok((!too_long.into_inner()).then_some((Self(layers), leaves)))
    }
}

/// Arranges the records of one block.
struct Arrange<'a, 'g, G, W: WordWidth> {
    game: &'g G,
    rows: &'a RowTable<'g>,
    buckets: &'a RowTable<'g>,
    order: &'a ValueOrder<W>,
    words: &'a [W::Atom],
    /// Number of the first record within the layer.
    from: usize,
    records: Vec<Record>,
}

impl<G: ByRows, W: WordWidth> CpuTask for Arrange<'_, '_, G, W> {
    /// Whether all distances fit.
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let (game, layer) = (self.game, self.rows.layer);
        let columns = self.rows.shape.columns;
        let (buckets, ranker) = (self.buckets.columns(), self.buckets.shape.ranker);
        let up_to_symmetry = game.repetition() == Repetition::UpToSymmetry;
        let first = game.layers()[layer].slots.start + self.from as u64;
        let mut at_row: Option<(usize, RowImages, u32)> = None;
        let mut fits = true;
        for (number, record) in self.records.iter().enumerate() {
            if record.is_vacant() {
                continue;
            }
            let index = self.from + number;
            let (row, column) = (index / columns.len(), index % columns.len());
            let (images, free) = match at_row {
                Some((known, images, free)) if known == row => (images, free),
                _ => {
                    let images = game.row_images(layer, row);
                    let free = game.row(layer, row).free;
                    at_row = Some((row, images, free));
                    (images, free)
                }
            };
            let through = |value: Value| {
                let narrow = value.resized::<W>().unwrap_or(Value::VACANT);
                self.order.through_move(narrow.code())
            };
            let (best, second) = (through(record.best()), through(record.second()));
            if best == TOO_LONG || second == TOO_LONG {
                fits = false;
                continue;
            }
            let unsure = up_to_symmetry && best != second && is_unsure(game, first + number as u64);
            let only = record.only_move().unwrap_or(NO_NUMBER);
            let opponent = cpu.deposit(columns[column], free);
            game.transposed(cpu, &images, opponent, only, |seen| {
                let at = seen.bucket as usize * buckets + ranker.rank(seen.set) as usize;
                let worth = Worth::new::<W>(best, second, seen.number, unsure);
                W::store(&self.words[at], worth.0);
            });
        }
        fits
    }
}

/// Whether a move may lead back up to symmetry that does not take the last one back.
#[cold]
fn is_unsure<G: ByRows>(game: &G, slot: u64) -> bool {
    let cursor = game.cursor(slot);
    cursor.is_some_and(|cursor| game.is_symmetric(cursor) || game.may_return_turned(cursor))
}

/// The best two values of a position, as ordinals, and the only move with the best one.
#[derive(Clone, Copy)]
struct Top(u64);

impl Top {
    const NONE: Self = Self(Record::NO_MOVE as u64);

    #[inline(always)]
    const fn best(self) -> Ordinal {
        (self.0 >> 32) as Ordinal
    }

    #[inline(always)]
    const fn second(self) -> Ordinal {
        (self.0 >> 8) as Ordinal & 0xff_ffff
    }

    #[inline(always)]
    const fn only(self) -> u8 {
        self.0 as u8
    }

    /// Adds a move that may be forbidden.
    #[inline(always)]
    fn bound(&mut self, ordinal: Ordinal, number: u8) {
        let (ordinal, old) = (u64::from(ordinal), self.0);
        let best = old >> 32;
        let better = ordinal << 32 | best << 8 | u64::from(number);
        let second = (old >> 8 & 0xff_ffff).max(ordinal);
        let worse = best << 32 | second << 8 | old & 0xff;
        self.0 = if ordinal > best { better } else { worse };
    }

    /// Adds a move that cannot be forbidden, which counts for both values.
    #[inline(always)]
    fn free(&mut self, ordinal: Ordinal) {
        self.bound(ordinal, Record::NO_MOVE);
        self.bound(ordinal, Record::NO_MOVE);
    }
}

/// Everything from which the records of a group are derived.
struct RowCheck<'a, 'g, G, W: WordWidth> {
    game: &'g G,
    tables: &'a [RowTable<'g>],
    table: &'a Table,
    floors: &'a Floors<'g>,
    arranged: &'a Arranged<W>,
    order: &'a ValueOrder<W>,
    /// The first slot of the group.
    first: u64,
}

/// Memory for the work on one row.
#[derive(Default)]
struct Bench {
    tops: Vec<Top>,
    floors: Vec<Ordinal>,
    exits: Vec<RowExit>,
    stored: Vec<Record>,
}

impl<G: ByRows, W: WordWidth> RowCheck<'_, '_, G, W> {
    /// Derives the records of some rows and returns those that differ from the stored ones.
    fn run(&self, number: usize, rows: Range<usize>) -> Result<Vec<Flaw>, TableError> {
        let table = &self.tables[number];
        let mut flaws = Vec::new();
        let mut bench = Bench::default();
        let mut rest: Vec<Record> = Vec::new();
        let records = table.records(rows.start).start..table.records(rows.end - 1).end;
        let mut slot = self.first + records.start as u64;
        for row in rows {
            while rest.len() < table.columns() {
                let (block, at, _) = self.table.find(slot)?;
                let block = self.table.block(block)?;
                rest.extend(block.records().skip(at));
                slot = block.slots().end;
            }
            bench.stored.clear();
            bench.stored.extend(rest.drain(..table.columns()));
            dispatch(CheckRow {
                check: self,
                table,
                row,
                bench: &mut bench,
                flaws: &mut flaws,
            });
        }
        Ok(flaws)
    }

    /// Adds a move to the values of all positions of a row that have it.
    #[inline(always)]
    fn add<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'_>,
        row: usize,
        mv: &RowMove,
        tops: &mut [Top],
    ) {
        let buckets = self.tables[table.answers].answers;
        debug_assert!(std::ptr::eq(&raw const self.tables[buckets], table));
        let len = table.columns();
        let from = mv.bucket as usize * len;
        let words = &self.arranged.0[table.answers][from..from + len];
        let condition = Condition {
            mask: mv.condition_mask,
            bits: mv.condition,
        };
        let value = |set: u32, column: u32| {
            let worth = Worth(W::load(&words[set as usize]));
            if worth.is_unsure::<W>() {
                return self.unsure(worth, table, row, mv, set, column);
            }
            let back = mv.undo != RowMove::NO_UNDO && worth.only::<W>() == mv.undo;
            if back {
                worth.second::<W>()
            } else {
                worth.best::<W>()
            }
        };
        if mv.turn_back == 0 {
            let columns = table.lists.fulfilling(condition);
            let sets = table.lists.fulfilling(Condition {
                mask: mv.image_mask,
                bits: mv.image,
            });
            for (&column, &set) in columns.iter().zip(&*sets) {
                tops[column as usize].bound(value(set, column), mv.number);
            }
            return;
        }
        let free = self.game.row(table.layer, row).free;
        let turn = self.game.turn(mv.turn);
        for ((column, top), &set) in (0..).zip(tops.iter_mut()).zip(table.shape.columns) {
            if set & condition.mask == condition.bits {
                let after = turn(cpu.deposit(set, free) ^ mv.flip);
                let set = table.shape.ranker.rank(cpu.extract(after, mv.bucket_free));
                top.bound(value(set, column), mv.number);
            }
        }
    }

    /// The ordinal of a move to a position from which a move other than the one that takes
    /// it back may lead to an image of the position before.
    #[cold]
    fn unsure(
        &self,
        worth: Worth,
        table: &RowTable<'_>,
        row: usize,
        mv: &RowMove,
        set: u32,
        column: u32,
    ) -> Ordinal {
        let layer = self.tables[table.answers].layer;
        let squares = crate::base::cpu::deposit(table.shape.columns[set as usize], mv.bucket_free);
        let bucket = mv.bucket as usize;
        let only = worth.only::<W>();
        let back = self.game.transposed_follow(layer, bucket, squares, only);
        let parent = self.first + (table.records(row).start + column as usize) as u64;
        if back == parent {
            worth.second::<W>()
        } else {
            worth.best::<W>()
        }
    }

    /// The record with these best values; `None` if it has no code.
    fn record(&self, top: Top) -> Option<Record> {
        let value = |ordinal| {
            let value = self.order.value(ordinal).unwrap_or(Value::SELF_MATE);
            value.resized()
        };
        Some(Record::new(
            value(top.best())?,
            value(top.second())?,
            top.only(),
        ))
    }
}

struct CheckRow<'r, 'a, 'g, G, W: WordWidth> {
    check: &'r RowCheck<'a, 'g, G, W>,
    table: &'r RowTable<'g>,
    row: usize,
    bench: &'r mut Bench,
    flaws: &'r mut Vec<Flaw>,
}

impl<G: ByRows, W: WordWidth> CpuTask for CheckRow<'_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let (check, table) = (self.check, self.table);
        let (game, order) = (check.game, check.order);
        let columns = table.shape.columns;
        let row = game.row(table.layer, self.row);
        let Bench {
            tops,
            floors,
            exits,
            stored,
        } = self.bench;
        tops.clear();
        tops.resize(columns.len(), Top::NONE);
        floors.clear();
        floors.resize(columns.len(), 0);
        for mv in table.moves(self.row) {
            check.add(cpu, table, self.row, mv, tops);
        }
        let [win, loss] = [Value::CHECKMATE, Value::SELF_MATE].map(|value| order.ordinal(value));
        exits.clear();
        game.row_exits(table.layer, self.row, exits);
        for exit in exits.iter() {
            let over = match exit.to {
                RowExitTo::Win => win,
                RowExitTo::Loss => loss,
                RowExitTo::Earlier { .. } => {
                    check
                        .floors
                        .raise::<_, W, _>(cpu, game, table, row.free, exit, floors);
                    continue;
                }
            };
            for (floor, &column) in floors.iter_mut().zip(columns) {
                if column & exit.condition_mask == exit.condition {
                    *floor = (*floor).max(over);
                }
            }
        }
        let first = check.first + table.records(self.row).start as u64;
        for (column, &stored) in stored.iter().enumerate() {
            let mut top = tops[column];
            let floor = floors[column];
            if floor > 0 {
                top.free(floor);
            }
            let slot = first + column as u64;
            let vacant = row.symmetric && game.cursor(slot).is_none();
            let derived = if vacant {
                Some(Record::VACANT)
            } else {
                check.record(top)
            };
            if derived != Some(stored) {
                self.flaws.push(Flaw {
                    slot,
                    stored,
                    derived: derived.unwrap_or(Record::VACANT),
                });
            }
        }
    }
}

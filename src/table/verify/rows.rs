//! Verification row by row: the records are arranged by bucket once, and then the values of
//! a move's positions are read side by side for all positions of a row.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::ops::Range;

use rayon::prelude::*;

use super::super::findings::Flaw;
use super::super::resident::Packed;
use super::super::{Table, TableError};
use super::arranged::{Arranged, MoveValue};
use super::top::{Top, flaw};
use super::{Checked, GroupCheck};
use crate::base::cpu::{BitMap, Cpu, CpuTask, Filter, SELECTED, deposit, dispatch};
use crate::base::value::{Record, Value};
use crate::base::watch::Watch;
use crate::game::{ByRows, Repetition, RowExit, RowExitTo, RowMove, RowVisitor};
use crate::solve::{Floors, FloorsError, Ordinal, RowTable, ValueOrder, WordWidth};

/// Number of rows that a thread takes at a time: so many that few blocks of the table are
/// read twice.
const RUN: usize = 64;

impl<W: WordWidth, T: Watch> RowVisitor for GroupCheck<'_, W, T> {
    type Output = Result<Checked, TableError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let tables = RowTable::of_group(game, self.number);
        let (table, watch) = (self.table, self.watch);
        let floors = match Floors::new(game, &tables, self.earlier, self.order, watch) {
            Ok(floors) => floors,
            Err(FloorsError::Memory { source, .. }) => return Err(table.out_of_memory(source)),
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
            codes: &OrdinalCodes::new(self.order),
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
        table.extend_codes(self.earlier, slots.end)?;
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

/// Everything from which the records of a group are derived.
struct RowCheck<'a, 'g, G, W: WordWidth> {
    game: &'g G,
    tables: &'a [RowTable<'g>],
    table: &'a Table,
    floors: &'a Floors<'g>,
    arranged: &'a Arranged<W>,
    order: &'a ValueOrder<W>,
    codes: &'a OrdinalCodes,
    /// The first slot of the group.
    first: u64,
}

/// Memory for the work on one row.
struct Buffers<W: WordWidth> {
    /// The best and the second move of each position, see [`Top::key`].
    best: Vec<u32>,
    second: Vec<u32>,
    floors: Vec<Ordinal>,
    exits: Vec<RowExit>,
    stored: Vec<Packed>,
    /// For the positions that have a move: the places of the positions after it, what the
    /// move is worth, and the same as a key.
    places: Vec<u32>,
    values: Vec<W::Word>,
    keys: Vec<u32>,
    map: BitMap,
}

impl<W: WordWidth> Buffers<W> {
    fn new(columns: usize) -> Self {
        Self {
            best: vec![0; columns],
            second: vec![0; columns],
            floors: vec![0; columns],
            exits: Vec::new(),
            stored: Vec::with_capacity(columns),
            // Vectors of sixteen are stored whole.
            places: vec![0; columns + 16],
            values: vec![W::Word::default(); columns + 16],
            keys: vec![0; columns + 16],
            map: BitMap::default(),
        }
    }
}

impl<G: ByRows, W: WordWidth> RowCheck<'_, '_, G, W> {
    /// Derives the records of some rows and returns those that differ from the stored ones.
    fn run(&self, number: usize, rows: Range<usize>) -> Result<Vec<Flaw>, TableError> {
        let table = &self.tables[number];
        let mut flaws = Vec::new();
        let mut buffers = Buffers::new(table.columns());
        let mut rest: Vec<Packed> = Vec::new();
        let records = table.records(rows.start).start..table.records(rows.end - 1).end;
        let mut slot = self.first + records.start as u64;
        for row in rows {
            while rest.len() < table.columns() {
                let (block, at, _) = self.table.find(slot)?;
                let block = self.table.block(block)?;
                rest.extend_from_slice(&block.packed()[at..]);
                slot = block.slots().end;
            }
            buffers.stored.clear();
            buffers.stored.extend(rest.drain(..table.columns()));
            dispatch(CheckRow {
                check: self,
                table,
                row,
                buffers: &mut buffers,
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
        buffers: &mut Buffers<W>,
    ) {
        let buckets = self.tables[table.answers].answers;
        debug_assert!(std::ptr::eq(&raw const self.tables[buckets], table));
        let len = table.columns();
        let from = mv.bucket as usize * len;
        let words = &self.arranged.0[table.answers][from..from + len];
        let columns = table.lists.set(mv.condition);
        let count = if mv.turn == 0 {
            let sets = table.lists.set(mv.image);
            W::compress(cpu, words, &sets, &mut buffers.values)
        } else {
            self.turned_values(cpu, table, row, mv, words, buffers)
        };
        let values = &buffers.values[..count];
        let keys = &mut buffers.keys[..count];
        for (key, &value) in keys.iter_mut().zip(values) {
            let value = MoveValue(value.into());
            let ordinal = value.after::<W>(value.only::<W>() == mv.undo);
            *key = Top::key(ordinal, mv.number);
        }
        if self.game.repetition() == Repetition::UpToSymmetry {
            self.mend_unsure(table, row, mv, values, keys);
        }
        cpu.raise(&mut buffers.best, &mut buffers.second, &columns, keys);
    }

    /// What a move that is turned is worth in the positions of a row that have it. Returns
    /// their number.
    #[inline(always)]
    fn turned_values<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'_>,
        row: usize,
        mv: &RowMove,
        words: &[W::Atom],
        buffers: &mut Buffers<W>,
    ) -> usize {
        let Buffers {
            places,
            values,
            map,
            ..
        } = buffers;
        let free = self.game.row(table.layer, row).free;
        let turn = self.game.turn(mv.turn);
        let of = |squares| cpu.extract(turn(squares), mv.bucket_free);
        map.set(free.count_ones(), of(mv.flip), |place| {
            of(cpu.deposit(1 << place, free))
        });
        let filter = Filter {
            mask: mv.condition.mask,
            bits: mv.condition.bits,
            ..Filter::default()
        };
        let mut selected = [0; SELECTED + 16];
        let mut count = 0;
        for columns in table.shape.columns.chunks(SELECTED) {
            let more = cpu.select::<false>(columns, filter, &mut selected);
            places[count..count + more].copy_from_slice(&selected[..more]);
            count += more;
        }
        let places = &mut places[..count];
        cpu.image_ranks(places, map, table.shape.ranker);
        W::gather(cpu, words, places, &mut values[..count]);
        count
    }

    /// Finds out what a move is worth where a move other than the one that takes it back may
    /// lead to an image of the position before.
    #[inline(never)]
    fn mend_unsure(
        &self,
        table: &RowTable<'_>,
        row: usize,
        mv: &RowMove,
        values: &[W::Word],
        keys: &mut [u32],
    ) {
        let layer = self.tables[table.answers].layer;
        let free = self.game.row(table.layer, row).free;
        let first = self.first + table.records(row).start as u64;
        let columns = table.lists.fulfilling(mv.condition);
        for ((key, &value), &column) in keys.iter_mut().zip(values).zip(&*columns) {
            let value = MoveValue(value.into());
            if !value.is_unsure::<W>() {
                continue;
            }
            let before = deposit(table.shape.columns[column as usize], free);
            let after = self.game.turn(mv.turn)(before ^ mv.flip);
            let bucket = mv.bucket as usize;
            let only = value.only::<W>();
            let back = self.game.transposed_follow(layer, bucket, after, only);
            let ordinal = value.after::<W>(back == first + u64::from(column));
            *key = Top::key(ordinal, mv.number);
        }
    }
}

struct CheckRow<'r, 'a, 'g, G, W: WordWidth> {
    check: &'r RowCheck<'a, 'g, G, W>,
    table: &'r RowTable<'g>,
    row: usize,
    buffers: &'r mut Buffers<W>,
    flaws: &'r mut Vec<Flaw>,
}

impl<G: ByRows, W: WordWidth> CpuTask for CheckRow<'_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let (check, table) = (self.check, self.table);
        let (game, order, codes) = (check.game, check.order, check.codes);
        let columns = table.shape.columns;
        let row = game.row(table.layer, self.row);
        let buffers = self.buffers;
        buffers.best.fill(0);
        buffers.second.fill(0);
        buffers.floors.fill(0);
        for mv in table.moves(self.row) {
            check.add(cpu, table, self.row, mv, buffers);
        }
        let Buffers {
            best,
            second,
            floors,
            exits,
            stored,
            ..
        } = buffers;
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
                if exit.condition.holds(column) {
                    *floor = (*floor).max(over);
                }
            }
        }
        let first = check.first + table.records(self.row).start as u64;
        for (column, &stored) in stored.iter().enumerate() {
            let mut top = Top::of(best[column], second[column]);
            let floor = floors[column];
            if floor > 0 {
                top.free(floor);
            }
            if !row.symmetric && stored == codes.packed::<W>(top) {
                continue;
            }
            let slot = first + column as u64;
            let derived = if row.symmetric && game.cursor(slot).is_none() {
                Some(Record::VACANT)
            } else {
                top.record(order)
            };
            self.flaws.extend(flaw::<W>(slot, stored, derived));
        }
    }
}

/// The codes of values by ordinal.
struct OrdinalCodes(Vec<u16>);

impl OrdinalCodes {
    fn new<W: WordWidth>(order: &ValueOrder<W>) -> Self {
        let code = |ordinal| order.value(ordinal).unwrap_or(Value::SELF_MATE).code();
        Self((0..=u32::from(W::DRAW)).map(code).collect())
    }

    /// The record with these best moves.
    #[inline(always)]
    fn packed<W: WordWidth>(&self, top: Top) -> Packed {
        let [best, second] = top.ordinals().map(|ordinal| self.0[ordinal as usize]);
        Packed::new(best, second, top.only(), W::BYTES)
    }
}

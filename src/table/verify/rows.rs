//! Verification row by row: the records are arranged by bucket once, and then the values of
//! a move's positions are read side by side for all positions of a row.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use rayon::prelude::*;

use super::top::{Top, flaw};
use super::{Flaw, GroupCheck};
use crate::base::cpu::{BitMap, Cpu, CpuTask, Filter, NONE_SELECTED, SELECTED, deposit, dispatch};
use crate::base::value::{Narrow, Record, Value, Width};
use crate::game::{ByRows, Repetition, Row, RowExit, RowMove, RowVisitor};
use crate::solve::{
    Floors, Ordinal, RowTable, SolveError, ValueOrder, fetched_together, prefetch_read,
};
use crate::table::arranged::{Arranged, MoveValue};
use crate::table::block::Packed;
use crate::table::{Result, Table};

/// Number of rows that a thread takes at a time, enough that few blocks of the table are read
/// twice.
const RUN: usize = 64;

impl RowVisitor<'_> for GroupCheck<'_> {
    type Output = Result<()>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let tables = RowTable::of_group(game, self.number);
        let (table, progress) = (self.table, self.progress);
        let order = &ValueOrder::<Narrow>::new();
        let floors = match Floors::new(game, &tables, &*self.earlier, order, progress) {
            Ok(floors) => floors,
            Err(SolveError::Memory(error)) => return Err(table.out_of_memory(error.source)),
            // Only records that are wrong lead here, and this way has no room for them.
            Err(_) => return self.by_edges::<G, Narrow>(game),
        };
        let arranged = Arranged::new(game, &tables, table, order, progress)?;
        let Some((arranged, leaves)) = arranged else {
            return self.by_edges::<G, Narrow>(game);
        };
        let slots = game.group_slots(self.number);
        progress.begin("verifying", slots.end - slots.start);
        let code = |ordinal| order.value(ordinal).unwrap_or(Value::SELF_MATE).code();
        let check = RowCheck {
            game,
            tables: &tables,
            floors: &floors,
            arranged: &arranged,
            order,
            first: slots.start,
            table,
            codes: (0..=u32::from(Narrow::DRAW)).map(code).collect(),
        };
        for (number, rows) in tables.iter().enumerate() {
            let found = rows.runs_of(RUN).map(|run| {
                let done = (run.len() * rows.columns()) as u64;
                let found = check.run(number, run);
                progress.advance(done);
                found
            });
            let found = found.collect::<Result<Vec<_>>>()?;
            self.flaws.extend(found.into_iter().flatten());
        }
        self.leaves.extend(leaves);
        table.extend_codes(self.earlier, slots.end)
    }
}

/// The check of a group's rows, with everything from which records are derived.
struct RowCheck<'a, 'g, G> {
    game: &'a G,
    tables: &'a [RowTable<'g>],
    floors: &'a Floors<'g>,
    arranged: &'a Arranged,
    order: &'a ValueOrder<Narrow>,
    /// The first slot of the group.
    first: u64,
    table: &'a Table,
    /// By ordinal: the code of the value.
    codes: Vec<u16>,
}

impl<G: ByRows> RowCheck<'_, '_, G> {
    /// Derives the records of some rows and returns those that differ from the stored ones.
    fn run(&self, number: usize, rows: Range<usize>) -> Result<Vec<Flaw>> {
        let table = &self.tables[number];
        let mut flaws = Vec::new();
        let mut tops = RowTops::new(table.columns());
        let mut stored = Vec::with_capacity(table.columns());
        // The records of a block, and how many of them are done.
        let (mut held, mut used) = (Vec::new(), 0);
        let records = table.records(rows.start).start..table.records(rows.end - 1).end;
        let mut slot = self.first + records.start as u64;
        for row in rows {
            stored.clear();
            while stored.len() < table.columns() {
                if used == held.len() {
                    let (block, at, _) = self.table.find(slot)?;
                    let block = self.table.block(block)?;
                    (held, used) = (block.packed(), at);
                    slot = block.slots.end;
                }
                let missing = table.columns() - stored.len();
                let end = held.len().min(used + missing);
                stored.extend_from_slice(&held[used..end]);
                used = end;
            }
            dispatch(CheckRow {
                check: self,
                table,
                row,
                tops: &mut tops,
                stored: &stored,
                flaws: &mut flaws,
            });
        }
        Ok(flaws)
    }
}

struct CheckRow<'r, 'a, 'g, G> {
    check: &'r RowCheck<'a, 'g, G>,
    table: &'r RowTable<'g>,
    row: usize,
    tops: &'r mut RowTops,
    stored: &'r [Packed],
    flaws: &'r mut Vec<Flaw>,
}

impl<G: ByRows> CpuTask for CheckRow<'_, '_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let (check, table) = (self.check, self.table);
        let (game, order, first) = (check.game, check.order, check.first);
        let row = check.derive(cpu, table, self.row, self.tops);
        let first = first + table.records(self.row).start as u64;
        for ((slot, &stored), top) in (first..).zip(self.stored).zip(self.tops.tops()) {
            let [best, second] = top.ordinals().map(|ordinal| check.codes[ordinal as usize]);
            if !row.symmetric && stored == Packed::new(best, second, top.only(), 1) {
                continue;
            }
            let derived = if row.symmetric && game.cursor(slot).is_none() {
                Some(Record::VACANT)
            } else {
                top.record(order)
            };
            self.flaws.extend(flaw::<Narrow>(slot, stored, derived));
        }
    }
}

/// The best moves of the positions of one row, and memory for finding them.
struct RowTops {
    /// The best and the second move of each position that may be forbidden, see [`Top::key`].
    best: Vec<u32>,
    second: Vec<u32>,
    /// What the best move that cannot be forbidden is worth.
    floors: Vec<Ordinal>,
    exits: Vec<RowExit>,
    /// For the positions that have a move: the places of the positions after it, what the
    /// move is worth, and the same as a key.
    places: Vec<u32>,
    values: Vec<u32>,
    keys: Vec<u32>,
    map: BitMap,
}

impl RowTops {
    pub(crate) fn new(columns: usize) -> Self {
        // Vectors of sixteen are stored whole.
        let room = columns + 16;
        Self {
            best: vec![0; columns],
            second: vec![0; columns],
            floors: vec![0; columns],
            exits: Vec::new(),
            places: vec![0; room],
            values: vec![0; room],
            keys: vec![0; room],
            map: BitMap::default(),
        }
    }

    /// The best two moves of each position, by column.
    #[inline(always)]
    pub(crate) fn tops(&self) -> impl Iterator<Item = Top> {
        let best = self.best.iter().zip(&self.second);
        best.zip(&self.floors).map(|((&best, &second), &floor)| {
            let mut top = Top::of(best, second);
            if floor > 0 {
                top.free(floor);
            }
            top
        })
    }
}

impl<G: ByRows> RowCheck<'_, '_, G> {
    /// Finds the best two moves of all positions of a row.
    #[inline(always)]
    pub(crate) fn derive<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'_>,
        number: usize,
        at: &mut RowTops,
    ) -> Row {
        let game = self.game;
        let row = game.row(table.layer, number);
        at.best.fill(0);
        at.second.fill(0);
        at.floors.fill(0);
        let moves = table.moves(number);
        for (place, mv) in moves.iter().enumerate() {
            if let Some(next) = moves.get(place + 1) {
                let bucket = self.bucket(table, next).iter();
                for value in bucket.step_by(fetched_together::<AtomicU32>()) {
                    prefetch_read(value);
                }
            }
            self.add(cpu, table, number, mv, at);
        }
        let RowTops { floors, exits, .. } = at;
        exits.clear();
        game.row_exits(table.layer, number, exits);
        for exit in exits.iter() {
            self.floors.raise(cpu, game, table, row.free, exit, floors);
        }
        row
    }

    /// What the moves to the positions of the bucket that a move leads to are worth.
    #[inline(always)]
    fn bucket(&self, table: &RowTable<'_>, mv: &RowMove) -> &[AtomicU32] {
        let buckets = self.tables[table.answers].answers;
        debug_assert!(std::ptr::eq(&raw const self.tables[buckets], table));
        let len = table.columns();
        let from = mv.bucket as usize * len;
        &self.arranged.0[table.answers][from..from + len]
    }

    /// Adds a move to the values of all positions of a row that have it.
    #[inline(always)]
    fn add<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'_>,
        row: usize,
        mv: &RowMove,
        tops: &mut RowTops,
    ) {
        let words = self.bucket(table, mv);
        let columns = table.lists.set(mv.condition);
        let count = if mv.turn == 0 {
            cpu.compress(words, &table.lists.set(mv.image), &mut tops.values)
        } else {
            self.turned_values(cpu, table, row, mv, words, tops)
        };
        let values = &tops.values[..count];
        let keys = &mut tops.keys[..count];
        for (key, &value) in keys.iter_mut().zip(values) {
            let value = MoveValue(value);
            *key = Top::key(value.after(value.only() == mv.undo), mv.number);
        }
        if self.game.repetition() == Repetition::UpToSymmetry {
            self.mend_unsure(table, row, mv, values, keys);
        }
        cpu.raise(&mut tops.best, &mut tops.second, &columns, keys);
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
        words: &[AtomicU32],
        tops: &mut RowTops,
    ) -> usize {
        let RowTops {
            places,
            values,
            map,
            ..
        } = tops;
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
        let mut selected = NONE_SELECTED;
        let mut count = 0;
        for columns in table.shape.columns.chunks(SELECTED) {
            let more = cpu.select::<false>(columns, filter, &mut selected);
            places[count..count + more].copy_from_slice(&selected[..more]);
            count += more;
        }
        let places = &mut places[..count];
        cpu.image_ranks(places, map, table.shape.ranker);
        cpu.gather(words, places, &mut values[..count]);
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
        values: &[u32],
        keys: &mut [u32],
    ) {
        let layer = self.tables[table.answers].layer;
        let free = self.game.row(table.layer, row).free;
        let first = self.first + table.records(row).start as u64;
        let columns = table.lists.fulfilling(mv.condition);
        for ((key, &value), &column) in keys.iter_mut().zip(values).zip(&*columns) {
            let value = MoveValue(value);
            if !value.is_unsure() {
                continue;
            }
            let before = deposit(table.shape.columns[column as usize], free);
            let after = self.game.turn(mv.turn)(before ^ mv.flip);
            let bucket = mv.bucket as usize;
            let only = value.only();
            let back = self.game.transposed_follow(layer, bucket, after, only);
            *key = Top::key(value.after(back == first + u64::from(column)), mv.number);
        }
    }
}

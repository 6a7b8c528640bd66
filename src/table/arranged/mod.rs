//! The records of a group, arranged as the buckets that moves lead to.
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields are extracted from packed words on purpose, and words are in memory"
)]

mod compact;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use xxhash_rust::xxh3::xxh3_128;

pub(crate) use compact::MoveValues;

use super::block::Packed;
use super::{Result, Table, TableError};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::{Narrow, Value, Wide, Width};
use crate::game::ByRows;
use crate::solve::{Ordinal, RowTable, TOO_LONG, ValueOrder, WordArray, prefetch_write};

/// Stands for the number of a best move where several are best.
const NO_NUMBER: u8 = 127;

/// What a move to a position is worth, in one word: the ordinals of its best and its second
/// value, its only best move, and whether a move that does not take the last one back may
/// lead back.
#[derive(Clone, Copy)]
pub(crate) struct MoveValue(pub u32);

impl MoveValue {
    #[inline(always)]
    pub(crate) fn new(best: Ordinal, second: Ordinal, only: u8, unsure: bool) -> Self {
        Self(best | second << 8 | u32::from(only) << 16 | u32::from(unsure) << 23)
    }

    /// The ordinal of the move, if the only best move after it is forbidden or not.
    #[inline(always)]
    pub(crate) const fn after(self, forbidden: bool) -> Ordinal {
        let shift = if forbidden { 8 } else { 0 };
        self.0 >> shift & 0xff
    }

    /// The number of the only best move, of seven bits.
    #[inline(always)]
    pub(crate) const fn only(self) -> u8 {
        (self.0 >> 16) as u8 & 127
    }

    /// The number of the best move, if no other one is as good.
    #[inline(always)]
    pub(crate) fn only_best(self) -> Option<u8> {
        let only = self.only();
        let is_alone = only != NO_NUMBER && self.after(false) != self.after(true);
        is_alone.then_some(only)
    }

    #[inline(always)]
    pub(crate) const fn is_unsure(self) -> bool {
        self.0 >> 23 & 1 == 1
    }
}

/// What moves to the positions of a group are worth, by layer, bucket and set.
pub(in crate::table) struct Arranged(pub Vec<WordArray<AtomicU32>>);

impl Arranged {
    /// Arranges the records of a group, and hashes them for the fingerprint. `None` if a
    /// distance is too long for the width.
    pub(super) fn new<'g, G: ByRows>(
        game: &'g G,
        tables: &[RowTable<'g>],
        table: &Table,
        order: &ValueOrder<Narrow>,
        progress: &dyn Progress,
    ) -> Result<Option<(Self, Vec<u128>)>> {
        let (mut layers, mut leaves) = (Vec::new(), Vec::new());
        // Wide codes by code, for the fingerprint.
        let wide = |code| {
            let value = Value::<Narrow>::from_code(code);
            value.resized::<Wide>().unwrap_or(Value::VACANT).code()
        };
        let wide: Vec<u16> = (0..=Narrow::DRAW).map(wide).collect();
        let logical = |&record: &Packed| {
            let code = |code: u16| wide[usize::from(code)].to_le_bytes();
            let ([a, b], [c, d]) = (code(record.best(1)), code(record.second(1)));
            [a, b, c, d, record.only(1)]
        };
        for layer in LayerRecords::of_all(game, tables, table, order) {
            let words = WordArray::<AtomicU32>::new(layer.places())
                .map_err(|source| table.out_of_memory(source))?;
            let found = layer.arrange(Words(&words), progress, |records| {
                let logical: Vec<[u8; 5]> = records.iter().map(logical).collect();
                xxh3_128(logical.as_flattened())
            })?;
            let Some(found) = found else {
                return Ok(None);
            };
            layers.push(words);
            leaves.extend(found);
        }
        Ok(Some((Self(layers), leaves)))
    }
}

struct LayerRecords<'a, 'g, G> {
    game: &'g G,
    rows: &'a RowTable<'g>,
    buckets: &'a RowTable<'g>,
    table: &'a Table,
    order: &'a ValueOrder<Narrow>,
}

impl<'a, 'g, G: ByRows> LayerRecords<'a, 'g, G> {
    fn of_all(
        game: &'g G,
        tables: &'a [RowTable<'g>],
        table: &'a Table,
        order: &'a ValueOrder<Narrow>,
    ) -> impl Iterator<Item = Self> {
        tables.iter().map(move |rows| Self {
            game,
            rows,
            buckets: &tables[rows.answers],
            table,
            order,
        })
    }

    /// Number of places for what moves to the positions are worth.
    fn places(&self) -> usize {
        self.buckets.shape.rows * self.buckets.columns()
    }

    /// Arranges the records, and asks `ask` about those of each block; `None` if a distance is
    /// too long for the width.
    fn arrange<A: Send>(
        &self,
        keeper: impl Keeper,
        progress: &dyn Progress,
        ask: impl Fn(&[Packed]) -> A + Sync,
    ) -> Result<Option<Vec<A>>> {
        let table = self.table;
        let too_long = AtomicBool::new(false);
        let slots = self.game.layers()[self.rows.layer].slots.clone();
        progress.begin("loading", slots.end - slots.start);
        let found = threads::try_map(table.blocks_of(&slots), |number| {
            let block = table.block(number)?;
            let records = block.packed();
            let found = ask(&records);
            let is_done = dispatch(Arrange {
                layer: self,
                keeper,
                first: (block.slots.start - slots.start) as usize,
                records: &records,
            });
            if !is_done {
                too_long.store(true, Relaxed);
            }
            table.forget(number);
            progress.advance(records.len() as u64);
            Ok::<_, TableError>(found)
        })?;
        Ok((!too_long.into_inner()).then_some(found))
    }
}

/// Memory for what moves to the positions of a layer are worth, by bucket and set.
trait Keeper: Copy + Sync {
    /// Says that a value will soon be kept at a place.
    fn prepare(self, at: usize);

    fn keep(self, at: usize, value: MoveValue);
}

/// One word for each value.
#[derive(Clone, Copy)]
struct Words<'a>(&'a [AtomicU32]);

impl Keeper for Words<'_> {
    #[inline(always)]
    fn prepare(self, at: usize) {
        prefetch_write(&self.0[at]);
    }

    #[inline(always)]
    fn keep(self, at: usize, value: MoveValue) {
        self.0[at].store(value.0, Relaxed);
    }
}

/// Arranges what moves to consecutive positions of a layer are worth. Says whether no distance
/// is too long for the width.
struct Arrange<'a, 'g, G, K> {
    layer: &'a LayerRecords<'a, 'g, G>,
    keeper: K,
    /// The first position, numbered within the layer.
    first: usize,
    records: &'a [Packed],
}

impl<G: ByRows, K: Keeper> CpuTask for Arrange<'_, '_, G, K> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let LayerRecords {
            game,
            rows,
            buckets,
            order,
            ..
        } = *self.layer;
        let (layer, columns) = (rows.layer, rows.shape.columns);
        let (buckets, ranker) = (buckets.columns(), buckets.shape.ranker);
        let first = game.layers()[layer].slots.start;
        let mut stores = Stores::new(self.keeper);
        let (start, end) = (self.first, self.first + self.records.len());
        let mut index = start;
        while index < end {
            let (row, column) = (index / columns.len(), index % columns.len());
            let (images, at) = (game.row_images(layer, row), game.row(layer, row));
            let some = &columns[column..columns.len().min(column + (end - index))];
            for (&column, index) in some.iter().zip(index..) {
                let record = self.records[index - start];
                if record.best(1) == Value::<Narrow>::VACANT.code() {
                    continue;
                }
                let best = order.through_move(record.best(1));
                let second = order.through_move(record.second(1));
                if best == TOO_LONG || second == TOO_LONG {
                    return false;
                }
                let slot = first + index as u64;
                if at.symmetric && game.cursor(slot).is_none() {
                    // Its record is wrong, and must not stand for the position it is an image of.
                    continue;
                }
                let unsure = best != second && game.may_lead_back_turned(slot);
                let opponent = cpu.deposit(column, at.free);
                let only = record.only(1).min(NO_NUMBER);
                game.transposed(cpu, &images, opponent, only, |seen| {
                    let at = seen.bucket as usize * buckets + ranker.rank(seen.set) as usize;
                    stores.push(at, MoveValue::new(best, second, seen.number, unsure));
                });
            }
            index += some.len();
        }
        stores.flush();
        true
    }
}

/// Stores to places far apart, each asked for long before it is written.
struct Stores<K> {
    keeper: K,
    pending: [(usize, MoveValue); 64],
    len: usize,
}

impl<K: Keeper> Stores<K> {
    fn new(keeper: K) -> Self {
        Self {
            keeper,
            pending: [(0, MoveValue(0)); 64],
            len: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, at: usize, value: MoveValue) {
        self.keeper.prepare(at);
        self.pending[self.len & 63] = (at, value);
        self.len += 1;
        if self.len == 64 {
            self.flush();
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        for &(at, value) in &self.pending[..self.len] {
            self.keeper.keep(at, value);
        }
        self.len = 0;
    }
}

//! The records of a group, arranged as the buckets that moves lead to.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields are extracted from packed words on purpose, and words are in memory"
)]

#[cfg(feature = "rows")]
mod compact;

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

#[cfg(feature = "rows")]
pub(crate) use compact::MoveValues;

use super::resident::Packed;
use super::{Table, TableError};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::value::{Value, Wide};
use crate::game::ByRows;
use crate::solve::{Ordinal, RowTable, TOO_LONG, ValueOrder, WordArray, WordWidth, prefetch_write};

/// Stands for the number of a best move where several are best.
pub(in crate::table) const NO_NUMBER: u8 = 127;

/// What a move to a position is worth, in one word: the ordinals of its best and its second
/// value, its only best move, and whether a move that does not take the last one back may
/// lead back.
#[derive(Clone, Copy)]
pub(crate) struct MoveValue(pub u64);

impl MoveValue {
    #[inline(always)]
    pub fn new<W: WordWidth>(best: Ordinal, second: Ordinal, only: u8, unsure: bool) -> Self {
        let width = 8 * W::BYTES;
        Self(
            u64::from(best)
                | u64::from(second) << width
                | u64::from(only) << (2 * width)
                | u64::from(unsure) << (2 * width + 8 - 1),
        )
    }

    /// The ordinal of the move, if the only best move after it is forbidden or not.
    #[inline(always)]
    pub fn after<W: WordWidth>(self, forbidden: bool) -> Ordinal {
        let width = 8 * W::BYTES;
        let shift = if forbidden { width } else { 0 };
        (self.0 >> shift & ((1 << width) - 1)) as Ordinal
    }

    /// The number of the only best move, of seven bits.
    #[inline(always)]
    pub fn only<W: WordWidth>(self) -> u8 {
        (self.0 >> (16 * W::BYTES)) as u8 & 127
    }

    /// The number of the best move, if no other one is as good.
    #[cfg(feature = "rows")]
    #[inline(always)]
    pub fn only_best<W: WordWidth>(self) -> Option<u8> {
        let only = self.only::<W>();
        let is_alone = only != NO_NUMBER && self.after::<W>(false) != self.after::<W>(true);
        is_alone.then_some(only)
    }

    #[inline(always)]
    pub fn is_unsure<W: WordWidth>(self) -> bool {
        self.0 >> (16 * W::BYTES + 7) & 1 == 1
    }
}

/// What moves to the positions of a group are worth, by layer, bucket and set.
pub(in crate::table) struct Arranged<W: WordWidth>(pub Vec<WordArray<W::Atom>>);

impl<W: WordWidth> Arranged<W> {
    /// Arranges the records of a group, and hashes them for the fingerprint. `None` if a
    /// distance is too long for the width.
    pub fn new<'g, G: ByRows>(
        game: &'g G,
        tables: &[RowTable<'g>],
        table: &Table,
        order: &ValueOrder<W>,
        progress: &dyn Progress,
    ) -> Result<Option<(Self, Vec<u128>)>, TableError> {
        let (mut layers, mut leaves) = (Vec::new(), Vec::new());
        let wide = WideCodes::new::<W>();
        for rows in tables {
            let buckets = &tables[rows.answers];
            let words = WordArray::<W::Atom>::new(buckets.shape.rows * buckets.columns())
                .map_err(|source| table.out_of_memory(source))?;
            let layer = LayerRecords {
                game,
                rows,
                buckets,
                table,
                order,
            };
            let found = layer.arrange(Words::<W>(&words), progress, |records| {
                let logical: Vec<_> = records.iter().map(|&record| wide.logical(record)).collect();
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

/// The stored records of a layer.
struct LayerRecords<'a, 'g, G, W> {
    game: &'g G,
    rows: &'a RowTable<'g>,
    buckets: &'a RowTable<'g>,
    table: &'a Table,
    order: &'a ValueOrder<W>,
}

impl<G: ByRows, W: WordWidth> LayerRecords<'_, '_, G, W> {
    /// Arranges the records, and asks `ask` about those of each block; `None` if a distance is
    /// too long for the width.
    fn arrange<A: Send>(
        &self,
        keeper: impl Keeper,
        progress: &dyn Progress,
        ask: impl Fn(&[Packed]) -> A + Sync,
    ) -> Result<Option<Vec<A>>, TableError> {
        let (game, table, order) = (self.game, self.table, self.order);
        let too_long = AtomicBool::new(false);
        let slots = game.layers()[self.rows.layer].slots.clone();
        progress.begin("loading", slots.end - slots.start);
        let blocks: Vec<usize> = (0..table.blocks())
            .filter(|&number| {
                let block = table.slots_of(number);
                slots.start <= block.start && block.end <= slots.end
            })
            .collect();
        let found: Vec<A> = blocks
            .into_par_iter()
            .map(|number| {
                let block = table.block(number)?;
                let records = block.packed();
                let found = ask(&records);
                let from = (block.slots().start - slots.start) as usize;
                let worth = |at: usize| {
                    let worth = worth(order, records[at])?;
                    if worth.best == TOO_LONG || worth.second == TOO_LONG {
                        too_long.store(true, Relaxed);
                        return None;
                    }
                    Some(worth)
                };
                dispatch(Arrange::<G, W, _, _> {
                    game,
                    rows: self.rows,
                    buckets: self.buckets,
                    keeper,
                    positions: from..from + records.len(),
                    worth,
                    width: PhantomData,
                });
                #[cfg(feature = "rows")]
                table.forget(number);
                progress.advance(records.len() as u64);
                Ok(found)
            })
            .collect::<Result<_, TableError>>()?;
        Ok((!too_long.into_inner()).then_some(found))
    }
}

/// What moves to the position of a record are worth; `None` for a vacant slot.
#[inline(always)]
fn worth<W: WordWidth>(order: &ValueOrder<W>, record: Packed) -> Option<Worth> {
    let (best, second) = (record.best(W::BYTES), record.second(W::BYTES));
    let known = || Worth {
        best: order.through_move(best),
        second: order.through_move(second),
        only: record.only(W::BYTES),
    };
    (best != Value::<W>::VACANT.code()).then(known)
}

/// What a move to a position is worth: the ordinals of its best and its second value, and its
/// only best move.
#[derive(Clone, Copy)]
pub(in crate::table) struct Worth {
    pub best: Ordinal,
    pub second: Ordinal,
    pub only: u8,
}

/// Memory for what moves to the positions of a layer are worth, by bucket and set.
pub(in crate::table) trait Keeper: Copy + Sync {
    /// Says that a value will soon be kept at a place.
    fn prepare(self, at: usize);

    /// Keeps a value at a place.
    fn keep(self, at: usize, value: MoveValue);
}

/// One word for each value.
pub(in crate::table) struct Words<'a, W: WordWidth>(pub &'a [W::Atom]);

// Deriving would ask for atoms that can be copied.
#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "the derived one asks for more than it needs"
)]
impl<W: WordWidth> Clone for Words<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: WordWidth> Copy for Words<'_, W> {}

impl<W: WordWidth> Keeper for Words<'_, W> {
    #[inline(always)]
    fn prepare(self, at: usize) {
        prefetch_write(&self.0[at]);
    }

    #[inline(always)]
    fn keep(self, at: usize, value: MoveValue) {
        W::store(&self.0[at], value.0);
    }
}

/// Arranges what moves to consecutive positions of a layer are worth.
pub(in crate::table) struct Arrange<'a, 'g, G, W, K, F> {
    pub game: &'a G,
    pub rows: &'a RowTable<'g>,
    pub buckets: &'a RowTable<'g>,
    pub keeper: K,
    /// The positions, numbered within the layer.
    pub positions: Range<usize>,
    /// What moves to the position of an index among these are worth; `None` for a vacant slot.
    pub worth: F,
    pub width: PhantomData<W>,
}

impl<G, W, K, F> CpuTask for Arrange<'_, '_, G, W, K, F>
where
    G: ByRows,
    W: WordWidth,
    K: Keeper,
    F: Fn(usize) -> Option<Worth>,
{
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let (game, layer) = (self.game, self.rows.layer);
        let columns = self.rows.shape.columns;
        let (buckets, ranker) = (self.buckets.columns(), self.buckets.shape.ranker);
        let first = game.layers()[layer].slots.start;
        let mut stores = Stores::new(self.keeper);
        let Range { start, end } = self.positions;
        let mut index = start;
        while index < end {
            let (row, column) = (index / columns.len(), index % columns.len());
            let (images, at) = (game.row_images(layer, row), game.row(layer, row));
            let some = &columns[column..columns.len().min(column + (end - index))];
            for (&column, index) in some.iter().zip(index..) {
                let Some(Worth { best, second, only }) = (self.worth)(index - start) else {
                    continue;
                };
                let slot = first + index as u64;
                if at.symmetric && game.cursor(slot).is_none() {
                    // Its record is wrong, and must not stand for the position it is an image of.
                    continue;
                }
                let unsure = best != second && game.may_lead_back_turned(slot);
                let opponent = cpu.deposit(column, at.free);
                game.transposed(cpu, &images, opponent, only.min(NO_NUMBER), |seen| {
                    let at = seen.bucket as usize * buckets + ranker.rank(seen.set) as usize;
                    stores.push(at, MoveValue::new::<W>(best, second, seen.number, unsure));
                });
            }
            index += some.len();
        }
        stores.flush();
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

/// Wide codes by code, for the fingerprint.
struct WideCodes {
    codes: Vec<u16>,
    width: usize,
}

impl WideCodes {
    fn new<W: WordWidth>() -> Self {
        let wide = |code| {
            let value = Value::<W>::from_code(code);
            value.resized::<Wide>().unwrap_or(Value::VACANT).code()
        };
        Self {
            codes: (0..=W::DRAW).map(wide).collect(),
            width: W::BYTES,
        }
    }

    #[inline(always)]
    fn logical(&self, record: Packed) -> [u8; 5] {
        let code = |code: u16| self.codes[usize::from(code)].to_le_bytes();
        let (best, second) = (record.best(self.width), record.second(self.width));
        let ([a, b], [c, d]) = (code(best), code(second));
        [a, b, c, d, record.only(self.width)]
    }
}

//! All records of a group, derived from its leaves row by row.
//!
//! Leaves are arranged as the buckets that moves lead to, like the records that are verified.
//! Then every row is derived twice. The first time only moves to positions that are not won
//! count, which gives the best values of all wins; they are added to what is arranged. The
//! second time all moves are known.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::leaf::Leaf;
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::game::ByRows;
use crate::solve::{
    Codes, Floors, FloorsError, Ordinal, RowTable, TOO_LONG, ValueOrder, WordArray, WordWidth,
};
use crate::table::arranged::{Arrange, Arranged, MoveValue, NO_NUMBER, Words, Worth};
use crate::table::resident::Packed;
use crate::table::verify::derive::{OrdinalCodes, RowDerivation, RowTops};
use crate::table::{BLOCK_SLOTS, Table, TableError};

/// Number of rows that a thread takes at a time.
const RUN: usize = 16;

/// Leaves by block: all those of a range of slots.
pub(super) type Leaves<'l> = &'l (dyn Fn(Range<u64>) -> Result<Vec<Leaf>, TableError> + Sync);

/// Derived records by block: all those of a range of slots.
pub(super) type Records<'r> = &'r (dyn Fn(Range<u64>) -> Vec<Packed> + Sync);

/// The derivation of a group.
pub(super) struct GroupOfLeaves<'a, W: WordWidth> {
    /// Named in error messages.
    pub table: &'a Table,
    pub number: usize,
    pub leaves: Leaves<'a>,
    /// The best values of all groups before this one, which take those of this one.
    pub earlier: &'a mut Codes<W>,
    pub order: &'a ValueOrder<W>,
    pub progress: &'a dyn Progress,
}

impl<W: WordWidth> GroupOfLeaves<'_, W> {
    /// Derives all records of the group. `take` gets its slots and a function that derives
    /// the records of a range of slots of one layer; it must ask for each slot once.
    pub fn derive<G: ByRows>(
        self,
        game: &G,
        take: impl FnOnce(Range<u64>, Records<'_>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let tables = RowTable::of_group(game, self.number);
        let floors = Floors::new(game, &tables, self.earlier, self.order, self.progress)
            .map_err(|error| refused(self.table, error))?;
        let arranged = self.arrange(game, &tables)?;
        let slots = game.group_slots(self.number);
        let derivation = RowDerivation {
            game,
            tables: &tables,
            floors: &floors,
            arranged: &arranged,
            order: self.order,
            first: slots.start,
        };
        self.derive_wins(&derivation)?;
        let codes = OrdinalCodes::new(self.order);
        let is_last = game
            .layers()
            .last()
            .is_none_or(|layer| layer.group == self.number);
        let kept = if is_last { 0 } else { slots.end - slots.start };
        let kept = usize::try_from(kept).unwrap_or(usize::MAX);
        let best = WordArray::<AtomicU8>::new(kept.saturating_mul(W::BYTES))
            .map_err(|source| self.table.out_of_memory(source))?;
        take(slots.clone(), &|range| {
            let records = records(&derivation, &codes, range.clone());
            let from = usize::try_from(range.start - slots.start).unwrap_or(usize::MAX);
            let places = best.get(from * W::BYTES..).unwrap_or_default();
            for (record, places) in records.iter().zip(places.chunks_exact(W::BYTES)) {
                for (place, byte) in places.iter().zip(record.best(W::BYTES).to_le_bytes()) {
                    place.store(byte, Relaxed);
                }
            }
            records
        })?;
        let end = usize::try_from(slots.end).unwrap_or(usize::MAX);
        let first = usize::try_from(slots.start).unwrap_or(usize::MAX);
        self.earlier.extend(end, |slots, codes| {
            let from = (slots.start - first) * W::BYTES;
            for (code, place) in codes.iter_mut().zip(&best[from..]) {
                *code = place.load(Relaxed);
            }
        });
        Ok(())
    }

    /// Arranges the leaves of the group as the buckets that moves lead to. A win without a
    /// value is worth less than any value.
    fn arrange<G: ByRows>(
        &self,
        game: &G,
        tables: &[RowTable<'_>],
    ) -> Result<Arranged<W>, TableError> {
        let mut layers = Vec::new();
        for rows in tables {
            let buckets = &tables[rows.answers].shape;
            let words = WordArray::<W::Atom>::new(buckets.rows * buckets.columns.len())
                .map_err(|source| self.table.out_of_memory(source))?;
            let slots = game.layers()[rows.layer].slots.clone();
            self.progress.begin("decoding", slots.end - slots.start);
            let blocks = (slots.end - slots.start).div_ceil(BLOCK_SLOTS);
            (0..blocks).into_par_iter().try_for_each(|block| {
                let from = slots.start + block * BLOCK_SLOTS;
                let range = from..slots.end.min(from + BLOCK_SLOTS);
                let leaves = (self.leaves)(range)?;
                let too_long = AtomicBool::new(false);
                let at = usize::try_from(from - slots.start).unwrap_or(usize::MAX);
                let ordinal = |value: Value| {
                    let code = value.resized::<W>().map(Value::code);
                    let ordinal = code.map_or(TOO_LONG, |code| self.order.through_move(code));
                    if ordinal == TOO_LONG {
                        too_long.store(true, Relaxed);
                        return 0;
                    }
                    ordinal
                };
                dispatch(Arrange::<G, W, _, _> {
                    game,
                    rows,
                    buckets: &tables[rows.answers],
                    keeper: Words::<W>(&words),
                    positions: at..at + leaves.len(),
                    worth: |at| worth(leaves[at], ordinal),
                    width: PhantomData,
                });
                self.progress.advance(leaves.len() as u64);
                if too_long.into_inner() {
                    return Err(too_far(self.table));
                }
                Ok(())
            })?;
            layers.push(words);
        }
        Ok(Arranged(layers))
    }

    /// Adds the values of all wins to what is arranged.
    fn derive_wins<G: ByRows>(
        &self,
        derivation: &RowDerivation<'_, '_, G, W>,
    ) -> Result<(), TableError> {
        let too_long = AtomicBool::new(false);
        let through: Vec<Ordinal> = (0..=u32::from(W::DRAW))
            .map(|ordinal| {
                let value = self.order.value(ordinal);
                value.map_or(0, |value| self.order.through_move(value.code()))
            })
            .collect();
        for (number, rows) in derivation.tables.iter().enumerate() {
            let slots = (rows.shape.rows * rows.columns()) as u64;
            self.progress.begin("deriving wins", slots);
            rows.runs_of(RUN).for_each(|run| {
                let mut tops = RowTops::<W>::new(rows.columns());
                for row in run.clone() {
                    dispatch(Wins {
                        derivation,
                        number,
                        row,
                        tops: &mut tops,
                        through: &through,
                        too_long: &too_long,
                    });
                }
                self.progress.advance((run.len() * rows.columns()) as u64);
            });
        }
        if too_long.into_inner() {
            return Err(too_far(self.table));
        }
        Ok(())
    }
}

/// What moves to the position of a leaf are worth, as far as it says.
#[inline]
fn worth(leaf: Leaf, ordinal: impl Fn(Value) -> Ordinal) -> Option<Worth> {
    let worth = |best, second, only| Some(Worth { best, second, only });
    match leaf {
        Leaf::Vacant => None,
        Leaf::Mate => {
            let mate = ordinal(Value::CHECKMATE);
            worth(mate, mate, NO_NUMBER)
        }
        Leaf::Open { best, bound } => {
            let best = best.map_or(0, &ordinal);
            match bound {
                Some(bound) => worth(best, ordinal(bound.second), bound.only),
                None => worth(best, best, NO_NUMBER),
            }
        }
    }
}

/// Derives the wins of a row, and adds them to what is arranged.
struct Wins<'r, 'a, 'g, G, W: WordWidth> {
    derivation: &'r RowDerivation<'a, 'g, G, W>,
    number: usize,
    row: usize,
    tops: &'r mut RowTops<W>,
    /// By ordinal of a value: the ordinal of a move to it.
    through: &'r [Ordinal],
    too_long: &'r AtomicBool,
}

impl<G: ByRows, W: WordWidth> CpuTask for Wins<'_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let RowDerivation {
            game,
            tables,
            arranged,
            order,
            first,
            ..
        } = *self.derivation;
        let table = &tables[self.number];
        let row = self.derivation.derive(cpu, table, self.row, self.tops);
        let images = game.row_images(table.layer, self.row);
        let buckets = &tables[table.answers];
        let words = &arranged.0[self.number];
        let draw = order.ordinal(Value::DRAW);
        let mate = order.ordinal(Value::CHECKMATE);
        let base = first + table.records(self.row).start as u64;
        for ((slot, &set), top) in (base..).zip(table.shape.columns).zip(self.tops.tops()) {
            let [best, second] = top.ordinals();
            if best <= draw || best == mate || (row.symmetric && game.cursor(slot).is_none()) {
                continue;
            }
            // A second value that is no win is known only if it is stored.
            let (second, only) = if second < draw || second == best {
                (best, NO_NUMBER)
            } else {
                (second, top.only().min(NO_NUMBER))
            };
            let [best, second] = [best, second].map(|ordinal| self.through[ordinal as usize]);
            if best == TOO_LONG || second == TOO_LONG {
                self.too_long.store(true, Relaxed);
                continue;
            }
            let unsure = best != second && game.may_lead_back_turned(slot);
            let opponent = cpu.deposit(set, row.free);
            game.transposed(cpu, &images, opponent, only, |seen| {
                let at = seen.bucket as usize * buckets.columns();
                let word = &words[at + buckets.shape.ranker.rank(seen.set) as usize];
                let stored = MoveValue(W::load(word));
                let bound = stored.after::<W>(true);
                let value = if bound == 0 {
                    MoveValue::new::<W>(best, second, seen.number, unsure)
                } else {
                    let unsure = stored.is_unsure::<W>();
                    MoveValue::new::<W>(best, bound, stored.only::<W>(), unsure)
                };
                W::store(word, value.0);
            });
        }
    }
}

/// The records of a range of slots within a layer.
fn records<G: ByRows, W: WordWidth>(
    derivation: &RowDerivation<'_, '_, G, W>,
    codes: &OrdinalCodes,
    slots: Range<u64>,
) -> Vec<Packed> {
    let count = usize::try_from(slots.end - slots.start).unwrap_or(usize::MAX);
    let mut records = Vec::with_capacity(count);
    let from = usize::try_from(slots.start - derivation.first).unwrap_or(usize::MAX);
    let end = from + count;
    let table = derivation.tables.iter().rfind(|table| table.first <= from);
    let table = table.expect("the first layer begins with the group");
    let columns = table.columns();
    let mut tops = RowTops::<W>::new(columns);
    for row in (from - table.first) / columns..(end - table.first).div_ceil(columns) {
        dispatch(RecordsOfRow {
            derivation,
            table,
            row,
            tops: &mut tops,
            codes,
            slots: slots.clone(),
            records: &mut records,
        });
    }
    records
}

/// Derives the records of a row that lie in a range of slots.
struct RecordsOfRow<'r, 'a, 'g, G, W: WordWidth> {
    derivation: &'r RowDerivation<'a, 'g, G, W>,
    table: &'r RowTable<'g>,
    row: usize,
    tops: &'r mut RowTops<W>,
    codes: &'r OrdinalCodes,
    slots: Range<u64>,
    records: &'r mut Vec<Packed>,
}

impl<G: ByRows, W: WordWidth> CpuTask for RecordsOfRow<'_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let RowDerivation { game, first, .. } = *self.derivation;
        let row = self.derivation.derive(cpu, self.table, self.row, self.tops);
        let base = first + self.table.records(self.row).start as u64;
        let vacant = Value::<W>::VACANT.code();
        let vacant = Packed::new(vacant, vacant, u8::MAX, W::BYTES);
        for (slot, top) in (base..).zip(self.tops.tops()) {
            if !self.slots.contains(&slot) {
                continue;
            }
            let is_vacant = row.symmetric && game.cursor(slot).is_none();
            self.records.push(if is_vacant {
                vacant
            } else {
                self.codes.packed::<W>(top)
            });
        }
    }
}

fn refused(table: &Table, error: FloorsError) -> TableError {
    match error {
        FloorsError::Memory { source, .. } => table.out_of_memory(source),
        FloorsError::TooLong => too_far(table),
        FloorsError::Cancelled => TableError::Io {
            path: table.path().to_owned(),
            action: "decode",
            source: std::io::ErrorKind::Interrupted.into(),
        },
    }
}

fn too_far(table: &Table) -> TableError {
    TableError::Invalid {
        path: table.path().to_owned(),
        what: "a distance does not fit its values".to_owned(),
    }
}

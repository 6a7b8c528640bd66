//! Writing dense tables.

use std::collections::BTreeMap;
use std::io::{Seek, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::block::{count, decode_block, encode_block};
use super::cells::Cells;
use super::counts::Counts;
use super::group::GroupOfLeaves;
use super::leaf::Leaf;
use super::model::Model;
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Wide};
use crate::game::{ByRows, Ranked, RowVisitor};
use crate::solve::{Codes, ValueOrder, WordWidth};
use crate::table::resident::{Resident, unpack};
use crate::table::write::Encoded;
use crate::table::{BLOCK_SLOTS, Table, TableError, TableWriter};

impl Table {
    /// Appends all records of this table of `game` to a writer of
    /// [`Encoding::Dense`](crate::table::Encoding::Dense). What is written is decoded again and
    /// compared with this table.
    ///
    /// # Errors
    /// If this table is damaged, dense itself, or of another game, the game's positions do not
    /// stand in rows, a record does not follow from those of other positions, writing fails, or
    /// memory runs out.
    pub fn write_dense<G: Ranked, S: Write + Seek>(
        &self,
        game: &G,
        writer: &mut TableWriter<S>,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        self.expect_layers(game)?;
        let writing = Writing {
            table: self,
            writer,
            progress,
        };
        let done = game.by_rows(writing);
        done.unwrap_or_else(|_| Err(self.no_rows(game)))
    }
}

/// Writes a table as a dense one.
struct Writing<'t, S> {
    table: &'t Table,
    writer: &'t mut TableWriter<S>,
    progress: &'t dyn Progress,
}

impl<S: Write + Seek> RowVisitor for Writing<'_, S> {
    type Output = Result<(), TableError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        match self.table.description().value_bytes {
            1 => self.write::<Narrow, G>(game),
            _ => self.write::<Wide, G>(game),
        }
    }
}

/// The blocks of a group as they are stored, by their first slot, and its models by layer.
#[derive(Default)]
struct Stored {
    blocks: Mutex<BTreeMap<u64, Vec<u8>>>,
    models: BTreeMap<usize, Model>,
}

impl<S: Write + Seek> Writing<'_, S> {
    fn write<W: WordWidth, G: ByRows>(mut self, game: &G) -> Result<(), TableError> {
        let order = ValueOrder::<W>::new();
        let mut earlier = self.table.no_codes::<W, G>(game)?;
        let groups = game.groups();
        for number in 0..groups {
            let stored = self.write_group::<W, G>(game, number)?;
            self.check_group(game, number, &stored, &mut earlier, &order)?;
        }
        Ok(())
    }

    /// Writes the layers of a group.
    fn write_group<W: WordWidth, G: ByRows>(
        &mut self,
        game: &G,
        number: usize,
    ) -> Result<Stored, TableError> {
        let (table, progress) = (self.table, self.progress);
        let resident = Resident::<W>::load(table, game, number, &progress)?;
        let record = |slot| unpack::<W>(Resident::<W>::packed(resident.word(slot)));
        let leaves = |slots: Range<u64>| -> Vec<Leaf> {
            let leaf = |slot| Leaf::of(game, slot, record(slot));
            slots.map(leaf).collect()
        };
        let mut stored = Stored::default();
        let layers = (0..).zip(game.layers());
        for (number, layer) in layers.filter(|(_, layer)| layer.group == number) {
            let slots = layer.slots.clone();
            progress.begin("counting", slots.end - slots.start);
            let blocks = (slots.end - slots.start).div_ceil(BLOCK_SLOTS);
            let counts = (0..blocks)
                .into_par_iter()
                .try_fold(Counts::default, |mut counts, block| {
                    let from = slots.start + block * BLOCK_SLOTS;
                    let range = from..slots.end.min(from + BLOCK_SLOTS);
                    let leaves = leaves(range);
                    let mut cells = Cells::new(game, number, from);
                    count(&mut cells, game, from, &leaves, &mut counts)
                        .ok_or_else(|| underivable(table, from))?;
                    progress.advance(leaves.len() as u64);
                    Ok(counts)
                })
                .try_reduce(Counts::default, |a, b| Ok(a.add(b)))?;
            let model = Model::new(&counts).ok_or_else(|| TableError::Invalid {
                path: table.path().to_owned(),
                what: format!("layer {} has too many values for a dense table", layer.name),
            })?;
            self.writer.append_model(|bytes| model.write(bytes));
            progress.begin("packing", slots.end - slots.start);
            let kept = &stored.blocks;
            let block = |slots: Range<u64>| {
                let leaves = leaves(slots.clone());
                let mut cells = Cells::new(game, number, slots.start);
                let bytes = encode_block(&mut cells, game, &model, slots.start, &leaves)
                    .ok_or_else(|| underivable(table, slots.start))?;
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.insert(slots.start, bytes.clone());
                drop(kept);
                Ok(Encoded::new(bytes, slots.map(record)))
            };
            self.writer
                .append_encoded(slots.end, block, |done| progress.advance(done))?;
            stored.models.insert(number, model);
        }
        Ok(stored)
    }

    /// Derives the records of a group from what was written, and compares them with the table.
    fn check_group<W: WordWidth, G: ByRows>(
        &self,
        game: &G,
        number: usize,
        stored: &Stored,
        earlier: &mut Codes<W>,
        order: &ValueOrder<W>,
    ) -> Result<(), TableError> {
        let (table, progress) = (self.table, self.progress);
        let leaves = |slots: Range<u64>| {
            let layer = game
                .layers()
                .partition_point(|layer| layer.slots.end <= slots.start);
            let kept = stored.blocks.lock().unwrap_or_else(PoisonError::into_inner);
            let block = kept.get(&slots.start).cloned().unwrap_or_default();
            drop(kept);
            let (model, first) = (&stored.models[&layer], slots.start);
            decode_block(game, layer, model, &block, slots).ok_or_else(|| underivable(table, first))
        };
        let group = GroupOfLeaves {
            table,
            number,
            leaves: &leaves,
            earlier,
            order,
            progress,
        };
        group.derive(game, |slots, records| {
            progress.begin("comparing", slots.end - slots.start);
            let wrong = AtomicU64::new(u64::MAX);
            (0..table.blocks()).into_par_iter().try_for_each(|number| {
                let range = table.slots_of(number);
                if range.start < slots.start || range.end > slots.end {
                    return Ok(());
                }
                let block = table.block(number)?;
                let derived = records(range.clone());
                let pairs = block.packed().into_iter().zip(derived);
                let mut pairs = range.clone().zip(pairs);
                if let Some((slot, _)) = pairs.find(|(_, (a, b))| a != b) {
                    wrong.fetch_min(slot, Relaxed);
                }
                progress.advance(range.end - range.start);
                Ok(())
            })?;
            match wrong.into_inner() {
                u64::MAX => Ok(()),
                slot => Err(underivable(table, slot)),
            }
        })
    }
}

fn underivable(table: &Table, slot: u64) -> TableError {
    TableError::Underivable {
        path: table.path().to_owned(),
        slot,
    }
}

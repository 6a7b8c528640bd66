//! Arranged records for reading one by one, in three quarters of the memory.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::{Keeper, LayerRecords, MoveValue};
use crate::base::progress::Progress;
use crate::base::value::Narrow;
use crate::game::ByRows;
use crate::solve::{Ordinal, RowTable, ValueOrder, WordArray, prefetch_read, prefetch_write};
use crate::table::{Result, Table};

/// What moves to the positions of a group are worth, by layer, bucket and set.
pub(crate) struct MoveValues {
    layers: Vec<LayerValues>,
}

/// What moves to the positions of a layer are worth.
struct LayerValues {
    bytes: WordArray<AtomicU8>,
    /// Sets of a bucket.
    sets: usize,
}

impl MoveValues {
    /// Bytes of a value: those of two ordinals, and one of a move.
    const SIZE: usize = 3;

    /// Arranges the records of a group. `None` if a distance is too long for the width.
    pub(crate) fn new<'g, G: ByRows>(
        game: &'g G,
        tables: &[RowTable<'g>],
        table: &Table,
        order: &ValueOrder<Narrow>,
        progress: &dyn Progress,
    ) -> Result<Option<Self>> {
        let mut layers = Vec::new();
        for layer in LayerRecords::of_all(game, tables, table, order) {
            let values = LayerValues {
                bytes: WordArray::new(layer.places() * Self::SIZE)
                    .map_err(|source| table.out_of_memory(source))?,
                sets: layer.buckets.columns(),
            };
            let keeper = Bytes(&values.bytes);
            if layer.arrange(keeper, progress, |_| ())?.is_none() {
                return Ok(None);
            }
            layers.push(values);
        }
        Ok(Some(Self { layers }))
    }

    fn at(&self, layer: usize, bucket: usize, set: usize) -> &[AtomicU8] {
        let layer = &self.layers[layer];
        let from = (bucket * layer.sets + set) * Self::SIZE;
        &layer.bytes[from..from + Self::SIZE]
    }

    /// The ordinals of moves to the positions of a bucket, by set, if nothing is forbidden after
    /// them.
    #[inline(always)]
    pub(crate) fn bucket(&self, layer: usize, bucket: usize) -> impl Fn(usize) -> Ordinal {
        let layer = &self.layers[layer];
        let len = layer.sets * Self::SIZE;
        let bytes = &layer.bytes[bucket * len..][..len];
        move |set| bytes[set * Self::SIZE].load(Relaxed).into()
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, layer: usize, bucket: usize, set: usize) {
        prefetch_read(&self.at(layer, bucket, set)[0]);
    }

    /// What moves to a position are worth: the one of this set in this bucket of the layer of
    /// this number within the group.
    #[inline(always)]
    pub(crate) fn get(&self, layer: usize, bucket: usize, set: usize) -> MoveValue {
        let bytes = self.at(layer, bucket, set).iter().rev();
        MoveValue(bytes.fold(0, |value, byte| value << 8 | u32::from(byte.load(Relaxed))))
    }
}

#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [AtomicU8]);

impl Keeper for Bytes<'_> {
    #[inline(always)]
    fn prepare(self, at: usize) {
        prefetch_write(&self.0[at * MoveValues::SIZE]);
    }

    #[inline(always)]
    fn keep(self, at: usize, value: MoveValue) {
        let from = at * MoveValues::SIZE;
        let bytes = &self.0[from..from + MoveValues::SIZE];
        for (byte, part) in bytes.iter().zip(value.0.to_le_bytes()) {
            byte.store(part, Relaxed);
        }
    }
}

//! Buckets with symmetries of their own, where a position may have several images.

use std::sync::atomic::Ordering::Relaxed;

use super::RowGroup;
use super::arrivals::Arrivals;
use super::layer::LayerRows;
use super::planes::columns_of;
use super::singly::Kind;
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::game::{ByRows, Squares};

/// Finds the slot of the position of a bucket with the squares of a column.
struct SlotInBucket<'g, G> {
    game: &'g G,
    layer: usize,
    bucket: usize,
    free: Squares,
    column: Squares,
}

impl<G: ByRows> CpuTask for SlotInBucket<'_, G> {
    type Output = u64;

    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let squares = cpu.deposit(self.column, self.free);
        self.game
            .transposed_slot(cpu, self.layer, self.bucket, squares)
    }
}

/// Arrivals at a symmetric bucket with all images of the positions reached.
#[derive(Debug, Default)]
pub(super) struct Closed {
    pub arrivals: Arrivals,
    /// One image of each position.
    pub chosen: Vec<u64>,
    reached: Vec<(u64, usize)>,
}

impl<G: ByRows> RowGroup<'_, G> {
    /// The slot of the position of a bucket with a set.
    pub(super) fn slot_in_bucket(
        &self,
        layer: &LayerRows<'_>,
        bucket: usize,
        column: usize,
    ) -> u64 {
        let table = &layer.table;
        dispatch(SlotInBucket {
            game: self.game,
            layer: self.layers[table.answers].table.layer,
            bucket,
            free: self.game.row(table.layer, bucket).free,
            column: table.shape.columns[column],
        })
    }

    /// Closes those arrivals at a symmetric bucket that matter.
    #[cold]
    pub(super) fn close(
        &self,
        layer: &LayerRows<'_>,
        bucket: usize,
        from: &Arrivals,
        to: &mut Closed,
    ) {
        let words = from.free.len();
        to.arrivals.clear(words);
        to.chosen.clear();
        to.chosen.resize(words, 0);
        to.reached.clear();
        let (reached, freed) = (layer.reached.row(bucket), layer.freed.row(bucket));
        let mut matters = vec![0; words];
        for (word, matters) in matters.iter_mut().enumerate() {
            let any = from.free[word] | from.once[word];
            *matters =
                any & !reached[word].load(Relaxed) | from.free[word] & !freed[word].load(Relaxed);
        }
        for waiting in layer.waiting_in(bucket).iter() {
            let slot = self.slot_in_bucket(layer, bucket, waiting.column as usize);
            self.each_image(slot, |image| {
                let at = layer.table.shape.ranker.rank(image.set) as usize;
                let any = from.free[at / 64] | from.once[at / 64];
                matters[at / 64] |= any & 1 << (at % 64);
            });
        }
        for (word, &bits) in matters.iter().enumerate() {
            for column in columns_of(word, bits) {
                let slot = self.slot_in_bucket(layer, bucket, column);
                to.reached.push((slot, column));
            }
        }
        to.reached.sort_unstable();
        for images in to.reached.chunk_by(|a, b| a.0 == b.0) {
            let slot = images[0].0;
            let mut first = usize::MAX;
            self.each_image(slot, |image| {
                let at = layer.table.shape.ranker.rank(image.set) as usize;
                debug_assert_eq!(image.bucket as usize, bucket);
                first = first.min(at);
                for &(_, column) in images {
                    let (word, bit) = (column / 64, 1u64 << (column % 64));
                    if from.free[word] & bit != 0 {
                        to.arrivals.reach(at, Kind::Free);
                    }
                    if from.twice[word] & bit != 0 {
                        to.arrivals.reach(at, Kind::Twice);
                    } else if from.once[word] & bit != 0 {
                        to.arrivals.reach(at, Kind::Once);
                    }
                }
            });
            to.chosen[first / 64] |= 1 << (first % 64);
        }
    }
}

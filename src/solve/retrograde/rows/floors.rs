//! Best values of earlier groups, arranged as the buckets that moves lead to.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use memmap2::MmapMut;
use rayon::prelude::*;

use super::super::super::codes::Codes;
use super::super::super::memory::zeroed;
use super::super::super::value_order::{Ordinal, TOO_LONG};
use super::super::super::word::WordWidth;
use super::super::error::SolveError;
use super::RowGroup;
use super::lists::ColumnLists;
use crate::base::watch::Watch;
use crate::game::{ByRows, RowExitTo, RowLayer};

/// Number of look-ups in flight together.
const BATCH: usize = 64;

/// What moves to the positions of earlier layers are worth, by layer.
pub(super) struct Floors<'g>(Vec<Option<LayerFloors<'g>>>);

/// What moves to the positions of one layer are worth: an ordinal for each bucket and set.
pub(super) struct LayerFloors<'g> {
    /// The buckets, as rows.
    pub shape: RowLayer<'g>,
    /// Lists of its columns.
    pub lists: ColumnLists<'g>,
    map: MmapMut,
    /// Bytes of an ordinal.
    width: usize,
}

impl<'g> Floors<'g> {
    /// The ordinals of a layer that a move leads to.
    pub fn of(&self, layer: usize) -> &LayerFloors<'g> {
        let floors = self.0.get(layer).and_then(Option::as_ref);
        floors.expect("all layers that moves lead to were arranged")
    }
}

impl LayerFloors<'_> {
    /// The ordinals of a bucket, by the rank of the set: [`get`] reads them.
    pub fn bucket(&self, bucket: u32) -> &[u8] {
        let len = self.shape.columns.len() * self.width;
        let from = bucket as usize * len;
        &self.map[from..from + len]
    }
}

impl<'g, G: ByRows, W: WordWidth> RowGroup<'g, G, W> {
    /// Arranges the best values of all layers that moves out of the group lead to.
    ///
    /// # Errors
    /// If memory runs out, a distance is too long for the width, or the watch cancels.
    pub(super) fn floors(
        &self,
        earlier: Option<&Codes<W>>,
        watch: &impl Watch,
    ) -> Result<Floors<'g>, SolveError> {
        let game = self.group.game;
        let shapes = game.row_layers();
        let mut wanted = vec![false; shapes.len()];
        for table in &self.tables {
            let found = table.runs().map(|rows| {
                let (mut exits, mut found) = (Vec::new(), vec![false; shapes.len()]);
                for row in rows {
                    exits.clear();
                    game.row_exits(table.layer, row, &mut exits);
                    for exit in &exits {
                        if let RowExitTo::Earlier { layer, .. } = exit.to {
                            found[layer] = true;
                        }
                    }
                }
                found
            });
            let none = || vec![false; shapes.len()];
            let found = found.reduce(none, |a, b| a.iter().zip(b).map(|(a, b)| a | b).collect());
            for (wanted, found) in wanted.iter_mut().zip(found) {
                *wanted |= found;
            }
        }
        let mut floors = Vec::new();
        for (layer, wanted) in wanted.into_iter().enumerate() {
            let arranged = match (wanted, earlier) {
                (true, Some(earlier)) => Some(self.layer_floors(layer, &shapes, earlier, watch)?),
                _ => None,
            };
            floors.push(arranged);
        }
        Ok(Floors(floors))
    }

    fn layer_floors(
        &self,
        layer: usize,
        shapes: &[RowLayer<'g>],
        earlier: &Codes<W>,
        watch: &impl Watch,
    ) -> Result<LayerFloors<'g>, SolveError> {
        let game = self.group.game;
        // Seen from the buckets, sets of the side to move are columns.
        let buckets_layer = shapes[layer].answers;
        let shape = shapes[buckets_layer];
        let buckets = shape.rows;
        let len = shape.columns.len();
        let mut map = zeroed(buckets * len, W::BYTES).map_err(|source| SolveError::Memory {
            positions: (buckets * len) as u64,
            bytes: (buckets * len * W::BYTES) as u64,
            source,
        })?;
        let name = &game.layers()[layer].name;
        watch.begin(
            &format!("layer {}: values of layer {name}", self.group.name),
            (buckets * len) as u64,
        );
        let too_long = AtomicBool::new(false);
        map.par_chunks_mut(len * W::BYTES)
            .take(buckets)
            .enumerate()
            .with_min_len(8)
            .for_each(|(bucket, ordinals)| {
                if watch.cancelled() {
                    return;
                }
                let free = game.row(buckets_layer, bucket).free;
                let mut slots = [0usize; BATCH];
                let pieces = ordinals.chunks_mut(BATCH * W::BYTES);
                for (sets, ordinals) in shape.columns.chunks(BATCH).zip(pieces) {
                    for (slot, &set) in slots.iter_mut().zip(sets) {
                        let squares = crate::base::cpu::deposit(set, free);
                        let found = game.transposed_slot(layer, bucket, squares);
                        *slot = usize::try_from(found).expect("codes are in memory");
                        earlier.prefetch(*slot);
                    }
                    for (slot, ordinal) in slots.iter().zip(ordinals.chunks_exact_mut(W::BYTES)) {
                        let found = self.group.order.through_move(earlier.get(*slot));
                        if found == TOO_LONG {
                            too_long.store(true, Relaxed);
                        }
                        ordinal.copy_from_slice(&found.to_le_bytes()[..W::BYTES]);
                    }
                }
                watch.advance(len as u64);
            });
        if too_long.into_inner() {
            self.group.too_long.store(true, Relaxed);
        }
        self.group.sound(watch)?;
        Ok(LayerFloors {
            shape,
            lists: ColumnLists::new(shape.columns),
            map,
            width: W::BYTES,
        })
    }
}

/// The ordinal of number `rank` in a bucket's bytes.
#[inline]
pub(super) fn get<W: WordWidth>(bucket: &[u8], rank: usize) -> Ordinal {
    match W::BYTES {
        1 => bucket[rank].into(),
        _ => u16::from_le_bytes([bucket[2 * rank], bucket[2 * rank + 1]]).into(),
    }
}

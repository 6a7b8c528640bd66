//! What the numbering knows of rows.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields of packed words are cut out on purpose"
)]

use super::index::{Index, Placement};
use crate::base::subsets::without_bit;
use crate::game::RowLayer;
use crate::games::ostle::grid::{Mask, Square};

/// A row and the symmetry that leads to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowClass {
    pub row: u32,
    pub turn: u8,
    pub free: Mask,
    /// Whether the row has symmetries of its own.
    pub symmetric: bool,
}

/// Layers have the game's numbers here.
impl Index {
    /// Pieces of the mover and of the opponent in a layer.
    pub fn pieces(&self, layer: usize) -> (u8, u8) {
        self.order[layer]
    }

    /// Pieces of the mover in a layer.
    pub fn own_pieces(&self, layer: usize) -> u8 {
        self.order[layer].0
    }

    /// The layer in which mover and opponent have these numbers of pieces.
    pub fn layer_of_pieces(&self, own: u8, opp: u8) -> usize {
        let found = self.order.iter().position(|&pieces| pieces == (own, opp));
        found.expect("every layer that a move leads to is numbered")
    }

    /// Columns and number of rows of a layer.
    pub fn row_layer(&self, layer: usize, answers: usize) -> RowLayer<'_> {
        let (own, opp) = self.order[layer];
        let layer = &self.layers[usize::from(self.piece_layer(own, opp))];
        RowLayer {
            rows: self.rows[layer.rows].rows.len(),
            answers,
            ranker: &layer.ranker,
            columns: &layer.patterns,
        }
    }

    /// Free squares of a row in which the mover has `own` pieces.
    pub fn row(&self, own: u8, row: usize) -> crate::game::Row {
        let row = &self.rows[usize::from(own - self.fewest)].rows[row];
        crate::game::Row {
            free: row.free,
            symmetric: row.kept != 1,
        }
    }

    /// Hole and mover's pieces of a row; the opponent has none.
    #[inline(always)]
    pub fn row_placement(&self, own: u8, row: usize) -> Placement {
        let row = &self.rows[usize::from(own - self.fewest)].rows[row];
        Placement {
            own: row.own,
            opp: 0,
            hole: row.hole,
        }
    }

    /// The symmetries, as a bit set, that keep a row.
    pub fn kept(&self, own: u8, row: usize) -> u8 {
        self.rows[usize::from(own - self.fewest)].rows[row].kept
    }

    /// The row of `count` pieces on `own` with this hole, and how it is turned to get
    /// there.
    #[inline(always)]
    pub fn row_class(&self, count: u8, own: Mask, hole: Square) -> RowClass {
        let (first, orbit) = self.to_orbit[usize::from(hole)];
        let symmetry = &self.grid.symmetries()[usize::from(first)];
        let (own, hole) = if first == 0 {
            (own, hole)
        } else {
            (symmetry.mask(own), symmetry.square(hole))
        };
        let rows = &self.rows[usize::from(count - self.fewest)];
        let rank = rows.ranker.rank(without_bit(own, hole)) as usize;
        let class = rows.classes[usize::from(orbit) * rows.per_orbit + rank];
        RowClass {
            row: class.row() as u32,
            turn: self.composed[usize::from(first)][usize::from(class.turn())],
            free: class.free(),
            symmetric: class.is_symmetric(),
        }
    }

    /// The symmetry that takes back the one of number `turn`.
    pub fn inverse(&self, turn: u8) -> u8 {
        let inverse = self.composed[usize::from(turn)]
            .iter()
            .position(|&both| both == 0);
        inverse.map_or(0, |inverse| inverse as u8)
    }
}

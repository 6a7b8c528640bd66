//! The moves of rows by the bucket that they lead to.
#![expect(
    clippy::cast_possible_truncation,
    reason = "rows and their moves are numbered in 32 bits"
)]

use super::super::super::rows::RowTable;
use super::selection::{Selection, Selections};
use crate::game::RowMove;

/// A move of a row, as the bucket that it leads to knows it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arrow {
    /// The row, and the number of the move among those of the row.
    pub row: u32,
    place: u16,
    /// Whether a move takes it back.
    pub has_undo: bool,
    /// Whether it is turned. If not, the columns that have the move and the sets that come
    /// from it correspond in their order.
    pub turned: bool,
    /// The selection of the columns that have the move, and, unless it is turned, that of the
    /// sets that come from it.
    condition: u32,
    image: u32,
}

/// The moves of a layer by bucket.
#[derive(Debug)]
pub(super) struct Arrows<'g> {
    /// By bucket: where its arrows begin; and the end of the last.
    starts: Vec<u32>,
    sorted: Vec<Arrow>,
    selections: Selections<'g>,
}

impl<'g> Arrows<'g> {
    pub fn new(table: &RowTable<'g>) -> Self {
        let rows = table.shape.rows;
        let mut starts = vec![0u32; rows + 1];
        for row in 0..rows {
            for mv in table.moves(row) {
                starts[mv.bucket as usize] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        let mut next = starts.clone();
        let mut sorted = vec![Arrow::default(); sum as usize];
        let mut selections = Selections::new(table.shape.columns);
        for row in 0..rows {
            for (place, mv) in (0..).zip(table.moves(row)) {
                let turned = mv.turn != 0;
                let at = &mut next[mv.bucket as usize];
                sorted[*at as usize] = Arrow {
                    row: row as u32,
                    place,
                    has_undo: mv.undo != RowMove::NO_UNDO,
                    turned,
                    condition: selections.number(mv.condition),
                    image: if turned {
                        0
                    } else {
                        selections.number(mv.image)
                    },
                };
                *at += 1;
            }
        }
        Self {
            starts,
            sorted,
            selections,
        }
    }

    /// The moves that lead to a bucket.
    pub fn of(&self, bucket: usize) -> &[Arrow] {
        &self.sorted[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }

    /// The columns that have a move.
    pub fn condition(&self, arrow: &Arrow) -> &Selection {
        self.selections.get(arrow.condition)
    }

    /// The sets that come from a move which is not turned.
    pub fn image(&self, arrow: &Arrow) -> &Selection {
        self.selections.get(arrow.image)
    }
}

impl Arrow {
    /// The move, of the layer's table.
    pub fn row_move<'t>(&self, table: &'t RowTable<'_>) -> &'t RowMove {
        &table.moves(self.row as usize)[usize::from(self.place)]
    }
}

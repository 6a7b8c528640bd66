//! What all passes over the rows of a game share: the moves of each row, lists of columns, and
//! the values of earlier groups as the buckets that moves lead to.

mod buckets;
mod floors;
mod lists;

use std::ops::Range;

use rayon::prelude::*;

pub(crate) use buckets::Buckets;
pub(crate) use floors::{Floors, FloorsError};
pub(crate) use lists::ColumnLists;

use crate::game::{ByRows, RowLayer, RowMove};

/// Number of rows that a thread takes at a time.
pub(crate) const RUN: usize = 16;

/// A layer with the moves of all its rows.
pub(crate) struct RowTable<'g> {
    /// Its number in the game.
    pub layer: usize,
    /// Number, within the group, of the layer that its moves lead to.
    pub answers: usize,
    pub shape: RowLayer<'g>,
    pub lists: ColumnLists<'g>,
    /// The index of its first record in the group.
    pub first: usize,
    /// By row: where its moves begin; and the end of the last.
    starts: Vec<u32>,
    moves: Vec<RowMove>,
}

impl<'g> RowTable<'g> {
    /// The layers of a group.
    pub fn of_group<G: ByRows>(game: &'g G, group: usize) -> Vec<Self> {
        let layers = game.layers();
        let numbers = || (0..layers.len()).filter(|&layer| layers[layer].group == group);
        let Some(first_layer) = numbers().next() else {
            return Vec::new();
        };
        let shapes = game.row_layers();
        let table = |layer: usize| {
            let shape = shapes[layer];
            let (starts, moves) = moves_of(game, layer, shape.rows);
            let first = layers[layer].slots.start - layers[first_layer].slots.start;
            Self {
                layer,
                answers: shape.answers - first_layer,
                shape,
                lists: ColumnLists::new(shape.columns),
                first: usize::try_from(first).expect("records are in memory"),
                starts,
                moves,
            }
        };
        numbers().map(table).collect()
    }

    pub fn columns(&self) -> usize {
        self.shape.columns.len()
    }

    /// The records of a row, as indices in the group.
    pub fn records(&self, row: usize) -> Range<usize> {
        let first = self.first + row * self.columns();
        first..first + self.columns()
    }

    /// The records of the layer, as indices in the group.
    pub fn all_records(&self) -> Range<usize> {
        self.first..self.first + self.shape.rows * self.columns()
    }

    /// The bytes that the moves take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.moves) + size_of_val(&*self.starts)
    }

    /// Whether a record, given by its index in the group, is in the layer.
    #[cfg(feature = "rows")]
    pub fn has(&self, index: usize) -> bool {
        self.all_records().contains(&index)
    }

    pub fn moves(&self, row: usize) -> &[RowMove] {
        &self.moves[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The runs of rows that threads share.
    pub fn runs(&self) -> impl IndexedParallelIterator<Item = Range<usize>> {
        self.runs_of(RUN)
    }

    /// All rows in runs of `len`.
    pub fn runs_of(&self, len: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
        let rows = self.shape.rows;
        (0..rows.div_ceil(len))
            .into_par_iter()
            .map(move |run| run * len..rows.min((run + 1) * len))
    }
}

/// The moves of all rows of a layer, and where those of each row begin.
fn moves_of<G: ByRows>(game: &G, layer: usize, rows: usize) -> (Vec<u32>, Vec<RowMove>) {
    let runs: Vec<(Vec<usize>, Vec<RowMove>)> = (0..rows.div_ceil(RUN))
        .into_par_iter()
        .map(|run| {
            let (mut ends, mut moves) = (Vec::new(), Vec::new());
            for row in run * RUN..rows.min((run + 1) * RUN) {
                game.row_moves(layer, row, &mut moves);
                ends.push(moves.len());
            }
            (ends, moves)
        })
        .collect();
    let mut starts = vec![0];
    let mut moves = Vec::with_capacity(runs.iter().map(|run| run.1.len()).sum());
    for (ends, some) in runs {
        let before = moves.len();
        let ends = ends.into_iter().map(|end| before + end);
        starts.extend(ends.map(|end| u32::try_from(end).expect("rows have few moves")));
        moves.extend(some);
    }
    (starts, moves)
}

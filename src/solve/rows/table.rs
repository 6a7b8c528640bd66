//! The rows of a layer with their moves, and which columns fulfil conditions.
//!
//! A move that is not turned keeps the order of what it does not touch. So the columns that
//! have the move, and the sets in the bucket that come from it, correspond one by one, in
//! the order of their numbers: walking two lists side by side takes the place of computing
//! each image and its number.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use rayon::prelude::*;

use crate::game::{ByRows, Condition, RowLayer, RowMove};

/// Number of rows that a thread takes at a time.
pub(crate) const RUN: usize = 16;

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
    pub(crate) fn of_group<G: ByRows>(game: &'g G, group: usize) -> Vec<Self> {
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

    pub(crate) fn columns(&self) -> usize {
        self.shape.columns.len()
    }

    /// The records of a row, as indices in the group.
    pub(crate) fn records(&self, row: usize) -> Range<usize> {
        let first = self.first + row * self.columns();
        first..first + self.columns()
    }

    /// The records of the layer, as indices in the group.
    pub(crate) fn all_records(&self) -> Range<usize> {
        self.first..self.first + self.shape.rows * self.columns()
    }

    /// The bytes that the moves take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.moves) + size_of_val(&*self.starts)
    }

    /// Whether a record, given by its index in the group, is in the layer.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.all_records().contains(&index)
    }

    pub(crate) fn moves(&self, row: usize) -> &[RowMove] {
        &self.moves[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The runs of rows that threads share.
    pub(crate) fn runs(&self) -> impl IndexedParallelIterator<Item = Range<usize>> {
        self.runs_of(RUN)
    }

    pub(crate) fn runs_of(&self, len: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
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

/// Which columns of a layer fulfil conditions, computed when first asked for.
pub(crate) struct ColumnLists<'g> {
    columns: &'g [u32],
    lists: Known<u32>,
    sets: Known<u16>,
}

/// What is known by condition.
type Known<T> = RwLock<HashMap<Condition, Arc<[T]>>>;

impl<'g> ColumnLists<'g> {
    pub(crate) fn new(columns: &'g [u32]) -> Self {
        Self {
            columns,
            lists: Known::default(),
            sets: Known::default(),
        }
    }

    /// The numbers of the columns that fulfil a condition, in increasing order.
    pub(crate) fn fulfilling(&self, condition: Condition) -> Arc<[u32]> {
        known(&self.lists, condition, || {
            let numbered = (0..).zip(self.columns);
            numbered
                .filter(|&(_, &column)| condition.holds(column))
                .map(|(number, _)| number)
                .collect()
        })
    }

    /// The columns that fulfil a condition, sixteen to a bit set.
    pub(crate) fn set(&self, condition: Condition) -> Arc<[u16]> {
        let bit = |&column: &u32| u16::from(condition.holds(column));
        let set = |columns: &[u32]| {
            columns
                .iter()
                .rev()
                .fold(0, |set, column| set << 1 | bit(column))
        };
        known(&self.sets, condition, || {
            self.columns.chunks(16).map(set).collect()
        })
    }
}

fn known<T>(known: &Known<T>, condition: Condition, find: impl FnOnce() -> Arc<[T]>) -> Arc<[T]> {
    let held = known.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = held.get(&condition) {
        return Arc::clone(found);
    }
    drop(held);
    let found = find();
    let mut held = known.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(held.entry(condition).or_insert(found))
}

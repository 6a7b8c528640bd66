//! Sets of squares of boards of any size, and neighbours.

use std::cmp::Ordering;

use super::{PlacementRules, Rules};
use crate::base::subsets::bits;

/// A set of squares, by number; in order as numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Squares(pub(super) Box<[u64]>);

impl Ord for Squares {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Squares {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Squares {
    /// The empty set, with room for squares below `count`.
    pub(super) fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    /// A set of these squares, with room for those below `count`.
    pub(super) fn of(count: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut squares = Self::none(count);
        for square in members {
            squares.insert(square);
        }
        squares
    }

    /// The set as bits, without squares from 128 on.
    pub(super) fn mask(&self) -> u128 {
        let words = self.0.iter().take(2).rev();
        words.fold(0, |mask, &word| mask << 64 | u128::from(word))
    }

    pub(super) fn insert(&mut self, square: usize) {
        self.0[square / 64] |= 1 << (square % 64);
    }

    pub(super) fn remove(&mut self, square: usize) {
        self.0[square / 64] &= !(1 << (square % 64));
    }

    pub(super) fn contains(&self, square: usize) -> bool {
        self.0
            .get(square / 64)
            .is_some_and(|word| word >> (square % 64) & 1 == 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The squares in increasing order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(place, &word)| bits(word).map(move |bit| 64 * place + usize::from(bit)))
    }
}

impl PlacementRules {
    /// Visits a place and its neighbours on the board.
    pub(super) fn around(&self, place: usize, mut visit: impl FnMut(usize)) {
        let (square, colour) = (self.square_of(place), self.colour_of(place));
        let first = colour * self.squares();
        if let Rules::Graph(graph) = &self.rules {
            visit(place);
            let near = graph.neighbours[square].iter();
            near.for_each(|near| visit(first + near));
        } else {
            let (row, column) = (square / self.columns, square % self.columns);
            for near_row in row.saturating_sub(1)..self.rows.min(row + 2) {
                for near_column in column.saturating_sub(1)..self.columns.min(column + 2) {
                    let near = near_row * self.columns + near_column;
                    let joined = near_row == row
                        || near_column == column
                        || matches!(self.rules, Rules::Kings);
                    if joined && self.board.contains(near) {
                        visit(first + near);
                    }
                }
            }
        }
        let others = (0..self.colours).filter(|&other| other != colour);
        others.for_each(|other| visit(other * self.squares() + square));
    }
}

//! Neighbours and symmetries.

use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::base::turn::Turn;

impl PlacementRules {
    /// Visits a square and its neighbours on the board.
    pub(super) fn around(&self, square: usize, mut visit: impl FnMut(usize)) {
        if let Rules::Graph(graph) = &self.rules {
            visit(square);
            graph.neighbours(square).iter().copied().for_each(visit);
            return;
        }
        let (row, column) = (square / self.columns, square % self.columns);
        for near_row in row.saturating_sub(1)..self.rows.min(row + 2) {
            for near_column in column.saturating_sub(1)..self.columns.min(column + 2) {
                let straight = near_row == row || near_column == column;
                let near = near_row * self.columns + near_column;
                if (straight || matches!(self.rules, Rules::Kings)) && self.board.contains(near) {
                    visit(near);
                }
            }
        }
    }

    /// The symmetries of the board, the identity first. Symmetries of graphs are not
    /// searched for.
    pub(super) fn find_turns(&self) -> Vec<Turn> {
        if matches!(self.rules, Rules::Graph(_)) {
            return vec![Turn::IDENTITY];
        }
        let keeps = |turn: &Turn| self.turned(&self.board, *turn) == self.board;
        let all = Turn::of_board(self.columns, self.rows);
        let mut turns: Vec<Turn> = all.filter(keeps).collect();
        // For a single row, reflecting in its long axis is the identity.
        turns.dedup_by_key(|&mut turn| {
            let images = [0, self.squares() - 1, self.columns - 1];
            images.map(|square| self.image(square, turn))
        });
        if self.rows == 1 || self.columns == 1 {
            turns.truncate(2);
        }
        turns
    }

    /// The image of a square under a symmetry of the board.
    pub(super) const fn image(&self, square: usize, turn: Turn) -> usize {
        let at = (square % self.columns, square / self.columns);
        let (column, row) = turn.image(at, (self.columns, self.rows));
        row * self.columns + column
    }

    pub(super) fn turned(&self, squares: &Squares, turn: Turn) -> Squares {
        let mut turned = Squares::none(self.squares());
        for square in squares.iter() {
            turned.insert(self.image(square, turn));
        }
        turned
    }

    /// The number of symmetries of the board that keep a set of squares.
    pub(super) fn turns_that_keep(&self, squares: &Squares) -> u32 {
        let turns = self.turns.iter();
        let kept = turns.filter(|&&turn| self.turned(squares, turn) == *squares);
        u32::try_from(kept.count()).unwrap_or(u32::MAX)
    }
}

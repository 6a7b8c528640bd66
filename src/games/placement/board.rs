//! Neighbours.

use super::{PlacementRules, Rules};

impl PlacementRules {
    /// Visits a place and its neighbours on the board.
    pub(super) fn around(&self, place: usize, mut visit: impl FnMut(usize)) {
        let (square, colour) = (self.square_of(place), self.colour_of(place));
        let first = colour * self.squares();
        self.around_square(square, |near| visit(first + near));
        let others = (0..self.colours).filter(|&other| other != colour);
        others.for_each(|other| visit(other * self.squares() + square));
    }

    /// Visits a square and its neighbours on the board.
    fn around_square(&self, square: usize, mut visit: impl FnMut(usize)) {
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
}

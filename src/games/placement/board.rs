//! Neighbours and symmetries.

use super::squares::Squares;
use super::{PlacementRules, Rules};

/// A symmetry of a rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    /// Rows become columns, after the rest.
    swap: bool,
    flip_rows: bool,
    flip_columns: bool,
}

impl Turn {
    const IDENTITY: Self = Self {
        swap: false,
        flip_rows: false,
        flip_columns: false,
    };

    /// Half a turn around the middle.
    pub const HALF: Self = Self {
        swap: false,
        flip_rows: true,
        flip_columns: true,
    };

    /// Whether doing it twice changes nothing, and once does.
    pub const fn is_mirror(self) -> bool {
        if self.swap {
            self.flip_rows == self.flip_columns
        } else {
            self.flip_rows || self.flip_columns
        }
    }
}

impl PlacementRules {
    /// Visits a square and those of its neighbours that the board has.
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

    /// The symmetries that keep the board, the identity first. Those of graphs are not
    /// looked for.
    pub(super) fn find_turns(&self) -> Vec<Turn> {
        if matches!(self.rules, Rules::Graph(_)) {
            return vec![Turn::IDENTITY];
        }
        let all = (0..8_u8).map(|number| Turn {
            swap: number & 4 != 0,
            flip_rows: number & 2 != 0,
            flip_columns: number & 1 != 0,
        });
        let fits = |turn: &Turn| !turn.swap || self.rows == self.columns;
        let keeps = |turn: &Turn| self.turned(&self.board, *turn) == self.board;
        let mut turns: Vec<Turn> = all.filter(fits).filter(keeps).collect();
        // In a row, turning over the long side changes nothing.
        turns.dedup_by_key(|&mut turn| {
            let images = [0, self.squares() - 1, self.columns - 1];
            images.map(|square| self.image(square, turn))
        });
        if self.rows == 1 || self.columns == 1 {
            turns.truncate(2);
        }
        turns
    }

    /// Where a symmetry of the board puts a square.
    pub(super) const fn image(&self, square: usize, turn: Turn) -> usize {
        let (mut row, mut column) = (square / self.columns, square % self.columns);
        if turn.flip_rows {
            row = self.rows - 1 - row;
        }
        if turn.flip_columns {
            column = self.columns - 1 - column;
        }
        if turn.swap {
            column * self.columns + row
        } else {
            row * self.columns + column
        }
    }

    pub(super) fn turned(&self, squares: &Squares, turn: Turn) -> Squares {
        let mut turned = Squares::none(self.squares());
        for square in squares.iter() {
            turned.insert(self.image(square, turn));
        }
        turned
    }

    /// How many symmetries of the board keep a set of squares.
    pub(super) fn turns_that_keep(&self, squares: &Squares) -> u32 {
        let turns = self.turns.iter();
        let kept = turns.filter(|&&turn| self.turned(squares, turn) == *squares);
        u32::try_from(kept.count()).unwrap_or(u32::MAX)
    }
}

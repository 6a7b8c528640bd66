//! The sets of squares that win.

use serde::Deserialize;

use crate::game::Board;

/// A set of directions in which men can stand in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directions {
    /// Along a row of the board.
    pub horizontal: bool,
    /// Along a column.
    pub vertical: bool,
    /// Along a diagonal.
    pub diagonal: bool,
}

/// Which four squares are the corners of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Corners {
    /// Neighbours: two by two.
    Unit,
    /// Of any size, with sides along rows and columns.
    Upright,
    /// Of any size and tilt.
    Any,
}

/// What wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// So many men in a row without a gap.
    Line {
        /// The number of men, 2 or more.
        length: u8,
        /// Where the row may run.
        directions: Directions,
    },
    /// Four men on the corners of a square.
    Square(Corners),
}

/// The sets of squares that a goal wins with, on a board of so many columns and rows.
pub(super) fn goal_sets(columns: u8, rows: u8, goal: Goal) -> Vec<u64> {
    let board = Board::new(columns, rows);
    let vectors: Vec<Vec<(i8, i8)>> = match goal {
        Goal::Line { length, directions } => {
            let steps = [
                (directions.horizontal, (1, 0)),
                (directions.vertical, (0, 1)),
                (directions.diagonal, (1, 1)),
                (directions.diagonal, (-1, 1)),
            ];
            let length = i8::try_from(length).unwrap_or(i8::MAX);
            let steps = steps.into_iter().filter(|(wanted, _)| *wanted);
            let row = |(_, (x, y))| {
                let men = 0..length;
                men.map(|man| (man * x, man * y)).collect()
            };
            // No board is as wide as this, and products of longer rows do not fit.
            if length > 16 {
                return Vec::new();
            }
            steps.map(row).collect()
        }
        Goal::Square(corners) => {
            let longest = i8::try_from(columns.max(rows)).unwrap_or(0);
            let sides = (1..longest).flat_map(|x| (0..longest).map(move |y| (x, y)));
            let sides = sides.filter(|&(x, y)| match corners {
                Corners::Unit => (x, y) == (1, 0),
                Corners::Upright => y == 0,
                Corners::Any => true,
            });
            sides
                .map(|(x, y)| vec![(0, 0), (x, y), (x - y, x + y), (-y, x)])
                .collect()
        }
    };
    let mut found = Vec::new();
    for first in 0..board.squares() {
        for vectors in &vectors {
            let mut men = vectors.iter().map(|&by| beside(board, first, by));
            let set = men.try_fold(0, |set, man| Some(set | 1_u64 << man?));
            found.extend(set);
        }
    }
    found
}

/// The square so many columns to the right and rows down, if it is on the board.
pub(super) fn beside(board: Board, square: u8, (right, down): (i8, i8)) -> Option<u8> {
    let (columns, rows) = board.size();
    let column = (square % columns).checked_add_signed(right)?;
    let row = (square / columns).checked_add_signed(down)?;
    (column < columns && row < rows).then(|| row * columns + column)
}

//! What can be put on and around a board.

use thiserror::Error;

use super::symbol::Symbol;

/// The largest number of columns or rows: the files end at `z`.
pub const MAX_SIDE: u8 = 26;

/// A square of the board. Column 0 is file a, row 0 is the bottom rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Counted from the left, from 0.
    pub column: u8,
    /// Counted from the bottom, from 0.
    pub row: u8,
}

impl Cell {
    /// The square in this column and row, both counted from 0.
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Self {
        Self { column, row }
    }
}

/// A square of the board or of the ring of squares around it: the column may
/// be anything from −1 to the number of columns, the row likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Counted from the left, 0 being file a.
    pub column: i8,
    /// Counted from the bottom, 0 being the first rank.
    pub row: i8,
}

impl Point {
    /// The point in this column and row.
    #[must_use]
    pub const fn new(column: i8, row: i8) -> Self {
        Self { column, row }
    }
}

impl Point {
    /// Where the point is once the board, of the size given as the point just past
    /// its last cell, is turned by a quarter clockwise.
    pub(super) const fn turned(self, size: Self) -> Self {
        Self::new(self.row, size.column - 1 - self.column)
    }
}

impl From<Cell> for Point {
    /// A cell too far away for an `i8` lies on no board; it saturates, and the
    /// diagram refuses it.
    fn from(cell: Cell) -> Self {
        let index = |value: u8| i8::try_from(value).unwrap_or(i8::MAX);
        Self::new(index(cell.column), index(cell.row))
    }
}

/// One of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// The side whose pieces print solid.
    Dark,
    /// The side whose pieces print as outlines.
    Light,
}

/// What stands on a cell, or what the cell is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A piece of one of the two sides.
    Piece(Tone),
    /// A hole in the board, into which pieces may fall.
    Hole,
    /// A short text, such as the number of a tile; shrunk to fit the cell.
    Text(String),
    /// The cell is not part of the board.
    Absent,
    /// A cell filled solid, such as a wall.
    Filled,
    /// A shape that stands for a piece and shows whose it is by the way it is turned.
    Symbol(Symbol),
}

/// What happens on the board, or what the reader should look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A move; it may end off the board.
    Arrow {
        /// Where the piece stands.
        from: Cell,
        /// Where it goes.
        to: Point,
    },
    /// A cross where a piece vanished: on a cell or just outside the edge.
    Removed(Point),
    /// A move that the rules forbid: a dashed arrow, barred.
    Forbidden {
        /// Where the piece stands.
        from: Cell,
        /// Where it may not go.
        to: Point,
    },
    /// A cell to look at.
    Highlight(Cell),
}

/// A thing that changes its place in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slide {
    /// Where it stands.
    pub from: Cell,
    /// Where it goes; perhaps off the board.
    pub to: Point,
    /// Whether it vanishes there.
    pub lost: bool,
}

/// What cannot be put into a diagram.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// A board without cells, or with more than [`MAX_SIDE`] files or ranks.
    #[error("a board needs 1 to {MAX_SIDE} columns and rows, not {columns} by {rows}")]
    Size {
        /// The columns asked for.
        columns: u8,
        /// The rows asked for.
        rows: u8,
    },
    /// A cell that the board does not have.
    #[error("column {}, row {} (from 0) is not on the board", .0.column, .0.row)]
    OffBoard(Cell),
    /// A point more than one cell beyond the edge.
    #[error("column {}, row {} (from 0) is more than one cell off the board", .0.column, .0.row)]
    TooFar(Point),
    /// Two things on one cell.
    #[error("column {}, row {} (from 0) is already taken", .0.column, .0.row)]
    Taken(Cell),
    /// An arrow that ends where it begins.
    #[error("an arrow from column {}, row {} (from 0) leads nowhere", .0.column, .0.row)]
    Standstill(Cell),
    /// Nothing that could move stands on the cell.
    #[error("nothing stands on column {}, row {} (from 0)", .0.column, .0.row)]
    Empty(Cell),
    /// Two boards of a line whose sizes differ.
    #[error("board {0} of the line (from 1) has another size than the first")]
    Sizes(usize),
    /// A board of a line that is not what the moves before it lead to.
    #[error("board {0} of the line (from 1) is not what the moves before it lead to")]
    Jump(usize),
    /// A symbol whose outline is no path in its square.
    #[error(
        "the outline of {0:?} must be a path of M, L, Q, C and Z with whole numbers from 0 to 1000"
    )]
    Outline(String),
    /// A list of labels whose length is not the number of columns or rows.
    #[error("{expected} labels are needed, not {found}")]
    Labels {
        /// One for each column or row.
        expected: u8,
        /// The number given.
        found: usize,
    },
}

//! Why a diagram, a symbol or a line of play is refused.

use thiserror::Error;

use super::point::{BoardSquare, MAX_SIDE, Point};

/// What cannot be drawn. Columns and rows are counted from 0, boards of a line
/// from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// A board without squares, or with more than [`MAX_SIDE`] files or ranks.
    #[error("invalid board size {columns}x{rows}: a board has 1 to {MAX_SIDE} columns and rows")]
    Size {
        /// The columns asked for.
        columns: u8,
        /// The rows asked for.
        rows: u8,
    },
    /// A square that the board does not have.
    #[error("column {}, row {} (from 0) is not on the board", .0.column, .0.row)]
    OffBoard(BoardSquare),
    /// A point more than one square beyond the edge.
    #[error("column {}, row {} (from 0) is more than one square off the board", .0.column, .0.row)]
    TooFar(Point),
    /// Two glyphs on one square.
    #[error("column {}, row {} (from 0) is already taken", .0.column, .0.row)]
    Taken(BoardSquare),
    /// An arrow that ends where it begins.
    #[error("the arrow at column {}, row {} (from 0) ends where it begins", .0.column, .0.row)]
    Standstill(BoardSquare),
    /// Something moves from a square on which nothing stands.
    #[error("nothing stands on column {}, row {} (from 0)", .0.column, .0.row)]
    Empty(BoardSquare),
    /// Two boards of a line differ in size.
    #[error("board {0} of the line (from 1) differs in size from the first one")]
    Sizes(usize),
    /// A board of a line does not follow from the one before it.
    #[error("board {0} of the line (from 1) does not follow from the board before it")]
    Jump(usize),
    /// The outline of a symbol is not a path in its square; carries the symbol's name.
    #[error(
        "invalid outline of symbol {0:?}: use M, L, Q, C and Z with whole numbers from 0 to 1000, and begin with M"
    )]
    Outline(String),
    /// The number of labels is not the number of columns or rows.
    #[error("expected {expected} labels, found {found}")]
    Labels {
        /// One for each column or row.
        expected: u8,
        /// The number given.
        found: usize,
    },
}

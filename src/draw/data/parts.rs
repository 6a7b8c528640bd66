//! What can be put on a board: glyphs, marks, and slides from square to square.

use super::point::{BoardSquare, Point};
use super::symbol::{Symbol, Tone};

/// What stands on a square, or what the square itself is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A piece of one of the two sides.
    Piece(Tone),
    /// A hole in the board, into which pieces may fall.
    Hole,
    /// A short text, such as the number of a tile; shrunk to fit the square.
    Text(String),
    /// The square is not part of the board.
    Absent,
    /// The square is filled solid, such as a wall.
    Filled,
    /// The square is out of play: hatched.
    Blocked,
    /// An outlined shape. Which way it is turned may show whose piece it is.
    Symbol(Symbol),
}

/// A sign over the board: what happens, or where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A move; it may end off the board.
    Arrow {
        /// Where the piece stands.
        from: BoardSquare,
        /// Where it goes.
        to: Point,
    },
    /// A cross where a piece is removed: on a square or just outside the edge.
    Removed(Point),
    /// A move that the rules forbid: a dashed arrow, barred.
    Forbidden {
        /// Where the piece stands.
        from: BoardSquare,
        /// Where it may not go.
        to: Point,
    },
    /// A square to look at.
    Highlight(BoardSquare),
}

/// A glyph that goes from one square to another in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slide {
    /// Where it stands.
    pub from: BoardSquare,
    /// Where it goes, on the board or just outside the edge.
    pub to: Point,
    /// Whether it is removed there.
    pub lost: bool,
}

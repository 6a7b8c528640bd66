//! Boards as data, for programs that show them and do not know the rules.

use crate::draw::{BoardSquare, DrawnGraph, Glyph, Point};

/// A position with everything on its board and everything that can be done there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardReport {
    /// The position in the game's one-line notation.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// Columns and rows.
    pub size: (u8, u8),
    /// The labels of the files, from the left; empty beside the board.
    pub files: Vec<String>,
    /// The labels of the ranks, from the bottom.
    pub ranks: Vec<String>,
    /// The graph that is drawn instead of squares, which have no labels then.
    pub graph: Option<DrawnGraph>,
    /// Everything on the board.
    pub things: Vec<BoardThing>,
    /// The legal moves, in the game's order.
    pub moves: Vec<PointedMove>,
    /// The move that the rules forbid.
    pub forbidden: Option<PointedMove>,
}

/// A thing on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardThing {
    /// Where it stands.
    pub cell: BoardSquare,
    /// How it is drawn.
    pub glyph: Glyph,
    /// What it is, such as `black piece`.
    pub words: String,
    /// Its place in the palette, if it is there.
    pub place: Option<usize>,
}

/// A move, as it is entered by pointing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointedMove {
    /// The move in notation.
    pub name: String,
    /// Where it begins.
    pub from: BoardSquare,
    /// Where it is aimed; where it begins, if something is put on the board there.
    pub to: Point,
}

/// What positions are set up from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    /// What can be put on the board: how it is drawn, and what it is. Empty if positions
    /// cannot be set up thing by thing.
    pub things: Vec<(Glyph, String)>,
    /// The sides that can be to move, the one that begins the game first.
    pub sides: Vec<String>,
}

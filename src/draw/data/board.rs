//! Places on and around a board, graphs that are drawn instead of its squares, and why a
//! diagram is refused.

use std::collections::BTreeMap;

use thiserror::Error;

/// The largest number of columns or rows: the files end at `z`.
pub const MAX_SIDE: u8 = 26;

/// A square of the board. Column 0 is file a, row 0 is the bottom rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSquare {
    /// Counted from the left, from 0.
    pub column: u8,
    /// Counted from the bottom, from 0.
    pub row: u8,
}

impl BoardSquare {
    /// The square in this column and row, both counted from 0.
    pub const fn new(column: u8, row: u8) -> Self {
        Self { column, row }
    }

    /// Where the square is after a board with this many columns is turned a quarter clockwise.
    pub(super) const fn turned(self, columns: u8) -> Self {
        Self::new(self.row, columns - 1 - self.column)
    }

    /// The square with this name, such as `c3`: a small letter and a number from 1.
    pub fn named(name: &str) -> Option<Self> {
        let mut letters = name.chars();
        let letter = letters.next().filter(char::is_ascii_lowercase)?;
        let column = u8::try_from(letter).ok()? - b'a';
        // A number may have a sign, or zeros before it; a name has not.
        let rank = letters.as_str();
        let number: Option<u8> = rank.parse().ok();
        let number = number.filter(|_| !rank.starts_with(['+', '0']))?;
        Some(Self::new(column, number - 1))
    }
}

/// A square of the board or of the ring of squares around it: the column is in
/// −1 ..= the number of columns, the row in −1 ..= the number of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// Counted from the left, 0 being file a.
    pub column: i8,
    /// Counted from the bottom, 0 being the first rank.
    pub row: i8,
}

impl Point {
    /// The point in this column and row.
    pub const fn new(column: i8, row: i8) -> Self {
        Self { column, row }
    }

    /// Where the point is after the board is turned a quarter clockwise. `size` is
    /// the board before that: its numbers of columns and rows.
    pub(crate) const fn turned(self, size: Self) -> Self {
        Self::new(self.row, size.column - 1 - self.column)
    }
}

impl From<BoardSquare> for Point {
    /// The same square. A coordinate above 127, which no board has, becomes 127.
    fn from(square: BoardSquare) -> Self {
        let index = |value: u8| i8::try_from(value).unwrap_or(i8::MAX);
        Self::new(index(square.column), index(square.row))
    }
}

/// The vertices and edges of a graph. A diagram draws them instead of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnGraph {
    names: BTreeMap<BoardSquare, String>,
    edges: Vec<[BoardSquare; 2]>,
}

impl DrawnGraph {
    /// Vertices with the squares where they lie and their names, and edges. Of several vertices
    /// on one square the last is kept, and edges to squares without a vertex are left out.
    pub fn new(
        vertices: impl IntoIterator<Item = (BoardSquare, String)>,
        edges: impl IntoIterator<Item = [BoardSquare; 2]>,
    ) -> Self {
        let names: BTreeMap<_, _> = vertices.into_iter().collect();
        let there = |edge: &[BoardSquare; 2]| edge.iter().all(|end| names.contains_key(end));
        let edges = edges.into_iter().filter(there).collect();
        Self { names, edges }
    }

    /// The squares where vertices lie, with their names.
    pub fn vertices(&self) -> impl Iterator<Item = (BoardSquare, &str)> {
        self.names.iter().map(|(&at, name)| (at, name.as_str()))
    }

    /// The edges.
    pub fn edges(&self) -> &[[BoardSquare; 2]] {
        &self.edges
    }

    /// Whether a vertex lies on a square.
    pub fn has(&self, square: BoardSquare) -> bool {
        self.names.contains_key(&square)
    }

    /// The graph with all squares changed, which must stay different ones.
    pub(super) fn moved(self, to: impl Fn(BoardSquare) -> BoardSquare) -> Self {
        let names = self.names.into_iter();
        let edges = self.edges.into_iter();
        Self {
            names: names.map(|(at, name)| (to(at), name)).collect(),
            edges: edges.map(|[from, end]| [to(from), to(end)]).collect(),
        }
    }
}

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

//! Places on a board and around it.

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
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Self {
        Self { column, row }
    }

    /// The square with this name, such as `c3`: a small letter and a number from 1.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut letters = name.chars();
        let letter = letters.next().filter(char::is_ascii_lowercase)?;
        let column = u8::try_from(letter).ok()? - b'a';
        let rank: u8 = letters.as_str().parse().ok()?;
        Some(Self::new(column, rank.checked_sub(1)?))
    }
}

/// A square of the board or of the ring of squares around it: the column is in
/// −1 ..= the number of columns, the row in −1 ..= the number of rows.
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

    /// Where the point is after the board is turned a quarter clockwise. `size` is
    /// the board before that: its numbers of columns and rows.
    #[must_use]
    pub const fn turned(self, size: Self) -> Self {
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

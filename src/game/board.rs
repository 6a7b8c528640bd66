//! Rectangular boards: the numbers, names and symmetries of their squares, and their
//! notation.

use super::NotationError;
use crate::base::subsets::bits;
use crate::base::turn::Turn;
use crate::draw::BoardSquare;

/// A rectangular board of up to 255 squares. Squares are numbered row by row from the top
/// left: on 3x3, `a3`, `b3`, `c3`, `a2` and so on, or, where ranks are
/// [counted from the top](Self::counted_from_the_top), `a1`, `b1`, `c1`, `a2`. A set of squares is a
/// word with one bit for each square, for boards of up to 64 squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    columns: u8,
    rows: u8,
    from_top: bool,
}

impl Board {
    /// Creates a board.
    ///
    /// # Panics
    /// If either number is 0.
    pub const fn new(columns: u8, rows: u8) -> Self {
        assert!(columns > 0 && rows > 0, "a board has a square");
        Self {
            columns,
            rows,
            from_top: false,
        }
    }

    /// The same board with names of squares in which rank 1 is the uppermost, as in shogi.
    pub const fn counted_from_the_top(self) -> Self {
        Self {
            from_top: true,
            ..self
        }
    }

    /// The names of the ranks, the lowest one first.
    pub fn ranks(self) -> Vec<String> {
        let mut ranks: Vec<_> = (1..=self.rows).map(|rank| rank.to_string()).collect();
        if self.from_top {
            ranks.reverse();
        }
        ranks
    }

    /// The numbers of columns and rows.
    pub const fn size(self) -> (u8, u8) {
        (self.columns, self.rows)
    }

    /// The number of squares.
    pub const fn squares(self) -> u8 {
        self.columns.saturating_mul(self.rows)
    }

    /// The squares of a set, in order.
    pub fn squares_in(set: u64) -> impl Iterator<Item = u8> {
        bits(set)
    }

    /// The cell of a diagram on which a square is drawn.
    pub const fn cell(self, square: u8) -> BoardSquare {
        let above = square / self.columns;
        BoardSquare::new(square % self.columns, self.rows.saturating_sub(1 + above))
    }

    /// The square that is drawn on a cell. At most 255.
    pub const fn square(self, cell: BoardSquare) -> u8 {
        let above = self.rows.saturating_sub(1 + cell.row);
        above
            .saturating_mul(self.columns)
            .saturating_add(cell.column)
    }

    /// The name of a square: the letter of its column and the number of its row, for
    /// example `a1` for the lower left square.
    pub fn name(self, square: u8) -> String {
        let BoardSquare { column, row } = self.cell(square);
        let letter = char::from(b'a'.saturating_add(column));
        let row = if self.from_top {
            self.rows.saturating_sub(row)
        } else {
            row.saturating_add(1)
        };
        format!("{letter}{row}")
    }

    /// Reads the name of a square.
    ///
    /// # Errors
    /// If the board has no such square.
    pub fn read_name(self, text: &str) -> Result<u8, NotationError> {
        let mut squares = 0..self.squares();
        let found = squares.find(|&square| text.eq_ignore_ascii_case(&self.name(square)));
        found.ok_or_else(|| {
            let lower_left = self.name(self.squares() - self.columns);
            let upper_right = self.name(self.columns - 1);
            let message = format!(
                "a square is named from {lower_left} (lower left) to {upper_right} (upper right)"
            );
            NotationError::new(text, 0, message)
        })
    }

    /// The number of symmetries, including the identity, which is number 0: 8 for a square
    /// board, otherwise 4.
    pub const fn symmetries(self) -> usize {
        if self.columns == self.rows { 8 } else { 4 }
    }

    /// The image of a square under a symmetry, given by its number.
    #[expect(clippy::cast_possible_truncation, reason = "sides are bytes")]
    pub const fn image(self, square: u8, symmetry: usize) -> u8 {
        let at = (
            (square % self.columns) as usize,
            (square / self.columns) as usize,
        );
        let turn = Turn(symmetry as u8);
        let (column, row) = turn.image(at, (self.columns as usize, self.rows as usize));
        row as u8 * self.columns + column as u8
    }

    /// The image of a set of squares under a symmetry.
    pub fn image_of_set(self, set: u64, symmetry: usize) -> u64 {
        Self::squares_in(set).fold(0, |image, square| image | 1 << self.image(square, symmetry))
    }

    /// Writes a board, row by row from the top, with `/` between the rows. A square has the
    /// letter of the last set that contains it, or the first letter if no set does.
    pub fn write<const N: usize>(self, sets: [u64; N], letters: [char; N]) -> String {
        let letter = |square: u8| {
            let kind = sets.iter().rposition(|set| set >> square & 1 == 1);
            letters[kind.unwrap_or(0)]
        };
        let row = |row: u8| {
            let first = row * self.columns;
            (first..first + self.columns)
                .map(letter)
                .collect::<String>()
        };
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }

    /// Reads a board. Returns the set of squares of each letter. Upper and lower case are
    /// the same.
    ///
    /// # Errors
    /// If a row has the wrong length or a letter is not one of `letters`, with the place.
    pub fn read<const N: usize>(
        self,
        text: &str,
        letters: [char; N],
    ) -> Result<[u64; N], NotationError> {
        let (columns, rows) = (self.columns, self.rows);
        let shape = format!("a board is {rows} rows of {columns}, with / between them");
        let (mut sets, mut square, mut column) = ([0; N], 0, 0);
        for (at, letter) in text.chars().enumerate() {
            let fault = |message: String| Err(NotationError::new(text, at, message));
            if column == columns || letter == '/' {
                if column < columns || letter != '/' || square == self.squares() {
                    return fault(shape);
                }
                column = 0;
                continue;
            }
            let Some(kind) = letters
                .iter()
                .position(|known| known.eq_ignore_ascii_case(&letter))
            else {
                let letters = letters.map(|letter| format!("'{letter}'")).join(", ");
                return fault(format!("a square is one of {letters}"));
            };
            sets[kind] |= 1_u64.checked_shl(square.into()).unwrap_or(0);
            (square, column) = (square + 1, column + 1);
        }
        if square < self.squares() {
            let end = text.chars().count();
            let message = format!("squares are missing: {shape}");
            return Err(NotationError::new(text, end, message));
        }
        Ok(sets)
    }
}

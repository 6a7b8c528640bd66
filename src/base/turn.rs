//! Symmetries of rectangular boards.

/// A symmetry of a rectangular board: a reflection, a rotation, or the identity. Bit 0 of its
/// number reverses the columns, bit 1 the rows, bit 2 then swaps the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn(pub u8);

impl Turn {
    pub(crate) const IDENTITY: Self = Self(0);

    /// Half a turn around the middle.
    pub(crate) const HALF: Self = Self(3);

    /// The symmetries of a board, 8 of a square one and 4 of others: the identity, columns
    /// reversed, rows reversed, both; and these again with columns and rows swapped.
    pub(crate) fn of_board(columns: usize, rows: usize) -> impl Iterator<Item = Self> {
        (0..if columns == rows { 8 } else { 4 }).map(Self)
    }

    /// Whether doing it twice changes nothing, and once does.
    pub(crate) const fn is_mirror(self) -> bool {
        // Not the identity, and not the two quarter turns.
        matches!(self.0, 1..=4 | 7)
    }

    /// This one and then another, as one.
    pub(crate) const fn then(self, next: Self) -> Self {
        Self(self.0 ^ self.exchanging(next).0)
    }

    /// The one that takes it back.
    pub(crate) const fn inverse(self) -> Self {
        self.exchanging(self)
    }

    /// Another one, with columns and rows exchanged if this one swaps them.
    const fn exchanging(self, Self(next): Self) -> Self {
        if self.0 & 4 == 0 {
            Self(next)
        } else {
            Self(next & 4 | next >> 1 & 1 | next << 1 & 2)
        }
    }

    /// The image of the square in a column and a row, both from 0, of a board with these
    /// numbers of columns and rows.
    pub(crate) const fn image(
        self,
        (column, row): (usize, usize),
        (columns, rows): (usize, usize),
    ) -> (usize, usize) {
        let row = if self.0 & 2 == 0 { row } else { rows - 1 - row };
        let column = if self.0 & 1 == 0 {
            column
        } else {
            columns - 1 - column
        };
        if self.0 & 4 == 0 {
            (column, row)
        } else {
            (row, column)
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_symmetries_of_a_board_are_a_group_that_keeps_neighbours() {
        for size @ (columns, rows) in [(3, 3), (2, 5), (4, 1)] {
            let squares: Vec<_> = (0..columns)
                .flat_map(|column| (0..rows).map(move |row| (column, row)))
                .collect();
            let of = |turn: Turn| squares.iter().map(move |&at| turn.image(at, size));
            let turns: Vec<_> = Turn::of_board(columns, rows).collect();
            assert!(of(turns[0]).eq(squares.iter().copied()));
            for &turn in &turns {
                let mut images: Vec<_> = of(turn).collect();
                let far = |(a, b): (usize, usize), (c, d)| a.abs_diff(c) + b.abs_diff(d);
                for (&a, &image) in squares.iter().zip(&images) {
                    for (&b, &other) in squares.iter().zip(&images) {
                        assert_eq!(far(a, b), far(image, other));
                    }
                }
                let twice = of(turn).map(|at| turn.image(at, size));
                let changes = columns > 1 && rows > 1 && !images.eq(&squares);
                if columns > 1 && rows > 1 {
                    assert_eq!(
                        turn.is_mirror(),
                        changes && twice.eq(squares.iter().copied())
                    );
                }
                images.sort_unstable();
                assert_eq!(images, squares);
                assert_eq!(turn.then(turn.inverse()), Turn::IDENTITY);
                for &then in &turns {
                    let both = of(turn).map(|at| then.image(at, size));
                    assert!(of(turn.then(then)).eq(both));
                }
            }
        }
        assert!(Turn::HALF.is_mirror() && !Turn::IDENTITY.is_mirror());
        assert_eq!(Turn::HALF.image((0, 1), (4, 3)), (3, 1));
    }
}

//! How many positions a board has at least, so that one that is far too large is refused at
//! once.
//!
//! Blocks of squares with one row or column between them do not touch: a square that is taken
//! in one changes none of another. So a board has at least the product of what its blocks have,
//! each alone.

use std::collections::{HashMap, HashSet};

/// The most rows and columns of a block, whose squares are bits of a word.
const SIDE: usize = 4;

/// A number of positions that a full board of this size surely has, up to symmetry. With
/// `diagonals`, squares that touch at a corner are neighbours.
pub(super) fn fewest(rows: usize, columns: usize, diagonals: bool) -> u64 {
    let mut known: HashMap<(usize, usize), u64> = HashMap::new();
    let mut product: u64 = 1;
    for height in blocks(rows) {
        for width in blocks(columns) {
            let count = known
                .entry((height, width))
                .or_insert_with(|| positions(height, width, diagonals));
            product = product.saturating_mul(*count);
            if product == u64::MAX {
                // A board may have very many blocks.
                return product / 8;
            }
        }
    }
    // One of them has no free square and is none; and a board has at most eight symmetries.
    (product - 1) / 8
}

/// The lengths of blocks along a side, with one square between two.
fn blocks(side: usize) -> impl Iterator<Item = usize> {
    let rest = (0..side).step_by(SIDE + 1);
    rest.map(move |from| SIDE.min(side - from))
}

/// The sets of free squares that play can leave on a block, the empty one too.
fn positions(height: usize, width: usize, diagonals: bool) -> u64 {
    let all = (1u32 << (height * width)) - 1;
    let around = |square: u32| {
        let (row, column) = (square as usize / width, square as usize % width);
        let mut set = 0;
        for near_row in row.saturating_sub(1)..height.min(row + 2) {
            for near_column in column.saturating_sub(1)..width.min(column + 2) {
                if diagonals || near_row == row || near_column == column {
                    set |= 1 << (near_row * width + near_column);
                }
            }
        }
        set
    };
    let mut met = HashSet::from([all]);
    let mut open = vec![all];
    while let Some(free) = open.pop() {
        let mut rest = free;
        while rest != 0 {
            let left = free & !around(rest.trailing_zeros());
            rest &= rest - 1;
            if met.insert(left) {
                open.push(left);
            }
        }
    }
    met.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_board_has_fewer() {
        // What tables of these boards hold, from 'tesuji solve'.
        let listed = [
            (5, 6, true, 1_642),
            (6, 7, true, 40_910),
            (7, 7, true, 165_003),
            (5, 9, true, 121_003),
            (5, 5, false, 4_488),
            (5, 6, false, 61_839),
            (6, 6, false, 342_757),
        ];
        for (rows, columns, diagonals, count) in listed {
            let least = fewest(rows, columns, diagonals);
            assert!(least > 0 && least <= count, "{rows}x{columns}: {least}");
        }
        assert_eq!(blocks(9).collect::<Vec<_>>(), [4, 4]);
        assert_eq!(blocks(8).collect::<Vec<_>>(), [4, 3]);
        assert!(fewest(9, 9, true) > 1 << 20 && fewest(7, 8, false) > 1 << 20);
        assert!(fewest(1, 1 << 20, true) > 1 << 60);
    }
}

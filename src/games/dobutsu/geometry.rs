//! The board of three files and four ranks, and where each animal steps.
//!
//! Squares are numbered from the view of the side to move, rank by rank from its home rank,
//! each from the file that is on the left for Sente's side of the board. A set of squares is
//! a word with one bit for each.

use crate::base::subsets::bits;
use crate::game::AROUND;

/// A square, 0 to 11.
pub(super) type Square = u8;

/// A set of squares.
pub(super) type Squares = u16;

/// The number of squares.
pub(super) const SQUARES: u8 = 12;

/// All squares.
pub(super) const ALL: Squares = 0o7777;

/// The rank on which the side to move begins.
pub(super) const HOME: Squares = 0o0007;

/// The rank on which its chicks are promoted and its lion wins.
pub(super) const FAR: Squares = 0o7000;

/// A kind of piece as it stands on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One step straight.
    Giraffe,
    /// One step diagonally.
    Elephant,
    /// One step forward.
    Chick,
    /// One step straight or diagonally forward: a promoted chick.
    Hen,
}

impl Kind {
    /// In the order of their numbers.
    pub(super) const ALL: [Self; 4] = [Self::Giraffe, Self::Elephant, Self::Chick, Self::Hen];

    /// The squares to which a piece of the side to move steps.
    #[inline]
    pub(super) const fn steps(self, from: Square) -> Squares {
        STEPS[self as usize + 1][from as usize]
    }

    /// The squares from which a piece of the side to move steps to this one; also those to
    /// which a piece of the other side steps.
    #[inline]
    pub(crate) const fn origins(self, to: Square) -> Squares {
        ORIGINS[self as usize + 1][to as usize]
    }

    /// The number of the animal, which is what goes to a hand: a hen is a chick there.
    #[inline]
    pub(super) const fn animal(self) -> usize {
        match self {
            Self::Giraffe => 0,
            Self::Elephant => 1,
            Self::Chick | Self::Hen => 2,
        }
    }
}

/// The squares around a lion.
#[inline]
pub(super) const fn around(lion: Square) -> Squares {
    STEPS[0][lion as usize]
}

/// The square alone.
#[inline]
pub(super) const fn bit(square: Square) -> Squares {
    1 << square
}

/// The squares of a set, in order.
pub(super) fn squares_of(set: Squares) -> impl Iterator<Item = Square> {
    bits(set.into())
}

/// The least square of a set.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a word has 16 bits")]
pub(super) const fn lowest(set: Squares) -> Option<Square> {
    if set == 0 {
        None
    } else {
        Some(set.trailing_zeros() as Square)
    }
}

/// The set as the other side sees it.
#[inline]
pub(super) const fn turned(set: Squares) -> Squares {
    set.reverse_bits() >> 4
}

/// The set with its left and right files exchanged.
#[inline]
pub(super) const fn mirrored(set: Squares) -> Squares {
    set & 0o2222 | (set & 0o1111) << 2 | (set & 0o4444) >> 2
}

/// The image of a square under the exchange of files.
#[inline]
pub(super) const fn mirror_square(square: Square) -> Square {
    square - square % 3 + (2 - square % 3)
}

/// File and rank of the steps of a lion, a giraffe, an elephant, a chick and a hen of the
/// side to move.
const DIRECTIONS: [&[(i8, i8)]; 5] = [
    &AROUND,
    &[(0, -1), (-1, 0), (1, 0), (0, 1)],
    &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
    &[(0, 1)],
    &[(0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
];

const STEPS: [[Squares; 12]; 5] = reach(1);
const ORIGINS: [[Squares; 12]; 5] = reach(-1);

/// The squares one step from each square, with all directions multiplied by `sign`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "files and ranks are small"
)]
const fn reach(sign: i8) -> [[Squares; 12]; 5] {
    let mut table = [[0; 12]; 5];
    let mut kind = 0;
    while kind < 5 {
        let mut from = 0;
        while from < 12 {
            let mut way = 0;
            while way < DIRECTIONS[kind].len() {
                let (file, rank) = DIRECTIONS[kind][way];
                let file = (from % 3) as i8 + sign * file;
                let rank = (from / 3) as i8 + sign * rank;
                if file >= 0 && file < 3 && rank >= 0 && rank < 4 {
                    table[kind][from] |= 1 << (3 * rank + file) as u32;
                }
                way += 1;
            }
            from += 1;
        }
        kind += 1;
    }
    table
}

/// Numbers of moves: a step has the number of its two squares among all steps of a lion, a
/// drop one of [`DROPS`] and more.
pub(super) struct Numbers {
    /// The number of the step between two squares.
    pub steps: [[u8; 12]; 12],
    /// The squares of each step.
    pub squares: [(Square, Square); DROPS as usize],
}

/// The number of the first drop: the number of steps that a lion has on the board.
pub(super) const DROPS: u8 = 58;

/// The number of moves: three animals can be dropped on each square.
pub(super) const MOVES: u8 = DROPS + 3 * SQUARES;

pub(super) const NUMBERS: Numbers = numbers();

#[expect(clippy::cast_possible_truncation, reason = "squares are few")]
const fn numbers() -> Numbers {
    let mut table = Numbers {
        steps: [[u8::MAX; 12]; 12],
        squares: [(0, 0); DROPS as usize],
    };
    let (mut from, mut next) = (0, 0);
    while from < 12 {
        let mut to = 0;
        while to < 12 {
            if STEPS[0][from] >> to & 1 == 1 {
                table.steps[from][to] = next;
                table.squares[next as usize] = (from as Square, to as Square);
                next += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(next == DROPS, "each step has a number");
    table
}

/// The number of a move after the exchange of files.
pub(super) const MIRRORED: [u8; MOVES as usize] = mirrored_numbers();

const fn mirrored_numbers() -> [u8; MOVES as usize] {
    let mut table = [0; MOVES as usize];
    let mut number = 0;
    while number < MOVES {
        table[number as usize] = if number < DROPS {
            let (from, to) = NUMBERS.squares[number as usize];
            let [from, to] = [mirror_square(from), mirror_square(to)];
            NUMBERS.steps[from as usize][to as usize]
        } else {
            let place = number - DROPS;
            DROPS + place / SQUARES * SQUARES + mirror_square(place % SQUARES)
        };
        number += 1;
    }
    table
}

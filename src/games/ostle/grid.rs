//! Small rectangular boards: squares, directions, bit sets and symmetries.
//!
//! Squares are numbered file by file (a1 = 0, a2 = 1, ..., on five ranks b1 = 5),
//! so that numerical order is the lexicographic order of the square names. A set
//! of squares is the low `width * height <= 36` bits of a `u64`.

use std::fmt;

use crate::base::subsets::bits;
use crate::base::turn::Turn;

/// A set of squares, bit `i` for square number `i`.
pub(crate) type Mask = u64;

/// A square's number: `file * height + rank`, both from zero.
pub(crate) type Square = u8;

/// One of the four directions in which a piece moves. Up is towards higher ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards higher ranks.
    Up = 0,
    /// Towards rank 1.
    Down = 1,
    /// Towards file a.
    Left = 2,
    /// Towards higher files.
    Right = 3,
}

impl Direction {
    /// All directions, in the order U, D, L, R.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The direction with this number (its low two bits).
    pub(crate) const fn from_index(index: u8) -> Self {
        Self::ALL[(index & 3) as usize]
    }

    pub(crate) const fn opposite(self) -> Self {
        Self::from_index(self as u8 ^ 1)
    }

    /// The letter used in move notation.
    pub(crate) const fn letter(self) -> char {
        ['U', 'D', 'L', 'R'][self as usize]
    }
}

/// A symmetry of a board: a permutation of its squares, fast on whole sets.
#[derive(Clone)]
pub struct Symmetry {
    squares: [Square; MOST_SQUARES],
    directions: [Direction; 4],
    /// Of boards that have tables.
    pub(super) images: Option<Images>,
}

/// Images of the 9 low, 8 middle and 13 high bits of a set, one after the other. Boards up to 5x5 use
/// the first 1,024.
#[derive(Clone)]
pub(super) struct Images(Box<[u32; 768 + (1 << 13)]>);

impl Images {
    #[inline(always)]
    pub(super) fn of(&self, set: u32) -> u32 {
        self.0[(set & 511) as usize]
            | self.0[512 + (set >> 9 & 255) as usize]
            | self.0[768 + (set >> 17 & 8191) as usize]
    }
}

/// The most squares of a board.
const MOST_SQUARES: usize = 36;

/// The most squares of a board that has tables of images and of ranks.
pub(super) const MOST_WITH_TABLES: u8 = 30;

impl Symmetry {
    /// The effect of a turn on a board of this size.
    #[expect(clippy::large_stack_arrays, reason = "it goes to the heap at once")]
    fn new(width: u8, height: u8, turn: Turn) -> Self {
        let size = (usize::from(width), usize::from(height));
        let image = |file: u8, rank: u8| {
            let (file, rank) = turn.image((file.into(), rank.into()), size);
            Square::try_from(file * size.1 + rank).expect("a board of 36 squares at most")
        };
        let mut squares = [0; MOST_SQUARES];
        for file in 0..width {
            for rank in 0..height {
                squares[usize::from(file * height + rank)] = image(file, rank);
            }
        }
        // The images of b2 and its neighbours give the images of directions.
        let middle = image(1, 1);
        let directions = [(1, 2), (1, 0), (0, 1), (2, 1)].map(|(file, rank)| {
            let near = image(file, rank);
            match (near > middle, near.abs_diff(middle) == 1) {
                (true, true) => Direction::Up,
                (false, true) => Direction::Down,
                (false, false) => Direction::Left,
                (true, false) => Direction::Right,
            }
        });
        let count = size.0 * size.1;
        let images = (count <= MOST_WITH_TABLES.into()).then(|| {
            let mut images = Box::new([0; 768 + (1 << 13)]);
            for (base, shift, bits) in [(0, 0, 9), (512, 9, 8), (768, 17, 13)] {
                for part in 0..1usize << count.saturating_sub(shift).min(bits) {
                    images[base + part] = (0..bits)
                        .filter(|bit| part >> bit & 1 == 1)
                        .fold(0, |mask, bit| mask | 1 << squares[bit + shift]);
                }
            }
            Images(images)
        });
        Self {
            squares,
            directions,
            images,
        }
    }

    /// The image of a set of squares.
    #[inline]
    pub fn mask(&self, mask: Mask) -> Mask {
        match &self.images {
            Some(images) => images.of(low(mask)).into(),
            None => squares_of(mask).fold(0, |image, square| image | 1 << self.square(square)),
        }
    }

    /// The image of a square.
    #[inline]
    pub fn square(&self, square: Square) -> Square {
        self.squares[square as usize]
    }

    /// The image of a direction.
    #[inline]
    pub fn direction(&self, direction: Direction) -> Direction {
        self.directions[direction as usize]
    }
}

impl fmt::Debug for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Symmetry({:?})", self.squares)
    }
}

/// A board of 3x3 to 6x6 squares.
#[derive(Debug, Clone)]
pub struct Grid {
    /// The number of files.
    pub width: u8,
    /// The number of ranks.
    pub height: u8,
    /// The symmetries of the board, the identity first: 8 of a square board, 4 of a
    /// rectangle.
    pub symmetries: Vec<Symmetry>,
}

impl Grid {
    /// Smallest and greatest number of files or ranks.
    pub const SIDES: std::ops::RangeInclusive<u8> = 3..=6;

    /// Creates a board of `width` files and `height` ranks; `None` unless both are in
    /// [`Grid::SIDES`].
    ///
    /// # Panics
    /// Never: boards of these sizes fit every number used.
    pub fn new(width: u8, height: u8) -> Option<Self> {
        if !Self::SIDES.contains(&width) || !Self::SIDES.contains(&height) {
            return None;
        }
        let turns = Turn::of_board(width.into(), height.into());
        Some(Self {
            width,
            height,
            symmetries: turns
                .map(|turn| Symmetry::new(width, height, turn))
                .collect(),
        })
    }

    /// The number of squares, 9 to 36.
    pub const fn squares(&self) -> u8 {
        self.width * self.height
    }

    pub(crate) const fn all(&self) -> Mask {
        (1 << self.squares()) - 1
    }

    /// The square on a file and a rank, both counted from zero.
    pub(crate) fn square(&self, file: u8, rank: u8) -> Option<Square> {
        (file < self.width && rank < self.height).then(|| file * self.height + rank)
    }

    /// The middle square, the one nearest to a1 if there are several.
    pub(crate) const fn middle(&self) -> Square {
        (self.width - 1) / 2 * self.height + (self.height - 1) / 2
    }

    /// The least of the squares symmetric to a square, and the first symmetry that leads there.
    pub(crate) fn least(&self, square: Square) -> (Square, u8) {
        let symmetries = (0u8..).zip(&self.symmetries);
        let images = symmetries.map(|(number, symmetry)| (symmetry.square(square), number));
        images.min().expect("the identity is a symmetry")
    }

    /// Those of some squares that no symmetry takes to a lesser one, in order.
    pub(crate) fn least_of(&self, squares: Mask) -> impl Iterator<Item = Square> {
        squares_of(squares).filter(|&square| self.least(square).0 == square)
    }

    /// File of a square, from zero.
    pub(crate) const fn file(&self, square: Square) -> u8 {
        square / self.height
    }

    /// Rank of a square, from zero.
    pub(crate) const fn rank(&self, square: Square) -> u8 {
        square % self.height
    }

    /// The neighbour in a direction; `None` at the edge.
    pub fn neighbour(&self, square: Square, direction: Direction) -> Option<Square> {
        let (file, rank) = (self.file(square), self.rank(square));
        match direction {
            Direction::Up => self.square(file, rank + 1),
            Direction::Down => self.square(file, rank.checked_sub(1)?),
            Direction::Left => self.square(file.checked_sub(1)?, rank),
            Direction::Right => self.square(file + 1, rank),
        }
    }

    pub(crate) fn square_name(&self, square: Square) -> String {
        let file = char::from(b'a' + self.file(square));
        format!("{file}{}", self.rank(square) + 1)
    }

    /// The distance of a square from the nearest edge, from 0.
    pub(crate) fn edge_distance(&self, square: Square) -> u8 {
        let (file, rank) = (self.file(square), self.rank(square));
        file.min(rank)
            .min(self.width - 1 - file)
            .min(self.height - 1 - rank)
    }
}

/// A set of squares of a board that has tables.
#[expect(
    clippy::cast_possible_truncation,
    reason = "sets on other boards are not looked up"
)]
#[inline(always)]
pub(super) const fn low(mask: Mask) -> u32 {
    mask as u32
}

/// The squares of a set in increasing order.
pub(crate) fn squares_of(mask: Mask) -> impl Iterator<Item = Square> {
    bits(mask)
}

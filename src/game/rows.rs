//! Positions in rows: the capability behind the fastest solver.
//!
//! A *row* holds all positions of a layer in which the side to move has the same squares
//! (for Ostle: the same pieces and the same hole). Within it a position is a *column*: the
//! set of the opponent's squares among the row's free squares. What a move of the mover
//! does is then the same for all columns that allow it, so it is worked out once a row, as
//! a [`RowMove`], and not once a position.
//!
//! The position after a move is looked at from the other side. Its *bucket* is the row of
//! the squares of the side that moved (numbered as the rows of the layer that the move came
//! from), and the set of the side to move, among the free squares of that row, tells it
//! apart from others in the bucket.
//!
//! Squares that a move does not touch are the same in the row and, unless it is turned, in
//! the bucket. So the columns that have the move, and the sets that come from it, correspond
//! one by one in the order of their numbers.

use crate::base::subsets::Ranker;

/// Squares as a set of up to 32 bits.
pub(crate) type Squares = u32;

/// The rows of a layer.
#[derive(Debug, Clone, Copy)]
pub struct RowLayer<'g> {
    /// Number of rows.
    pub rows: usize,
    /// The layer that moves within the group lead to. Its buckets are this layer's rows.
    pub answers: usize,
    /// Numbers the columns of a row.
    pub ranker: &'g Ranker,
    /// The set of each column, over the row's free squares.
    pub columns: &'g [Squares],
}

/// A row: what all its positions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The squares where the opponent can stand.
    pub free: Squares,
    /// Whether some of its slots may be vacant.
    pub symmetric: bool,
}

/// A row under all symmetries of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowImages {
    /// The layer.
    pub layer: usize,
    /// What else the game wants to know, such as the square of a hole.
    pub tag: u8,
    /// The mover's squares under the symmetry of each number.
    pub images: [Squares; 8],
}

/// A position as its bucket sees it, with a move of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transposed {
    /// The bucket: a row of the layer that the position's moves lead to.
    pub bucket: u32,
    /// The squares of the side to move, over the free squares of the bucket.
    pub set: Squares,
    /// The number of the move in this image of the position.
    pub number: u8,
    /// The number of the symmetry that turns the position of the row to this image.
    pub turn: u8,
}

/// Which sets of squares something is true of: those that have the squares `bits` and no
/// other squares of `mask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The squares that matter.
    pub mask: Squares,
    /// Those of them that the set has.
    pub bits: Squares,
}

impl Condition {
    #[inline]
    pub(crate) const fn holds(self, set: Squares) -> bool {
        set & self.mask == self.bits
    }
}

/// A move that all positions of a row have whose opponent's squares fulfil a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowMove {
    /// The columns that have the move, over the row's free squares.
    pub condition: Condition,
    /// The bucket of the position after the move.
    pub bucket: u32,
    /// Squares where the side to move after the move can stand, turned.
    pub bucket_free: Squares,
    /// The sets of the bucket that come from this move, over
    /// [`bucket_free`](Self::bucket_free).
    pub image: Condition,
    /// Squares of the board where the opponent stands before or after the move, but not
    /// both.
    pub flip: Squares,
    /// Over the row's free squares: an opponent on one of them, before the move, wins at
    /// once after it. `u32::MAX` if the opponent always does.
    pub mated: Squares,
    /// The number of the symmetry that turns the position after the move to its bucket.
    pub turn: u8,
    /// The number of the symmetry that takes it back.
    pub turn_back: u8,
    /// The number of the move.
    pub number: u8,
    /// The number, in the bucket, of the move that takes this one back;
    /// [`NO_UNDO`](Self::NO_UNDO) if none does.
    pub undo: u8,
}

impl RowMove {
    /// No move takes this one back.
    pub const NO_UNDO: u8 = u8::MAX;

    /// Every position after the move is won at once.
    pub(crate) const ALWAYS: Squares = Squares::MAX;
}

/// A move of a row out of its group, or one that ends the game; or several moves that do
/// the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowExit {
    /// How many moves they are; at most four if the game goes on.
    pub moves: u8,
    /// Their numbers, those of the first four.
    pub numbers: [u8; 4],
    /// Their kinds, one bit each, without the [varying](super::ByRows::varying_kinds) ones, of which
    /// they have none.
    pub kinds: u32,
    /// The columns that have the move, over the row's free squares.
    pub condition: Condition,
    /// Where the move leads.
    pub to: RowExitTo,
}

/// Where a [`RowExit`] leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowExitTo {
    /// The side that moves wins.
    Win,
    /// The side that moves loses.
    Loss,
    /// To a position of an earlier group; such a move is never forbidden.
    Earlier {
        /// Its layer.
        layer: usize,
        /// Its bucket in that layer.
        bucket: u32,
        /// Free squares of the bucket.
        bucket_free: Squares,
        /// The sets of the bucket that come from this move, over `bucket_free`.
        image: Condition,
        /// The symmetry that turns the position after the move to its bucket.
        turn: u8,
        /// Squares of the board where the opponent stands before or after the move, but
        /// not both.
        flip: Squares,
    },
}

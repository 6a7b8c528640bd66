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
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::{Repetition, Retrograde};
use crate::base::cpu::Cpu;
use crate::base::subsets::Ranker;

/// Squares as a set of up to 32 bits.
pub type Squares = u32;

/// A game whose positions stand in rows, numbered row by row.
///
/// The slot of a position is that of its layer, plus its row times the number of columns,
/// plus its column. Of positions that are images of each other under a symmetry of their
/// row, one is stored, and the slots of the others are vacant.
pub trait ByRows: Retrograde {
    /// The layers, in the order of [`layers`](super::Ranked::layers).
    fn row_layers(&self) -> Vec<RowLayer<'_>>;

    /// The free squares of a row, and whether it has vacant slots.
    fn row(&self, layer: usize, row: usize) -> Row;

    /// Appends the moves of a row that stay in the group and end nothing.
    fn row_moves(&self, layer: usize, row: usize, moves: &mut Vec<RowMove>);

    /// Appends the moves of a row that leave the group or end the game. Moves that do the
    /// same stand in one entry.
    fn row_exits(&self, layer: usize, row: usize, exits: &mut Vec<RowExit>);

    /// The kinds of moves (see [`Moves::kinds_of`](super::Moves::kinds_of)), one bit each, all
    /// of whose moves leave the group or end the game.
    fn exit_kinds(&self) -> u32 {
        0
    }

    /// The kinds of moves, one bit each, that depend on more than the row.
    fn varying_kinds(&self) -> u32 {
        0
    }

    /// The kinds of a move of a row that stays in the group, one bit each, without the
    /// [varying](Self::varying_kinds) ones.
    fn kinds_of_row_move(&self, layer: usize, row: usize, mv: &RowMove) -> u32;

    /// The [varying kinds](Self::varying_kinds) of the move of number `number` in the position
    /// of a row with the opponent on `opponent` (squares of the board), one bit each.
    fn varying_kinds_of(&self, layer: usize, row: usize, number: u8, opponent: Squares) -> u32 {
        let _ = (layer, row, number, opponent);
        0
    }

    /// The symmetry of number `turn`, which maps sets of squares; 0 is the identity.
    fn turn(&self, turn: u8) -> impl Fn(Squares) -> Squares;

    /// By the numbers of two symmetries: that of the first one and then the second.
    fn compositions(&self) -> Vec<Vec<u8>>;

    /// The number of a move after the symmetry of number `turn`.
    fn turned(&self, turn: u8, number: u8) -> u8;

    /// Visits the position of a row with the opponent on `opponent` (squares of the board),
    /// and a move of it, as its bucket sees it: each of its images under the symmetries of
    /// the bucket once.
    fn transposed<C: Cpu>(
        &self,
        cpu: C,
        row: &RowImages,
        opponent: Squares,
        number: u8,
        visit: impl FnMut(Transposed),
    );

    /// The images of a row, for [`transposed`](Self::transposed).
    fn row_images(&self, layer: usize, row: usize) -> RowImages;

    /// The slot of the position of a layer in which the side to move has `squares` and the
    /// other side what bucket `bucket` of the layer says, and the number of the symmetry that
    /// turns it to the position as it is stored.
    fn transposed_place<C: Cpu>(
        &self,
        cpu: C,
        layer: usize,
        bucket: usize,
        squares: Squares,
    ) -> (u64, u8);

    /// The slot that [`transposed_place`](Self::transposed_place) tells.
    #[inline(always)]
    fn transposed_slot<C: Cpu>(
        &self,
        cpu: C,
        layer: usize,
        bucket: usize,
        squares: Squares,
    ) -> u64 {
        self.transposed_place(cpu, layer, bucket, squares).0
    }

    /// Whether from the position of a slot some move may lead back to an image of the position
    /// before that does not take the last move back exactly, and is forbidden all the same.
    fn may_lead_back_turned(&self, slot: u64) -> bool {
        self.repetition() == Repetition::UpToSymmetry
            && self
                .cursor(slot)
                .is_some_and(|cursor| self.is_symmetric(cursor) || self.may_return_turned(cursor))
    }

    /// Whether, from the position of a row with the opponent on the given squares of the board,
    /// two successive moves within the group may lead to an image of the position under a
    /// symmetry of the board other than the identity. `false` only if they never do.
    fn may_come_back_turned(&self, row: &RowImages) -> impl Fn(Squares) -> bool;

    /// The slot after the move of number `number` in that position, if it stays in the
    /// group; otherwise `u64::MAX`. The number is the one of the position as the bucket
    /// sees it.
    fn transposed_follow(&self, layer: usize, bucket: usize, squares: Squares, number: u8) -> u64;
}

/// A use of a game by rows, for [`Ranked::by_rows`](super::Ranked::by_rows).
pub trait RowVisitor<'g> {
    /// What the use yields.
    type Output;

    /// Uses the game.
    fn visit<G: ByRows>(self, game: &'g G) -> Self::Output;
}

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
    /// Whether a set fulfils the condition.
    #[inline]
    #[must_use]
    pub const fn holds(self, set: Squares) -> bool {
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
    pub const ALWAYS: Squares = Squares::MAX;
}

/// A move of a row out of its group, or one that ends the game; or several moves that do
/// the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowExit {
    /// How many moves they are; at most four if the game goes on.
    pub moves: u8,
    /// Their numbers, those of the first four.
    pub numbers: [u8; 4],
    /// Their kinds, one bit each, without the [varying](ByRows::varying_kinds) ones, of which
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

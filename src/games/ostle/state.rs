//! Sides, moves, states, and effects of moves.

use crate::draw::Tone;
use crate::game::Leaving;
use crate::games::ostle::grid::{Direction, Mask, Square, Symmetry};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    /// The side that begins.
    Black,
    White,
}

impl Side {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        ["Black", "White"][self as usize]
    }

    pub(crate) const fn tone(self) -> Tone {
        [Tone::Dark, Tone::Light][self as usize]
    }
}

/// A move of a piece of the mover, or of the hole, by one square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square that the moving piece or hole leaves.
    pub from: Square,
    /// The direction of the move.
    pub direction: Direction,
}

impl Move {
    /// The move of the piece or the hole on a square.
    pub const fn new(from: Square, direction: Direction) -> Self {
        Self { from, direction }
    }

    pub(crate) const fn from_number(number: u8) -> Self {
        Self::new(number >> 2, Direction::from_index(number))
    }

    /// `square * 4 + direction`, 0 to 143.
    pub const fn number(self) -> u8 {
        self.from << 2 | self.direction as u8
    }

    pub(super) fn image(self, symmetry: &Symmetry) -> Self {
        Self::new(
            symmetry.square(self.from),
            symmetry.direction(self.direction),
        )
    }
}

/// The pieces and the hole of a position, seen by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Placement {
    pub own: Mask,
    pub opp: Mask,
    pub hole: Square,
}

impl Placement {
    /// The placement as the other side sees it.
    #[inline(always)]
    pub(super) const fn turned(self) -> Self {
        Self {
            own: self.opp,
            opp: self.own,
            hole: self.hole,
        }
    }

    #[inline(always)]
    pub(super) fn image(self, symmetry: &Symmetry) -> Self {
        Self {
            own: symmetry.mask(self.own),
            opp: symmetry.mask(self.opp),
            hole: symmetry.square(self.hole),
        }
    }

    #[inline(always)]
    pub(super) const fn occupied(self) -> Mask {
        self.own | self.opp
    }
}

/// Pieces, hole, side to move, and the move that rule 8 forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) placement: Placement,
    pub(super) side: Side,
    /// The move that rule 8 forbids.
    pub forbidden: Option<Move>,
}

impl State {
    /// A position with no move forbidden.
    pub(super) const fn open(placement: Placement, side: Side) -> Self {
        Self {
            placement,
            side,
            forbidden: None,
        }
    }

    /// Pieces of the side to move.
    pub const fn own(&self) -> Mask {
        self.placement.own
    }

    /// Pieces of the other side.
    pub const fn opponent(&self) -> Mask {
        self.placement.opp
    }

    /// Pieces of Black and of White.
    pub(super) const fn sides(&self) -> [Mask; 2] {
        match self.side {
            Side::Black => [self.placement.own, self.placement.opp],
            Side::White => [self.placement.opp, self.placement.own],
        }
    }

    /// The hole's square.
    pub const fn hole(&self) -> Square {
        self.placement.hole
    }

    /// The same position with no move forbidden.
    pub const fn unrestricted(self) -> Self {
        Self::open(self.placement, self.side)
    }
}

/// The effect of a move on the board, whether or not it ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    pub(super) after: Placement,
    /// The piece removed, if any.
    pub removed: Option<Leaving>,
    pub(super) chain: Mask,
    pub(super) hole: bool,
    /// The only move that restores the exact position, if there is one: the hole goes back,
    /// or the last piece pushed, if it is the opponent's, pushes all the others back.
    pub(super) reply: Option<Move>,
}

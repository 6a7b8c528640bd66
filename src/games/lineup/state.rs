//! Sides, states and moves.

pub(crate) use crate::games::side::Side;

/// The men on the board, seen by the side to move, as sets of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) side: Side,
}

impl State {
    /// All squares with men.
    pub(super) const fn taken(&self) -> u64 {
        self.own | self.other
    }

    /// The same men with the other side to move.
    pub(super) const fn passed(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            side: self.side.other(),
        }
    }

    /// The squares of Black and of White.
    pub(super) const fn sides(&self) -> [u64; 2] {
        match self.side {
            Side::Black => [self.own, self.other],
            Side::White => [self.other, self.own],
        }
    }
}

/// A man goes from one square to another, or, if they are the same, from the hand to that
/// square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub(super) from: u8,
    pub(super) to: u8,
}

impl Move {
    /// Puts a man on a square.
    pub(super) const fn drop(to: u8) -> Self {
        Self { from: to, to }
    }

    /// Whether it puts a man on the board.
    pub(crate) const fn is_drop(self) -> bool {
        self.from == self.to
    }

    /// The side's men after the move.
    pub(super) const fn play(self, men: u64) -> u64 {
        men & !(1 << self.from) | 1 << self.to
    }
}

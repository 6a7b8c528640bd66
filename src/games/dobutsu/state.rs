//! Sides, states and moves.

use super::geometry::{
    DROPS, FAR, Kind, MIRRORED, MOVES, NUMBERS, SQUARES, Square, bit, mirror_square,
};
use super::movegen::Step;
use super::position::Position;

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side that begins, at the lower end of the board.
    Sente,
    /// The other side.
    Gote,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Sente => Self::Gote,
            Self::Gote => Self::Sente,
        }
    }

    /// `Sente` or `Gote`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sente => "Sente",
            Self::Gote => "Gote",
        }
    }
}

/// An unfinished game: the men of both sides, and the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub(super) at: Position,
    pub(super) side: Side,
}

impl State {
    /// The side to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The position as Sente sees it: Sente's men first, whoever is to move.
    pub(super) fn as_sente(&self) -> Position {
        match self.side {
            Side::Sente => self.at,
            Side::Gote => self.at.turned(),
        }
    }
}

/// An animal as it is named in moves. A hen is named like the chick that it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Animal {
    /// The lion.
    Lion,
    /// A giraffe.
    Giraffe,
    /// An elephant.
    Elephant,
    /// A chick or a hen.
    Chick,
}

impl Animal {
    pub(super) const ALL: [Self; 4] = [Self::Lion, Self::Giraffe, Self::Elephant, Self::Chick];

    /// The animal of a man; `None` stands for the lion.
    pub(super) fn of(kind: Option<Kind>) -> Self {
        kind.map_or(Self::Lion, |kind| Self::ALL[kind.animal() + 1])
    }

    /// `L`, `G`, `E` or `C`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Lion => 'L',
            Self::Giraffe => 'G',
            Self::Elephant => 'E',
            Self::Chick => 'C',
        }
    }
}

/// A move: an animal goes to a square, from another or from the hand. Squares are those of
/// the board, whoever moves: number 0 is a4, and numbers go on along the rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub(super) animal: Animal,
    pub(super) from: Option<Square>,
    pub(super) to: Square,
    pub(super) takes: bool,
    pub(super) promotes: bool,
}

impl Move {
    /// The move of a side by a step.
    pub(super) fn of(step: &Step, side: Side) -> Self {
        let seen = |square| seen_by(side, square);
        Self {
            animal: Animal::of(step.kind),
            from: step.from.map(seen),
            to: seen(step.to),
            takes: step.taken.is_some(),
            promotes: step.promotes,
        }
    }

    /// The move with which a side takes the lion.
    pub(super) fn taking_lion(kind: Option<Kind>, from: Square, to: Square, side: Side) -> Self {
        Self {
            animal: Animal::of(kind),
            from: Some(seen_by(side, from)),
            to: seen_by(side, to),
            takes: true,
            promotes: kind == Some(Kind::Chick) && bit(to) & FAR != 0,
        }
    }

    /// The number of the move from the view of the side that makes it.
    pub(super) fn number(self, side: Side) -> u8 {
        let to = seen_by(side, self.to);
        match self.from {
            Some(from) => NUMBERS.steps[usize::from(seen_by(side, from))][usize::from(to)],
            None => DROPS + SQUARES * (self.animal as u8).saturating_sub(1) + to,
        }
    }

    /// The image under the exchange of files.
    pub(super) fn mirrored(self) -> Self {
        Self {
            from: self.from.map(mirror_square),
            to: mirror_square(self.to),
            ..self
        }
    }
}

/// A square as a side numbers it, or back.
pub(super) const fn seen_by(side: Side, square: Square) -> Square {
    match side {
        Side::Sente => square,
        Side::Gote => 11 - square,
    }
}

/// The number of a move after the exchange of files; numbers that are none stay.
#[inline]
pub(super) const fn mirrored_number(number: u8) -> u8 {
    if number < MOVES {
        MIRRORED[number as usize]
    } else {
        number
    }
}

//! Sides, animals, states and moves, and positions as sets of squares.

use super::geometry::{
    ALL, DROPS, FAR, HOME, Kind, MIRRORED, MOVES, NUMBERS, SQUARES, Square, Squares, around, bit,
    mirror_square, mirrored, squares_of, turned,
};

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    /// The side that begins, at the lower end of the board.
    Sente,
    /// The other side.
    Gote,
}

impl Side {
    /// The other side.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Sente => Self::Gote,
            Self::Gote => Self::Sente,
        }
    }

    /// `Sente` or `Gote`.
    pub(crate) const fn name(self) -> &'static str {
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
pub(crate) enum Animal {
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
    pub(crate) const fn letter(self) -> char {
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

/// The men of one side on the board, lion included, and its hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Army {
    /// The lion's square.
    pub lion: Square,
    /// The squares of giraffes, elephants, chicks and hens.
    pub men: [Squares; 4],
    /// The numbers of giraffes, elephants and chicks in hand.
    pub hand: [u8; 3],
}

impl Army {
    /// The squares of all men, the lion included.
    #[inline]
    pub(super) const fn squares(&self) -> Squares {
        self.men[0] | self.men[1] | self.men[2] | self.men[3] | bit(self.lion)
    }

    /// The kind of the man on a square other than the lion's.
    #[inline]
    pub(crate) fn kind_on(&self, square: Square) -> Option<Kind> {
        let on = |kind: &Kind| self.men[*kind as usize] & bit(square) != 0;
        Kind::ALL.into_iter().find(on)
    }

    /// The squares that the men step to, if it is their side's turn.
    pub(super) fn steps(&self) -> Squares {
        let men = Kind::ALL
            .into_iter()
            .flat_map(|kind| squares_of(self.men[kind as usize]).map(move |from| kind.steps(from)));
        men.fold(around(self.lion), |all, steps| all | steps)
    }

    #[inline]
    fn turned(self) -> Self {
        Self {
            lion: 11 - self.lion,
            men: self.men.map(turned),
            hand: self.hand,
        }
    }

    #[inline]
    fn mirrored(self) -> Self {
        Self {
            lion: mirror_square(self.lion),
            men: self.men.map(mirrored),
            hand: self.hand,
        }
    }
}

/// A position. Squares of both sides are numbered from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Position {
    /// The side to move.
    pub own: Army,
    /// The other side.
    pub opp: Army,
}

impl Position {
    /// The position with the other side to move, from its view.
    #[inline]
    pub(super) fn turned(self) -> Self {
        Self {
            own: self.opp.turned(),
            opp: self.own.turned(),
        }
    }

    /// The position with its left and right files exchanged.
    #[inline]
    pub(super) fn mirrored(self) -> Self {
        Self {
            own: self.own.mirrored(),
            opp: self.opp.mirrored(),
        }
    }

    /// The empty squares.
    #[inline]
    pub(super) const fn empty(&self) -> Squares {
        ALL & !(self.own.squares() | self.opp.squares())
    }

    /// Whether a man of the side to move steps to this square.
    #[inline]
    pub(super) const fn attacks(&self, square: Square) -> bool {
        let own = &self.own;
        let men = Kind::Giraffe.origins(square) & own.men[0]
            | Kind::Elephant.origins(square) & own.men[1]
            | Kind::Chick.origins(square) & own.men[2]
            | Kind::Hen.origins(square) & own.men[3]
            | around(square) & bit(own.lion);
        men != 0
    }

    /// Whether a man of the other side steps to this square.
    #[inline]
    pub(crate) const fn is_attacked(&self, square: Square) -> bool {
        let opp = &self.opp;
        let men = Kind::Giraffe.steps(square) & opp.men[0]
            | Kind::Elephant.steps(square) & opp.men[1]
            | Kind::Chick.steps(square) & opp.men[2]
            | Kind::Hen.steps(square) & opp.men[3]
            | around(square) & bit(opp.lion);
        men != 0
    }

    /// Whether the side to move can take the lion of the other side.
    #[inline]
    pub(super) const fn takes_lion(&self) -> bool {
        self.attacks(self.opp.lion)
    }

    /// Whether the lion of the side to move is attacked.
    #[inline]
    pub(super) const fn in_check(&self) -> bool {
        self.is_attacked(self.own.lion)
    }

    /// The squares of the far rank on which the lion of the side to move arrives with its
    /// next move and cannot be taken there.
    #[inline]
    pub(crate) fn safe_tries(&self) -> Squares {
        let targets = around(self.own.lion) & FAR & !self.own.squares();
        if targets == 0 {
            return 0;
        }
        let safe = squares_of(targets).filter(|&to| !self.is_attacked(to));
        safe.fold(0, |set, to| set | bit(to))
    }

    /// [`safe_tries`](Self::safe_tries) of the other side, if it were to move.
    #[inline]
    pub(crate) fn safe_tries_of_other(&self) -> Squares {
        let targets = around(self.opp.lion) & HOME & !self.opp.squares();
        if targets == 0 {
            return 0;
        }
        let safe = squares_of(targets).filter(|&to| !self.attacks(to));
        safe.fold(0, |set, to| set | bit(to))
    }

    /// Whether the side to move has no move at all.
    pub(crate) fn is_stuck(&self) -> bool {
        let own = self.own.squares();
        around(self.own.lion) & !own == 0 && self.own.hand == [0; 3] && self.own.steps() & !own == 0
    }

    /// [`is_stuck`](Self::is_stuck) for the other side, if it were to move.
    #[inline]
    pub(crate) fn is_other_stuck(&self) -> bool {
        around(self.opp.lion) & !self.opp.squares() == 0 && self.turned().is_stuck()
    }
}

/// A move of the side to move, as it changes the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The number of the move.
    pub number: u8,
    /// The square that a man leaves; `None` for a drop.
    pub from: Option<Square>,
    /// The square that it goes to.
    pub to: Square,
    /// The kind of the man before the move; `None` for the lion.
    pub kind: Option<Kind>,
    /// The kind of the man that it takes. A lion is never among them: a side that can take
    /// it has won.
    pub taken: Option<Kind>,
    /// Whether a chick becomes a hen.
    pub promotes: bool,
    /// The position after the move, still from the view of the side that made it.
    pub after: Position,
}

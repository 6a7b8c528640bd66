//! Sides, positions, states and moves.

use super::material::Material;
use super::rules::{KindNumber, MOST_KINDS, Names, Position, Rules, Squares, turned_rights};
use crate::base::subsets::bits;
use crate::draw::Tone;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    /// The side that begins, at the lower end of the board.
    First,
    Second,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::First, Self::Second];

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    pub(super) const fn name(self, names: Names) -> &'static str {
        let both = match names {
            Names::WhiteBlack => ["White", "Black"],
            Names::BlackWhite => ["Black", "White"],
            Names::SenteGote => ["Sente", "Gote"],
            Names::XO => ["X", "O"],
        };
        both[self as usize]
    }

    pub(super) const fn tone(self, names: Names) -> Tone {
        match (names, self) {
            (Names::WhiteBlack | Names::XO, Self::First)
            | (Names::BlackWhite | Names::SenteGote, Self::Second) => Tone::Light,
            _ => Tone::Dark,
        }
    }
}

impl Position {
    pub(super) fn of_side(&self, side: usize) -> Squares {
        self.men[side].iter().fold(0, |all, men| all | men)
    }

    /// The number of a side's men, on the board and in hand.
    pub(super) fn men_of_side(&self, side: usize) -> u32 {
        let on_board = self.men[side].iter().map(|men| men.count_ones());
        on_board.chain(self.hands[side].map(u32::from)).sum()
    }

    pub(super) fn material(&self) -> Material {
        let men = |men: &[Squares; MOST_KINDS]| {
            men.map(|men| u8::try_from(men.count_ones()).unwrap_or(u8::MAX))
        };
        Material {
            board: [men(&self.men[0]), men(&self.men[1])],
            hands: self.hands,
            castling: self.castling,
        }
    }

    /// The man on a square: its side, 0 for the side to move, and its kind.
    pub(super) fn on(&self, square: u8) -> Option<(usize, KindNumber)> {
        let stands = |&(side, kind): &(usize, usize)| self.men[side][kind] >> square & 1 == 1;
        let mut men = (0..2).flat_map(|side| (0..MOST_KINDS).map(move |kind| (side, kind)));
        men.find(stands)
    }

    /// The position as the other side sees it, with the other side to move.
    pub(super) fn turned(&self, rules: &Rules) -> Self {
        let [own, other] = self.men.map(|men| men.map(|men| rules.set_seen_by(1, men)));
        Self {
            men: [other, own],
            hands: [self.hands[1], self.hands[0]],
            passing: rules.set_seen_by(1, self.passing),
            castling: turned_rights(self.castling),
        }
    }

    /// What the side to move sees as the side sees it that begins, and the other way round.
    pub(super) fn seen_by(&self, rules: &Rules, side: Side) -> Self {
        match side {
            Side::First => *self,
            Side::Second => self.turned(rules),
        }
    }

    pub(super) fn image(&self, rules: &Rules, symmetry: usize) -> Self {
        let image = |set| rules.board.image_of_set(set, symmetry);
        Self {
            men: self.men.map(|men| men.map(image)),
            hands: self.hands,
            passing: image(self.passing),
            castling: self.castling,
        }
    }

    /// The square that the man passed which can be taken in passing: men that take it go there.
    pub(super) fn passed(&self, rules: &Rules) -> Option<u8> {
        bits(self.passing).next()?.checked_sub(rules.board.size().0)
    }

    /// The square of the man of the other side that passed a square if it has just made a double
    /// step.
    pub(super) fn man_that_passed(&self, rules: &Rules, passed: u8) -> Option<u8> {
        let (kind, _) = rules.passing_kinds()?;
        let square = passed.checked_add(rules.board.size().0)?;
        let stands = square < rules.squares() && self.men[1][kind] >> square & 1 == 1;
        stands.then_some(square)
    }
}

/// An unfinished game: a position, and whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub(super) at: Position,
    pub(super) side: Side,
}

impl State {
    /// The position as the side sees it that begins: its men are the first ones.
    pub(super) fn seen_by_first(&self, rules: &Rules) -> Position {
        self.at.seen_by(rules, self.side)
    }

    /// A square that the side to move sees as the side sees it that begins, and the other way round.
    pub(super) const fn seen_square(&self, rules: &Rules, square: u8) -> u8 {
        rules.seen_by(self.side as usize, square)
    }

    /// The position as the other side sees it, with the other side to move.
    pub(super) fn turned(&self, rules: &Rules) -> Self {
        Self {
            at: self.at.turned(rules),
            side: self.side.other(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Origin {
    Square(u8),
    /// The hand, with the kind.
    Hand(u8),
    /// None: the side passes.
    Pass,
}

/// A move: a man goes to a square, or none does. Squares are those of the board as the side sees it that
/// begins, whoever moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub(super) from: Origin,
    pub(super) to: u8,
    pub(super) promotes: Option<u8>,
    /// What the notation says of the man, if it does.
    pub(super) told: Option<Told>,
}

/// What some notations say of the man that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Told {
    /// Its kind, or the one that it would be in hand: promoted men keep their name.
    pub kind: u8,
    pub takes: bool,
}

impl Move {
    pub(super) const PASS: Self = Self::new(Origin::Pass, 0, None);

    pub(super) const fn new(from: Origin, to: u8, promotes: Option<u8>) -> Self {
        Self {
            from,
            to,
            promotes,
            told: None,
        }
    }

    pub(super) fn map(self, image: impl Fn(u8) -> u8) -> Self {
        Self {
            from: match self.from {
                Origin::Square(square) => Origin::Square(image(square)),
                hand @ Origin::Hand(_) => hand,
                Origin::Pass => return self,
            },
            to: image(self.to),
            ..self
        }
    }
}

//! What a solved position is worth: outcome and distance, in one byte.
//!
//! # The two distances
//! The Ostle paper counts plies *to a checkmate position*, one in which the side
//! to move wins at once; composers count the winning move too. This crate calls
//! the first [`Value::plies_to_checkmate`] and the second [`Value::plies`] (plies
//! to the end of the game); they differ by exactly one. Wherever a number is
//! shown to a person, it says which of the two it is.
//!
//! # The byte
//! | code | meaning |
//! |---|---|
//! | `0..=222` | regular: plies to checkmate; even = win, odd = loss |
//! | `223` | no position (a slot of a table that nothing uses) |
//! | `224..=254` | irregular: `254 - plies to checkmate`; even distance = loss, odd = win |
//! | `255` | draw |
//!
//! A game normally ends by the winner's own move, so a win takes an odd number
//! of plies. On crowded little boards every move may give up the last piece the
//! mover can spare: then the *loser* ends the game, and parity turns round. Those
//! are the irregular values.

use std::cmp::Ordering;
use std::fmt;

/// The result of a finished or solved game, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// The same result seen by the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// `"win"`, `"loss"` or `"draw"`, as in tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Outcome and distance of a state under best play, in one byte (see the
/// [module](self) for the code). Best play: the winner hurries, the loser delays.
///
/// `Ord` is the mover's preference: a quick win is greatest, a quick loss least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(u8);

/// Last regular code: the longest distance a byte can say.
const LAST_REGULAR: u8 = 222;
const VACANT: u8 = 223;
const LAST_IRREGULAR: u8 = 254;
const DRAW: u8 = 255;

impl Value {
    /// Nobody can force a win.
    pub const DRAW: Self = Self(DRAW);
    /// The side to move wins with its next move.
    pub const CHECKMATE: Self = Self(0);
    /// Every move of the side to move loses the game at once.
    pub const SELF_MATE: Self = Self(LAST_IRREGULAR);
    /// Not a value: the mark of a table slot without a position.
    pub const VACANT: Self = Self(VACANT);
    /// The greatest regular distance to checkmate that fits the code.
    pub const MAX_PLIES_TO_CHECKMATE: u8 = LAST_REGULAR;

    /// A value from its byte. Every byte is a code, see the [module](self).
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        Self(code)
    }

    /// The byte of this value.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The value "`outcome` in `plies` plies to the end of the game", or `None`
    /// if no code says that (a decided game needs at least one ply; at most 223
    /// for regular, 31 for irregular values).
    #[must_use]
    pub fn decided(outcome: Outcome, plies: u16) -> Option<Self> {
        let regular = match outcome {
            Outcome::Draw => return None,
            Outcome::Win => plies % 2 == 1,
            Outcome::Loss => plies.is_multiple_of(2),
        };
        let distance = u8::try_from(plies.checked_sub(1)?).ok()?;
        if regular {
            (distance <= LAST_REGULAR).then_some(Self(distance))
        } else {
            let code = LAST_IRREGULAR.checked_sub(distance)?;
            (code > VACANT).then_some(Self(code))
        }
    }

    /// Win, loss or draw for the side to move. A vacant slot reads as a draw.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        if self.0 == DRAW || self.0 == VACANT {
            Outcome::Draw
        } else if (self.0 & 1 == 0) == (self.0 <= LAST_REGULAR) {
            Outcome::Win
        } else {
            Outcome::Loss
        }
    }

    /// Plies until a checkmate position (0 = this is one), `None` for a draw.
    #[must_use]
    pub const fn plies_to_checkmate(self) -> Option<u8> {
        if self.0 <= LAST_REGULAR {
            Some(self.0)
        } else if self.0 == DRAW || self.0 == VACANT {
            None
        } else {
            Some(LAST_IRREGULAR - self.0)
        }
    }

    /// Plies until the game is over (at least 1), `None` for a draw.
    #[must_use]
    pub fn plies(self) -> Option<u16> {
        self.plies_to_checkmate().map(|n| u16::from(n) + 1)
    }

    /// Whether this is the mark of a slot without a position.
    #[must_use]
    pub const fn is_vacant(self) -> bool {
        self.0 == VACANT
    }

    /// Whether this is a regular win or loss (see the [module](self)).
    #[must_use]
    pub const fn is_regular(self) -> bool {
        self.0 <= LAST_REGULAR
    }

    /// The value, for the side that moves, of a move that leads to a state of
    /// this value: outcome reversed, one ply further away. `None` if the distance
    /// no longer fits the code.
    #[must_use]
    pub const fn through_move(self) -> Option<Self> {
        match self.0 {
            DRAW | VACANT => Some(self),
            c if c < LAST_REGULAR => Some(Self(c + 1)),
            c if c > VACANT + 1 => Some(Self(c - 1)),
            _ => None,
        }
    }

    /// Rank in the mover's order of preference, greater is better: quick wins,
    /// slow wins, draws, slow losses, quick losses.
    #[must_use]
    pub fn preference(self) -> i16 {
        match (self.outcome(), self.plies_to_checkmate()) {
            (Outcome::Win, Some(n)) => 512 - i16::from(n),
            (Outcome::Loss, Some(n)) => i16::from(n) - 512,
            _ => 0,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.preference()
            .cmp(&other.preference())
            .then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome()),
            None => f.write_str("draw"),
        }
    }
}

/// What is known of a *position*, from which the value of every state of it (the
/// position together with one forbidden move, or none) follows.
///
/// A state's value is the best over all moves but the forbidden one. So three
/// numbers do: the best value, the move that has it if it is the only one, and
/// the best value without that move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record {
    best: Value,
    second: Value,
    only: u8,
}

impl Record {
    /// `only` of a record whose best value more than one move has.
    pub const NO_MOVE: u8 = u8::MAX;
    /// The record of a slot without a position.
    pub const VACANT: Self = Self {
        best: Value::VACANT,
        second: Value::VACANT,
        only: Self::NO_MOVE,
    };

    /// A record from the best value, the best value without the move `only`, and
    /// that move's number. If the two values are equal the move says nothing and
    /// is dropped, so that equal knowledge has equal bytes.
    #[must_use]
    pub fn new(best: Value, second: Value, only: u8) -> Self {
        let only = if best == second { Self::NO_MOVE } else { only };
        Self { best, second, only }
    }

    /// The value with no move forbidden.
    #[must_use]
    pub const fn best(self) -> Value {
        self.best
    }

    /// The best value when [`only_move`](Self::only_move) is forbidden; equal to
    /// [`best`](Self::best) if there is no such move.
    #[must_use]
    pub const fn second(self) -> Value {
        self.second
    }

    /// Number of the only move with the best value, `None` if several have it.
    #[must_use]
    pub const fn only_move(self) -> Option<u8> {
        if self.only == Self::NO_MOVE {
            None
        } else {
            Some(self.only)
        }
    }

    /// The value when the move of the given number is forbidden.
    #[must_use]
    pub fn without(self, forbidden: Option<u8>) -> Value {
        match forbidden {
            Some(id) if id == self.only => self.second,
            _ => self.best,
        }
    }

    /// Whether the slot holds no position.
    #[must_use]
    pub const fn is_vacant(self) -> bool {
        self.best.is_vacant()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_but_the_vacant_one_survives_outcome_and_plies() {
        for code in 0..=u8::MAX {
            let value = Value::from_code(code);
            if value.is_vacant() || value == Value::DRAW {
                continue;
            }
            let plies = value.plies().expect("decided values have a distance");
            assert_eq!(Value::decided(value.outcome(), plies), Some(value));
        }
    }

    #[test]
    fn preference_orders_quick_wins_first_and_quick_losses_last() {
        let order = [
            Value::decided(Outcome::Loss, 1),
            Value::decided(Outcome::Loss, 2),
            Value::decided(Outcome::Loss, 9),
            Value::decided(Outcome::Loss, 10),
            Some(Value::DRAW),
            Value::decided(Outcome::Win, 9),
            Value::decided(Outcome::Win, 2),
            Value::decided(Outcome::Win, 1),
        ];
        assert!(order.iter().all(Option::is_some));
        assert!(order.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_move_into_a_lost_state_wins_one_ply_later() {
        let child = Value::decided(Outcome::Loss, 6).unwrap();
        assert_eq!(child.through_move(), Value::decided(Outcome::Win, 7));
        let selfmate = Value::SELF_MATE;
        assert_eq!(selfmate.through_move(), Value::decided(Outcome::Win, 2));
        assert_eq!(Value::from_code(LAST_REGULAR).through_move(), None);
    }

    #[test]
    fn forbidding_the_only_best_move_leaves_the_second_value() {
        let record = Record::new(Value::CHECKMATE, Value::DRAW, 17);
        assert_eq!(record.without(Some(17)), Value::DRAW);
        assert_eq!(record.without(Some(18)), Value::CHECKMATE);
        assert_eq!(record.without(None), Value::CHECKMATE);
        let tied = Record::new(Value::DRAW, Value::DRAW, 17);
        assert_eq!(tied.only_move(), None);
    }
}

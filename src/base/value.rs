//! The value of a solved position: outcome and distance in one code.
//!
//! # The two distances
//! The Ostle paper counts plies *to a checkmate position*, in which the side to move wins
//! at once. Composers of problems also count the winning move. This crate calls the first
//! [`Value::plies_to_checkmate`] and the second [`Value::plies`] (plies to the end of the
//! game); they differ by exactly one. Output always says which of the two it shows.
//!
//! # The code
//! A value is a 16-bit code ([`Wide`]) or, where distances are known to be short
//! (in the published game), an 8-bit one ([`Narrow`]).
//!
//! | narrow | wide | meaning |
//! |---|---|---|
//! | `0..=222` | `0..=4095` | regular: plies to checkmate; even = win, odd = loss |
//! | `223` | `4096` | no position (an unused slot of a table) |
//! | `224..=254` | `4097..=65534` | irregular: last code minus plies to checkmate; even distance = loss, odd = win |
//! | `255` | `65535` | draw |
//!
//! A game normally ends with a move by the winner, so a win takes an odd number of plies.
//! On crowded small boards every move may give up the last piece that the mover can
//! spare. Then the *loser* ends the game, and the parity is reversed. Such values are
//! *irregular*.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::base::text::named;

named! {
    /// The result of a finished or solved game, for the side to move.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Outcome {
        /// The side to move loses.
        Loss = "loss",
        /// Neither side can force a win.
        Draw = "draw",
        /// The side to move wins.
        Win = "win",
    }
}

impl Outcome {
    /// The same result from the other side's point of view.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The width of value codes: [`Wide`] or [`Narrow`].
pub trait Width: Copy + fmt::Debug + Eq + std::hash::Hash + Send + Sync + 'static {
    /// The longest regular distance, in plies to checkmate.
    const LONGEST: u16;
    /// The code of a draw, which is the greatest code.
    const DRAW: u16;
    /// Number of bytes of a stored value.
    const BYTES: usize;
}

/// 16-bit values, for distances up to 4095 plies to checkmate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wide;

/// 8-bit values, for distances up to 222 plies to checkmate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Narrow;

impl Width for Wide {
    const LONGEST: u16 = 4095;
    const DRAW: u16 = u16::MAX;
    const BYTES: usize = 2;
}

impl Width for Narrow {
    const LONGEST: u16 = 222;
    const DRAW: u16 = 255;
    const BYTES: usize = 1;
}

/// Outcome and distance of a state under best play, in one code (see the [module](self)).
/// In best play the winner wins as soon as possible, and the loser loses as late as
/// possible.
///
/// Values are ordered by the preference of the side to move: the quickest win is the
/// greatest, the quickest loss the least.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<W = Wide>(u16, PhantomData<W>);

impl<W: Width> Value<W> {
    /// Neither side can force a win.
    pub const DRAW: Self = Self::from_code(W::DRAW);
    /// The side to move wins with its next move.
    pub const CHECKMATE: Self = Self::from_code(0);
    /// Every move loses the game at once.
    pub(crate) const SELF_MATE: Self = Self::from_code(W::DRAW - 1);
    /// Not a value: marks a slot of a table without a position.
    pub const VACANT: Self = Self::from_code(W::LONGEST + 1);

    /// The value with this code.
    pub const fn from_code(code: u16) -> Self {
        Self(code, PhantomData)
    }

    /// The code of this value.
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The value of a move that ends the game.
    pub(crate) const fn of_end(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::CHECKMATE,
            Outcome::Draw => Self::DRAW,
            Outcome::Loss => Self::SELF_MATE,
        }
    }

    /// The value of a win or loss in `plies` plies to the end of the game. `None` if there
    /// is no such code: for a draw, for 0 plies, and for distances that do not fit.
    pub fn decided(outcome: Outcome, plies: u16) -> Option<Self> {
        let regular = match outcome {
            Outcome::Draw => return None,
            Outcome::Win => plies % 2 == 1,
            Outcome::Loss => plies.is_multiple_of(2),
        };
        let distance = plies.checked_sub(1).filter(|&n| n <= W::LONGEST)?;
        if regular {
            return Some(Self::from_code(distance));
        }
        let code = (W::DRAW - 1).checked_sub(distance)?;
        (code > W::LONGEST + 1).then(|| Self::from_code(code))
    }

    /// The same value in another width; `None` if it does not fit.
    #[inline]
    pub fn resized<V: Width>(self) -> Option<Value<V>> {
        // Nearly all values are regular, and then the code is the same.
        if self.0 <= W::LONGEST && self.0 <= V::LONGEST {
            return Some(Value::from_code(self.0));
        }
        if self.is_vacant() {
            return Some(Value::VACANT);
        }
        self.plies().map_or(Some(Value::DRAW), |plies| {
            Value::decided(self.outcome(), plies)
        })
    }

    /// The outcome for the side to move. [`VACANT`](Self::VACANT) counts as a draw.
    #[inline]
    pub const fn outcome(self) -> Outcome {
        if self.0 == W::DRAW || self.is_vacant() {
            Outcome::Draw
        } else if (self.0 & 1 == 0) == self.is_regular() {
            Outcome::Win
        } else {
            Outcome::Loss
        }
    }

    /// Plies to a checkmate position, 0 in one; `None` for a draw.
    #[inline]
    pub const fn plies_to_checkmate(self) -> Option<u16> {
        if self.is_regular() {
            Some(self.0)
        } else if self.0 == W::DRAW || self.is_vacant() {
            None
        } else {
            Some(W::DRAW - 1 - self.0)
        }
    }

    /// Plies to the end of the game, at least 1; `None` for a draw.
    pub fn plies(self) -> Option<u16> {
        self.plies_to_checkmate().map(|n| n + 1)
    }

    #[inline]
    pub(crate) const fn is_vacant(self) -> bool {
        self.0 == W::LONGEST + 1
    }

    /// Whether this is a regular win or loss (see the [module](self)).
    #[inline]
    pub(crate) const fn is_regular(self) -> bool {
        self.0 <= W::LONGEST
    }

    /// The value of a move to a state with this value, for the side that moves: the outcome
    /// is reversed and the distance one ply longer. `None` if the distance no longer fits.
    #[inline]
    pub(crate) const fn through_move(self) -> Option<Self> {
        match self.0 {
            code if code < W::LONGEST => Some(Self::from_code(code + 1)),
            code if code == W::LONGEST || code == W::LONGEST + 2 => None,
            code if code == W::DRAW || self.is_vacant() => Some(self),
            code => Some(Self::from_code(code - 1)),
        }
    }

    /// The preference of the side to move as a number, greater for better values: quick
    /// wins, slow wins, draws, slow losses, quick losses.
    #[inline]
    pub(crate) fn preference(self) -> i32 {
        match (self.outcome(), self.plies_to_checkmate()) {
            (Outcome::Win, Some(n)) => 0x1_0000 - i32::from(n),
            (Outcome::Loss, Some(n)) => i32::from(n) - 0x1_0000,
            _ => 0,
        }
    }
}

impl<W: Width> fmt::Debug for Value<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({}: {self})", self.0)
    }
}

/// `{"outcome": "win", "plies": 7}`; a draw has no plies.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut data = serializer.serialize_struct("Value", 2)?;
        data.serialize_field("outcome", self.outcome().name())?;
        data.serialize_field("plies", &self.plies())?;
        data.end()
    }
}

impl<W: Width> Ord for Value<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.preference()
            .cmp(&other.preference())
            .then_with(|| self.0.cmp(&other.0))
    }
}

impl<W: Width> PartialOrd for Value<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<W: Width> fmt::Display for Value<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome()),
            None => f.write_str("draw"),
        }
    }
}

/// The values of all states of a position. A state is the position together with one
/// forbidden move, or none.
///
/// The value of a state is the best over all moves except the forbidden one. Three fields
/// are therefore enough: the best value, the only move with that value, if it is the only
/// one, and the best value without that move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record {
    best: Value,
    second: Value,
    only: u8,
}

impl Record {
    /// Stands for the only move where several moves have the best value.
    pub const NO_MOVE: u8 = u8::MAX;
    /// The record of a slot without a position.
    pub const VACANT: Self = Self {
        best: Value::VACANT,
        second: Value::VACANT,
        only: Self::NO_MOVE,
    };

    /// Creates a record from the best value, the best value without the move `only`, and
    /// the number of that move. If the two values are equal, `only` is dropped, so that
    /// equal records have equal bytes.
    pub fn new(best: Value, second: Value, only: u8) -> Self {
        let only = if best == second { Self::NO_MOVE } else { only };
        Self { best, second, only }
    }

    /// The value if no move is forbidden.
    pub const fn best(self) -> Value {
        self.best
    }

    /// The value if [`only_move`](Self::only_move) is forbidden; equal to
    /// [`best`](Self::best) if there is no such move.
    pub const fn second(self) -> Value {
        self.second
    }

    /// The number of the only move with the best value; `None` if several have it.
    pub const fn only_move(self) -> Option<u8> {
        if self.only == Self::NO_MOVE {
            None
        } else {
            Some(self.only)
        }
    }

    /// The value if the move with the given number is forbidden.
    pub fn without(self, forbidden: Option<u8>) -> Value {
        match forbidden {
            Some(id) if id == self.only => self.second,
            _ => self.best,
        }
    }

    /// Whether the slot holds no position.
    pub const fn is_vacant(self) -> bool {
        self.best.is_vacant()
    }
}

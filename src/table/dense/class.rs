//! Classes of leaves, and the contexts in which they stand.

use crate::base::value::{Outcome, Value};

/// Number of levels that a neighbour can have, fine and coarse.
const FINE: usize = 18;
const COARSE: usize = 8;
/// Number of contexts of a class.
pub(super) const CONTEXTS: usize = FINE * FINE * COARSE;

/// What a leaf says but for the move and value of its bound: the code of its best value,
/// [`Value::VACANT`] for a win, and whether it has a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Class {
    code: u16,
    bound: bool,
}

impl Class {
    /// The class of leaves with this best value, `None` for a win, with a bound or not.
    pub const fn new(best: Option<Value>, bound: bool) -> Self {
        let best = match best {
            Some(best) => best,
            None => Value::VACANT,
        };
        Self {
            code: best.code(),
            bound,
        }
    }

    /// The best value; `None` for a win.
    pub fn best(self) -> Option<Value> {
        Some(Value::from_code(self.code)).filter(|best| !best.is_vacant())
    }

    /// Whether its leaves have bounds.
    pub const fn has_bound(self) -> bool {
        self.bound
    }

    /// The class as a number.
    pub const fn key(self) -> u32 {
        (self.code as u32) << 1 | self.bound as u32
    }

    /// The class of a number; `None` if there is none.
    pub fn of_key(key: u32) -> Option<Self> {
        let code = u16::try_from(key >> 1).ok()?;
        let best: Value = Value::from_code(code);
        // Vacant stands for a win.
        (best.is_vacant() || best.outcome() != Outcome::Win).then_some(Self {
            code,
            bound: key & 1 == 1,
        })
    }

    /// How the class counts for its neighbours.
    pub fn level(self) -> Level {
        let Some(best) = self.best() else {
            return Level(2 + u8::from(self.bound));
        };
        let plies = best.plies_to_checkmate();
        plies.map_or(Level(4), |plies| Level(5 + (plies / 2).min(12) as u8))
    }
}

/// How a slot counts for its neighbours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Level(u8);

impl Level {
    /// A slot without a position, or one that is not known.
    pub const NONE: Self = Self(0);
    /// A slot that is won at once.
    pub const MATE: Self = Self(1);

    const fn fine(self) -> usize {
        self.0 as usize
    }

    const fn coarse(self) -> usize {
        match self.0 {
            0 | 1 => self.0 as usize,
            2 | 3 => 2,
            4 => 3,
            5 | 6 => 4,
            7..=9 => 5,
            10 | 11 => 6,
            _ => 7,
        }
    }
}

/// The context of a class: the levels of the slots that are like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Context(u16);

impl Context {
    /// The number of the context.
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// The context of a slot after slots of these levels.
    #[expect(clippy::cast_possible_truncation, reason = "there are 2592 contexts")]
    pub const fn new(near: [Level; 3]) -> Self {
        let [a, b, c] = near;
        Self(((a.fine() * FINE + b.fine()) * COARSE + c.coarse()) as u16)
    }
}

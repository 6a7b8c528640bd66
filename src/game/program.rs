//! States as numbers, for programs that play.

use super::Moves;

/// A language that programs are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Rust, 2021 or later.
    Rust,
    /// C99 or later.
    C,
    /// Python 3.8 or later.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rust, Self::C, Self::Python];

    /// Its name, lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::Python => "python",
        }
    }

    /// How names of its files end.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::C => "c",
            Self::Python => "py",
        }
    }
}

/// A part of a state's number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Digit {
    /// `n / divisor % radix`.
    Quotient {
        /// A power of the radix.
        divisor: u64,
        /// The number of values.
        radix: u8,
    },
    /// These bits of the number, the first one least.
    Bits(Vec<u8>),
}

impl Digit {
    /// How many values it has.
    #[must_use]
    pub fn radix(&self) -> usize {
        match self {
            Self::Quotient { radix, .. } => usize::from(*radix),
            Self::Bits(bits) => 1 << bits.len(),
        }
    }

    /// Its value in a number.
    #[must_use]
    pub fn of(&self, n: u64) -> usize {
        match self {
            Self::Quotient { divisor, radix } => {
                usize::try_from(n / divisor % u64::from(*radix)).unwrap_or(0)
            }
            Self::Bits(bits) => {
                let bits = bits.iter().enumerate();
                bits.fold(0, |value, (place, bit)| {
                    value | usize::from(n >> bit & 1 == 1) << place
                })
            }
        }
    }
}

/// Games whose states and moves have numbers, so that a program may be asked for the
/// best move.
pub trait Encoded: Moves {
    /// Every state that play can reach and in which there is a move to choose, in the
    /// order of their numbers.
    fn questions(&self) -> Vec<Self::State>;

    /// Numbers of finished states that are asked about all the same; any answer is
    /// right.
    fn finished(&self) -> Vec<u64> {
        Vec::new()
    }

    /// The number of a state.
    fn code(&self, state: &Self::State) -> u64;

    /// The state's number digit by digit, the board's squares in reading order.
    fn digits(&self) -> Vec<Digit>;

    /// The number of a move, less than [`answers`](Self::answers).
    fn answer(&self, mv: Self::Move) -> u8;

    /// How many numbers moves have, at most 16.
    fn answers(&self) -> u8;

    /// What a state's number and the answer mean, a line each.
    fn meaning(&self) -> [String; 2];

    /// What a program that looks at the rules needs in a language, if there is one: it
    /// says how in a comment of its own.
    fn helper(&self, which: Helper, language: Language) -> Option<String>;

    /// Of games on nine squares in which one may win or block at once: the move that wins
    /// at once, else the one that keeps the other side from it; of several the one with the
    /// least number. Programs with orders of squares begin with it.
    fn forced(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }

    /// Of puzzles in which every move changes the parity of the distance: how many states
    /// of odd distance a program of distances keeps, symmetric ones counted once.
    fn kept(&self) -> Option<u64> {
        None
    }

    /// The place of a state of odd distance among those that are kept; `None` if its
    /// distance is even.
    fn place_kept(&self, _state: &Self::State) -> Option<u64> {
        None
    }
}

/// Parts of programs that know a game's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Helper {
    /// Chooses the first free square in an order given by the constant `ORDERS` and
    /// an index, after the moves that win or block at once.
    Orders,
    /// Chooses by the distances of states one or two moves on, modulo 6, of which those
    /// that are odd are kept in the constant `TABLE`, five a byte.
    Residues,
}

//! The numbering of states and moves for programs that play.

use super::Moves;

/// A programming language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Language {
    /// Compiled by rustc, or by $RUSTC.
    // 2021 or later.
    Rust,
    /// Compiled by cc, or by $CC.
    // C99 or later.
    C,
    /// Run by python3, or by $PYTHON.
    // 3.8 or later.
    Python,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::Rust, Self::C, Self::Python];

    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::Python => "python",
        }
    }

    /// The file extension.
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
    /// These bits of the number, the least significant first.
    Bits(Vec<u8>),
}

impl Digit {
    /// The number of values.
    #[must_use]
    pub fn radix(&self) -> usize {
        match self {
            Self::Quotient { radix, .. } => usize::from(*radix),
            Self::Bits(bits) => 1 << bits.len(),
        }
    }

    /// The value of the digit in a number.
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

/// Games whose states and moves have numbers, so that a program can be asked for the best
/// move, or for the state after it.
pub trait Encoded: Moves {
    /// Every reachable state in which there is a choice of moves, in the order of their
    /// numbers.
    fn questions(&self) -> Vec<Self::State>;

    /// Numbers of finished states that programs are also asked about. Any answer is right.
    fn finished(&self) -> Vec<u64> {
        Vec::new()
    }

    /// The number of a state.
    fn code(&self, state: &Self::State) -> u64;

    /// The digits of a state's number, the squares of the board in reading order.
    fn digits(&self) -> Vec<Digit>;

    /// The number of a move, less than [`answers`](Self::answers).
    fn answer(&self, mv: Self::Move) -> u8;

    /// The number of different answers, at most 16.
    fn answers(&self) -> u8;

    /// The number of the state after a move, finished states included. No two moves lead to
    /// the same one.
    fn code_after(&self, state: &Self::State, mv: Self::Move) -> u64;

    /// Explanations of a state's number and of a move's, one line each.
    fn meaning(&self) -> [String; 2];

    /// Source text that implements rules of the game for a program in a language, if there
    /// is any. A comment in it says how it is used.
    fn helper(&self, which: Helper, language: Language) -> Option<String>;

    /// For games on nine squares in which a move may win or block: the move that wins at
    /// once, otherwise the move that prevents a win of the other side; of several, the one
    /// with the least number. Programs with orders of squares play it first.
    fn forced(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }

    /// For puzzles in which every move changes the parity of the distance: the number of
    /// states of odd distance that a program of distances stores. Symmetric states count
    /// once.
    fn kept(&self) -> Option<u64> {
        None
    }

    /// The index of a state of odd distance among the stored ones; `None` if its distance
    /// is even.
    fn place_kept(&self, _state: &Self::State) -> Option<u64> {
        None
    }
}

/// Parts of programs that know the rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Helper {
    /// Chooses the first free square in an order given by the constant `ORDERS` and
    /// an index, after the moves that win or block at once.
    Orders,
    /// Chooses by the distances, modulo 6, of the states after one or two moves. The odd
    /// ones are stored in the constant `TABLE`, five in each byte.
    Residues,
    /// Makes the move that the function `best_move` answers: a function `next_state` from
    /// the number of a state to that of the next one.
    NextState,
}

//! The languages of programs that play, and what a game gives them.

use crate::base::text::named;

named! {
    /// A programming language.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Language {
        /// Compiled by rustc, or by $RUSTC.
        // 2021 or later.
        Rust = "rust",
        /// Compiled by cc, or by $CC.
        // C99 or later.
        C = "c",
        /// Run by python3, or by $PYTHON.
        // 3.8 or later.
        Python = "python",
    }
}

impl Language {
    /// The file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::C => "c",
            Self::Python => "py",
        }
    }

    /// Values in a row, as a program lists them: in Python, one alone has a comma behind it.
    pub(crate) fn list(self, values: &[String]) -> String {
        match (self, values) {
            (Self::Python, [one]) => format!("{one},"),
            _ => values.join(", "),
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
    pub(crate) fn radix(&self) -> usize {
        match self {
            Self::Quotient { radix, .. } => usize::from(*radix),
            Self::Bits(bits) => 1 << bits.len(),
        }
    }

    /// The value of the digit in a number.
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

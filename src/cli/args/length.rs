//! How much of a solution is shown.

use clap::ValueEnum;

use crate::analysis::Length;

/// How much of a solution is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LengthArg {
    /// The main line.
    Main,
    /// The main line, some variations and tries; what is left out is counted.
    Short,
    /// All variations.
    Full,
}

impl From<LengthArg> for Length {
    fn from(length: LengthArg) -> Self {
        match length {
            LengthArg::Main => Self::Main,
            LengthArg::Short => Self::Short,
            LengthArg::Full => Self::Full,
        }
    }
}

//! The sides of games in which Black begins.

use crate::draw::Tone;

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    /// The side that begins.
    Black,
    /// The other side.
    White,
}

impl Side {
    /// The other side.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `Black` or `White`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Black => "Black",
            Self::White => "White",
        }
    }

    /// The tone of its pieces.
    pub(crate) const fn tone(self) -> Tone {
        match self {
            Self::Black => Tone::Dark,
            Self::White => Tone::Light,
        }
    }
}

//! What Black hears.

use shogi_core::PieceKind;

use super::mv::square;

/// What the umpire tells Black: after a check the kind that it captured, after a reply
/// the square on which a piece of Black's vanished, and a countercheck. Nothing comes
/// first in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clue(u8);

/// The bit of a countercheck; below it a kind or a square plus one, or zero.
const COUNTERCHECK: u8 = 128;

impl Clue {
    /// A check captured a piece of this kind, or none.
    pub(super) const fn captured(kind: Option<PieceKind>) -> Self {
        match kind {
            Some(kind) => Self(kind as u8),
            None => Self(0),
        }
    }

    /// A reply captured the piece on the square of this number, or none, and may have
    /// given check.
    pub(super) const fn replied(vanished: Option<u8>, countercheck: bool) -> Self {
        let square = match vanished {
            Some(square) => square + 1,
            None => 0,
        };
        Self(square | if countercheck { COUNTERCHECK } else { 0 })
    }

    /// The captured kind, of a clue about a check.
    pub(super) const fn kind(self) -> Option<PieceKind> {
        PieceKind::from_u8(self.0)
    }

    /// The square on which a piece of Black's vanished, of a clue about a reply.
    pub(super) fn vanished(self) -> Option<shogi_core::Square> {
        (self.0 & !COUNTERCHECK).checked_sub(1).map(square)
    }

    /// Whether Black is in check, of a clue about a reply.
    pub(super) const fn countercheck(self) -> bool {
        self.0 & COUNTERCHECK != 0
    }
}

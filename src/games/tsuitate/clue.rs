//! Clues: what Black hears.

use shogi_core::PieceKind;

use super::mv::square;

/// A clue: after a check, the kind of piece that it captured; after a reply, the square on
/// which a piece of Black's vanished, and whether it is a countercheck. The empty clue is
/// first in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clue(u8);

/// The bit of a countercheck. The lower bits are a kind or a square plus one, or zero.
const COUNTERCHECK: u8 = 128;

impl Clue {
    /// The clue about a check that captured a piece of this kind, or none.
    pub(super) const fn captured(kind: Option<PieceKind>) -> Self {
        match kind {
            Some(kind) => Self(kind as u8),
            None => Self(0),
        }
    }

    /// The clue about a reply that captured the piece on this square, or none, and possibly
    /// gave check.
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

//! Moves in two bytes.

use shogi_core::{PieceKind, Square};

use super::geometry::SQUARES;

/// The kinds of pieces in hands, in the order of notation: rook, bishop, gold, silver,
/// knight, lance, pawn.
pub const HAND_KINDS: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

/// A move of Black: a drop, or a move on the board. Moves are sorted by origin (squares,
/// then kinds in hand) and destination, promotions last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// Creates a move on the board. Squares are numbered 0 to 80.
    pub(super) const fn normal(from: u8, to: u8, promote: bool) -> Self {
        Self((from as u16) << 8 | (to as u16) << 1 | promote as u16)
    }

    /// Creates a drop of a kind, given by its index in [`HAND_KINDS`].
    #[expect(
        clippy::cast_possible_truncation,
        reason = "81 squares and seven kinds"
    )]
    pub(super) const fn drop(kind: usize, to: u8) -> Self {
        Self(((SQUARES + kind) as u16) << 8 | (to as u16) << 1)
    }

    /// The square it leaves, 0 to 80, or the kind it drops.
    pub(super) const fn origin(self) -> Result<u8, PieceKind> {
        let from = (self.0 >> 8) as u8;
        if (from as usize) < SQUARES {
            Ok(from)
        } else {
            Err(HAND_KINDS[from as usize - SQUARES])
        }
    }

    /// The number of its target square.
    #[expect(clippy::cast_possible_truncation, reason = "the lower bits are wanted")]
    pub(super) const fn target(self) -> u8 {
        (self.0 >> 1) as u8 & 127
    }

    /// The square it leaves; `None` for a drop.
    #[must_use]
    pub fn from(self) -> Option<Square> {
        self.origin().ok().map(square)
    }

    /// The target square.
    #[must_use]
    pub fn to(self) -> Square {
        square(self.target())
    }

    /// The kind of piece it drops, if it is a drop.
    #[must_use]
    pub fn dropped(self) -> Option<PieceKind> {
        self.origin().err()
    }

    /// Whether the piece promotes.
    #[must_use]
    pub const fn promotes(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The square with this number, 0 to 80.
pub(super) fn square(number: u8) -> Square {
    Square::new(number / 9 + 1, number % 9 + 1).unwrap_or(Square::SQ_1A)
}

/// The number of a square.
#[expect(clippy::cast_possible_truncation, reason = "81 squares")]
pub(super) const fn number(square: Square) -> u8 {
    square.array_index() as u8
}

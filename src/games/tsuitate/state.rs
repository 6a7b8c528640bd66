//! Positions, with Black to move.

use std::hash::{Hash, Hasher};

use shogi_core::{Color, Move as Played, Piece, PieceKind, Square};
use shunsai::Position;

use super::mv::{HAND_KINDS, Move, number, square};

/// A position with Black, the attacker, to move: the board and both hands.
#[derive(Debug, Clone)]
pub struct State(Position);

impl Eq for State {}

// The number of plies played before makes no difference.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let hands = |position: &Position| Color::all().map(|side| position.hand(side));
        self.0.key() == other.0.key()
            && hands(&self.0) == hands(&other.0)
            && Square::all().all(|on| self.0.piece_at(on) == other.0.piece_at(on))
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.key());
    }
}

impl State {
    /// Creates a state from a legal position.
    pub(super) const fn new(position: Position) -> Self {
        Self(position)
    }

    pub(super) const fn position(&self) -> &Position {
        &self.0
    }

    /// The kind, including promotion, and the colour of the piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.piece_at(square)
    }

    /// The number of pieces of a kind in a side's hand.
    #[must_use]
    pub fn in_hand(&self, side: Color, kind: PieceKind) -> u8 {
        self.0.hand(side).count(kind).unwrap_or(0)
    }

    /// A hand as pairs of kind and number, the most valuable kind first, without kinds that
    /// it does not have.
    pub fn hand(&self, side: Color) -> impl Iterator<Item = (PieceKind, u8)> + '_ {
        HAND_KINDS
            .into_iter()
            .map(move |kind| (kind, self.in_hand(side, kind)))
            .filter(|&(_, count)| count > 0)
    }

    /// The side to move, always Black.
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        self.0.side_to_move()
    }

    /// The square of a side's king; `None` if Black has none.
    #[must_use]
    pub fn king(&self, side: Color) -> Option<Square> {
        self.0.king_square(side)
    }

    /// The piece on a square by number.
    pub(super) fn at(&self, on: u8) -> Option<Piece> {
        self.0.piece_at(square(on))
    }

    pub(super) fn occupied(&self, on: u8) -> bool {
        self.at(on).is_some()
    }

    pub(super) fn white_on(&self, on: u8) -> bool {
        self.at(on)
            .is_some_and(|piece| piece.color() == Color::White)
    }

    /// The number of the square of White's king.
    pub(super) fn target(&self) -> Option<u8> {
        self.0.king_square(Color::White).map(number)
    }

    /// The position after a legal move, White to move.
    pub(super) fn after(&self, mv: Move) -> Position {
        let mut position = self.0.clone();
        position.do_move(played(mv));
        position
    }
}

/// Converts a move for the rules crate.
pub(super) fn played(mv: Move) -> Played {
    match mv.origin() {
        Ok(from) => Played::Normal {
            from: square(from),
            to: mv.to(),
            promote: mv.promotes(),
        },
        Err(kind) => Played::Drop {
            piece: Piece::new(kind, Color::Black),
            to: mv.to(),
        },
    }
}

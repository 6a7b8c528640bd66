//! Positions, with Black to move.

use std::hash::{Hash, Hasher};

use shogi_core::PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
use shogi_core::{Color, Hand, Move as Played, PartialPosition, Piece, PieceKind, Square};
use shunsai::Position;

use super::geometry::SQUARES;

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
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.piece_at(square)
    }

    pub(crate) fn in_hand(&self, side: Color, kind: PieceKind) -> u8 {
        self.0.hand(side).count(kind).unwrap_or(0)
    }

    /// A hand as pairs of kind and number, the most valuable kind first, without kinds that
    /// it does not have.
    pub fn hand(&self, side: Color) -> impl Iterator<Item = (PieceKind, u8)> + use<> {
        held_in(self.0.hand(side))
    }

    /// The board and Black's hand; White's hand, which has the rest, is empty.
    pub(super) fn without_rest(&self) -> PartialPosition {
        let mut position = PartialPosition::empty();
        for on in Square::all() {
            position.piece_set(on, self.piece_at(on));
        }
        *position.hand_of_a_player_mut(Color::Black) = self.0.hand(Color::Black);
        position
    }

    /// The square of a side's king; `None` if Black has none.
    pub fn king(&self, side: Color) -> Option<Square> {
        self.0.king_square(side)
    }

    pub(super) fn at(&self, on: u8) -> Option<Piece> {
        self.0.piece_at(square(on))
    }

    pub(super) fn occupied(&self, on: u8) -> bool {
        self.at(on).is_some()
    }

    /// Whether a piece of this side stands on a square.
    pub(super) fn has(&self, side: Color, on: u8) -> bool {
        self.at(on).is_some_and(|piece| piece.color() == side)
    }

    /// The number of the square of White's king.
    pub(super) fn target(&self) -> u8 {
        number(
            self.0
                .king_square(Color::White)
                .expect("White has one king"),
        )
    }

    /// The position after a legal move, White to move.
    pub(super) fn after(&self, mv: Move) -> Position {
        let mut position = self.0.clone();
        position.do_move(played(mv));
        position
    }
}

/// The kinds in a hand with their numbers, in the order of [`HAND_KINDS`].
pub(super) fn held_in(hand: Hand) -> impl Iterator<Item = (PieceKind, u8)> {
    let counts = HAND_KINDS.map(|kind| (kind, hand.count(kind).unwrap_or(0)));
    counts.into_iter().filter(|&(_, count)| count > 0)
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

/// The kinds of pieces in hands, in the order of notation: rook, bishop, gold, silver,
/// knight, lance, pawn.
pub const HAND_KINDS: [PieceKind; 7] = [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn];

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

    #[expect(clippy::cast_possible_truncation, reason = "the lower bits are wanted")]
    pub(super) const fn target(self) -> u8 {
        (self.0 >> 1) as u8 & 127
    }

    /// The square it leaves; `None` for a drop.
    pub fn from(self) -> Option<Square> {
        self.origin().ok().map(square)
    }

    /// The target square.
    pub fn to(self) -> Square {
        square(self.target())
    }

    /// The kind of piece it drops, if it is a drop.
    pub fn dropped(self) -> Option<PieceKind> {
        self.origin().err()
    }

    /// Whether the piece promotes.
    pub const fn promotes(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The square with this number, 0 to 80.
pub(super) fn square(number: u8) -> Square {
    Square::new(number / 9 + 1, number % 9 + 1).unwrap_or(Square::SQ_1A)
}

#[expect(clippy::cast_possible_truncation, reason = "81 squares")]
pub(super) const fn number(square: Square) -> u8 {
    square.array_index() as u8
}

/// A clue: after a check, the kind of piece that it captured; after a reply, the square on
/// which a piece of Black's vanished, and whether it is a countercheck. The empty clue is
/// first in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clue(u8);

/// The bit of a countercheck. The lower bits are a kind or a square plus one, or zero.
const COUNTERCHECK: u8 = 128;

impl Clue {
    /// The clue about a check that captured a piece of this kind, or none.
    pub(super) fn captured(kind: Option<PieceKind>) -> Self {
        Self(kind.map_or(0, |kind| kind as u8))
    }

    /// The clue about a reply that captured the piece on this square, or none, and possibly
    /// gave check.
    pub(super) fn replied(vanished: Option<u8>, countercheck: bool) -> Self {
        let square = vanished.map_or(0, |square| square + 1);
        Self(square | if countercheck { COUNTERCHECK } else { 0 })
    }

    /// The captured kind, of a clue about a check.
    pub(super) const fn kind(self) -> Option<PieceKind> {
        PieceKind::from_u8(self.0)
    }

    /// The square on which a piece of Black's vanished, of a clue about a reply.
    pub(super) fn vanished(self) -> Option<Square> {
        (self.0 & !COUNTERCHECK).checked_sub(1).map(square)
    }

    /// Whether Black is in check, of a clue about a reply.
    pub(super) const fn countercheck(self) -> bool {
        self.0 & COUNTERCHECK != 0
    }
}

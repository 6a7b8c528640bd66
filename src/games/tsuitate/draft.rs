//! Drafts of positions, which may be illegal.

use shogi_core::{Color, Hand, PartialPosition, Piece};

use super::geometry::SQUARES;
use super::mv::{HAND_KINDS, square};
use super::notation::settle;
use super::state::State;

/// A board and Black's hand.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub board: [Option<Piece>; SQUARES],
    /// The numbers of [`HAND_KINDS`] in Black's hand.
    pub hand: [u8; HAND_KINDS.len()],
}

impl Draft {
    /// An empty board and hand.
    pub const fn empty() -> Self {
        Self {
            board: [None; SQUARES],
            hand: [0; HAND_KINDS.len()],
        }
    }

    /// Creates a draft from a position.
    pub fn of(state: &State) -> Self {
        let mut draft = Self::empty();
        for (on, piece) in (0..).zip(&mut draft.board) {
            *piece = state.at(on);
        }
        draft.hand = HAND_KINDS.map(|kind| state.in_hand(Color::Black, kind));
        draft
    }

    /// The position, if it is legal for a problem.
    pub fn settled(&self) -> Option<State> {
        let mut partial = PartialPosition::empty();
        for (on, &piece) in (0..).zip(&self.board) {
            partial.piece_set(square(on), piece);
        }
        let mut hand = Hand::new();
        for (kind, &count) in HAND_KINDS.into_iter().zip(&self.hand) {
            for _ in 0..count {
                hand = hand.added(kind)?;
            }
        }
        *partial.hand_of_a_player_mut(Color::Black) = hand;
        settle(partial, "").ok()
    }
}

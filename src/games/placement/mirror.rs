//! Proofs by mirroring: a player who answers each move by its mirror image makes the last
//! move, if no move can prevent its own image.
//!
//! Source: the paper, for boards with odd sides. In combinatorial game theory this is the
//! Tweedledum and Tweedledee argument.

use super::squares::Squares;
use super::{Move, PlacementRules, State};
use crate::base::turn::Turn;

/// The number of free squares from which a board counts as large.
const LARGE: usize = 400;

impl PlacementRules {
    /// Whether the second player wins by mirroring: a symmetry of order two keeps the free
    /// squares, and maps none of them to itself or a neighbour.
    pub(super) fn is_mirrored(&self, free: &Squares) -> bool {
        let mirrors = self.turns.iter().filter(|turn| turn.is_mirror());
        mirrors.into_iter().any(|&turn| {
            let apart = free.iter().all(|square| {
                let image = self.image(square, turn);
                let mut apart = free.contains(image);
                self.around(square, |near| apart &= near != image);
                apart
            });
            apart && self.turned(free, turn) == *free
        })
    }

    /// A first move after which its player can mirror. On large boards only the middle is
    /// tried, because no other move could clear a whole axis.
    pub(super) fn mirroring_move(&self, state: &State) -> Option<Move> {
        let small = state.free() <= LARGE;
        let middle = |square| self.image(square, Turn::HALF) == square;
        let mut squares = state.free.iter().filter(|&square| small || middle(square));
        let square = squares.find(|&square| self.is_mirrored(&self.after(&state.free, square)));
        square.map(Move::of)
    }
}

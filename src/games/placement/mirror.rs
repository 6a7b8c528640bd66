//! Proofs by mirroring: whoever answers each move by its mirror image has the last
//! word, if no move can spoil its own image.
//!
//! Source: the paper, on boards with odd sides; in the theory of games the Tweedledum
//! and Tweedledee argument.

use super::squares::Squares;
use super::{Move, PlacementRules, State};
use crate::base::turn::Turn;

/// Free squares from which on a board is large.
const LARGE: usize = 400;

impl PlacementRules {
    /// Whether the second player wins by mirroring: some symmetry of order two keeps
    /// the free squares, and puts none of them on itself or on a neighbour.
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

    /// A first move after which its player can mirror; on large boards only the middle
    /// is tried, as no other move could clear a whole axis.
    pub(super) fn mirroring_move(&self, state: &State) -> Option<Move> {
        let small = state.free() <= LARGE;
        let middle = |square| self.image(square, Turn::HALF) == square;
        let mut squares = state.free.iter().filter(|&square| small || middle(square));
        let square = squares.find(|&square| self.is_mirrored(&self.after(&state.free, square)));
        square.map(Move::of)
    }
}

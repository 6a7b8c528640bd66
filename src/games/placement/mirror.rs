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
    /// Whether the second player makes the last move by mirroring: a symmetry of order two
    /// keeps the free places, and maps none of them to itself or a neighbour. Under misère
    /// play that is of no use.
    pub(super) fn is_mirrored(&self, free: &Squares) -> bool {
        let fits = |symmetry| {
            let apart = free.iter().all(|place| {
                let image = self.image_of_place(place, symmetry);
                let mut apart = free.contains(image);
                self.around(place, |near| apart &= near != image);
                apart
            });
            apart && self.turned(free, symmetry) == *free
        };
        !self.misere && self.mirrors().any(fits)
    }

    /// A first move after which its player can mirror. On large boards only the middle is
    /// tried, because no other move could clear a whole axis.
    pub(super) fn mirroring_move(&self, state: &State) -> Option<Move> {
        let small = state.free() <= LARGE;
        let middle = |place: usize| {
            let square = self.square_of(place);
            self.image_of_square(square, Turn::HALF) == square
        };
        let mut places = state.free.iter().filter(|&place| small || middle(place));
        let place = places.find(|&place| self.is_mirrored(&self.after(&state.free, place)));
        place.map(Move::of)
    }
}

//! The effects of Ostle's moves, square by square.

use super::{Move, Ostle, State};
use crate::game::{Leaving, MoveEffect, MoveEffects};
use crate::games::ostle::grid::squares_of;

impl MoveEffects for Ostle {
    fn move_effect(&self, state: &State, mv: Move) -> MoveEffect {
        let mut whole = MoveEffect {
            from: mv.from,
            moved: Vec::new(),
            removed: None,
            neutral: mv.from == state.placement.hole,
        };
        let Some(effect) = self.effect(state, mv) else {
            return whole;
        };
        whole.removed = effect.removed.map(|removal| Leaving {
            from: removal.from,
            own: removal.own,
            inside: removal.into_hole,
        });
        // The mover and every piece it pushes go one square further, except the last of
        // them if it leaves the board.
        let mut at = Some(mv.from);
        while let Some(square) = at {
            let leaves = effect.removed.is_some_and(|removal| removal.from == square);
            let to = self.grid.neighbour(square, mv.direction);
            if let Some(to) = to.filter(|_| !leaves) {
                whole.moved.push((square, to));
            }
            at = to.filter(|&to| !leaves && effect.chain >> to & 1 == 1);
        }
        whole
    }

    fn pieces_of(&self, state: &State) -> (Vec<u8>, Vec<u8>) {
        let list = |pieces| squares_of(pieces).collect();
        (list(state.placement.own), list(state.placement.opp))
    }
}

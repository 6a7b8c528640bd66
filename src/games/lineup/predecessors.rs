//! Playing backward.

use super::geometry::squares_in;
use super::{LineUp, Move, State};
use crate::game::{Backward, Moves, Next};

impl Backward for LineUp {
    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        let after = state.passed();
        let mut tried: Vec<(u64, Move)> = Vec::new();
        for to in squares_in(after.own) {
            let rest = after.own & !(1 << to);
            // The last man of a side may have come from the hand or from another square.
            if self.drops() {
                tried.push((rest, Move::drop(to)));
            }
            if !self.is_dropping(after.own) {
                let origins = self.geometry.origins(to, rest | after.other);
                tried.extend(squares_in(origins).map(|from| (rest | 1 << from, Move { from, to })));
            }
        }
        let before = tried
            .into_iter()
            .map(|(own, mv)| (State { own, ..after }, mv));
        let mut found: Vec<_> = before
            .filter(|(before, mv)| {
                let fits = self.known_side(before.own.count_ones(), before.other.count_ones());
                let counts = before.own.count_ones() + u32::from(mv.is_drop());
                counts == after.own.count_ones()
                    && fits.is_none_or(|side| side == before.side)
                    && (before.own.count_ones() == before.other.count_ones()
                        || before.own.count_ones() + 1 == before.other.count_ones())
                    && !self.geometry.wins(before.own)
                    && self.moves(before).contains(mv)
                    && self.play(before, *mv) == Next::State(*state)
            })
            .collect();
        found.sort_unstable();
        found
    }
}

//! Whether a board has rows, and the kinds of moves of a row.

use super::features::{HOLE, PUSH, QUIET, RETREAT};
use super::index::Placement;
use super::{Move, Ostle, Side, State};
use crate::game::{RowMove, Squares};
use crate::games::ostle::grid::Direction;

impl Ostle {
    /// Whether sets over free squares are small enough for events of the solver.
    pub(super) fn fits_rows(&self) -> bool {
        !self.bans_all_images() && self.grid.squares() - 1 - self.fewest() <= 22
    }

    /// The kinds of a move that stays in the group, as far as they are the same in the whole
    /// row.
    pub(super) fn kinds_in_row(&self, layer: usize, row: usize, mv: &RowMove) -> u32 {
        let index = self.index();
        let row = index.row_placement(index.own_pieces(layer), row);
        let (from, direction) = (mv.number >> 2, Direction::ALL[usize::from(mv.number & 3)]);
        let next = self.grid.neighbour(from, direction);
        if from == row.hole {
            HOLE
        } else if mv.condition.bits != 0 || next.is_some_and(|next| row.own >> next & 1 == 1) {
            PUSH
        } else {
            QUIET
        }
    }

    /// The kinds of a move that depend on where the opponent is.
    pub(super) fn varying_kinds_in_row(
        &self,
        layer: usize,
        row: usize,
        number: u8,
        opponent: Squares,
    ) -> u32 {
        let index = self.index();
        let state = State {
            placement: Placement {
                opp: opponent,
                ..index.row_placement(index.own_pieces(layer), row)
            },
            side: Side::Black,
            forbidden: None,
        };
        let effect = self.effect(&state, Move::from_number(number));
        effect.map_or(0, |effect| {
            self.kinds_of_effect(state.placement.own, &effect) & RETREAT
        })
    }
}

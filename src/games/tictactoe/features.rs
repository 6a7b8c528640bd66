//! What a filter may ask of a position.

use super::{State, TicTacToe};
use crate::game::{Cell, Feature, Features, Symmetric};

impl Features for TicTacToe {
    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::number("stones", "filled squares, 0 to 8"),
            Feature::number(
                "own_threats",
                "lines with two of the side to move whose third square is free",
            ),
            Feature::number(
                "opp_threats",
                "lines with two of the other side whose third square is free",
            ),
            Feature::number(
                "symmetries",
                "symmetries of the board that keep the position, 1 to 8",
            ),
        ]
    }

    fn measure(&self, state: &State, wanted: &[usize], cells: &mut Vec<Cell>) {
        for place in wanted {
            cells.push(match place {
                0 => Cell::count(state.stones() as usize),
                1 => Cell::count(Self::threats(state.own, state.other)),
                2 => Cell::count(Self::threats(state.other, state.own)),
                3 => Cell::count(self.symmetries_kept(state) as usize),
                _ => Cell::NONE,
            });
        }
    }
}

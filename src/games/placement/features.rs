//! The columns of placement games.

use std::collections::HashSet;

use super::{PlacementRules, State};
use crate::base::watch::Unwatched;
use crate::game::{Feature, FeatureValue, Impartial};

impl PlacementRules {
    /// Counts squares; images under the symmetries of the position count as one.
    fn orbits(&self, state: &State, squares: impl Iterator<Item = usize>) -> usize {
        let kept: Vec<_> = self
            .turns
            .iter()
            .filter(|&&turn| self.turned(&state.free, turn) == state.free)
            .collect();
        let least = |square| {
            let images = kept.iter().map(|turn| self.image(square, **turn));
            images.min().unwrap_or(square)
        };
        squares.map(least).collect::<HashSet<_>>().len()
    }
}

impl PlacementRules {
    pub(super) fn columns() -> Vec<Feature> {
        vec![
            Feature::number("free", "free squares, 1 or more").counts("squares").always(),
            Feature::number("parts", "connected parts that the free squares fall into").counts("parts").always(),
            Feature::number("largest", "squares of the largest part").counts("squares").always(),
            Feature::number("nimber", "Grundy value of the position; 0 is a loss"),
            Feature::number(
                "symmetries",
                "symmetries of the board that keep the position, 1 (none but the identity) to 8",
            ).counts("symmetries").always(),
            Feature::number("move_orbits", "moves, symmetric ones counted once").counts("moves").always(),
            Feature::number(
                "winning_orbits",
                "winning moves (to nimber 0), symmetric ones counted once",
            ).counts("moves"),
            Feature::flag(
                "mirrored",
                "a symmetry of order two puts no free square on itself or on a neighbour: mirroring each move wins for the second player",
            ).always(),
        ]
    }

    /// The value of a state in one of the [`columns`](Self::columns).
    pub(super) fn feature_value(&self, state: &State, place: usize) -> FeatureValue {
        let parts = || self.parts(&state.free);
        match place {
            0 => FeatureValue::count(state.free()),
            1 => FeatureValue::count(parts().len()),
            2 => FeatureValue::count(parts().iter().map(Vec::len).max().unwrap_or(0)),
            3 => {
                let nimber = self.nimber(state, &Unwatched);
                nimber.map_or(FeatureValue::NONE, |nimber| {
                    FeatureValue::number(nimber.into())
                })
            }
            4 => FeatureValue::count(self.turns_that_keep(&state.free) as usize),
            5 => FeatureValue::count(self.orbits(state, state.free.iter())),
            6 => self
                .options(state, &Unwatched)
                .map_or(FeatureValue::NONE, |options| {
                    let winning = options.iter().filter(|(_, nimber)| *nimber == 0);
                    FeatureValue::count(self.orbits(state, winning.map(|(mv, _)| mv.square())))
                }),
            7 => FeatureValue::flag(self.is_mirrored(&state.free)),
            _ => FeatureValue::NONE,
        }
    }
}

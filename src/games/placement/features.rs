//! The columns of placement games.

use std::collections::HashSet;

use super::{PlacementRules, State};
use crate::base::progress::NoProgress;
use crate::game::{Feature, FeatureValue, Impartial};

impl PlacementRules {
    /// Counts places; images under the symmetries of the position count as one.
    fn orbits(&self, state: &State, places: impl Iterator<Item = usize>) -> usize {
        let kept = self.keeping(&state.free);
        let least = |place| {
            let images = kept
                .iter()
                .map(|symmetry| self.image_of_place(place, *symmetry));
            images.min().unwrap_or(place)
        };
        places.map(least).collect::<HashSet<_>>().len()
    }
}

impl PlacementRules {
    pub(super) fn columns() -> Vec<Feature> {
        vec![
            Feature::number("free", "free squares, 1 or more").counts("squares").always(),
            Feature::number("parts", "connected parts that the free squares fall into").counts("parts").always(),
            Feature::number("largest", "squares of the largest part").counts("squares").always(),
            Feature::number("nimber", "Grundy value of the position; 0 is a loss; NULL under misère play"),
            Feature::number(
                "symmetries",
                "symmetries of the board that keep the position, 1 (none but the identity) to 8",
            ).counts("symmetries").always(),
            Feature::number("move_orbits", "moves, symmetric ones counted once").counts("moves").always(),
            Feature::number(
                "winning_orbits",
                "winning moves, symmetric ones counted once",
            ).counts("moves"),
            Feature::flag(
                "mirrored",
                "a symmetry of order two puts no free square on itself or on a neighbour: mirroring each move wins for the second player (under misère play it does not)",
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
                let nimber = self.nimber(state, &NoProgress);
                nimber.map_or(FeatureValue::NONE, |nimber| {
                    FeatureValue::number(nimber.into())
                })
            }
            4 => FeatureValue::count(self.symmetries_that_keep(&state.free) as usize),
            5 => FeatureValue::count(self.orbits(state, state.free.iter())),
            6 => self
                .options(state, &NoProgress)
                .map_or(FeatureValue::NONE, |options| {
                    let winning = options.iter().filter(|left| left.loses());
                    FeatureValue::count(self.orbits(state, winning.map(|left| left.mv.place())))
                }),
            7 => FeatureValue::flag(self.is_mirrored(&state.free)),
            _ => FeatureValue::NONE,
        }
    }
}

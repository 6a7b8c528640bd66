//! Columns that depend on the position alone: its layer, and those of the game.

use crate::game::{Feature, FeatureValue, Layer};
use crate::mine::source::Minable;

/// The columns before the game's own.
const GENERAL: usize = 1;

pub(super) fn features<G: Minable>(game: &G) -> Vec<Feature> {
    let layer = Feature::word(
        "layer",
        names(game.layers()),
        "the layer of the table: the material, e.g. 5-4 (own pieces, then the other side's)",
    );
    let mut features = vec![layer.always()];
    debug_assert_eq!(features.len(), GENERAL);
    features.extend(game.features());
    features
}

/// The names of layers in sorting order.
fn names(layers: &[Layer]) -> Vec<&str> {
    let mut names: Vec<_> = layers.iter().map(|layer| layer.name.as_str()).collect();
    names.sort_unstable();
    names
}

pub(super) fn of_layers<G: Minable>(game: &G) -> Vec<usize> {
    let own = game.features_of_layers().into_iter();
    std::iter::once(0)
        .chain(own.map(|place| GENERAL + place))
        .collect()
}

pub(super) struct Columns<'g> {
    layers: &'g [Layer],
    names: Vec<&'g str>,
    /// How many of the general columns are wanted.
    general: usize,
    own: Vec<usize>,
}

impl<'g> Columns<'g> {
    /// Prepares the wanted columns, given in rising order.
    pub(super) fn new<G: Minable>(game: &'g G, wanted: &[usize]) -> Self {
        let general = wanted.partition_point(|&place| place < GENERAL);
        let layers = game.layers();
        let own = wanted[general..].iter();
        Self {
            layers,
            names: names(layers),
            general,
            own: own.map(|place| place - GENERAL).collect(),
        }
    }

    /// Appends their values for the position of a slot.
    pub(super) fn values<G: Minable>(
        &self,
        game: &G,
        slot: u64,
        state: &G::State,
        values: &mut Vec<FeatureValue>,
    ) {
        for _ in 0..self.general {
            let layer = self.layers.iter().find(|layer| layer.slots.contains(&slot));
            let place = layer.and_then(|layer| self.names.binary_search(&&layer.name[..]).ok());
            values.push(place.map_or(FeatureValue::NONE, FeatureValue::word));
        }
        game.measure(state, &self.own, values);
    }
}

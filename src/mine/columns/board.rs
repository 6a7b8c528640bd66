//! Columns that depend on the position alone: its layer, and those of the game.

use crate::game::{Feature, FeatureValue, Layer};
use crate::mine::frame::Frame;
use crate::mine::minable::Minable;

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

/// Appends the wanted columns of states.
pub(super) fn values<G: Minable>(
    wanted: &[usize],
    game: &G,
    frame: &Frame<G::State>,
    values: &mut Vec<FeatureValue>,
) {
    let general = wanted.partition_point(|&place| place < GENERAL);
    let (general, own) = wanted.split_at(general);
    let own: Vec<usize> = own.iter().map(|place| place - GENERAL).collect();
    let layers = game.layers();
    let names = names(layers);
    for row in frame.rows() {
        for _ in general {
            let layer = layers.iter().find(|layer| layer.slots.contains(&row.slot));
            let place = layer.and_then(|layer| names.binary_search(&layer.name.as_str()).ok());
            values.push(place.map_or(FeatureValue::NONE, FeatureValue::word));
        }
        game.measure(row.state, &own, values);
    }
}

//! Columns of a state that need no values of its moves: of its record, of its position alone, of
//! passing, of how it can arise, and of lures.

use super::{Tier, listed, outcome, plies};
use crate::base::text::plural;
use crate::base::value::{Record, Value};
use crate::game::{Feature, FeatureValue, Layer, Repetition, Retrograde};
use crate::mine::frame::{ArrivalSet, Entrant, Minable};

/// How many of the columns a game has in which no move is ever forbidden.
const WITHOUT_BANS: usize = 4;

pub(super) fn record_features<G: Minable>(game: &G) -> Vec<Feature> {
    let mut features = listed(Tier::Record.name());
    if !game.forbids_moves() {
        features.truncate(WITHOUT_BANS);
    }
    features
}

/// A column of a state. A restricted state has no record of its own: `record` is then its
/// value, twice.
pub(in crate::mine) fn record_value(
    place: usize,
    record: Record,
    restricted: bool,
) -> FeatureValue {
    let (best, second) = (record.best(), record.second());
    match place {
        0 => outcome(best),
        1 => plies(best),
        2 => FeatureValue::known(best.plies_to_checkmate()),
        3 => FeatureValue::flag(restricted),
        4 => FeatureValue::flag(record.only_move().is_some()),
        5 => outcome(second),
        6 => plies(second),
        _ => FeatureValue::NONE,
    }
}

/// A column that compares a state with the same position and the other side to move; `passed` is
/// its value if the side to move passes.
pub(super) fn passed_value(place: usize, value: Value, passed: Option<Value>) -> FeatureValue {
    let Some(passed) = passed else {
        return FeatureValue::NONE;
    };
    match place {
        0 => outcome(passed),
        1 => plies(passed),
        2 => FeatureValue::flag(passed > value),
        3 => FeatureValue::flag(passed.outcome() > value.outcome()),
        _ => FeatureValue::NONE,
    }
}

/// A column about rule 8: how a state can arise, and the effect of its forbidden move; `arises` is
/// whether the state itself can arise.
pub(super) fn arrival_value<S>(
    place: usize,
    row: &Entrant<S>,
    arrivals: ArrivalSet,
    arises: bool,
) -> FeatureValue {
    let best = row.stored.best();
    match place {
        0 => FeatureValue::flag(arises),
        1 => FeatureValue::count(arrivals.bans.iter().count()),
        2 => {
            let decisive = best.outcome() != row.stored.second().outcome();
            let only = row.stored.only_move();
            FeatureValue::flag(decisive && only.is_some_and(|only| arrivals.contains(Some(only))))
        }
        3 => outcome(best),
        4 => plies(best),
        5 => FeatureValue::flag(row.value().outcome() != best.outcome()),
        _ => FeatureValue::NONE,
    }
}

/// The greatest depth of a player.
pub(in crate::mine) const DEEPEST: u8 = 6;

/// A column about forced mistakes of players who look ahead for each depth, where lures can be found.
pub(super) fn lure_features<G: Retrograde>(game: &G) -> Vec<Feature> {
    if game.repetition() != Repetition::Exact || u32::try_from(game.slots()).is_err() {
        return Vec::new();
    }
    let feature = |depth: u8| {
        let ahead = plural(depth.into(), "ply");
        Feature::number(
            format!("swindle_{depth}"),
            format!("in a draw, the plies within which a player who looks {ahead} ahead can be forced to make a move that loses; NULL if they cannot"),
        )
        .counts("plies")
    };
    (1..=DEEPEST).map(feature).collect()
}

/// The depth of the player that a column is about.
pub(in crate::mine) fn depth_of(place: usize) -> u8 {
    u8::try_from(place + 1).unwrap_or(DEEPEST)
}

/// The columns before the game's own.
pub(super) const GENERAL: usize = 1;

/// What the column of layers means.
pub(crate) const LAYER: &str = "the layer of the table: the material, e.g. 5-4 (own pieces, then the other side's), or in placement games the free squares";

pub(super) fn board_features<G: Minable>(game: &G) -> Vec<Feature> {
    let mut features = vec![Feature::word("layer", names(game.layers()), LAYER).always()];
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

/// What appends the wanted columns, given in rising order, of the position of a slot.
pub(in crate::mine) fn board_values<G: Minable>(
    game: &G,
    wanted: &[usize],
) -> impl Fn(u64, &G::State, &mut Vec<FeatureValue>) {
    let names = names(game.layers());
    let general = wanted.partition_point(|&place| place < GENERAL);
    let own = wanted[general..].iter().map(|place| place - GENERAL);
    let own: Vec<usize> = own.collect();
    move |slot, state, values| {
        for _ in 0..general {
            let layer = game.layer_at(slot);
            let place = layer.and_then(|layer| names.binary_search(&&layer.name[..]).ok());
            values.push(place.map_or(FeatureValue::NONE, FeatureValue::word));
        }
        game.measure(state, &own, values);
    }
}

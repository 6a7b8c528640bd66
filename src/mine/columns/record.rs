//! Columns read from the table's record.

use super::{Tier, general, outcome, plies};
use crate::base::value::Record;
use crate::game::{Feature, FeatureValue};
use crate::mine::source::Minable;

/// How many of the columns a game has in which no move is ever forbidden.
const WITHOUT_BANS: usize = 4;

pub(super) fn features<G: Minable>(game: &G) -> Vec<Feature> {
    let mut features = general(Tier::Record);
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
        2 => best
            .plies_to_checkmate()
            .map_or(FeatureValue::NONE, |plies| {
                FeatureValue::number(plies.into())
            }),
        3 => FeatureValue::flag(restricted),
        4 => FeatureValue::flag(record.only_move().is_some()),
        5 => outcome(second),
        6 => plies(second),
        _ => FeatureValue::NONE,
    }
}

//! Columns read from the table's record.

use super::{outcome, plies};
use crate::base::value::Record;
use crate::game::FeatureValue;

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
        3 => FeatureValue::flag(record.only_move().is_some()),
        4 => outcome(second),
        5 => plies(second),
        6 => match (best.plies(), second.plies()) {
            (Some(first), Some(then)) if best.outcome() == second.outcome() => {
                FeatureValue::number(first.abs_diff(then).into())
            }
            _ => FeatureValue::NONE,
        },
        7 => FeatureValue::flag(restricted),
        _ => FeatureValue::NONE,
    }
}

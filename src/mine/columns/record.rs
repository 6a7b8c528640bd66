//! Columns read from the table's record.

use super::{OUTCOMES, outcome, plies};
use crate::base::value::Record;
use crate::game::{Feature, FeatureValue};

pub(super) fn features() -> Vec<Feature> {
    vec![
        Feature::word(
            "outcome",
            OUTCOMES,
            "'win', 'loss' or 'draw' for the side to move, under best play",
        ).always(),
        Feature::number(
            "plies",
            "plies to the end of the game under best play, 1 or more; NULL for a draw",
        ).counts("plies"),
        Feature::number(
            "plies_to_checkmate",
            "plies to a position in which the side to move wins at once, 0 or more (the Ostle paper's count, one less than plies); NULL for a draw",
        ).counts("plies"),
        Feature::flag(
            "only_move",
            "exactly one move has the best value, and it could be forbidden",
        ).always(),
        Feature::word(
            "second_outcome",
            OUTCOMES,
            "the outcome if that move were forbidden; equal to outcome if there is no such move, as in states where a move is forbidden already",
        ).always(),
        Feature::number(
            "second_plies",
            "the plies if that move were forbidden; NULL for a draw",
        ).counts("plies"),
        Feature::number(
            "second_margin",
            "plies by which second_plies differs from plies, 0 or more; NULL if the outcome would change, or for a draw",
        ).counts("plies"),
        Feature::flag(
            "restricted",
            "a move is forbidden; always false if the filter scans only unrestricted states",
        ).always(),
    ]
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

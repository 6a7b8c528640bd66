//! Columns about rule 8: how a state can arise, and the effect of its forbidden move.

use super::{outcome, plies};
use crate::game::FeatureValue;
use crate::mine::frame::Entrant;
use crate::mine::source::ArrivalSet;

/// A column of a state; `arises` is whether the state itself can arise.
pub(super) fn value<S>(
    place: usize,
    row: &Entrant<S>,
    arrivals: ArrivalSet,
    arises: bool,
) -> FeatureValue {
    let best = row.stored.best();
    match place {
        0 => FeatureValue::flag(arises),
        1 => FeatureValue::count(arrivals.bans()),
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

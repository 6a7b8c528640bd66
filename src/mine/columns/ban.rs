//! Columns about rule 8: how a state can arise, and the effect of its forbidden move.

use super::{OUTCOMES, outcome, plies};
use crate::game::{Feature, FeatureValue};
use crate::mine::frame::Entrant;
use crate::mine::source::ArrivalSet;

pub(super) fn features() -> Vec<Feature> {
    vec![
        Feature::flag(
            "arises",
            "some move leads to this state from some position (the 'possibly reachable states' of the Ostle paper)",
        ),
        Feature::number(
            "n_bans",
            "forbidden moves with which the position can arise, symmetric ones counted once",
        ),
        Feature::flag(
            "ban_decides",
            "the position can arise with a forbidden move that changes the outcome",
        ),
        Feature::word(
            "free_outcome",
            OUTCOMES,
            "the outcome with nothing forbidden",
        ),
        Feature::number(
            "free_plies",
            "the plies with nothing forbidden; NULL for a draw",
        )
        .counts("plies"),
        Feature::flag(
            "ban_hurts",
            "the move forbidden in this state is the only one with the better outcome",
        ),
    ]
}

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

//! Columns that compare a state with the same position and the other side to move.

use super::{OUTCOMES, outcome, plies};
use crate::base::value::Value;
use crate::game::{Feature, FeatureValue};

pub(super) fn features() -> Vec<Feature> {
    vec![
        Feature::word(
            "passed_outcome",
            OUTCOMES,
            "the outcome for the side to move if it could pass; NULL, as in all these columns, if it cannot",
        ),
        Feature::number(
            "passed_plies",
            "the plies if it could pass, the pass counted as one; NULL for a draw",
        )
        .counts("plies"),
        Feature::flag(
            "zugzwang",
            "the side to move would do better, in outcome or in plies, if it could pass",
        ),
        Feature::flag(
            "mutual_zugzwang",
            "whoever is to move has a worse outcome than if the other side were to move",
        ),
    ]
}

/// A column of a state; `passed` is its value if the side to move passes.
pub(super) fn value(place: usize, value: Value, passed: Option<Value>) -> FeatureValue {
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

//! Columns that compare a state with the same position and the other side to move.

use super::{outcome, plies};
use crate::base::value::Value;
use crate::game::FeatureValue;

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

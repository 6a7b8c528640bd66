//! The defender loses only because it must move.

use super::Theme;
use crate::base::value::Outcome;

pub(super) const THEME: Theme = Theme {
    name: "zugzwang",
    meaning: "after the key of a win the defender would not lose if it could pass",
    worth: 8,
    detect: |story| story.outcome == Outcome::Win && story.zugzwang,
};

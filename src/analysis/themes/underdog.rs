//! Winning with fewer pieces.

use super::Theme;
use crate::base::value::Outcome;

pub(super) const THEME: Theme = Theme {
    name: "underdog",
    meaning: "the solver wins with fewer pieces than the defender",
    worth: 5,
    detect: |story| story.outcome == Outcome::Win && story.material.0 < story.material.1,
};

//! A win that depends on rule 8.

use super::Theme;
use crate::base::value::Outcome;

pub(super) const THEME: Theme = Theme {
    name: "ban-win",
    meaning: "a move of the solver in the main line wins only because the reply that would take it back is forbidden (rule 8)",
    worth: 8,
    detect: |story| story.outcome == Outcome::Win && story.own().any(|ply| ply.by_ban),
};

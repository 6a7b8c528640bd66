//! The solver gives up one piece.

use super::{Ply, Story, Theme};

pub(super) const THEME: Theme = Theme {
    name: "sacrifice",
    meaning: "the solver gives up a piece in the main line, and only one",
    worth: 10,
    detect: |story| gifts(story).count() == 1,
};

/// The plies in which the solver gives up a piece.
pub(super) fn gifts(story: &Story) -> impl Iterator<Item = &Ply> {
    story
        .own()
        .filter(|ply| ply.effect.removed.is_some_and(|leaving| leaving.own))
}

//! A piece is given up into the hole.

use super::Theme;
use super::sacrifice::gifts;

pub(super) const THEME: Theme = Theme {
    name: "hole-sacrifice",
    meaning: "the solver gives up a piece into the hole in the board",
    worth: 2,
    detect: |story| {
        gifts(story).any(|ply| ply.effect.removed.is_some_and(|leaving| leaving.inside))
    },
};

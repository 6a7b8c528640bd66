//! A piece is given up over the edge.

use super::Theme;
use super::sacrifice::gifts;

pub(super) const THEME: Theme = Theme {
    name: "edge-sacrifice",
    meaning: "the solver gives up a piece over the edge of the board",
    worth: 2,
    detect: |story| {
        gifts(story).any(|ply| ply.effect.removed.is_some_and(|leaving| !leaving.inside))
    },
};

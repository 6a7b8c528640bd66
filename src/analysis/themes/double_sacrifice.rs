//! The solver gives up more than one piece.

use super::Theme;
use super::sacrifice::gifts;

pub(super) const THEME: Theme = Theme {
    name: "double-sacrifice",
    meaning: "the solver gives up two pieces or more in the main line",
    worth: 12,
    detect: |story| gifts(story).count() >= 2,
};

//! The key is a quiet move.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "quiet-key",
    meaning: "the key is a quiet move, in a line of at least three moves of the solver",
    worth: 6,
    detect: |story| story.key_is("quiet") && story.own().count() >= 3,
};

//! The key splits the position.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "shattering-key",
    meaning: "the key splits a part of the board into three or more",
    worth: 5,
    detect: |story| story.key_is("shatter"),
};

//! A move to a symmetric position is wrong.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "mirror-trap",
    meaning: "the solver could leave a symmetric position, but no such move is among the best",
    worth: 6,
    detect: |story| story.refused.contains(&"mirror"),
};

//! A symmetric position.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "symmetry",
    meaning: "the position to solve is its own mirror image or rotation",
    worth: 2,
    detect: |story| story.symmetries > 1,
};

//! There is something to take, and it must be left.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "capture-refused",
    meaning: "the solver could capture, but no capture is among the best moves",
    worth: 6,
    detect: |story| story.refused.contains(&"capture"),
};

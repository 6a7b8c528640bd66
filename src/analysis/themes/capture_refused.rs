//! All captures are worse than another move.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "capture-refused",
    meaning: "the solver could capture, but no capture is among the best moves",
    worth: 6,
    detect: |story| story.refused.contains(&"capture"),
};

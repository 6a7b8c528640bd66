//! The key moves the hole.

use super::{Theme, Thing};

pub(super) const THEME: Theme = Theme {
    name: "holeKey",
    meaning: "the key moves the hole",
    worth: 4,
    detect: |story| story.key().is_some_and(|key| key.thing == Thing::Neutral),
};

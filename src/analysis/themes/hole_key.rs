//! The key moves the hole.

use super::{Ply, Theme, Thing};

pub(super) const THEME: Theme = Theme {
    name: "hole-key",
    meaning: "the key moves the hole in the board",
    worth: 4,
    detect: |story| {
        let moves = |key: &Ply| key.thing == Thing::Neutral && !key.effect.moved.is_empty();
        story.key().is_some_and(moves)
    },
};

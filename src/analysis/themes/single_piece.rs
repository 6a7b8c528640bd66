//! One piece makes all moves.

use super::{Theme, Thing};

pub(super) const THEME: Theme = Theme {
    name: "single-piece",
    meaning: "one piece of the solver makes all of its moves, three or more",
    worth: 4,
    detect: |story| {
        let mut things = story.own().map(|ply| ply.thing);
        let first = things.next();
        let piece = matches!(first, Some(Thing::Own(_)));
        piece && story.own().count() >= 3 && things.all(|thing| Some(thing) == first)
    },
};

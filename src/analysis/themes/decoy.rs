//! A piece is pushed to where it can be removed.

use super::{Ply, Theme};

/// The direction of a move, as a difference of squares.
fn direction(ply: &Ply) -> Option<i16> {
    let &(from, to) = ply.effect.moved.first()?;
    Some(i16::from(to) - i16::from(from))
}

pub(super) const THEME: Theme = Theme {
    name: "decoy",
    meaning: "a piece of the defender that the solver removes was pushed by the solver before, in another direction",
    worth: 6,
    detect: |story| {
        story.own().enumerate().any(|(number, last)| {
            let removed = last
                .removed
                .filter(|_| last.effect.removed.is_some_and(|leaving| !leaving.own));
            removed.is_some_and(|piece| {
                let mut before = story.own().take(number);
                before.any(|ply| ply.pushed.contains(&piece) && direction(ply) != direction(last))
            })
        })
    },
};

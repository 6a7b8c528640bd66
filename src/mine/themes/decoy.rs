//! A piece is first brought to where it can be removed.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "decoy",
    meaning: "a piece of the defender that the solver removes was pushed by the solver before",
    worth: 6,
    detect: |story| {
        story.own().enumerate().any(|(number, ply)| {
            let removed = ply
                .removed
                .filter(|_| ply.account.removed.is_some_and(|leaving| !leaving.own));
            removed.is_some_and(|piece| {
                let mut before = story.own().take(number);
                before.any(|ply| ply.pushed.contains(&piece))
            })
        })
    },
};

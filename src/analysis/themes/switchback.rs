//! A piece moves there and back.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "switchback",
    meaning: "what the solver has moved goes back at once to the square it came from, with its next move",
    worth: 6,
    detect: |story| {
        let plies: Vec<_> = story.own().collect();
        plies.iter().enumerate().any(|(number, there)| {
            let next = plies[number + 1..]
                .iter()
                .find(|ply| ply.thing == there.thing);
            let to = |ply: &super::Ply| ply.effect.moved.first().map(|&(_, to)| to);
            next.is_some_and(|back| {
                to(back) == Some(there.effect.from) && to(there) == Some(back.effect.from)
            })
        })
    },
};

//! A piece returns to its square by another way.

use std::collections::HashMap;

use super::{Theme, Thing};

pub(super) const THEME: Theme = Theme {
    name: "round-trip",
    meaning: "what the solver moves returns to its first square after four or more of its own moves, none of which takes the one before back",
    worth: 8,
    detect: |story| {
        let mut ways: HashMap<Thing, Vec<(u8, u8)>> = HashMap::new();
        for ply in story.own() {
            if let Some(&step) = ply
                .effect
                .moved
                .first()
                .filter(|step| step.0 == ply.effect.from)
            {
                ways.entry(ply.thing).or_default().push(step);
            }
        }
        ways.values().any(|way| {
            let straight = way.windows(2).all(|pair| pair[0].0 != pair[1].1);
            let joined = way.windows(2).all(|pair| pair[0].1 == pair[1].0);
            let start = way.first().map(|step| step.0);
            let back = way.iter().skip(3).any(|step| Some(step.1) == start);
            straight && joined && back
        })
    },
};

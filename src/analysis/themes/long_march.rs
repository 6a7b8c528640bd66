//! One piece makes many moves in a row.

use super::{Theme, Thing};

pub(super) const THEME: Theme = Theme {
    name: "long-march",
    meaning: "one piece of the solver makes four of its moves or more in a row, to a new square each time",
    worth: 4,
    detect: |story| {
        let plies: Vec<_> = story.own().collect();
        plies.windows(4).any(|four| {
            let one = matches!(four[0].thing, Thing::Own(_))
                && four.iter().all(|ply| ply.thing == four[0].thing);
            let mut squares: Vec<u8> = four.iter().map(|ply| ply.effect.from).collect();
            squares.extend(four[3].effect.moved.first().map(|&(_, to)| to));
            let all = squares.len();
            squares.sort_unstable();
            squares.dedup();
            one && all == 5 && squares.len() == all
        })
    },
};

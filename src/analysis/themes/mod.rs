//! Themes of solutions, as composers name them: one table. Each is recognized from the
//! [`Story`] of the solution, which knows no game.

mod story;

use std::collections::{HashMap, HashSet};

use crate::base::value::Outcome;
use crate::game::Leaving;

pub use story::{Ply, Story, Thing};

/// A theme.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Its name in data, lower-case words with hyphens between, such as `quiet-key`. Its
    /// column is `theme_quiet_key`.
    pub name: &'static str,
    /// What a solution with this theme shows.
    pub meaning: &'static str,
    /// The points it adds to the score of a puzzle (see [`Quality`](super::Quality)).
    pub worth: u8,
    /// Whether a solution has it.
    pub detect: fn(&Story) -> bool,
}

/// The themes of a solution, by name.
pub fn themes(story: &Story) -> impl Iterator<Item = &'static Theme> {
    ALL.iter().filter(|theme| (theme.detect)(story))
}

/// All themes, by name.
pub const ALL: &[Theme] = &[
    Theme {
        name: "ban-win",
        meaning: "a move of the solver in the main line wins only because the reply that would take it back is forbidden (rule 8)",
        worth: 8,
        detect: |story| story.outcome == Outcome::Win && story.own().any(|ply| ply.by_ban),
    },
    Theme {
        name: "capture-refused",
        meaning: "the solver could capture, but no capture is among the best moves",
        worth: 6,
        detect: |story| story.refused.contains(&"capture"),
    },
    Theme {
        name: "decoy",
        meaning: "a piece of the defender that the solver removes was pushed by the solver before, in another direction",
        worth: 6,
        detect: |story| {
            story.own().enumerate().any(|(number, last)| {
                taken(last).is_some_and(|piece| {
                    let mut before = story.own().take(number);
                    before
                        .any(|ply| ply.pushed.contains(&piece) && direction(ply) != direction(last))
                })
            })
        },
    },
    Theme {
        name: "double-sacrifice",
        meaning: "the solver gives up two pieces or more in the main line",
        worth: 12,
        detect: |story| gifts(story).count() >= 2,
    },
    Theme {
        name: "echo",
        meaning: "before the last move of two variations the positions are mirror images or rotations of one another",
        worth: 4,
        detect: |story| story.echo,
    },
    Theme {
        name: "edge-sacrifice",
        meaning: "the solver gives up a piece over the edge of the board",
        worth: 2,
        detect: |story| losses(story).any(|leaving| !leaving.inside),
    },
    Theme {
        name: "hole-key",
        meaning: "the key moves the hole in the board",
        worth: 4,
        detect: |story| {
            let moves = |key: &Ply| key.thing == Thing::Neutral && !key.effect.moved.is_empty();
            story.key().is_some_and(moves)
        },
    },
    Theme {
        name: "hole-sacrifice",
        meaning: "the solver gives up a piece into the hole in the board",
        worth: 2,
        detect: |story| losses(story).any(|leaving| leaving.inside),
    },
    Theme {
        name: "long-march",
        meaning: "one piece of the solver makes four of its moves or more in a row, to a new square each time",
        worth: 4,
        detect: |story| {
            story.own().collect::<Vec<_>>().windows(4).any(|four| {
                let one = matches!(four[0].thing, Thing::Own(_))
                    && four.iter().all(|ply| ply.thing == four[0].thing);
                let to = |ply: &&Ply| ply.effect.moved.first().map(|&(_, to)| to);
                let mut squares: HashSet<u8> = four.iter().filter_map(to).collect();
                squares.insert(four[0].effect.from);
                one && squares.len() == 5
            })
        },
    },
    Theme {
        name: "mirror-trap",
        meaning: "in placement games, the solver could leave a symmetric position, but no such move is among the best",
        worth: 6,
        detect: |story| story.refused.contains(&"mirror"),
    },
    Theme {
        name: "mutate",
        meaning: "the solver has one key, would win sooner if the defender were to move first, and its only best answer to one of the longest defences after the key is then neither the same nor the key itself",
        worth: 6,
        detect: |story| story.changed,
    },
    Theme {
        name: "promotion-race",
        meaning: "both sides promote in the main line",
        worth: 4,
        detect: |story| {
            let promotes = |ply: &Ply| ply.kinds.contains(&"promotion");
            let mut others = story.plies.iter().filter(|ply| !ply.solver);
            story.own().any(promotes) && others.any(promotes)
        },
    },
    Theme {
        name: "quiet-key",
        meaning: "the key is a quiet move, in a line of at least three moves of the solver",
        worth: 6,
        detect: |story| story.key_is("quiet") && story.own().count() >= 3,
    },
    Theme {
        name: "round-trip",
        meaning: "what the solver moves returns to its first square by four or more moves of its own, none of which takes back the one before",
        worth: 8,
        detect: |story| {
            let mut ways: HashMap<Thing, Vec<(u8, u8)>> = HashMap::new();
            for ply in story.own() {
                let step = ply.effect.moved.first();
                if let Some(&step) = step.filter(|step| step.0 == ply.effect.from) {
                    ways.entry(ply.thing).or_default().push(step);
                }
            }
            ways.values().any(|way| {
                let mut pairs = way.windows(2);
                let on = pairs.position(|pair| pair[0].1 != pair[1].0 || pair[0].0 == pair[1].1);
                let tour = &way[..on.map_or(way.len(), |last| last + 1)];
                tour.iter().skip(3).any(|step| step.1 == way[0].0)
            })
        },
    },
    Theme {
        name: "sacrifice",
        meaning: "the solver gives up a piece in the main line, and only one",
        worth: 10,
        detect: |story| gifts(story).count() == 1,
    },
    Theme {
        name: "self-block",
        meaning: "the piece that the last move of a win removes came to its square by the defender's last move, itself or pushed by a piece of its own side",
        worth: 3,
        detect: |story| {
            let mut last = story.plies.iter().rev();
            let (Some(end), Some(before)) = (last.next(), last.next()) else {
                return false;
            };
            let lost = taken(end).filter(|_| end.solver);
            lost.is_some_and(|piece| before.thing == piece || before.pushed.contains(&piece))
        },
    },
    Theme {
        name: "shattering-key",
        meaning: "the key splits a part of the board into three or more",
        worth: 5,
        detect: |story| story.key_is("shatter"),
    },
    Theme {
        name: "single-piece",
        meaning: "one piece of the solver makes all of its moves, three or more",
        worth: 4,
        detect: |story| {
            let mut things = story.own().map(|ply| ply.thing);
            let first = things.next();
            let piece = matches!(first, Some(Thing::Own(_)));
            piece && story.own().count() >= 3 && things.all(|thing| Some(thing) == first)
        },
    },
    Theme {
        name: "switchback",
        meaning: "what the solver has moved goes back, by its own next move, to the square it came from; others may move in between",
        worth: 6,
        detect: |story| {
            let plies: Vec<_> = story.own().collect();
            plies.iter().enumerate().any(|(number, there)| {
                let mut later = plies[number + 1..].iter();
                let next = later.find(|ply| ply.thing == there.thing);
                let to = |ply: &Ply| ply.effect.moved.first().map(|&(_, to)| to);
                next.is_some_and(|back| {
                    to(back) == Some(there.effect.from) && to(there) == Some(back.effect.from)
                })
            })
        },
    },
    Theme {
        name: "symmetry",
        meaning: "the position to solve is its own mirror image or rotation",
        worth: 2,
        detect: |story| story.symmetries > 1,
    },
    Theme {
        name: "underdog",
        meaning: "the solver wins with fewer pieces than the defender",
        worth: 5,
        detect: |story| story.outcome == Outcome::Win && story.material.0 < story.material.1,
    },
    Theme {
        name: "zugzwang",
        meaning: "after the key of a win the defender would not lose if it could pass",
        worth: 8,
        detect: |story| story.outcome == Outcome::Win && story.zugzwang,
    },
];

/// The plies in which the solver gives up a piece.
fn gifts(story: &Story) -> impl Iterator<Item = &Ply> {
    story.own().filter(|ply| ply.kinds.contains(&"sacrifice"))
}

/// The piece of the other side that a move removes.
fn taken(ply: &Ply) -> Option<Thing> {
    let leaving = ply.effect.removed?;
    ply.removed.filter(|_| !leaving.own)
}

/// How the pieces of the solver leave the board in its own moves.
fn losses(story: &Story) -> impl Iterator<Item = Leaving> {
    let removed = story.own().filter_map(|ply| ply.effect.removed);
    removed.filter(|leaving| leaving.own)
}

/// The direction of a move, as a difference of squares.
fn direction(ply: &Ply) -> Option<i16> {
    let &(from, to) = ply.effect.moved.first()?;
    Some(i16::from(to) - i16::from(from))
}

//! Squares, distances and kinds of move, as one reads them off a board.

use tesuji::base::value::Outcome;
use tesuji::game::{Moves, Next};
use tesuji::games::ostle::grid::Direction;
use tesuji::games::ostle::{Move, Ostle, State};

/// The kinds of move, in the order of their bits.
pub const KINDS: [&str; 6] = ["sacrifice", "capture", "hole", "push", "quiet", "retreat"];

/// File and rank from zero.
type Square = (i32, i32);

fn size(game: &Ostle) -> (i32, i32) {
    (game.grid.width.into(), game.grid.height.into())
}

fn square(game: &Ostle, number: u8) -> Square {
    let ranks = game.grid.height;
    ((number / ranks).into(), (number % ranks).into())
}

/// The squares of a set of them.
pub fn squares(game: &Ostle, set: u64) -> Vec<Square> {
    let numbers = (0..game.grid.width * game.grid.height).filter(|n| set >> n & 1 == 1);
    numbers.map(|number| square(game, number)).collect()
}

pub fn hole(game: &Ostle, state: &State) -> Square {
    square(game, state.hole())
}

/// Steps to the nearest edge.
pub fn to_edge(game: &Ostle, (file, rank): Square) -> i32 {
    let (files, ranks) = size(game);
    let ways = [file, files - 1 - file, rank, ranks - 1 - rank];
    ways.into_iter().min().unwrap()
}

pub fn on_edge(game: &Ostle, set: u64) -> usize {
    let squares = squares(game, set).into_iter();
    squares.filter(|&at| to_edge(game, at) == 0).count()
}

/// Steps between the nearest two squares of two sets.
pub fn apart(some: &[Square], others: &[Square]) -> Option<i32> {
    let steps = some.iter().flat_map(|a| {
        let steps = move |b: &Square| (a.0 - b.0).abs() + (a.1 - b.1).abs();
        others.iter().map(steps)
    });
    steps.min()
}

/// What the symmetries of the board make of a square, in a fixed order.
fn images(game: &Ostle, (file, rank): Square) -> Vec<Square> {
    let (files, ranks) = size(game);
    let mut images = Vec::new();
    for file in [file, files - 1 - file] {
        for rank in [rank, ranks - 1 - rank] {
            images.push((file, rank));
            if files == ranks {
                images.push((rank, file));
            }
        }
    }
    images
}

/// The name of the hole's square, turned to the corner of a1.
pub fn hole_name(game: &Ostle, state: &State) -> String {
    let (file, rank) = images(game, hole(game, state)).into_iter().min().unwrap();
    let file = char::from(b'a' + u8::try_from(file).unwrap());
    format!("{file}{}", rank + 1)
}

/// How many symmetries of the board keep pieces and hole in place.
pub fn symmetries(game: &Ostle, state: &State) -> usize {
    let sets = [state.own(), state.opponent(), 1 << state.hole()].map(|set| squares(game, set));
    let count = images(game, (0, 0)).len();
    let keeps = |&symmetry: &usize| {
        sets.iter().all(|set| {
            let mut image: Vec<_> = set.iter().map(|&at| images(game, at)[symmetry]).collect();
            image.sort_unstable();
            image == *set
        })
    };
    (0..count).filter(keeps).count()
}

/// Which kinds a move is of.
pub fn kinds(game: &Ostle, state: &State, mv: Move) -> [bool; 6] {
    let (own, other) = (state.own().count_ones(), state.opponent().count_ones());
    let (sacrifice, capture) = match game.play(state, mv) {
        Next::Over(outcome) => (outcome == Outcome::Loss, outcome == Outcome::Win),
        Next::State(next) => (
            next.opponent().count_ones() < own,
            next.own().count_ones() < other,
        ),
    };
    let hole = mv.from == state.hole();
    let from = square(game, mv.from);
    let to = match mv.direction {
        Direction::Up => (from.0, from.1 + 1),
        Direction::Down => (from.0, from.1 - 1),
        Direction::Left => (from.0 - 1, from.1),
        Direction::Right => (from.0 + 1, from.1),
    };
    let pieces = squares(game, state.own() | state.opponent());
    let push = !hole && pieces.contains(&to);
    let quiet = !sacrifice && !capture && !hole && !push;
    let others = squares(game, state.opponent());
    let retreat = quiet && apart(&[to], &others) > apart(&[from], &others);
    [sacrifice, capture, hole, push, quiet, retreat]
}

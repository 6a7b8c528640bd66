//! Placement games: kings, Regio, and any graph.
//!
//! # Rules
//! The sides take turns; each turn takes a free square that is not a neighbour of a taken
//! square. A side that cannot move loses. Only the squares that are still free matter, so
//! they are the state: when a square is taken, it and its neighbours are no longer free.
//!
//! - `kings:ROWSxCOLUMNS`: squares have up to eight neighbours, as a chess king moves
//!   (sold as *Obstruction*);
//! - `regio:ROWSxCOLUMNS`: up to four, along rows and columns (*Regio*);
//! - `graph:FILE`: the vertices of a graph (*Monochrome*; node Kayles).
//!
//! Instead of its size, a board may be given as a picture, with ranks from the top
//! separated by `/`, `.` for a square and `_` for a gap. Sizes joined by `+` are boards
//! side by side that do not touch. On one row of squares, the game is Dawson's chess.
//!
//! Settings after a comma:
//!
//! - `play=misere`: the side that makes the last move loses;
//! - `colours=K`: each turn colours a square with one of K colours, which no neighbour may
//!   have. This is the same game on the product of the board with a complete graph: a
//!   *place* is a square with a colour, and its neighbours are the same colour on the
//!   neighbouring squares and the other colours of its square.
//!
//! Source: *The kings placement game*, "the paper" below; T. J. Schaefer, *On the
//! complexity of some two-person perfect-information games* (1978), for node Kayles.

mod frames;
mod graph;
mod impartial;
mod layout;
mod listed;
mod notation;
mod picture;
mod setup;
mod shapes;
mod squares;
mod symmetry;

use std::sync::Mutex;

pub use graph::Graph;
pub use squares::Squares;

use crate::base::value::Outcome;
use crate::game::{Listed, MoveKind, Moves, Next, kinds_in};
use impartial::Search;
use layout::Layout;
use symmetry::Symmetry;

/// The neighbours of a square.
#[derive(Debug, Clone)]
pub(super) enum Rules {
    /// Eight neighbours.
    Kings,
    /// Four.
    Regio,
    /// Those of a graph, whose vertices are numbered like the squares of a row.
    Graph(Graph),
}

/// A placement game with the list of its positions, which is made when it is first needed.
pub type Placement = Listed<PlacementRules>;

/// A board or graph with its rules.
#[derive(Debug)]
pub struct PlacementRules {
    spec: String,
    rules: Rules,
    rows: usize,
    columns: usize,
    colours: usize,
    /// Whether the side that makes the last move loses.
    misere: bool,
    /// The places of the board, by colour, then by square.
    board: Squares,
    /// The symmetries of the game, the identity first.
    symmetries: Vec<Symmetry>,
    layout: Option<Layout>,
    /// Chosen when it is first needed.
    search: Mutex<Option<Search>>,
}

#[rustfmt::skip]
const KINDS: [MoveKind; 4] = [
    MoveKind::new("split", false, "leaves more parts than there were"),
    MoveKind::new("shatter", false, "splits a part into three or more"),
    MoveKind::new("mirror", true, "leaves a position with a symmetry, which the paper's mirror strategy aims at"),
    MoveKind::new("lone", false, "takes a square that has no free neighbour"),
];

impl PlacementRules {
    /// The number of squares, including gaps, or of vertices.
    const fn squares(&self) -> usize {
        self.rows * self.columns
    }

    /// The number of places, including those of gaps.
    const fn places(&self) -> usize {
        self.squares() * self.colours
    }

    const fn square_of(&self, place: usize) -> usize {
        place % self.squares()
    }

    const fn colour_of(&self, place: usize) -> usize {
        place / self.squares()
    }

    fn after(&self, free: &Squares, place: usize) -> Squares {
        let mut left = free.clone();
        self.around(place, |near| left.remove(near));
        left
    }

    /// The connected parts of a set of places.
    fn parts(&self, free: &Squares) -> Vec<Vec<usize>> {
        let mut rest = free.clone();
        let mut parts = Vec::new();
        for first in free.iter() {
            if !rest.contains(first) {
                continue;
            }
            rest.remove(first);
            let (mut part, mut done) = (vec![first], 0);
            while let Some(&place) = part.get(done) {
                self.around(place, |near| {
                    if rest.contains(near) {
                        rest.remove(near);
                        part.push(near);
                    }
                });
                done += 1;
            }
            parts.push(part);
        }
        parts
    }
}

impl Moves for PlacementRules {
    fn moves(&self, free: &Squares) -> Vec<usize> {
        free.iter().collect()
    }

    fn play(&self, free: &Squares, place: usize) -> Next<Squares> {
        let left = self.after(free, place);
        if left.is_empty() {
            Next::Over(if self.misere {
                Outcome::Loss
            } else {
                Outcome::Win
            })
        } else {
            Next::State(left)
        }
    }

    fn kinds(&self) -> &'static [MoveKind] {
        &KINDS
    }

    fn kinds_of(&self, free: &Squares, place: usize) -> u32 {
        let after = self.after(free, place);
        let (before, left) = (self.parts(free).len(), self.parts(&after).len());
        let mut neighbours = 0;
        self.around(place, |near| {
            let elsewhere = self.square_of(near) != self.square_of(place);
            neighbours += usize::from(elsewhere && free.contains(near));
        });
        kinds_in([
            left > before,
            left >= before + 2,
            !after.is_empty() && self.keeping(&after).len() > 1,
            neighbours == 0,
        ])
    }
}

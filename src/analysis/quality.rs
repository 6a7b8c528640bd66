//! The quality of a puzzle, in points, and its difficulty.
//!
//! | part | points | for |
//! |---|---|---|
//! | soundness | 0 to 35 | 10 for a unique shortest key, 20 for a dual-free main line, 30 for a dual-free tree; 5 more if no other move has the same outcome |
//! | paradox | 0 to 25 | the points of each theme ([`Theme::worth`](super::Theme)) |
//! | temptation | 0 to 15 | 3 for a try (a move that fails to one reply only), 1 for any other move that fails |
//! | length | 0 to 10 | 2 for each move of the solver from the second to the sixth; 1 less for each from the ninth on |
//! | variety | 0 to 10 | 2 for each doubling of the number of variations |
//! | economy | 0 to 5 | 1 for each piece fewer than ten on the board; 0 in games without pieces |
//!
//! *Difficulty* is the information in bits that is needed to find the main line by chance:
//! the sum over the solver's moves of log2(legal moves / best moves), rounded.

use serde::Serialize;

use super::rated::Step;
use super::solution::{Solution, Soundness};
use super::themes::{Story, themes};
use crate::base::value::Outcome;
use crate::game::{Game, Moves, Playable};

/// The points of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Quality {
    /// The sum, 0 to 100.
    pub total: u8,
    /// For soundness, 0 to 35.
    pub soundness: u8,
    /// For themes, 0 to 25.
    pub paradox: u8,
    /// For tempting wrong moves, 0 to 15.
    pub temptation: u8,
    /// For length, 0 to 10.
    pub length: u8,
    /// For variations, 0 to 10.
    pub variety: u8,
    /// For economy, 0 to 5.
    pub economy: u8,
}

impl Quality {
    /// Judges a solution.
    pub fn new<G: Moves + Playable>(solution: &Solution<G>, story: &Story) -> Self {
        let worth = themes(story).map(|theme| usize::from(theme.worth)).sum();
        let solver_moves = story.own().count();
        let length = if solver_moves <= 8 {
            2 * solver_moves.saturating_sub(1)
        } else {
            18_usize.saturating_sub(solver_moves)
        };
        let doublings = solution.tree.variations().max(1).ilog2() as usize;
        let pieces = story.material.0 + story.material.1;
        let parts = Self {
            total: 0,
            soundness: level(solution.soundness()) + 5 * u8::from(solution.only_key()),
            paradox: at_most(worth, 25),
            temptation: at_most(2 * solution.tries.len() + solution.failing, 15),
            length: at_most(length, 10),
            variety: at_most(2 * doublings, 10),
            economy: if pieces == 0 {
                0
            } else {
                at_most(10_usize.saturating_sub(pieces), 5)
            },
        };
        parts.summed()
    }

    /// The best that a solution without its tree can get once it has one.
    pub(crate) fn bound<G: Moves + Playable>(solution: &Solution<G>, story: &Story) -> Self {
        // A tree shows whether variations are free of duals and echo, and how many there are.
        let mut story = story.clone();
        story.echo = true;
        let bound = Self::new(solution, &story);
        if solution.value.outcome() != Outcome::Win {
            return bound;
        }
        let mut soundness = bound.soundness;
        if solution.soundness() == Soundness::DualFreeLine {
            soundness += level(Soundness::DualFreeTree) - level(Soundness::DualFreeLine);
        }
        let parts = Self {
            soundness,
            variety: 10,
            ..bound
        };
        parts.summed()
    }

    const fn summed(mut self) -> Self {
        self.total = self.soundness
            + self.paradox
            + self.temptation
            + self.length
            + self.variety
            + self.economy;
        self
    }
}

/// Ten points for each level of soundness above that of a cooked puzzle.
const fn level(soundness: Soundness) -> u8 {
    10 * soundness as u8
}

fn at_most(points: usize, most: u8) -> u8 {
    u8::try_from(points).map_or(most, |points| points.min(most))
}

/// The difficulty of finding the main line, in bits.
pub(crate) fn difficulty<G: Moves>(
    game: &G,
    line: &[Step<<G as Game>::State, <G as Game>::Move>],
) -> u32 {
    let own = line.iter().step_by(2).map(|step| {
        let choices = game.moves(&step.state).len().max(step.as_good.1);
        (choices as f64 / step.as_good.1.max(1) as f64).log2()
    });
    rounded(own.sum())
}

/// A number of bits, in whole bits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a sum of logarithms of numbers from one to a hundred"
)]
pub(crate) fn rounded(bits: f64) -> u32 {
    bits.round() as u32
}

/// The effort from which on a problem has two, three, four and five stars, in bits.
const STEPS: [f64; 4] = [8.0, 16.0, 28.0, 48.0];

/// How hard the main line of a problem is to find, as one to five stars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grade(u8);

impl Grade {
    /// What the stars mean, for readers.
    pub(crate) const LEGEND: &'static str = "Stars say how hard the main line is to find, from one (very easy) to five (very hard): by the choices on the way, and by how far one must look ahead at its hardest move.";

    /// The grade of a problem, by the effort in bits: its `difficulty`, and, for each ply of
    /// search that is wasted at the hardest move, as much as to choose among `moves`, the legal
    /// moves of the position. `look_ahead` is in hundredths of a ply, as in
    /// [`Profile::hundredths`](super::Profile); nothing where it is not known.
    pub fn new(difficulty: u32, look_ahead: Option<u32>, moves: u32) -> Self {
        let wasted = f64::from(look_ahead.unwrap_or(0)) / 100.0;
        let effort = f64::from(difficulty) + wasted * f64::from(moves.max(1)).log2();
        let stars = (1..).zip(STEPS).take_while(|&(_, least)| effort >= least);
        Self(stars.last().map_or(1, |(step, _)| step + 1))
    }

    /// The number of stars.
    pub const fn stars(self) -> u8 {
        self.0
    }

    /// The same in words: `very easy`, `easy`, `medium`, `hard` or `very hard`.
    pub const fn words(self) -> &'static str {
        ["very easy", "easy", "medium", "hard", "very hard"][self.0 as usize - 1]
    }
}

//! Ostle, a game of 2017 by Masashi Sasaki and Masami Ohshima (Miyabi Games).
//!
//! # Rules
//! The board has 5 ranks and files; each side has five pieces on its home rank
//! and a hole lies on the middle square.
//!
//! 1. Black begins; the sides take turns and may not pass.
//! 2. A turn moves one own piece, or the hole, one square up, down, left or right.
//! 3. A piece may move onto an occupied square: it pushes the piece there one
//!    square further, which pushes the next, and so on.
//! 4. A piece that leaves the board or comes to the hole is removed. A side may
//!    remove its own pieces.
//! 5. The hole moves only onto an empty square of the board.
//! 6. A side that has lost two pieces loses the game, whoever moved.
//! 7. (Rule 8 of the paper.) No position may equal the one two plies before: a
//!    move that takes back the opponent's last move is forbidden. So a *state* is
//!    a position with at most one forbidden move. [`Repetition`] offers the three
//!    readings of "equal".
//!
//! Endless play is a draw.
//!
//! The board size (3x3 to 6x6, including rectangles), the pieces of each side and the
//! losses that lose the game are parameters. Square 0 is a1, and squares are counted file
//! by file, as in the paper. On even boards the hole begins on the lower left of the middle
//! squares.
//!
//! Source: H. Takizawa, *Strongly solved Ostle: calculating a strong solution
//! helps compose high-quality puzzles for recent games* (2023),
//! <https://doi.org/10.7717/peerj-cs.1560>, "the paper" below.
#![expect(
    clippy::inline_always,
    reason = "loops that run billions of times are fast only where everything is inlined"
)]

mod banning;
mod board;
mod directed_set;
mod features;
pub mod grid;
mod index;
mod movegen;
mod notation;
mod retro;
mod row_index;
mod rows;
mod runs;
mod setup;
mod state;

use std::sync::OnceLock;

pub(crate) use state::Side;
pub use state::{Effect, Move, State};

use crate::base::value::Outcome;
use crate::game::{Leaving, MoveKind, Moves, Next, Repetition, Symmetric, least_line};
use crate::games::ostle::grid::{Direction, Grid, Mask, Symmetry, squares_of};
pub use crate::games::settings::SetupError;
use directed_set::Shifts;
use index::Index;
use state::Placement;

/// The game with its parameters, and the numbering of its positions.
#[derive(Debug)]
pub struct Ostle {
    /// The board.
    pub grid: Grid,
    shifts: Shifts,
    /// The number of pieces each side begins with.
    pub pieces: u8,
    /// The number of losses that lose the game.
    pub losses: u8,
    repetition: Repetition,
    /// The squares from which a hole moves: all or none.
    hole_moves_from: Mask,
    index: OnceLock<Index>,
    layers: Vec<crate::game::Layer>,
}

impl Ostle {
    /// Whether the hole stays on its square.
    pub const fn has_fixed_hole(&self) -> bool {
        self.hole_moves_from == 0
    }

    /// The squares on which the hole can be, up to symmetry.
    fn holes(&self) -> Mask {
        if !self.has_fixed_hole() {
            return self.grid.all();
        }
        let first = self.grid.middle();
        let images = self.grid.symmetries.iter();
        images.fold(0, |holes, symmetry| holes | 1 << symmetry.square(first))
    }

    /// The fewest pieces of a side in an unfinished game.
    const fn fewest(&self) -> u8 {
        self.pieces - self.losses + 1
    }

    /// The effect of a move; `None` if it is not a move of this state: neither a piece of
    /// the mover nor the hole is on its square, or the hole cannot move there.
    pub fn effect(&self, state: &State, mv: Move) -> Option<Effect> {
        let before = state.placement;
        if mv.from >= self.grid.squares() {
            return None;
        }
        let occupied = before.own | before.opp;
        let ahead = self.grid.neighbour(mv.from, mv.direction);
        if mv.from == before.hole {
            let to = ahead.filter(|&to| occupied >> to & 1 == 0 && !self.has_fixed_hole())?;
            return Some(Effect {
                after: Placement { hole: to, ..before },
                removed: None,
                chain: 0,
                hole: true,
                reply: Some(Move::new(to, mv.direction.opposite())),
            });
        }
        if before.own >> mv.from & 1 == 0 {
            return None;
        }
        let (mut own, mut opp) = (before.own & !(1 << mv.from), before.opp);
        let (mut carried_own, mut chain, mut last, mut next) = (true, 0, mv.from, ahead);
        let removed = loop {
            let Some(square) = next else {
                break Some(false);
            };
            if square == before.hole {
                break Some(true);
            }
            // The piece carried so far takes the square, and the piece there moves on.
            let bit = 1 << square;
            let (was_own, was_opp) = (own & bit != 0, opp & bit != 0);
            if carried_own {
                own |= bit;
                opp &= !bit;
            } else {
                opp |= bit;
                own &= !bit;
            }
            if !was_own && !was_opp {
                break None;
            }
            carried_own = was_own;
            chain |= bit;
            last = square;
            next = self.grid.neighbour(square, mv.direction);
        };
        let reply = match (removed, next) {
            (None, Some(end)) if !carried_own => Some(Move::new(end, mv.direction.opposite())),
            _ => None,
        };
        Some(Effect {
            after: Placement { own, opp, ..before },
            removed: removed.map(|inside| Leaving {
                from: last,
                own: carried_own,
                inside,
            }),
            chain,
            hole: false,
            reply,
        })
    }

    /// The move that would restore `before` from `after` and is therefore
    /// forbidden there (both seen by their own side to move).
    fn restoring(&self, after: &State, before: &Placement) -> Option<Move> {
        // Comparing with every image is faster than normalizing every position reached.
        let goals: Vec<Placement> = match self.repetition {
            Repetition::Exact => vec![*before],
            Repetition::UpToSymmetry | Repetition::AllImages => self.images(before).collect(),
        };
        Self::candidates(after).find(|&mv| {
            self.effect(after, mv).is_some_and(|effect| {
                // After the move the sides change, and `before` is seen by the side that is
                // then to move.
                effect.removed.is_none() && goals.contains(&effect.after.turned())
            })
        })
    }

    /// All squares and directions of possible moves, in the order of the paper's Algorithm
    /// 1: by square, then U D L R.
    fn candidates(state: &State) -> impl Iterator<Item = Move> + use<> {
        Self::moves_from(state.placement.own | 1 << state.placement.hole)
    }

    /// From each of some squares, a move in every direction, whether or not it is possible.
    fn moves_from(squares: Mask) -> impl Iterator<Item = Move> {
        squares_of(squares)
            .flat_map(|from| Direction::ALL.map(|direction| Move::new(from, direction)))
    }

    fn images<'a>(&'a self, placement: &'a Placement) -> impl Iterator<Item = Placement> + 'a {
        let symmetries = self.grid.symmetries.iter();
        symmetries.map(|symmetry| placement.image(symmetry))
    }

    /// The image of a state. Colours are only names: exchanging them gives the same state, so
    /// Black is to move.
    fn image(&self, state: &State, symmetry: &Symmetry) -> State {
        let turned = State::open(state.placement.image(symmetry), Side::Black);
        State {
            forbidden: state
                .forbidden
                .map(|mv| self.naming(&turned, mv.image(symmetry))),
            ..turned
        }
    }

    #[inline]
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let pieces = (self.fewest(), self.pieces);
            Index::new(&self.grid, self.holes(), pieces)
        })
    }
}

impl Moves for Ostle {
    fn moves(&self, state: &State) -> Vec<Move> {
        let forbidden = |mv| {
            Some(mv) == state.forbidden
                || self.bans_all_images()
                    && state.forbidden.is_some()
                    && Some(self.naming(state, mv)) == state.forbidden
        };
        Self::candidates(state)
            .filter(|&mv| self.effect(state, mv).is_some() && !forbidden(mv))
            .collect()
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        let Some(effect) = self.effect(state, mv) else {
            // The caller must give a move of this state; otherwise, nothing happens.
            return Next::State(*state);
        };
        let fewest = u32::from(self.fewest());
        if effect.after.opp.count_ones() < fewest {
            return Next::Over(Outcome::Win);
        }
        if effect.after.own.count_ones() < fewest {
            return Next::Over(Outcome::Loss);
        }
        let mut after = State::open(effect.after.turned(), state.side.other());
        if effect.removed.is_none() {
            after.forbidden = match self.repetition {
                Repetition::Exact => effect.reply,
                Repetition::UpToSymmetry | Repetition::AllImages => {
                    self.restoring(&after, &state.placement)
                }
            };
        }
        Next::State(after)
    }

    fn kinds(&self) -> &'static [MoveKind] {
        &features::KINDS
    }

    fn kinds_of(&self, state: &State, mv: Move) -> u32 {
        self.effect(state, mv).map_or(0, |effect| {
            self.kinds_of_effect(state.placement.own, &effect)
        })
    }
}

impl Symmetric for Ostle {
    fn canonical(&self, state: &State) -> State {
        let symmetries = self.grid.symmetries.iter();
        let hole = |symmetry: &Symmetry| symmetry.square(state.placement.hole);
        let least = symmetries.clone().map(hole).min();
        symmetries
            .filter(|&symmetry| Some(hole(symmetry)) == least)
            .map(|symmetry| self.image(state, symmetry))
            .min_by_key(|image| (image.placement.own, image.placement.opp, image.forbidden))
            .expect("the identity is a symmetry")
    }

    fn canonical_line(&self, line: &[Move]) -> Vec<Move> {
        let image = |mv: &Move, symmetry: &&Symmetry| mv.image(symmetry);
        least_line(line, self.grid.symmetries.iter(), image)
    }

    fn symmetries_kept(&self, state: &State) -> u32 {
        let kept = self
            .images(&state.placement)
            .filter(|image| *image == state.placement);
        u32::try_from(kept.count()).expect("at most 8")
    }
}

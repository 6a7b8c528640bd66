//! The player who looks a few plies ahead, one position at a time, and the depth profile of
//! positions: how far a player must look before the choice is safe.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::rated::{Step, rate_moves};
use crate::base::value::Outcome;
use crate::game::{Game, LOST, Next, Oracle, Retrograde, Seen, of_end};

/// The greatest depth of a [`Profile`], in plies.
pub const PROFILE_DEPTH: u8 = 4;

/// Values of positions to players who look ahead (see [`crate::solve::look_ahead`]), found by
/// search. What was found is remembered.
#[derive(Debug)]
pub struct Looker<'g, G> {
    game: &'g G,
    seen: Seen,
}

impl<'g, G: Retrograde> Looker<'g, G> {
    /// Knows nothing yet.
    pub fn new(game: &'g G) -> Self {
        Self {
            game,
            seen: Seen::default(),
        }
    }

    /// The moves of a state that the player who looks `depth` plies ahead likes, in the game's
    /// order; for depth 0 all legal moves. The time grows with about the square root of the
    /// number of lines of `depth` plies.
    pub fn liked(&mut self, state: &G::State, depth: u8) -> Vec<G::Move> {
        let game = self.game;
        let moves = game.moves(state);
        if depth == 0 {
            return moves;
        }
        let mut best = LOST - 1;
        let mut liked = Vec::new();
        for mv in moves {
            let worth = match game.play(state, mv) {
                Next::Over(outcome) => of_end(outcome),
                Next::State(next) => {
                    // Moves that are worth less than the best one need no exact value.
                    let bounds = (LOST - 1, 1 - best);
                    -game.look_ahead(&mut self.seen, game.rank(&next), depth - 1, bounds)
                }
            };
            if worth > best {
                liked.clear();
                best = worth;
            }
            if worth == best {
                liked.push(mv);
            }
        }
        liked
    }
}

/// How players who look 1 to [`PROFILE_DEPTH`] plies ahead fare in a position, or with the
/// solver's moves of a line. A move *holds* if it keeps the outcome: a win stays a win, a draw a
/// draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// By depth: how many of the moves that the player likes hold, and how many these are.
    pub shares: [(u32, u32); PROFILE_DEPTH as usize],
    /// The sum over all depths of the share of the liked moves that do not hold, as a fraction:
    /// plies of search that are wasted before the choice is safe, from 0 to [`PROFILE_DEPTH`].
    pub wasted: (u64, u64),
    /// Number of depths at which every move that the player likes is wrong.
    pub lure_run: u32,
    /// The least depth from which on every move that the player likes holds; `None` if that is
    /// not so at [`PROFILE_DEPTH`].
    pub solved_at: Option<u32>,
}

impl Profile {
    fn new(shares: [(u32, u32); PROFILE_DEPTH as usize]) -> Self {
        let wrong = shares.iter().filter(|&&(holding, _)| holding == 0).count();
        let is_safe = |&&(holding, liked): &&(u32, u32)| holding == liked;
        let safe = shares.iter().rev().take_while(is_safe).count();
        let solved_at = (safe > 0).then_some(number(shares.len() + 1 - safe));
        // The least common multiple of the denominators is smaller, but need not be found.
        let counts = shares.map(|(holding, liked)| {
            let liked = u64::from(liked.max(1));
            (liked - u64::from(holding).min(liked), liked)
        });
        let common: u64 = counts.iter().map(|&(_, liked)| liked).product();
        let wasted = counts.iter().map(|(wrong, liked)| wrong * (common / liked));
        Self {
            shares,
            wasted: (wasted.sum(), common),
            lure_run: number(wrong),
            solved_at,
        }
    }

    /// Of each number, the worse of two profiles.
    fn or_worse(self, other: Self) -> Self {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let less = |a: (u64, u64), b: (u64, u64)| product(a.0, b.1) < product(b.0, a.1);
        let wide = |(a, b): (u32, u32)| (u64::from(a), u64::from(b.max(1)));
        let mut shares = self.shares;
        for (share, other) in shares.iter_mut().zip(other.shares) {
            if less(wide(other), wide(*share)) {
                *share = other;
            }
        }
        Self {
            shares,
            wasted: if less(self.wasted, other.wasted) {
                other.wasted
            } else {
                self.wasted
            },
            lure_run: self.lure_run.max(other.lure_run),
            solved_at: self.solved_at.zip(other.solved_at).map(|(a, b)| a.max(b)),
        }
    }

    /// What is [wasted](Self::wasted) in hundredths of a ply, rounded down.
    pub(crate) fn hundredths(&self) -> u32 {
        let (wrong, common) = self.wasted;
        let hundredths = 100 * u128::from(wrong) / u128::from(common.max(1));
        u32::try_from(hundredths).unwrap_or(u32::MAX)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The shares to four places, and the columns of a main line.
impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let places = |share: f64| (share * 1e4).round() / 1e4;
        let share = |(holding, liked): (u32, u32)| f64::from(holding) / f64::from(liked.max(1));
        let shares = self.shares.map(|counts| places(share(counts)));
        let mut data = serializer.serialize_struct("Profile", 4)?;
        data.serialize_field("shares", &shares)?;
        data.serialize_field("line_look_ahead", &self.hundredths())?;
        data.serialize_field("line_lure_run", &self.lure_run)?;
        data.serialize_field("line_solved_at", &self.solved_at)?;
        data.end()
    }
}

/// The depth profile of a state. In a lost state every move holds.
///
/// # Errors
/// If the oracle cannot value a state.
pub fn profile<G: Retrograde, O: Oracle<G>>(
    looker: &mut Looker<'_, G>,
    oracle: &O,
    state: &G::State,
) -> Result<Profile, O::Error> {
    let outcome = oracle.value(looker.game, state)?.outcome();
    let mut holding = rate_moves(looker.game, oracle, state)?;
    holding.retain(|rated| rated.value.outcome() == outcome);
    let mut shares = [(1, 1); PROFILE_DEPTH as usize];
    for (depth, share) in (1..).zip(&mut shares) {
        let liked = looker.liked(state, depth);
        let held = holding.iter().filter(|rated| liked.contains(&rated.mv));
        *share = (number(held.count()), number(liked.len()));
    }
    Ok(Profile::new(shares))
}

/// The profile of the solver's moves of a line: of each number, the worst, so that it is solved
/// at the least depth from which on each of these moves holds. `None` if the line is empty or
/// lost: there is no outcome to keep.
///
/// # Errors
/// If the oracle cannot value a state.
pub fn profile_of_line<G: Retrograde, O: Oracle<G>>(
    looker: &mut Looker<'_, G>,
    oracle: &O,
    line: &[Step<<G as Game>::State, <G as Game>::Move>],
) -> Result<Option<Profile>, O::Error> {
    let mut worst: Option<Profile> = None;
    for step in line.iter().step_by(2) {
        if oracle.value(looker.game, &step.state)?.outcome() == Outcome::Loss {
            return Ok(None);
        }
        let found = profile(looker, oracle, &step.state)?;
        worst = Some(worst.map_or(found, |worst| worst.or_worse(found)));
    }
    Ok(worst)
}

//! Whether a main line has duals, found out without looking at more moves than that takes.

use super::table_moves::ending;
use crate::base::value::Value;
use crate::game::{Moves, Next, Oracle};

/// Whether every move of the winner in the main line of a won state is the only shortest
/// win, as [`Step::as_good`](super::Step) tells of the whole line. Ends at the first dual.
///
/// # Errors
/// If the oracle cannot value a state, or if values contradict each other, so that the line
/// might have no end.
pub fn line_is_dual_free<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
) -> Result<bool, O::Error> {
    let mut state = state.clone();
    let mut best = oracle.value(game, &state)?;
    loop {
        let alone = oracle.has_one_best_move(game, &state)?;
        let (defence, value) = match first_best(game, oracle, &state, best, !alone)? {
            Best::Several => return Ok(false),
            Best::Ends => return Ok(true),
            Best::LeadsTo(defence, value) => (defence, value),
        };
        match first_best(game, oracle, &defence, value, false)? {
            Best::LeadsTo(next, value) => (state, best) = (next, value),
            Best::Several | Best::Ends => return Ok(true),
        }
    }
}

/// The best moves of a state.
enum Best<S> {
    /// There are several, and there was to be one.
    Several,
    /// The first of them, or want of any move, ends the game.
    Ends,
    /// The first of them leads to a state with this value.
    LeadsTo(S, Value),
}

/// Looks for the moves with the best value of a state, for the first or, to see that it is
/// `alone`, for a second.
fn first_best<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    best: Value,
    alone: bool,
) -> Result<Best<G::State>, O::Error> {
    let moves = game.moves(state);
    let mut first = None;
    // The first best move is soon found; that it is alone, only after all others.
    for some in moves.chunks(if alone { moves.len().max(1) } else { 4 }) {
        let mut ends = false;
        let mut next = Vec::with_capacity(some.len());
        for &mv in some {
            match game.play(state, mv) {
                Next::State(state) => next.push(state),
                Next::Over(outcome) if ending(outcome) != best => (),
                Next::Over(_) if alone && ends => return Ok(Best::Several),
                Next::Over(_) => ends = true,
            }
        }
        if ends {
            // All other moves with this value end the game too.
            return Ok(Best::Ends);
        }
        for (value, next) in oracle.values(game, &next)?.into_iter().zip(next) {
            if game.through_move(value) != Some(best) {
                continue;
            }
            if first.is_some() {
                return Ok(Best::Several);
            }
            first = Some(Best::LeadsTo(next, value));
            if !alone {
                break;
            }
        }
        if !alone && first.is_some() {
            break;
        }
    }
    match first {
        Some(leads) => Ok(leads),
        None if moves.is_empty() => Ok(Best::Ends),
        None => Err(oracle.contradiction(game, state)),
    }
}

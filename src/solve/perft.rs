//! Perft: counting move sequences, the usual test of a move generator.

use rayon::prelude::*;

use crate::game::{Moves, Next};

/// Counts the move sequences of exactly `depth` plies from a state, in parallel.
///
/// Sequences that end the game earlier do not count.
pub fn perft<G: Moves>(game: &G, state: &G::State, depth: u32) -> u64 {
    let Some(rest) = depth.checked_sub(1) else {
        return 1;
    };
    let moves = game.moves(state);
    if rest == 0 {
        return moves.len() as u64;
    }
    moves
        .into_par_iter()
        .map(|mv| match game.play(state, mv) {
            Next::State(next) => sequences(game, &next, rest),
            Next::Over(_) => 0,
        })
        .sum()
}

/// [`perft`] on one thread, for a depth of at least 1.
fn sequences<G: Moves>(game: &G, state: &G::State, depth: u32) -> u64 {
    let moves = game.moves(state);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| match game.play(state, mv) {
            Next::State(next) => sequences(game, &next, depth - 1),
            Next::Over(_) => 0,
        })
        .sum()
}

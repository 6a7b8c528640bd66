//! Perft: counting move sequences, the usual test of a move generator.

use crate::base::progress::Progress;
use crate::base::threads;
use crate::game::{Moves, Next};

/// Plies whose sequences are counted between reports of progress.
const TOLD: u32 = 4;

/// Counts the move sequences of exactly `depth` plies from a state, in parallel.
///
/// Sequences that end the game earlier do not count.
pub fn perft<G: Moves>(game: &G, state: &G::State, depth: u32, progress: &dyn Progress) -> u64 {
    progress.begin("counting sequences", 0);
    if depth < 2 {
        return sequences(game, state, depth, progress);
    }
    let counts = threads::map(game.moves(state), |mv| {
        after(game, state, mv, depth, progress)
    });
    counts.iter().sum()
}

/// [`perft`] on one thread.
fn sequences<G: Moves>(game: &G, state: &G::State, depth: u32, progress: &dyn Progress) -> u64 {
    match depth {
        0 => 1,
        1 => game.moves(state).len() as u64,
        _ => {
            let moves = game.moves(state).into_iter();
            let count = moves
                .map(|mv| after(game, state, mv, depth, progress))
                .sum();
            if depth == TOLD {
                progress.advance(count);
            }
            count
        }
    }
}

/// The sequences that begin with a move.
fn after<G: Moves>(
    game: &G,
    state: &G::State,
    mv: G::Move,
    depth: u32,
    progress: &dyn Progress,
) -> u64 {
    match game.play(state, mv) {
        Next::State(next) => sequences(game, &next, depth - 1, progress),
        Next::Over(_) => 0,
    }
}

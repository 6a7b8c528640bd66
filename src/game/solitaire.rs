//! Games of one player: puzzles that are solved in the fewest moves.

use super::Ranked;

/// Puzzles. The one player makes all moves, so a state is worth a win in as many plies
/// as the shortest solution has moves, and [`Moves::through_move`](super::Moves::through_move) keeps the outcome.
/// The solved state is no state of the unfinished game; where it has a slot, that is
/// vacant.
pub trait Solitaire: Ranked {
    /// Every state that has a move to this one, at least once.
    fn predecessors(&self, state: &Self::State) -> Vec<Self::State>;

    /// The number by which records know a move.
    fn number(&self, mv: Self::Move) -> u8;
}

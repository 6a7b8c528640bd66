//! Games of one player: puzzles that are solved in the fewest moves.

use super::Ranked;

/// Puzzles. The player makes all moves, so the value of a state is a win in as many plies
/// as the shortest solution has moves, and
/// [`Moves::through_move`](super::Moves::through_move) keeps the outcome. The solved state
/// is not a state of the unfinished game; if it has a slot, the slot is vacant.
pub trait Solitaire: Ranked {
    /// Every state that has a move to this one, at least once each.
    fn predecessors(&self, state: &Self::State) -> Vec<Self::State>;

    /// The number of a move in records.
    fn number(&self, mv: Self::Move) -> u8;
}

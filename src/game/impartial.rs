//! Impartial games: nimbers instead of plies.

use super::Moves;
use crate::sums::{Effort, Nimber, SumError};
use crate::value::Outcome;
use crate::watch::Watch;

/// Impartial games under normal play.
pub trait Impartial: Moves {
    /// The nimber of a state.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    fn nimber(&self, state: &Self::State, watch: &impl Watch) -> Result<Nimber, SumError>;

    /// Every move with the nimber of what it leaves; the moves to 0 are the winning
    /// ones.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    fn options(
        &self,
        state: &Self::State,
        watch: &impl Watch,
    ) -> Result<Vec<(Self::Move, Nimber)>, SumError>;

    /// What a theorem says of a state, without a search.
    fn known(&self, state: &Self::State) -> Option<Judged>;

    /// Who wins, without the nimber: a theorem says so, or a search that is content
    /// with less.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    fn outcome(&self, state: &Self::State, watch: &impl Watch) -> Result<Judged, SumError>;

    /// What the searches of this game took so far.
    fn effort(&self) -> Effort;
}

/// Who wins, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// For the next player.
    pub outcome: Outcome,
    /// The theorem, or `search`.
    pub by: String,
    /// The nimber, if the theorem tells it.
    pub nimber: Option<Nimber>,
}

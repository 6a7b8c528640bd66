//! Impartial games: nimbers instead of plies.

use thiserror::Error;

use super::Moves;
use crate::base::progress::Progress;
use crate::base::value::Outcome;

/// A Grundy value.
pub type Nimber = u16;

/// The outcome of a position with this nimber, for the player to move.
pub(crate) const fn outcome_of(nimber: Nimber) -> Outcome {
    if nimber == 0 {
        Outcome::Loss
    } else {
        Outcome::Win
    }
}

/// Why a search ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NimberError {
    /// The search reached its limit of memory, or the board is too large to search.
    #[error("{0}")]
    TooLarge(String),
    /// The game is played in a way in which positions have no nimbers.
    #[error("under misère play positions have no nimbers; ask who wins, with 'tesuji probe'")]
    Misere,
    /// The search was stopped on request.
    #[error("stopped on request")]
    Cancelled,
}

/// The effort of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Shapes that were examined.
    pub nodes: u64,
    /// Shapes, and open questions about shapes, of which something is kept.
    pub kept: usize,
}

/// What a move of an impartial game leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left<M> {
    /// The move.
    pub mv: M,
    /// The outcome for the player who moves next. A move that ends the game leaves a loss
    /// under normal play, and a win under misère play.
    pub outcome: Outcome,
    /// The nimber, if the game has nimbers.
    pub nimber: Option<Nimber>,
}

impl<M> Left<M> {
    /// A move that leaves this nimber under normal play.
    pub(crate) const fn with_nimber(mv: M, nimber: Nimber) -> Self {
        Self {
            mv,
            outcome: outcome_of(nimber),
            nimber: Some(nimber),
        }
    }

    /// Whether the next player loses, so that the move wins.
    pub const fn loses(&self) -> bool {
        matches!(self.outcome, Outcome::Loss)
    }
}

/// Impartial games, under normal play (whoever cannot move loses) or misère play (whoever
/// cannot move wins).
pub trait Impartial: Moves {
    /// Whether positions have nimbers: under normal play.
    fn has_nimbers(&self) -> bool;

    /// The independent parts of a state, of which it is the sum.
    fn summands(&self, state: &Self::State) -> Vec<Self::State>;

    /// The nimber of a state.
    ///
    /// # Errors
    /// If memory is short, the work is cancelled, or the game has no nimbers.
    fn nimber(&self, state: &Self::State, progress: &dyn Progress) -> Result<Nimber, NimberError>;

    /// Every move with what it leaves.
    ///
    /// # Errors
    /// If memory is short or the work is cancelled.
    fn options(
        &self,
        state: &Self::State,
        progress: &dyn Progress,
    ) -> Result<Vec<Left<Self::Move>>, NimberError>;

    /// The result of a theorem about the state, without a search.
    fn known(&self, state: &Self::State) -> Option<Judged>;

    /// Who wins: by a theorem, or by a search that may stop before it has found the nimber.
    ///
    /// # Errors
    /// If memory is short or the work is cancelled.
    fn outcome(&self, state: &Self::State, progress: &dyn Progress) -> Result<Judged, NimberError>;

    /// The effort of all searches of this game so far.
    fn effort(&self) -> Effort;
}

/// Who wins, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// For the next player.
    pub outcome: Outcome,
    /// The theorem, or `search`.
    pub by: String,
    /// The nimber, if the theorem gives it.
    pub nimber: Option<Nimber>,
}

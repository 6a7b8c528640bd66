//! Impartial games: nimbers instead of plies.

use thiserror::Error;

use super::Moves;
use crate::base::value::Outcome;
use crate::base::watch::Watch;

/// A Grundy value.
pub type Nimber = u16;

/// The outcome of a position with this nimber, for the player to move.
#[must_use]
pub const fn outcome_of(nimber: Nimber) -> Outcome {
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
    /// The search reached its limit of memory.
    #[error(
        "the search reached its limit of {bytes} bytes with {kept} shapes; choose a smaller board, or ask for the outcome alone"
    )]
    Memory {
        /// Shapes of which something is known.
        kept: usize,
        /// Bytes allowed.
        bytes: u64,
    },
    /// The board is too large to search.
    #[error(
        "a board of {squares} squares is too large to search: at most {most} squares, at most 16 a row, or any single row"
    )]
    TooLarge {
        /// Squares of the board.
        squares: usize,
        /// The most that can be searched.
        most: usize,
    },
    /// The search was stopped on request.
    #[error("stopped on request")]
    Cancelled,
}

/// The effort of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Shapes that were examined.
    pub nodes: u64,
    /// Shapes of which something is known.
    pub kept: usize,
}

/// Impartial games under normal play.
pub trait Impartial: Moves {
    /// The nimber of a state.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    fn nimber(&self, state: &Self::State, watch: &impl Watch) -> Result<Nimber, NimberError>;

    /// Every move with the nimber of the position it leads to. Moves to 0 win.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    fn options(
        &self,
        state: &Self::State,
        watch: &impl Watch,
    ) -> Result<Vec<(Self::Move, Nimber)>, NimberError>;

    /// The result of a theorem about the state, without a search.
    fn known(&self, state: &Self::State) -> Option<Judged>;

    /// Who wins: by a theorem, or by a search that may stop before it has found the nimber.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    fn outcome(&self, state: &Self::State, watch: &impl Watch) -> Result<Judged, NimberError>;

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

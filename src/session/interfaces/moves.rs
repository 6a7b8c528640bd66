//! Moves, lines of play, and play against the best moves.

use crate::base::value::Outcome;
use crate::base::watch::Watch;
use crate::draw::{Diagram, Frame};
use crate::session::SessionError;

/// Where a move leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Played {
    /// To this position, with the next side to move.
    Next(String),
    /// The game is over, with this result for the side that moved.
    Over(Outcome),
}

/// Moves and lines of play.
pub trait Lines: Send + Sync {
    /// The legal moves, in the game's order.
    ///
    /// # Errors
    /// If the position cannot be read.
    fn moves(&self, position: &str) -> Result<Vec<String>, SessionError>;

    /// Makes a move.
    ///
    /// # Errors
    /// If the position or the move cannot be read, or the move is not legal.
    fn play(&self, position: &str, mv: &str) -> Result<Played, SessionError>;

    /// A numbered picture for each of the first `limit` moves of a line, the move marked,
    /// and one of the position after them if the game is not over. If moves are left out,
    /// the last caption says how many.
    ///
    /// # Errors
    /// If a text cannot be read, or a move is not legal.
    fn boards(
        &self,
        position: &str,
        moves: &[String],
        limit: usize,
    ) -> Result<Vec<Diagram>, SessionError>;

    /// The frames of an animation of a line.
    ///
    /// # Errors
    /// If a text cannot be read, or a move is not legal.
    fn frames(&self, position: &str, moves: &[String]) -> Result<Vec<Frame>, SessionError>;

    /// A picture of the position with these legal moves marked on it.
    ///
    /// # Errors
    /// If a text cannot be read, or a move is not legal.
    fn marked(
        &self,
        diagram: Diagram,
        position: &str,
        moves: &[String],
    ) -> Result<Diagram, SessionError>;

    /// The number of sequences of exactly `depth` moves.
    ///
    /// # Errors
    /// If the position cannot be read, or the depth is more than 1,000.
    fn perft(&self, position: &str, depth: u32) -> Result<u64, SessionError>;
}

/// Play against the best moves.
pub trait Playing: Send + Sync {
    /// Does what must be done once before moves can be chosen quickly, such as reading or
    /// making the table.
    ///
    /// # Errors
    /// If there is no table and the game is too large to be solved on the way.
    fn prepare(&self, watch: &dyn Watch) -> Result<(), SessionError>;

    /// A best move; `None` if there is no move.
    ///
    /// # Errors
    /// If the position cannot be read or valued.
    fn best(&self, position: &str, watch: &dyn Watch) -> Result<Option<String>, SessionError>;

    /// The board in letters, rank by rank from the top, with coordinates.
    ///
    /// # Errors
    /// If the position cannot be read.
    fn letters(&self, position: &str) -> Result<String, SessionError>;
}

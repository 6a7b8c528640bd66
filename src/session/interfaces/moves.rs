//! Moves, lines of play, and play against the best moves.

use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::base::value::Outcome;
use crate::draw::{Diagram, Frame};
use crate::session::{SearchOptions, SessionError};
use crate::solve::belief::Heard;

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
    fn prepare(&self, progress: &dyn Progress) -> Result<(), SessionError>;

    /// A best move; `None` if there is no move.
    ///
    /// # Errors
    /// If the position cannot be read or valued.
    fn best(&self, position: &str, progress: &dyn Progress)
    -> Result<Option<String>, SessionError>;

    /// A move of the player who looks `depth` plies ahead: one of those that this player likes,
    /// chosen by the number `choice`; `None` if there is no move.
    ///
    /// # Errors
    /// If the position cannot be read, the depth is not from 1 to 8, or the game has no such
    /// players.
    fn looking(
        &self,
        position: &str,
        depth: u8,
        choice: u64,
    ) -> Result<Option<String>, SessionError> {
        let _ = (position, depth, choice);
        Err(SessionError::Inapplicable {
            option: "level",
            why: "is for games with a table; give one with --table".to_owned(),
        })
    }

    /// The best move against a player who looks `depth` plies ahead: in a drawn position the
    /// best lure, otherwise a [best](Self::best) move.
    ///
    /// # Errors
    /// If the position cannot be read or valued, the depth is not from 1 to 8, or the game has
    /// no such players.
    fn luring(
        &self,
        position: &str,
        depth: u8,
        progress: &dyn Progress,
    ) -> Result<Option<String>, SessionError> {
        let _ = (position, depth, progress);
        Err(SessionError::Inapplicable {
            option: "lure",
            why: "is for games with a table; give one with --table".to_owned(),
        })
    }

    /// The board in letters, rank by rank from the top, with coordinates.
    ///
    /// # Errors
    /// If the position cannot be read.
    fn letters(&self, position: &str) -> Result<String, SessionError>;
}

/// Play of problems with hidden information against an umpire.
pub trait Umpiring: Send + Sync {
    /// Sets up a problem. The plies and fouls that are allowed are those of its solution,
    /// unless the options give them.
    ///
    /// # Errors
    /// If the position cannot be read, or the problem has no solution within the limits.
    fn umpire<'s>(
        &'s self,
        position: &str,
        options: SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Umpired + 's>, SessionError>;
}

/// A problem in play. The umpire commits himself to no position, but gives the worst answer
/// that one of the positions still possible allows.
pub trait Umpired {
    /// What the person who plays sees, in letters; at the beginning, everything.
    fn letters(&self) -> String;

    /// What the person who plays sees, as a diagram; everything as long as one position alone is
    /// possible.
    fn diagram(&self) -> Diagram;

    /// The names of the attacker and of the defender.
    fn sides(&self) -> (&'static str, &'static str);

    /// Plies and fouls that are left.
    fn left(&self) -> (u8, u8);

    /// The number of positions that are still possible.
    fn positions(&self) -> usize;

    /// The tries that are possible: they fail in no position for want of a check, and stand
    /// in at least one.
    fn tries(&self) -> Vec<String>;

    /// The best try, with the plies that it takes; `None` if the problem is not solved any
    /// more within what is left.
    ///
    /// # Errors
    /// If the search fails.
    fn hint(&self, progress: &dyn Progress) -> Result<Option<(String, u16)>, SessionError>;

    /// Makes a try.
    ///
    /// # Errors
    /// If the move cannot be read, or the search fails.
    fn attempt(&mut self, mv: &str, progress: &dyn Progress)
    -> Result<Heard<String>, SessionError>;

    /// What was heard about the try `mv`, as a sentence without its full stop.
    fn told(&self, mv: &str, heard: &Heard<String>) -> String {
        let (_, defender) = self.sides();
        match heard {
            Heard::NoTry => format!("{mv} is not possible with your own pieces"),
            Heard::Quiet => format!(
                "{mv} gives no check in a position that is still possible, and so is not allowed"
            ),
            Heard::Foul(left) => format!("{mv}: foul. {} left", plural((*left).into(), "foul")),
            Heard::TooManyFouls => format!("{mv}: foul, and no foul was left. {defender} wins"),
            Heard::Reply(announced, reply) => {
                format!("{mv}{announced}: check. {defender} replies {reply}")
            }
            Heard::Won(announced) => format!("{mv}{announced}: mate. You win"),
            Heard::Escaped(announced) => {
                format!("{mv}{announced}: check, but {defender} escapes and wins")
            }
            Heard::TooLate(announced) => {
                format!("{mv}{announced}: check, but no mate, and no ply is left. {defender} wins")
            }
        }
    }

    /// Takes back the last try that was made; `false` if there is none.
    fn back(&mut self) -> bool;
}

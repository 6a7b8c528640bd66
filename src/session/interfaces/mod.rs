//! What can be asked of a game, in small interfaces that take text and give data.
//!
//! All of them are object-safe. Positions and moves are texts in the game's notation; an
//! empty position, or `initial`, is the initial one.

mod arranging;
mod moves;
mod problems;
mod values;
mod whole_game;

pub use arranging::Arranging;
pub use moves::{Lines, Played, Playing, Umpired, Umpiring};
pub use problems::{Composing, Mining, Problems};
pub use values::{Checking, Evaluating, Solutions};
pub use whole_game::{Exporting, Programming, Searching, Solving, Statistics};

use super::{Kind, Operation, SessionError};
use crate::draw::Diagram;
use crate::mine::PuzzleRow;

/// A position that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// In the game's one-line notation.
    pub text: String,
    /// The name of the side to move.
    pub side: String,
}

/// A game that was opened.
///
/// Every session reads positions and draws them. The other interfaces are there or not,
/// depending on the kind of game: a method that gives none says so by
/// [`SessionError::Unsupported`].
pub trait Session: Send + Sync {
    /// The canonical spec of the game.
    fn spec(&self) -> String;

    /// The name of the game's family, by which shipped filters are found: the spec up to
    /// its colon, unless the game says otherwise.
    fn family(&self) -> String;

    /// How the game is solved.
    fn kind(&self) -> Kind;

    /// The operations that the session has.
    fn operations(&self) -> Vec<Operation>;

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is not one, with the place of the fault.
    fn position(&self, position: &str) -> Result<Position, SessionError>;

    /// The position as a picture, without a stipulation.
    ///
    /// # Errors
    /// If the text is not a position, or the board is too large for a picture.
    fn diagram(&self, position: &str) -> Result<Diagram, SessionError>;

    /// What a solution has in common with all solutions symmetric to it; `None` if it is
    /// too short (one or two plies) to tell puzzles apart.
    ///
    /// # Errors
    /// If the text is not a line of play.
    fn line_key(&self, row: &PuzzleRow) -> Result<Option<Vec<String>>, SessionError>;

    /// The error for an operation that the session does not have.
    fn unsupported(&self, operation: Operation) -> SessionError {
        SessionError::Unsupported {
            spec: self.spec(),
            kind: self.kind(),
            operation,
            possible: self.operations(),
        }
    }

    /// Moves and lines of play.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`], as for all methods that follow.
    fn lines(&self) -> Result<&dyn Lines, SessionError> {
        Err(self.unsupported(Operation::Lines))
    }

    /// Values of positions and moves.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn evaluating(&self) -> Result<&dyn Evaluating, SessionError> {
        Err(self.unsupported(Operation::Evaluating))
    }

    /// Solutions of problems.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn solutions(&self) -> Result<&dyn Solutions, SessionError> {
        Err(self.unsupported(Operation::Solutions))
    }

    /// Verdicts on problems.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn checking(&self) -> Result<&dyn Checking, SessionError> {
        Err(self.unsupported(Operation::Checking))
    }

    /// Positions that fit a partial diagram.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn composing(&self) -> Result<&dyn Composing, SessionError> {
        Err(self.unsupported(Operation::Composing))
    }

    /// Positions that filters admit.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn mining(&self) -> Result<&dyn Mining, SessionError> {
        Err(self.unsupported(Operation::Mining))
    }

    /// Problems for books.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn problems(&self) -> Result<&dyn Problems, SessionError> {
        Err(self.unsupported(Operation::Problems))
    }

    /// Counts over all positions.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn statistics(&self) -> Result<&dyn Statistics, SessionError> {
        Err(self.unsupported(Operation::Statistics))
    }

    /// Reachable states, paths, differences.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn searching(&self) -> Result<&dyn Searching, SessionError> {
        Err(self.unsupported(Operation::Searching))
    }

    /// Table files.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn solving(&self) -> Result<&dyn Solving, SessionError> {
        Err(self.unsupported(Operation::Solving))
    }

    /// Data sets of all states.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn exporting(&self) -> Result<&dyn Exporting, SessionError> {
        Err(self.unsupported(Operation::Exporting))
    }

    /// Play against the best moves.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn playing(&self) -> Result<&dyn Playing, SessionError> {
        Err(self.unsupported(Operation::Playing))
    }

    /// Boards to look at and to set up.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn arranging(&self) -> Result<&dyn Arranging, SessionError> {
        Err(self.unsupported(Operation::Arranging))
    }

    /// Play of problems against an umpire.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn umpiring(&self) -> Result<&dyn Umpiring, SessionError> {
        Err(self.unsupported(Operation::Umpiring))
    }

    /// States as numbers.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn programming(&self) -> Result<&dyn Programming, SessionError> {
        Err(self.unsupported(Operation::Programming))
    }
}

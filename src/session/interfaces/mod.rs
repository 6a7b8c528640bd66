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

use std::fmt;

use super::{Kind, SessionError};
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
/// depending on the kind of game ([`interfaces`](Self::interfaces)); the methods that give them
/// one by one, such as `evaluating`, say by [`SessionError::Unsupported`] that one is not there.
pub trait Session: Send + Sync {
    /// The canonical spec of the game.
    fn spec(&self) -> String;

    /// The name of the game's family, by which shipped filters are found: the spec up to
    /// its colon, unless the game says otherwise.
    fn family(&self) -> String;

    /// How the game is solved.
    fn kind(&self) -> Kind;

    /// What can be asked of it.
    fn interfaces(&self) -> Interfaces<'_>;

    /// The operations that the session has.
    fn operations(&self) -> Vec<Operation> {
        self.interfaces().operations()
    }

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
}

/// From one list of what can be asked: an operation each, its place among the interfaces of a
/// session, and the method that gives it.
macro_rules! interfaces {
    ($($(#[$meaning:meta])+ $getter:ident: $interface:ident = $name:literal;)+) => {
        /// Something that can be asked of a session.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Operation {
            $($(#[$meaning])+ $interface,)+
        }

        impl Operation {
            /// All operations.
            pub const ALL: [Self; 15] = [$(Self::$interface,)+];

            /// Its name, lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$interface => $name,)+
                }
            }
        }

        /// The interfaces of a session, as far as its kind of game has them.
        #[derive(Clone, Copy, Default)]
        pub struct Interfaces<'s> {
            $($(#[$meaning])+ pub $getter: Option<&'s dyn $interface>,)+
        }

        impl Interfaces<'_> {
            fn operations(&self) -> Vec<Operation> {
                let all = [$(self.$getter.map(|_| Operation::$interface),)+];
                all.into_iter().flatten().collect()
            }
        }

        /// The interfaces, or [`SessionError::Unsupported`].
        #[expect(clippy::missing_errors_doc, reason = "there is one error, named above")]
        impl dyn Session + '_ {
            $($(#[$meaning])+
            pub fn $getter(&self) -> Result<&dyn $interface, SessionError> {
                let found = self.interfaces().$getter;
                found.ok_or_else(|| self.unsupported(Operation::$interface))
            })+
        }
    };
}

interfaces! {
    /// List and make moves, draw lines of play, count sequences of moves.
    lines: Lines = "lines of play";
    /// The value of a position and of its moves.
    evaluating: Evaluating = "values";
    /// The solution of a problem, written or drawn.
    solutions: Solutions = "solutions";
    /// The verdict on a problem.
    checking: Checking = "checking";
    /// Positions that fit a partial diagram.
    composing: Composing = "composing";
    /// Positions that filters admit.
    mining: Mining = "mining";
    /// Problems of a book.
    problems: Problems = "books";
    /// Counts over all positions.
    statistics: Statistics = "statistics";
    /// Reachable states, paths, and the difference between two readings of the rules.
    searching: Searching = "searches";
    /// Solve into a file, verify and repack tables.
    solving: Solving = "tables";
    /// Data sets of all states.
    exporting: Exporting = "data sets";
    /// Play against the best moves.
    playing: Playing = "playing";
    /// Play of problems with hidden information against an umpire.
    umpiring: Umpiring = "play against an umpire";
    /// States as numbers, for programs that play.
    programming: Programming = "formulas";
    /// Boards to look at and to set up.
    arranging: Arranging = "boards";
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

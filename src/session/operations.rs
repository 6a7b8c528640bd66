//! The kinds of games, and what can be asked of their sessions.

use std::fmt;

/// Hands a macro the list of what can be asked: of each its meaning, the method of a session that
/// gives it, its interface and its name.
macro_rules! with_interfaces {
    ($take:ident) => {
        $take! {
            /// List and make moves, draw lines of play, count sequences of moves.
            lines: Lines = "lines of play";
            /// The value of a position and of its moves.
            evaluating: Evaluating = "values";
            /// The solution of a problem, written or drawn.
            solutions: Solutions = "solutions";
            /// The verdict on a problem.
            checking: Checking = "checking";
            /// Positions that fit a partial diagram, and those near a problem.
            composing: Composing = "composing";
            /// Positions that filters admit.
            mining: Mining = "mining";
            /// Problems of a book.
            problems: Problems = "books";
            /// Counts over all positions.
            statistics: Statistics = "statistics";
            /// Reachable states, paths, lines that were played, and the difference between two readings of
            /// the rules.
            searching: Searching = "searches";
            /// Solve into a file, verify and repack tables.
            solving: Solving = "tables";
            /// The rules by slot, for other solvers.
            stepping: Stepping = "steps";
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
    };
}

pub(super) use with_interfaces;

/// From the list of what can be asked: an operation each.
macro_rules! operations {
    ($($(#[$meaning:meta])+ $getter:ident: $interface:ident = $name:literal;)+) => {
        /// Something that can be asked of a session.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Operation {
            $($(#[$meaning])+ $interface,)+
        }

        impl Operation {
            /// All operations.
            pub const ALL: [Self; 16] = [$(Self::$interface,)+];

            /// Its name, lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$interface => $name,)+
                }
            }
        }
    };
}

with_interfaces!(operations);

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a game is solved, which decides what can be asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameKind {
    /// Two players who see everything; solved into a table of values.
    Table,
    /// Impartial: solved by nimbers, and into a table where the board is small.
    Nimbers,
    /// One player; solved into a table of distances.
    OnePlayer,
    /// One side does not see what the other has; solved problem by problem.
    Hidden,
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "game of two players",
            Self::Nimbers => "game with nimbers",
            Self::OnePlayer => "puzzle of one player",
            Self::Hidden => "game with hidden information",
        })
    }
}

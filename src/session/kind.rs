//! Kinds of games, and what can be asked of them.

use std::fmt;

/// How a game is solved, which decides what can be asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Two players who see everything; solved into a table of values.
    Table,
    /// Impartial: solved by nimbers, and into a table where the board is small.
    Nimbers,
    /// One player; solved into a table of distances.
    OnePlayer,
    /// One side does not see what the other has; solved problem by problem.
    Hidden,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "game of two players",
            Self::Nimbers => "game with nimbers",
            Self::OnePlayer => "puzzle of one player",
            Self::Hidden => "game with hidden information",
        })
    }
}

/// Something that can be asked of a session. Its name is that of the method of
/// [`Session`](super::Session) that gives the interface for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// List and make moves, draw lines of play, count sequences of moves.
    Lines,
    /// The value of a position and of its moves.
    Evaluating,
    /// The solution of a problem, written or drawn.
    Solutions,
    /// The verdict on a problem.
    Checking,
    /// Positions that fit a partial diagram.
    Composing,
    /// Positions that filters admit.
    Mining,
    /// Problems of a book.
    Problems,
    /// Counts over all positions.
    Statistics,
    /// Reachable states, paths, and the difference between two readings of the rules.
    Searching,
    /// Solve into a file, verify and repack tables.
    Solving,
    /// Data sets of all states.
    Exporting,
    /// Play against the best moves.
    Playing,
    /// Play of problems with hidden information against an umpire.
    Umpiring,
    /// States as numbers, for programs that play.
    Programming,
    /// Boards to look at and to set up.
    Arranging,
}

impl Operation {
    /// All operations.
    pub const ALL: [Self; 15] = [
        Self::Lines,
        Self::Evaluating,
        Self::Solutions,
        Self::Checking,
        Self::Composing,
        Self::Mining,
        Self::Problems,
        Self::Statistics,
        Self::Searching,
        Self::Solving,
        Self::Exporting,
        Self::Playing,
        Self::Umpiring,
        Self::Programming,
        Self::Arranging,
    ];

    /// Its name, lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines of play",
            Self::Evaluating => "values",
            Self::Solutions => "solutions",
            Self::Checking => "checking",
            Self::Composing => "composing",
            Self::Mining => "mining",
            Self::Problems => "books",
            Self::Statistics => "statistics",
            Self::Searching => "searches",
            Self::Solving => "tables",
            Self::Exporting => "data sets",
            Self::Playing => "playing",
            Self::Umpiring => "play against an umpire",
            Self::Programming => "formulas",
            Self::Arranging => "boards",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

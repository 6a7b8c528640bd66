//! Kinds of games.

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

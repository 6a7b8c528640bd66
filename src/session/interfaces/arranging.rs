//! Boards for programs that show them and do not know the rules.

use crate::draw::BoardSquare;
use crate::session::{BoardReport, Palette, SessionError};

/// Boards to look at, to point at, and to set up.
pub trait Arranging: Send + Sync {
    /// The board of a position.
    ///
    /// # Errors
    /// If the position cannot be read, or the board is too large for a picture.
    fn board(&self, position: &str) -> Result<BoardReport, SessionError>;

    /// What positions can be set up from.
    fn palette(&self) -> Palette;

    /// The position with these things on its board, each given by its place in the palette,
    /// and nothing forbidden. The side to move is the one that begins the game or, if
    /// `second`, the other one; where the pieces say whose turn it is, they decide.
    ///
    /// # Errors
    /// If a thing is not in the palette or off the board, or it is not a position of an
    /// unfinished game; the message says why.
    fn arrange(
        &self,
        things: &[(BoardSquare, usize)],
        second: bool,
    ) -> Result<String, SessionError>;

    /// The partial diagram with these things on its board, and anything on the open squares.
    ///
    /// # Errors
    /// If a thing is not in the palette or off the board, or no position fits; the message
    /// says why.
    fn pattern(
        &self,
        things: &[(BoardSquare, usize)],
        open: &[BoardSquare],
    ) -> Result<String, SessionError>;
}

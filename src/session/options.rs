//! How a game is opened.

use std::path::PathBuf;

use crate::game::Repetition;

/// How a game is opened.
///
/// ```
/// let options = tesuji::session::Options::new();
/// let session = options.open("kings:3x3")?;
/// assert_eq!(session.spec(), "kings:3x3");
/// # Ok::<(), tesuji::session::SessionError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(super) repetition: Option<Repetition>,
    pub(super) table: Option<PathBuf>,
}

impl Options {
    /// The defaults: the game as its spec says, and no table file.
    pub fn new() -> Self {
        Self::default()
    }

    /// How the repetition rule is read, instead of what the spec says.
    pub const fn repetition(mut self, repetition: Option<Repetition>) -> Self {
        self.repetition = repetition;
        self
    }

    /// The file of the game's table. Without one, a small game is solved in memory when a
    /// value is first needed.
    pub fn table(mut self, table: Option<PathBuf>) -> Self {
        self.table = table;
        self
    }
}

//! How a game is opened.

use std::path::PathBuf;

use crate::base::text::file_stem;
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
    folder: Option<PathBuf>,
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

    /// The file of the game's table. Without one, the table is [looked for](Self::tables_in) or a
    /// small game is solved in memory when a value is first needed.
    pub fn table(mut self, table: Option<PathBuf>) -> Self {
        self.table = table;
        self
    }

    /// A folder in which the table of a game is looked for if no file is given, under the name of
    /// [`table_name`]. A file there that is no table, or of other rules, is passed over with a note;
    /// a damaged block is an error. A position of a game with nimbers is evaluated without it.
    pub fn tables_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// The file in the folder that may have the table of a game.
    pub(super) fn kept(&self, spec: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        Some(folder.join(table_name(spec)))
    }
}

/// The name that the table of a game has unless another is given: `ostle-4x4-pieces-3.tsj`.
pub fn table_name(spec: &str) -> String {
    file_stem(spec) + ".tsj"
}

//! How a game is opened: the session for its kind.

use std::path::{Path, PathBuf};

use super::{Result, Session, SessionError, hidden, nimbers, one_player, tables};
use crate::base::files::read_text;
use crate::base::text::file_stem;
use crate::game::{HiddenGame, NimberGame, OnePlayerGame, Repetition, TableGame};
use crate::games::registry::{self, Visitor};
use crate::table::Table;

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
    repetition: Option<Repetition>,
    pub(super) table: Option<PathBuf>,
    pub(super) folder: Option<PathBuf>,
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

    /// Opens the game of a spec.
    ///
    /// # Errors
    /// If the spec names no game, or an option does not apply to it.
    pub fn open(&self, spec: &str) -> Result<Box<dyn Session>> {
        let game = registry::parse(spec, self.repetition, read_text)?;
        game.visit(self)
    }
}

/// The name that the table of a game has unless another is given: `ostle-4x4-pieces-3.tsj`.
pub fn table_name(spec: &str) -> String {
    file_stem(spec) + ".tsj"
}

/// Makes the session for a game of any kind.
impl Visitor for &Options {
    type Output = Result<Box<dyn Session>>;

    fn table_game<G: TableGame>(self, game: G) -> Self::Output {
        Ok(Box::new(tables(game, self)))
    }

    fn nimber_game<G: NimberGame>(self, game: G) -> Self::Output {
        Ok(Box::new(nimbers(game, self)))
    }

    fn one_player_game<G: OnePlayerGame>(self, game: G) -> Self::Output {
        Ok(Box::new(one_player(game, self)))
    }

    fn hidden_game<G: HiddenGame>(self, game: G) -> Self::Output {
        Ok(Box::new(hidden(game, self)?))
    }
}

/// Opens the game of a spec, such as `ostle:4x4,pieces=3,losses=2` or `kings:5x6`, with
/// the defaults of [`Options`].
///
/// # Errors
/// If the spec names no game.
pub fn open(spec: &str) -> Result<Box<dyn Session>> {
    Options::new().open(spec)
}

/// Opens the game that a table file names, with that file as its table.
///
/// # Errors
/// If the file is not a table, or names an unknown game.
pub fn open_table(path: &Path) -> Result<Box<dyn Session>> {
    let spec = Table::open(path)?.description.game.clone();
    let options = Options::new().table(Some(path.to_owned()));
    options.open(&spec).map_err(|error| match error {
        SessionError::Game(source) => SessionError::GameOfFile {
            path: path.to_owned(),
            source,
        },
        error => error,
    })
}

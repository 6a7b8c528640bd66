//! The session for a game of any kind.

use std::path::Path;

use super::{Options, Result, Session, SessionError, hidden, nimbers, one_player, tables};
use crate::base::files::read_text;
use crate::game::{HiddenGame, NimberGame, OnePlayerGame, TableGame};
use crate::games::registry::{self, Visitor};
use crate::table::Table;

impl Options {
    /// Opens the game of a spec.
    ///
    /// # Errors
    /// If the spec names no game, or an option does not apply to it.
    pub fn open(&self, spec: &str) -> Result<Box<dyn Session>> {
        registry::parse(spec, self.repetition, read_text)?.visit(self)
    }
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

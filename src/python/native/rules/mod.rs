//! Games of one's own: rules written in Python.
//!
//! Python is asked once, when the positions are listed. What comes after, solving, mining and
//! drawing, looks at the list alone and needs no Python.

mod board;
mod columns;
mod lister;
mod listing;
mod own_game;

use std::collections::BTreeSet;
use std::sync::Arc;

use pyo3::prelude::*;
use tesuji::game::Listed;
use tesuji::session::{Options, Session, SessionError, tables};

use crate::errors::exception;
use crate::game::Game;
use crate::progress::{ask, work};
use lister::Lister;
use listing::Listing;
use own_game::OwnGame;

/// The positions of a user's game.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Positions(Arc<Listing>);

#[pymethods]
impl Positions {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The moves that lead from the initial position to this one, each by its place among
    /// the moves of its position.
    fn path(&self, py: Python<'_>, position: &str) -> PyResult<Vec<usize>> {
        let found = self.0.find(position);
        let place = found.map_err(|error| exception(py, "NotationError", &error.to_string()))?;
        Ok(self.0.path(place))
    }
}

/// Lists the positions of a user's game, and opens it.
///
/// `name` becomes its spec; `memory` is the most bytes that its positions may take once the
/// game is solved.
#[pyfunction]
#[pyo3(signature = (rules, name, memory, progress=None))]
pub(crate) fn list_rules(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    name: String,
    memory: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Game, Positions)> {
    let listing = Lister::new(rules, name, memory)?.list(progress.as_ref())?;
    let listing = Arc::new(listing);
    let most = u32::try_from(listing.len()).unwrap_or(u32::MAX);
    let game = Listed::with_limit(OwnGame(Arc::clone(&listing)), most);
    // Refuse what a table cannot hold now, not when the game is first asked.
    let game = work(py, progress.as_ref(), |progress| {
        match game.list(&progress) {
            Ok(()) => Ok(Ok(game)),
            Err(tesuji::game::ListError::Cancelled) => Err(SessionError::Stopped),
            Err(error) => Ok(Err(error)),
        }
    })?;
    let game = game.map_err(|error| exception(py, "RulesError", &error.to_string()))?;
    let session = tables(game, &Options::new());
    let asked: &dyn Session = &session;
    let columns = ask(py, || Ok(asked.mining()?.columns()))?;
    let mut names = BTreeSet::new();
    let mut names_of = columns.iter().map(|column| &column.feature.name);
    if let Some(twice) = names_of.find(|name| !names.insert(name.as_str())) {
        let message =
            format!("features(): every game has a column '{twice}'; call yours otherwise");
        return Err(exception(py, "RulesError", &message));
    }
    Ok((Game::new(session), Positions(listing)))
}

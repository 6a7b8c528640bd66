//! How games are opened.

use std::path::PathBuf;

use pyo3::prelude::*;
use tesuji::session::Options;

use crate::game::Game;
use crate::options::repetition;
use crate::progress::ask;

/// Opens the game of a spec.
#[pyfunction]
#[pyo3(signature = (spec, table=None, reading=None))]
pub fn open(
    py: Python<'_>,
    spec: &str,
    table: Option<PathBuf>,
    reading: Option<&str>,
) -> PyResult<Game> {
    let repetition = repetition(py, reading)?;
    let options = Options::new().repetition(repetition).table(table);
    let session = ask(py, || options.open(spec))?;
    Ok(Game::from(session))
}

/// Opens the game that a table file names, with that table.
#[pyfunction]
pub fn open_table(py: Python<'_>, path: PathBuf) -> PyResult<Game> {
    let session = ask(py, || tesuji::session::open_table(&path))?;
    Ok(Game::from(session))
}

/// Bytes of memory that are free, if the system says so.
#[pyfunction]
pub fn available_memory() -> Option<u64> {
    tesuji::session::available_memory()
}

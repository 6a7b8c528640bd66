//! Mined puzzles, and how books of them are set.

use std::path::PathBuf;

use pyo3::prelude::*;
use tesuji::base::files::open_lines;
use tesuji::book::{Paper, Setting};
use tesuji::draw::Style;
use tesuji::export::{puzzle_columns, read_csv, write_csv};
use tesuji::mine::PuzzleRow;

use crate::errors::{of_argument, of_file};
use crate::frame::Frame;

/// Puzzles, each a row.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Puzzles(pub(crate) Vec<PuzzleRow>);

#[pymethods]
impl Puzzles {
    /// The rows with their columns.
    fn frame(&self, py: Python<'_>) -> PyResult<Frame> {
        let columns = puzzle_columns(&self.0);
        let frame = columns.map(Frame);
        frame.map_err(|error| of_argument(py, "puzzles", &error))
    }

    /// Some of the rows, by their places, which are those of rows.
    fn pick(&self, places: Vec<usize>) -> Self {
        let rows = places.into_iter().filter_map(|place| self.0.get(place));
        Self(rows.cloned().collect())
    }

    /// The rows as CSV.
    fn csv(&self, py: Python<'_>) -> PyResult<String> {
        let mut bytes = Vec::new();
        let written = write_csv(&mut bytes, &self.0);
        written.map_err(|error| of_argument(py, "puzzles", &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Reads puzzles from CSV, as `tesuji mine` writes it.
#[pyfunction]
pub(crate) fn read_puzzles(py: Python<'_>, path: PathBuf) -> PyResult<Puzzles> {
    let file = open_lines(&path).map_err(|error| of_file(py, "read", &path, &error))?;
    let rows = py.detach(|| read_csv(file));
    let puzzles = rows.map(Puzzles);
    puzzles.map_err(|error| of_file(py, "use", &path, &error))
}

/// Puzzles from the text of a CSV.
#[pyfunction]
pub(crate) fn puzzles_of(py: Python<'_>, text: &str) -> PyResult<Puzzles> {
    let puzzles = read_csv(text.as_bytes()).map(Puzzles);
    puzzles.map_err(|error| of_argument(py, "text", &error))
}

/// Title, subtitle and author.
pub(crate) type BookWords = (Option<String>, Option<String>, Option<String>);

/// How a booklet is set.
pub(crate) fn setting(
    py: Python<'_>,
    (paper, per_page, style): &(String, u8, String),
) -> PyResult<Setting> {
    Ok(Setting {
        paper: Paper::named(paper).map_err(|error| of_argument(py, "paper", &error))?,
        per_page: *per_page,
        style: Style::preset(style).map_err(|error| of_argument(py, "style", &error))?,
        without: Vec::new(),
    })
}

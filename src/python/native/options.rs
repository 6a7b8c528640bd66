//! How games are opened, and arguments that several functions take.

use std::path::PathBuf;

use pyo3::prelude::*;
use serde::Serialize;
use tesuji::draw::{Lettering, Style};
use tesuji::game::Repetition;
use tesuji::mine::{Filter, filters};
use tesuji::session::{Asked, Options, ScopeOptions, Session, SolutionOptions};

use crate::errors::{exception, of_argument, raised};
use crate::game::Game;
use crate::progress::ask;

/// What is looked at: layers, classes and a sample of a table.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Part {
    layers: Vec<String>,
    classes: Vec<String>,
    sample: u64,
}

impl Part {
    /// The same for the library.
    pub fn scope(self) -> ScopeOptions {
        ScopeOptions {
            layers: self.layers,
            classes: self.classes,
            sample: self.sample,
        }
    }
}

/// A position, or the number of a slot.
#[derive(FromPyObject)]
pub enum Question {
    /// A position in the game's notation. It is tried first, being the usual one.
    Text(String),
    /// The number of a slot.
    Slot(u64),
}

impl Question {
    /// The same for the library.
    pub fn asked(&self) -> Asked<'_> {
        match self {
            Self::Slot(slot) => Asked::Slot(*slot),
            Self::Text(text) => Asked::Position(text),
        }
    }
}

/// A style by its name, or from the text of a sheet.
pub fn style(py: Python<'_>, name: &str, sheet: Option<&str>) -> PyResult<Style> {
    let style = match sheet {
        Some(text) => Style::parse(text, name),
        None => Style::preset(name),
    };
    style.map_err(|error| of_argument(py, "style", &error))
}

/// A style for a picture in pixels, which cannot embed a typeface.
pub fn for_pixels(mut style: Style) -> Style {
    if style.lettering == Lettering::Embedded {
        style.lettering = Lettering::Outlines;
    }
    style
}

/// A reading of the repetition rule.
pub fn repetition(py: Python<'_>, name: Option<&str>) -> PyResult<Option<Repetition>> {
    let Some(name) = name else {
        return Ok(None);
    };
    let reading = Repetition::named(name);
    reading.map(Some).ok_or_else(|| {
        let shown: String = name.chars().take(40).collect();
        let message =
            format!("repetition: '{shown}' is none of 'exact', 'up-to-symmetry' and 'all-images'");
        exception(py, "ArgumentError", &message)
    })
}

/// A condition, or filters by name.
pub fn wanted(
    py: Python<'_>,
    session: &dyn Session,
    condition: Option<&str>,
    names: &[String],
) -> PyResult<Vec<Filter>> {
    let found = match condition {
        Some(condition) => Filter::of_condition("condition", condition).map(|filter| vec![filter]),
        None => filters(&session.family(), names),
    };
    found.map_err(|error| raised(py, &error.into()))
}

/// What of a solution is wanted.
pub fn solution_options(nodes: Option<usize>, boards: bool) -> SolutionOptions {
    let default = SolutionOptions::default();
    SolutionOptions {
        nodes: nodes.unwrap_or(default.nodes),
        boards,
        ..default
    }
}

/// An answer as JSON, as the program prints it.
pub fn json(py: Python<'_>, found: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(found).map_err(|error| of_argument(py, "answer", &error))
}

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

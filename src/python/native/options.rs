//! Arguments that several functions take.

use pyo3::prelude::*;
use serde::Serialize;
use tesuji::mine::{Filter, filters};
use tesuji::session::{Asked, ScopeOptions, Session, SolutionOptions};

use crate::errors::{of_argument, raised};

/// What is looked at: layers, classes and a sample of a table.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Part {
    layers: Vec<String>,
    classes: Vec<String>,
    sample: u64,
}

impl Part {
    pub(crate) fn scope(self) -> ScopeOptions {
        ScopeOptions {
            layers: self.layers,
            classes: self.classes,
            sample: self.sample,
            exclude: Vec::new(),
        }
    }
}

/// A position, or the number of a slot.
#[derive(FromPyObject)]
pub(crate) enum Question {
    /// A position in the game's notation. It is tried first, being the usual one.
    Text(String),
    Slot(u64),
}

impl Question {
    pub(crate) fn asked(&self) -> Asked<'_> {
        match self {
            Self::Slot(slot) => Asked::Slot(*slot),
            Self::Text(text) => Asked::Position(text),
        }
    }
}

/// A condition, or filters by name.
pub(crate) fn wanted(
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

pub(crate) fn solution_options(nodes: Option<usize>, boards: bool) -> SolutionOptions {
    let default = SolutionOptions::default();
    SolutionOptions {
        nodes: nodes.unwrap_or(default.nodes),
        boards,
        ..default
    }
}

/// An answer as JSON, as the program prints it.
pub(crate) fn json(py: Python<'_>, found: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(found).map_err(|error| of_argument(py, "answer", &error))
}

/// Bytes of memory that are free, if the system says so.
#[pyfunction]
pub(crate) fn available_memory() -> Option<u64> {
    tesuji::session::available_memory()
}

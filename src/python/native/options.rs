//! Arguments that several functions take, how pictures look among them, and the files of pictures.

use std::path::Path;

use pyo3::prelude::*;
use serde::Serialize;
use tesuji::base::files::{Existing, Place};
use tesuji::draw::{Diagram, Style, raster};
use tesuji::mine::{Filter, filters};
use tesuji::session::{Asked, ScopeOptions, Session, SolutionOptions};

use crate::errors::{of_argument, of_file, raised};

/// What is looked at: layers, classes, a sample and ranges of slots of a table.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Part {
    layers: Vec<String>,
    classes: Vec<String>,
    sample: u64,
    slots: Option<Vec<(u64, u64)>>,
}

impl Part {
    pub(crate) fn scope(self) -> ScopeOptions {
        ScopeOptions {
            layers: self.layers,
            classes: self.classes,
            sample: self.sample,
            slots: self
                .slots
                .map(|slots| slots.into_iter().map(|(first, end)| first..end).collect()),
            ..ScopeOptions::default()
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

/// The numbers of an array, which comes as bytes.
pub(crate) fn numbers<const N: usize, T>(
    bytes: &[u8],
    of: impl Fn([u8; N]) -> T,
) -> impl Iterator<Item = T> {
    bytes.as_chunks().0.iter().map(move |&bytes| of(bytes))
}

/// A condition, or a filter by its name.
pub(crate) fn wanted(
    py: Python<'_>,
    session: &dyn Session,
    condition: Option<&str>,
    filter: Option<String>,
) -> PyResult<Filter> {
    let found = match condition {
        Some(condition) => Filter::of_condition("condition", condition),
        None => filters(&session.family(), filter.as_slice()).map(|mut found| found.remove(0)),
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

pub(crate) type Answer = PyResult<Py<PyAny>>;

/// An answer as Python reads the JSON that the program prints.
pub(crate) fn json(py: Python<'_>, found: &impl Serialize) -> Answer {
    let text = serde_json::to_string(found).map_err(|error| of_argument(py, "answer", &error))?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

/// How a picture looks: a style or the file of a sheet, and what stands around the boards.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Look {
    style: String,
    number: Option<u32>,
    stipulation: Option<String>,
    captions: Vec<String>,
}

impl Look {
    pub(crate) fn style(&self, py: Python<'_>) -> PyResult<Style> {
        let path = Path::new(&self.style);
        let style = if path.extension().is_some_and(|end| end == "toml") {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| of_file(py, "read style sheet", path, &error))?;
            Style::parse(&text, &self.style)
        } else {
            Style::preset(&self.style)
        };
        style.map_err(|error| of_argument(py, "style", &error))
    }

    /// The words above a line of boards.
    pub(crate) fn headline(&self) -> String {
        let number = self.number.map(|number| format!("{number}."));
        let words = number.iter().chain(&self.stipulation).chain(&self.captions);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// A diagram with number, stipulation and captions.
    pub(crate) fn on(&self, diagram: Diagram) -> Diagram {
        let diagram = self.number.into_iter().fold(diagram, Diagram::number);
        let diagram = self.stipulation.iter().fold(diagram, Diagram::stipulation);
        self.captions.iter().fold(diagram, Diagram::caption)
    }
}

/// Writes a picture, as SVG or, if there is a resolution, as PNG.
#[pyfunction]
pub(crate) fn write_picture(
    py: Python<'_>,
    svg: String,
    path: &str,
    dpi: Option<u16>,
    force: bool,
) -> PyResult<()> {
    let path = Path::new(path);
    let refused = |error: &dyn std::error::Error| of_file(py, "write", path, error);
    let place =
        Place::claim(path, Existing::same_unless(force)).map_err(|error| refused(&error))?;
    let bytes = match dpi {
        None => svg.into_bytes(),
        Some(dpi) => py
            .detach(|| raster(&svg, dpi))
            .map_err(|error| of_argument(py, "picture", &error))?,
    };
    place.put(&bytes).map_err(|error| refused(&error))
}

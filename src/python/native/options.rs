//! Arguments that several functions take.

use pyo3::prelude::*;
use tesuji::draw::{Lettering, Style};
use tesuji::game::Repetition;
use tesuji::mine::{Filter, filters};
use tesuji::session::{ScopeOptions, Session};

use crate::errors::{exception, of_argument, raised};

/// The part of a table.
pub fn scope(layers: Vec<String>, classes: Vec<String>, sample: u64) -> ScopeOptions {
    ScopeOptions {
        layers,
        classes,
        sample,
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
    match name {
        None => Ok(None),
        Some("exact") => Ok(Some(Repetition::Exact)),
        Some("up-to-symmetry") => Ok(Some(Repetition::UpToSymmetry)),
        Some(other) => {
            let shown: String = other.chars().take(40).collect();
            let message = format!("repetition: '{shown}' is neither 'exact' nor 'up-to-symmetry'");
            Err(exception(py, "ArgumentError", &message))
        }
    }
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

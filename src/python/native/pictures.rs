//! How pictures look, and their files.

use std::path::Path;

use pyo3::prelude::*;
use tesuji::base::files::{Existing, Place};
use tesuji::draw::{Diagram, Lettering, Style, raster};

use crate::errors::{of_argument, of_file};

/// How a picture looks: a style with a sheet, and what stands around the boards.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Look {
    style: String,
    sheet: Option<String>,
    pixels: bool,
    number: Option<u32>,
    stipulation: Option<String>,
    captions: Vec<String>,
}

impl Look {
    pub(crate) fn style(&self, py: Python<'_>) -> PyResult<Style> {
        let style = match &self.sheet {
            Some(text) => Style::parse(text, &self.style),
            None => Style::preset(&self.style),
        };
        let mut style = style.map_err(|error| of_argument(py, "style", &error))?;
        // A picture in pixels cannot embed a typeface.
        if self.pixels && style.lettering == Lettering::Embedded {
            style.lettering = Lettering::Outlines;
        }
        Ok(style)
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
#[pyo3(signature = (svg, path, dpi=None, force=false))]
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

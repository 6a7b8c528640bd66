//! Pictures of positions, lines and solutions.

use std::path::Path;

use pyo3::prelude::*;
use tesuji::base::files::{Existing, Place};
use tesuji::draw::{
    Animation, BoardSquare, Diagram, Mark, Style, animate, raster, render, strip, tree,
};
use tesuji::session::{Session, SolutionOptions};

use crate::errors::{exception, of_argument, of_file};
use crate::options::{for_pixels, style};
use crate::progress::{ask, work};

/// How a picture looks: a style with a sheet, and what stands around the boards.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Look {
    style: String,
    sheet: Option<String>,
    pixels: bool,
    number: Option<u32>,
    stipulation: Option<String>,
    captions: Vec<String>,
}

impl Look {
    fn style(&self, py: Python<'_>) -> PyResult<Style> {
        let style = style(py, &self.style, self.sheet.as_deref())?;
        Ok(if self.pixels {
            for_pixels(style)
        } else {
            style
        })
    }

    /// The words above a line of boards.
    fn headline(&self) -> String {
        let number = self.number.map(|number| format!("{number}."));
        let words = number.iter().chain(&self.stipulation).chain(&self.captions);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    fn on(&self, diagram: Diagram) -> Diagram {
        let diagram = self.number.into_iter().fold(diagram, Diagram::number);
        let diagram = self.stipulation.iter().fold(diagram, Diagram::stipulation);
        self.captions.iter().fold(diagram, Diagram::caption)
    }
}

/// One board.
pub fn board(
    py: Python<'_>,
    session: &dyn Session,
    position: &str,
    arrows: &[String],
    highlight: &[String],
    look: &Look,
) -> PyResult<String> {
    let style = look.style(py)?;
    let mut diagram = ask(py, || {
        let diagram = session.diagram(position)?;
        if arrows.is_empty() {
            return Ok(diagram);
        }
        session.lines()?.marked(diagram, position, arrows)
    })?;
    for name in highlight {
        let cell = BoardSquare::named(name.trim()).ok_or_else(|| {
            let shown: String = name.chars().take(40).collect();
            let message = format!(
                "highlight: '{shown}' is no square; write a letter and a number, such as c3"
            );
            exception(py, "ArgumentError", &message)
        })?;
        let marked = diagram.mark(Mark::Highlight(cell));
        diagram = marked.map_err(|error| of_argument(py, "highlight", &error))?;
    }
    Ok(render(&look.on(diagram), &style))
}

/// A line of play as boards side by side, or in motion.
pub fn line(
    py: Python<'_>,
    session: &dyn Session,
    position: &str,
    moves: &[String],
    columns: usize,
    animated: bool,
    look: &Look,
) -> PyResult<String> {
    let style = look.style(py)?;
    let headline = look.headline();
    if animated {
        let frames = ask(py, || session.lines()?.frames(position, moves))?;
        let film = Animation::new(frames).map_err(|error| of_argument(py, "moves", &error))?;
        return Ok(animate(&headline, &film, &style));
    }
    let boards = ask(py, || session.lines()?.boards(position, moves, usize::MAX))?;
    Ok(strip(&headline, &boards, columns, &style))
}

/// A solution as a tree.
pub fn solution(
    py: Python<'_>,
    session: &dyn Session,
    position: &str,
    options: &SolutionOptions,
    look: &Look,
    progress: Option<&Py<PyAny>>,
) -> PyResult<String> {
    let style = look.style(py)?;
    let drawn = work(py, progress, |progress| {
        session.solutions()?.drawn(position, options, progress)
    })?;
    Ok(tree(&look.headline(), &drawn.words, &drawn.tree, &style))
}

/// Writes a picture, as SVG or, if there is a resolution, as PNG.
#[pyfunction]
#[pyo3(signature = (svg, path, dpi=None, force=false))]
pub fn write_picture(
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

//! Diagrams for print and screen, written as SVG.
//!
//! This module knows no game. A caller describes what stands where in a
//! [`Diagram`], chooses a [`Style`] and gets a string: one board from
//! [`render`], a whole solution from [`strip()`].
//!
//! ```
//! use tesuji::draw::{Cell, Diagram, Glyph, Mark, Style, Tone, render};
//!
//! let from = Cell::new(1, 1);
//! let diagram = Diagram::new(5, 5)?
//!     .place(Cell::new(2, 2), Glyph::Hole)?
//!     .place(from, Glyph::Piece(Tone::Dark))?
//!     .mark(Mark::Arrow { from, to: Cell::new(1, 2).into() })?
//!     .caption("Black to move and win in 7");
//! let svg = render(&diagram, &Style::print());
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), tesuji::draw::DiagramError>(())
//! ```

mod board;
mod canvas;
mod diagram;
mod layout;
mod marks;
mod strip;
mod style;
mod svg;
mod text;

pub use diagram::{Cell, Diagram, DiagramError, Glyph, MAX_SIDE, Mark, Point, Tone};
pub use strip::strip;
pub use style::{Colour, Millimetres, Style, StyleError};
pub use svg::render;

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

mod animation;
mod around;
mod board;
mod canvas;
mod captions;
mod diagram;
mod embed;
mod face;
mod layout;
mod marks;
mod parts;
mod raster;
mod snippet;
mod stands;
mod strip;
mod style;
mod svg;
mod symbol;
mod text;
mod tree;
mod turn;
mod wrap;

pub use animation::{Animation, Frame, animate};
pub use around::{Flank, Stand};
pub use diagram::Diagram;
pub(crate) use face::{Cut, Face, Line};
pub use parts::{Cell, DiagramError, Glyph, MAX_SIDE, Mark, Point, Slide, Tone};
pub use raster::{RasterError, raster};
pub use snippet::{Figure, latex, typst};
pub use strip::{grid, strip};
pub use style::{
    Colour, Family, Lettering, Millimetres, Orientation, Rotation, Seconds, Style, StyleError,
    Typeface,
};
pub use svg::render;
pub use symbol::Symbol;
pub use tree::{NoSuchNode, Role, SolutionTree, TreeNode, tree};
pub(crate) use wrap::{Wrapped, balanced, wrap};

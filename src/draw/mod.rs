//! Diagrams for print and screen, written as SVG.
//!
//! This module knows no game. A caller describes what stands where in a
//! [`Diagram`], chooses a [`Style`] and gets an SVG document: one board from
//! [`render`], a line of play from [`strip()`], [`grid()`] or [`animate`], a solution
//! tree from [`tree()`]. [`raster`] turns a document into a PNG.
//!
//! `data` is what is drawn; all other files draw it.
//!
//! ```
//! use tesuji::draw::{BoardSquare, Diagram, Glyph, Mark, Style, Tone, render};
//!
//! let from = BoardSquare::new(1, 1);
//! let diagram = Diagram::new(5, 5)?
//!     .place(BoardSquare::new(2, 2), Glyph::Hole)?
//!     .place(from, Glyph::Piece(Tone::Dark))?
//!     .mark(Mark::Arrow { from, to: BoardSquare::new(1, 2).into() })?
//!     .caption("Black to move and win in 7");
//! let svg = render(&diagram, &Style::print());
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), tesuji::draw::DiagramError>(())
//! ```

mod data;

mod animation;
mod board;
mod canvas;
mod captions;
mod embed;
mod face;
mod grid;
mod margins;
mod marks;
mod measures;
mod piece_stands;
mod quarter_turns;
mod raster;
mod snippet;
mod strip;
mod style;
mod svg;
mod symbol;
mod text;
mod tree;
mod wrap;

pub use data::{
    Animation, BoardSquare, Diagram, DiagramError, Flank, Frame, Glyph, MAX_SIDE, Mark, NoSuchNode,
    PieceStand, Point, Role, Slide, SolutionTree, Symbol, Tone, TreeNode,
};

pub use animation::animate;
pub(crate) use face::{Cut, Face, Line};
pub use raster::{RasterError, raster};
pub use snippet::{Figure, latex, typst};
pub use strip::{grid, strip};
pub use style::{
    Colour, Family, Lettering, Millimetres, Orientation, Rotation, Seconds, Style, StyleError,
    Typeface,
};
pub use svg::render;
pub use tree::tree;
pub(crate) use wrap::{Wrapped, balanced, wrap};

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

#[cfg(feature = "svg")]
mod animation;
#[cfg(feature = "svg")]
mod board;
#[cfg(feature = "svg")]
mod canvas;
#[cfg(feature = "svg")]
mod captions;
#[cfg(feature = "svg")]
mod embed;
#[cfg(feature = "svg")]
mod face;
#[cfg(feature = "svg")]
mod grid;
#[cfg(feature = "svg")]
mod margins;
#[cfg(feature = "svg")]
mod marks;
#[cfg(feature = "svg")]
mod measures;
#[cfg(feature = "svg")]
mod piece_stands;
#[cfg(feature = "svg")]
mod quarter_turns;
#[cfg(feature = "png")]
mod raster;
#[cfg(feature = "svg")]
mod snippet;
#[cfg(feature = "svg")]
mod strip;
#[cfg(feature = "svg")]
mod style;
#[cfg(feature = "svg")]
mod svg;
#[cfg(feature = "svg")]
mod symbol;
#[cfg(feature = "svg")]
mod text;
#[cfg(feature = "svg")]
mod tree;
#[cfg(feature = "svg")]
mod wrap;

pub use data::{
    Animation, BoardSquare, Diagram, DiagramError, Flank, Frame, Glyph, MAX_SIDE, Mark, NoSuchNode,
    PieceStand, Point, Role, Slide, SolutionTree, Symbol, Tone, TreeNode,
};

#[cfg(feature = "svg")]
pub use animation::animate;
#[cfg(feature = "book")]
pub(crate) use face::{Cut, Face, Line};
#[cfg(feature = "png")]
pub use raster::{RasterError, raster};
#[cfg(feature = "svg")]
pub use snippet::{Figure, latex, typst};
#[cfg(feature = "svg")]
pub use strip::{grid, strip};
#[cfg(feature = "svg")]
pub use style::{
    Colour, Family, Lettering, Millimetres, Orientation, Rotation, Seconds, Style, StyleError,
    Typeface,
};
#[cfg(feature = "svg")]
pub use svg::render;
#[cfg(feature = "svg")]
pub use tree::tree;
#[cfg(feature = "book")]
pub(crate) use wrap::{Wrapped, balanced, wrap};

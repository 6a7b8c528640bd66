//! Diagrams for print and screen, written as SVG.
//!
//! This package knows no game; `tesuji` has it as `tesuji::draw`. A caller describes what stands where in a
//! [`Diagram`], chooses a [`Style`] and gets an SVG document: one board from
//! [`render()`], a line of play from [`strip()`], [`grid()`] or [`animate`], a solution
//! tree from [`tree()`]. [`raster`] turns a document into a PNG.
//!
//! `data` is what is drawn; `render` draws it.
//!
//! ```
//! use tesuji_draw::{BoardSquare, Diagram, Glyph, Mark, Style, Tone, render};
//!
//! let from = BoardSquare::new(1, 1);
//! let diagram = Diagram::new(5, 5)?
//!     .place(BoardSquare::new(2, 2), Glyph::Hole)?
//!     .place(from, Glyph::Piece(Tone::Dark))?
//!     .mark(Mark::Arrow { from, to: BoardSquare::new(1, 2).into() })?
//!     .caption("Black to move and win in 7");
//! let svg = render(&diagram, &Style::print());
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), tesuji_draw::DiagramError>(())
//! ```
#![cfg_attr(feature = "png", deny(unreachable_pub))]
#![cfg_attr(
    not(feature = "svg"),
    allow(dead_code, reason = "only pictures use it")
)]

mod data;
#[cfg(feature = "svg")]
mod render;

pub use data::*;
#[cfg(feature = "svg")]
pub use render::*;

/// For those who set type themselves, as booklets do: built-in fonts, and where lines break.
#[cfg(feature = "svg")]
pub mod typeset {
    pub use crate::render::face::{Cut, Face, FontError, Line};
    pub use crate::render::wrap::{Wrapped, balanced, wrap};
}

//! Diagrams as SVG and PNG.

mod animation;
mod board;
mod canvas;
mod captions;
mod embed;
#[cfg(feature = "png")]
mod eps;
mod face;
mod graph;
mod grid;
mod margins;
mod marks;
mod measures;
mod piece_stands;
mod quarter_turns;
#[cfg(feature = "png")]
mod raster;
mod single;
mod snippet;
mod strip;
mod style;
mod svg;
mod symbol;
mod text;
mod tree;
mod wrap;

pub use animation::animate;
#[cfg(feature = "png")]
pub use eps::{EpsError, eps};
#[cfg(feature = "book")]
pub(crate) use face::{Cut, Face, Line};
#[cfg(feature = "png")]
pub use raster::{RasterError, raster};
pub use single::glyph;
pub use snippet::{Figure, latex, typst};
pub use strip::{grid, strip};
pub use style::{
    Colour, Family, Lettering, Millimetres, Orientation, Rotation, Seconds, Style, StyleError,
    Typeface,
};
pub use svg::render;
pub use tree::{tree, tree_pages};
#[cfg(feature = "book")]
pub(crate) use wrap::{Wrapped, balanced, wrap};

//! Diagrams as SVG and PNG.

mod animation;
mod board;
mod canvas;
#[cfg(feature = "png")]
mod eps;
pub(crate) mod face;
mod grid;
mod margins;
mod marks;
mod piece_stands;
#[cfg(feature = "png")]
mod raster;
mod snippet;
mod strip;
mod style;
mod svg;
mod text;
mod tree;
mod tree_plan;
pub(crate) mod wrap;

pub use animation::animate;
#[cfg(feature = "png")]
pub use eps::{EpsError, eps};
#[cfg(feature = "png")]
pub use raster::{RasterError, raster};

pub use snippet::{Figure, latex, typst};
pub use strip::{grid, strip};
pub use style::{
    Colour, Family, Lettering, Millimetres, Orientation, Rotation, Seconds, Style, StyleError,
    Typeface,
};
pub use svg::{glyph, letter_without_font, render};
pub use tree::{tree, tree_pages};

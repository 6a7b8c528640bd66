//! One thing, without a board.

use super::board::draw_glyph;
use super::canvas::Canvas;
use super::grid::Grid;
use super::style::Style;
use crate::draw::data::{BoardSquare, Glyph};

/// Draws what stands on a square as an SVG document of the size of a square, without lines
/// and without a background: the same shapes as in a diagram.
#[must_use]
pub fn glyph(glyph: &Glyph, style: &Style) -> String {
    let cell = style.cell_mm.get();
    let mut canvas = Canvas::default();
    let grid = Grid::single(cell);
    draw_glyph(&mut canvas, BoardSquare::new(0, 0), glyph, &grid, style);
    let style = Style {
        transparent: true,
        ..style.clone()
    };
    canvas.document((cell, cell), None, None, &style)
}

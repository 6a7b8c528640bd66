//! Sizes that follow from a style: letters, gaps, boards.

use super::style::Style;
use super::text::Type;
use crate::draw::data::{Diagram, Flank};

/// The narrowest column that captions are wrapped to, in type sizes: small
/// boards would otherwise have a word to a line.
const NARROWEST: f64 = 11.0;

/// How the labels of files and ranks are set: a little smaller than captions, and
/// small enough for small squares.
pub(super) fn coordinate_type(style: &Style) -> Type {
    let size = (0.82 * style.text_mm.get()).min(0.45 * style.cell_mm.get());
    Type::new(size, style)
}

/// How captions are set.
pub(super) fn caption_type(style: &Style) -> Type {
    Type::new(style.text_mm.get(), style)
}

/// The width in mm that the rank labels take on this side of the board.
pub(super) fn rank_room(diagram: &Diagram, flank: Flank, style: &Style) -> f64 {
    if !style.coordinates || diagram.flank_of_ranks() != flank {
        return 0.0;
    }
    let kind = coordinate_type(style);
    let (_, ranks) = diagram.labels();
    let widths = ranks.iter().map(|label| kind.width(label));
    let widest = widths.fold(0.0, f64::max);
    if widest > 0.0 {
        rank_gap(style) + widest
    } else {
        0.0
    }
}

/// From the edge of the board to the rank labels, in mm.
pub(super) fn rank_gap(style: &Style) -> f64 {
    style.line_mm.get() + 0.5 * coordinate_type(style).size
}

/// From the edge of the board to the file labels, in mm.
pub(super) fn file_gap(style: &Style) -> f64 {
    style.line_mm.get() + 0.55 * coordinate_type(style).size
}

/// A board's width and height in mm.
pub(super) fn board_size(diagram: &Diagram, style: &Style) -> (f64, f64) {
    let (size, cell) = (diagram.size(), style.cell_mm.get());
    (f64::from(size.column) * cell, f64::from(size.row) * cell)
}

/// The white around a picture, in mm.
pub(super) fn page_margin(style: &Style) -> f64 {
    0.4 * style.text_mm.get()
}

/// The width to which the captions of a board are wrapped, in mm.
pub(super) fn measure(board_width: f64, style: &Style) -> f64 {
    board_width.max(NARROWEST * style.text_mm.get())
}

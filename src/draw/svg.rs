//! One diagram as an SVG document.

use super::board::board;
use super::canvas::Canvas;
use super::captions::{below, column_of_text};
use super::diagram::Diagram;
use super::layout::{Grid, Margins, board_size, caption_type};
use super::marks::marks;
use super::style::Style;
use super::text::{Anchor, text};
use super::turn::Turn;

/// The narrowest column that captions are wrapped to, in type sizes: small
/// boards would otherwise have a word to a line.
const NARROWEST: f64 = 11.0;

/// Draws one diagram.
///
/// The result is a complete SVG document whose width and height are in
/// millimetres, as are its user units. It has no identifiers and nothing to load,
/// so it can be put into another document as it is. The same diagram and style
/// always give the same bytes.
#[must_use]
pub fn render(diagram: &Diagram, style: &Style) -> String {
    let diagram = &Turn::of(diagram, style).apply(diagram.clone());
    let margins = Margins::of(diagram, style);
    let around = margins.total();
    let (width, height) = board_size(diagram, style);
    let caption = caption_type(style);
    let pad = page_margin(style);

    // Captions are centred under the board, so both halves matter.
    let lines = below(diagram, style, measure(width, style));
    let widest = lines
        .iter()
        .map(|(kind, line)| kind.width(line))
        .fold(0.0, f64::max);
    let left = around.left.max((widest - width) / 2.0);
    let mut right = around.right.max((widest - width) / 2.0);

    let mut canvas = Canvas::default();
    let mut y = pad;
    if let Some(number) = diagram.own_number().filter(|_| style.number) {
        let kind = caption.bold();
        y += kind.cap_height();
        let number = number.to_string();
        right = right.max(kind.width(&number) - width);
        text(&mut canvas, (pad + left, y), Anchor::Start, kind, &number);
        y += 0.6 * kind.size;
    }
    y += around.top;
    place(&mut canvas, diagram, (pad + left, y), &margins, style);
    y += height + around.bottom;
    if !lines.is_empty() {
        y += 0.9 * caption.size + caption.cap_height();
        let centre = pad + left + width / 2.0;
        y = column_of_text(&mut canvas, (centre, y), Anchor::Middle, &lines);
    }
    let size = (2.0 * pad + left + width + right, y + pad);
    canvas.document(size, diagram.words(), style)
}

/// Draws a board with all that is on it, its upper left corner at the given
/// point.
pub(super) fn place(
    canvas: &mut Canvas,
    diagram: &Diagram,
    at: (f64, f64),
    margins: &Margins,
    style: &Style,
) {
    let grid = Grid::new(diagram, style, at, margins);
    board(canvas, diagram, &grid, style);
    marks(canvas, diagram, &grid, style);
}

/// The white around a picture, in mm.
pub(super) fn page_margin(style: &Style) -> f64 {
    0.4 * style.text_mm.get()
}

/// The width to which the captions of a board are wrapped.
pub(super) fn measure(board_width: f64, style: &Style) -> f64 {
    board_width.max(NARROWEST * style.text_mm.get())
}

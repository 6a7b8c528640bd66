//! One diagram as an SVG document.

use super::board::board;
use super::canvas::Canvas;
use super::diagram::Diagram;
use super::layout::{Grid, Margins, board_size, caption_type};
use super::marks::marks;
use super::style::Style;
use super::text::{Anchor, CAP_HEIGHT, LEADING, Type, text};

/// The narrowest column that captions are wrapped to, in type sizes: small
/// boards would otherwise have a word to a line.
const NARROWEST: f64 = 11.0;

/// Draws one diagram.
///
/// The result is a complete SVG document whose width and height are in
/// millimetres, as are its user units. It has no style sheet, no identifiers
/// and nothing to load, so it can be put into another document as it is. The
/// same diagram and style always give the same bytes.
#[must_use]
pub fn render(diagram: &Diagram, style: &Style) -> String {
    let margins = Margins::of(diagram, style);
    let around = margins.total();
    let (width, height) = board_size(diagram, style);
    let caption = caption_type(style);
    let pad = page_margin(style);

    // Captions are centred under the board, so both halves matter.
    let column = measure(width, style);
    let lines: Vec<String> = diagram
        .captions()
        .iter()
        .flat_map(|line| caption.wrap(line, column))
        .collect();
    let widest = lines
        .iter()
        .map(|line| caption.width(line))
        .fold(0.0, f64::max);
    let left = around.left.max((widest - width) / 2.0);
    let mut right = around.right.max((widest - width) / 2.0);

    let mut canvas = Canvas::default();
    let mut y = pad;
    if let Some(number) = diagram.own_number() {
        let kind = Type {
            bold: true,
            ..caption
        };
        y += CAP_HEIGHT * kind.size;
        let number = number.to_string();
        right = right.max(kind.width(&number) - width);
        text(&mut canvas, (pad + left, y), Anchor::Start, kind, &number);
        y += 0.6 * kind.size;
    }
    y += around.top;
    place(&mut canvas, diagram, (pad + left, y), &margins, style);
    y += height + around.bottom;
    if !lines.is_empty() {
        y += 0.9 * caption.size + CAP_HEIGHT * caption.size;
        let centre = pad + left + width / 2.0;
        y = column_of_text(&mut canvas, (centre, y), Anchor::Middle, caption, &lines);
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

/// Sets lines one below the other, the first on the given baseline, and
/// returns how far down the last of them reaches.
pub(super) fn column_of_text(
    canvas: &mut Canvas,
    (x, mut y): (f64, f64),
    anchor: Anchor,
    kind: Type,
    lines: &[String],
) -> f64 {
    let descent = 0.22 * kind.size;
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            y += LEADING * kind.size;
        }
        text(canvas, (x, y), anchor, kind, line);
    }
    y + descent
}

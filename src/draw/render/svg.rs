//! One diagram, or one glyph, as an SVG document.

use super::board::{coordinates, draw_glyph, forbidden_beside, ground, lines, marker};
use super::canvas::Canvas;
use super::face::Face;
use super::grid::{Grid, Sides, board_size, measure, page_margin};
use super::margins::Margins;
use super::marks::{highlights, marks};
use super::piece_stands::stands;
use super::style::{Rotation, Style};
use super::text::{Anchor, below, caption_type, greatest};
use crate::data::{BoardSquare, Diagram, Glyph};

/// The letter for which a text of a picture is not in outlines: the first that no font has, if there is one.
pub fn letter_without_font(svg: &str) -> Option<char> {
    let (_, text) = svg.split_once("<text")?;
    let (_, text) = text.split_once('>')?;
    let text = text.split('<').next()?;
    let missing = Face::built_in().find_map(|face| face.parts(text).err());
    missing.or_else(|| text.chars().next())
}

/// Draws one diagram as an SVG document.
///
/// Its width, height and user units are in millimetres. It has no identifiers and loads
/// nothing, so it can be put into another document as it is. Groups have the classes `board`,
/// `pieces`, `labels`, `beside` (men in hand, the side to move) and `marks`, for those who change
/// it in another program. The same diagram and style
/// always give the same bytes.
pub fn render(diagram: &Diagram, style: &Style) -> String {
    let diagram = &Rotation::of(diagram, style).apply(diagram.clone());
    let margins = Margins::of(diagram, style);
    let around = margins.total();
    let (width, height) = board_size(diagram, style);
    let caption = caption_type(style);
    let pad = page_margin(style);

    // Captions are centred under the board, so both halves matter.
    let below = below(diagram, style, measure(width, style));
    let widest = greatest(below.iter().map(|(kind, line)| kind.width(line)));
    let left = around.left.max((widest - width) / 2.0);
    let mut right = around.right.max((widest - width) / 2.0);

    let mut canvas = Canvas::default();
    let mut y = pad;
    if let Some(number) = diagram.number.filter(|_| style.number) {
        let kind = caption.bold();
        y += kind.cap_height();
        let number = number.to_string();
        right = right.max(kind.width(&number) - width);
        canvas.text((pad + left, y), Anchor::Start, kind, &number);
        y += 0.6 * kind.size;
    }
    y += around.top;
    place(&mut canvas, diagram, (pad + left, y), &margins, style);
    y += height + around.bottom;
    if !below.is_empty() {
        y += 0.9 * caption.size + caption.cap_height();
        y = canvas.column_of_text((pad + left + width / 2.0, y), Anchor::Middle, &below);
    }
    let size = (2.0 * pad + left + width + right, y + pad);
    let (title, desc) = (diagram.title.as_deref(), diagram.desc.as_deref());
    canvas.document(size, title, desc, style)
}

/// Draws a board with all that is on it and around it, its upper left corner at the
/// given point in mm, in groups of the classes `board`, `pieces`, `labels`, `beside` and `marks`.
pub(super) fn place(
    canvas: &mut Canvas,
    diagram: &Diagram,
    at: (f64, f64),
    margins: &Margins,
    style: &Style,
) {
    let grid = Grid::new(diagram, style, at, margins.gutter);
    let mut board = Canvas::default();
    ground(&mut board, &grid);
    highlights(&mut board, &grid);
    lines(&mut board, &grid);
    let mut pieces = Canvas::default();
    for (cell, glyph) in diagram.glyphs() {
        draw_glyph(&mut pieces, cell, glyph, &grid);
    }
    let mut labels = Canvas::default();
    if style.coordinates {
        coordinates(&mut labels, &grid);
    }
    let mut beside = Canvas::default();
    stands(&mut beside, &grid);
    if let Some(tone) = diagram.to_move.filter(|_| style.side_to_move) {
        marker(&mut beside, tone, &grid);
    }
    forbidden_beside(&mut beside, &grid);
    let mut arrows = Canvas::default();
    marks(&mut arrows, &grid);
    for (class, group) in [
        ("board", board),
        ("pieces", pieces),
        ("labels", labels),
        ("beside", beside),
        ("marks", arrows),
    ] {
        canvas.group(group, &[("class", class)]);
    }
}

/// Draws what stands on a square as an SVG document of the size of a square, without lines
/// and without a background: the same shapes as in a diagram.
#[expect(clippy::missing_panics_doc, reason = "a single square is a board")]
pub fn glyph(glyph: &Glyph, style: &Style) -> String {
    let style = &Style {
        transparent: true,
        ..style.clone()
    };
    let board = Diagram::new(1, 1).expect("a single square is a board");
    let grid = Grid::new(&board, style, (0.0, 0.0), Sides::default());
    let mut canvas = Canvas::default();
    draw_glyph(&mut canvas, BoardSquare::new(0, 0), glyph, &grid);
    canvas.document((grid.cell, grid.cell), None, None, style)
}

//! A solution as a row, or several rows, of numbered boards.

use super::canvas::Canvas;
use super::diagram::Diagram;
use super::layout::{Margins, board_size, caption_type};
use super::style::Style;
use super::svg::{column_of_text, measure, page_margin, place};
use super::text::{Anchor, CAP_HEIGHT, Type, text};

/// Draws boards side by side under a headline, `columns_per_row` to a row (0
/// counts as 1), in one SVG document as [`render`](super::render) makes them.
///
/// Under each board stand its number, which is its place in the strip unless
/// the diagram has its own, and its captions. The headline is left out if it
/// is blank; it is also the document's title, and the descriptions of the
/// boards together are the document's.
#[must_use]
pub fn strip(
    headline: &str,
    diagrams: &[Diagram],
    columns_per_row: usize,
    style: &Style,
) -> String {
    let caption = caption_type(style);
    let bold = Type {
        bold: true,
        ..caption
    };
    let pad = page_margin(style);
    let gap = 1.6 * caption.size;

    let room = |boards: &[Diagram]| {
        let each = boards.iter().map(|diagram| Margins::of(diagram, style));
        each.fold(Margins::default(), Margins::max)
    };
    let widest = room(diagrams);
    let around = widest.total();
    let width = diagrams
        .iter()
        .map(|d| board_size(d, style).0)
        .fold(0.0, f64::max);
    let numbers: Vec<String> = (1..)
        .zip(diagrams)
        .map(|(place, diagram)| diagram.own_number().unwrap_or(place).to_string())
        .collect();
    let indent = numbers.iter().map(|n| bold.width(n)).fold(0.0, f64::max) + 0.5 * caption.size;
    let column = measure(width, style).max(indent + 6.0 * caption.size);
    let block = around.left + column.max(width + around.right);

    let mut canvas = Canvas::default();
    let mut page_width = 2.0 * pad + block;
    for _ in 1..columns_per_row.min(diagrams.len()) {
        page_width += block + gap;
    }

    let heading = Type {
        size: 1.25 * caption.size,
        ..bold
    };
    let mut y = pad;
    let lines = heading.wrap(headline, page_width - 2.0 * pad - around.left);
    if !lines.is_empty() {
        let at = (pad + around.left, y + CAP_HEIGHT * heading.size);
        y = column_of_text(&mut canvas, at, Anchor::Start, heading, &lines);
        y += 0.8 * heading.size;
    }

    let per_row = columns_per_row.max(1);
    let rows = diagrams.chunks(per_row).zip(numbers.chunks(per_row));
    for (index, (boards, numbers)) in rows.enumerate() {
        if index > 0 {
            y += 1.3 * gap;
        }
        // Boards in several rows stand in columns.
        let margins = room(boards).aligned(widest);
        let around = margins.total();
        let height = boards
            .iter()
            .map(|d| board_size(d, style).1)
            .fold(0.0, f64::max);
        let board_y = y + around.top;
        let text_y = board_y + height + around.bottom + (0.9 + CAP_HEIGHT) * caption.size;
        let mut x = pad + around.left;
        y = text_y;
        for (diagram, number) in boards.iter().zip(numbers) {
            // The room is shared, but labels keep close to a board without marks
            // beside it.
            let beside = margins.aligned(Margins::of(diagram, style));
            place(&mut canvas, diagram, (x, board_y), &beside, style);
            text(&mut canvas, (x, text_y), Anchor::Start, bold, number);
            let lines: Vec<String> = diagram
                .captions()
                .iter()
                .flat_map(|line| caption.wrap(line, column - indent))
                .collect();
            let at = (x + indent, text_y);
            y = y.max(column_of_text(
                &mut canvas,
                at,
                Anchor::Start,
                caption,
                &lines,
            ));
            x += block + gap;
        }
    }

    let words: Vec<&str> = diagrams.iter().filter_map(|d| d.words().1).collect();
    let desc = words.join("\n");
    let title = Some(headline).filter(|title| !title.trim().is_empty());
    let desc = Some(desc.as_str()).filter(|desc| !desc.is_empty());
    canvas.document((page_width, y + pad), (title, desc), style)
}

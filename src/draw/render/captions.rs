//! The lines of text below a board.

use super::canvas::Canvas;
use super::grid::caption_type;
use super::style::Style;
use super::text::{Anchor, LEADING, Type, text};
use crate::data::Diagram;

/// Lines of text, and how each is set.
pub(super) type Lines = Vec<(Type, String)>;

/// What stands below a board, wrapped to a width in mm: what is asked, the themes,
/// further captions, as the style has them.
pub(super) fn below(diagram: &Diagram, style: &Style, width: f64) -> Lines {
    let plain = caption_type(style);
    let themes = diagram.themes.join(", ");
    let asked = diagram.stipulation.as_deref().filter(|_| style.stipulation);
    let themes = Some(themes.as_str()).filter(|_| style.themes);
    let captions = diagram.captions.iter().filter(|_| style.captions);
    let paragraphs = asked.map(|asked| (plain, asked)).into_iter();
    let paragraphs = paragraphs
        .chain(themes.map(|themes| (plain.italic(), themes)))
        .chain(captions.map(|caption| (plain, caption.as_str())));
    paragraphs
        .flat_map(|(kind, paragraph)| wrapped(kind, paragraph, width))
        .collect()
}

/// A paragraph in lines of at most this width in mm, and of about the same length.
pub(super) fn wrapped(kind: Type, paragraph: &str, width: f64) -> Lines {
    let lines = kind.wrap(paragraph, width).into_iter();
    lines.map(|line| (kind, line)).collect()
}

/// Sets lines one below the other, the first on the given baseline, and returns the y
/// to which the last of them reaches.
pub(super) fn column_of_text(
    canvas: &mut Canvas,
    (x, mut y): (f64, f64),
    anchor: Anchor,
    lines: &[(Type, String)],
) -> f64 {
    let mut descent = 0.0;
    for (index, (kind, line)) in lines.iter().enumerate() {
        if index > 0 {
            y += LEADING * kind.size;
        }
        text(canvas, (x, y), anchor, *kind, line);
        descent = 0.24 * kind.size;
    }
    y + descent
}

/// How far lines reach below the first baseline, in mm, as [`column_of_text`] sets
/// them.
pub(super) fn depth_of_text(lines: &[(Type, String)]) -> f64 {
    let further = lines.iter().skip(1).map(|(kind, _)| LEADING * kind.size);
    further.sum::<f64>() + lines.last().map_or(0.0, |(kind, _)| 0.24 * kind.size)
}

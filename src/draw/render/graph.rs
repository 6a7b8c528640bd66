//! Graphs: their edges as lines, their vertices as discs with names.

use super::board::HOLE;
use super::canvas::{Canvas, Paint};
use super::grid::Grid;
use super::style::Style;
use super::text::{Anchor, Type, text};
use crate::draw::data::{Diagram, DrawnGraph};

/// The room for a name in its disc, and the greatest height of letters, in squares.
const NAME: (f64, f64) = (0.66, 0.34);

/// Draws a graph without what stands on it. Where something does, a vertex has no name.
pub(super) fn graph(
    canvas: &mut Canvas,
    diagram: &Diagram,
    graph: &DrawnGraph,
    grid: &Grid,
    style: &Style,
) {
    let width = 2.0 * style.line_mm.get();
    let edges = graph.edges().iter();
    let edges: Vec<_> = edges
        .map(|edge| edge.map(|end| grid.centre(end.into())))
        .collect();
    canvas.lines(&edges, Paint::stroke(style.ink, width), &[]);
    let paint = Paint::fill(style.board).and_stroke(style.ink, width);
    for (at, name) in graph.vertices() {
        let (x, y) = grid.centre(at.into());
        canvas.circle((x, y), HOLE * grid.cell - width / 2.0, paint);
        if diagram.glyph_at(at.into()).is_some() {
            continue;
        }
        let one = Type::new(1.0, style);
        let room = NAME.0 * grid.cell / one.width(name).max(0.1);
        let kind = one.sized(room.min(NAME.1 * grid.cell));
        let base = y + kind.cap_height() / 2.0;
        text(canvas, (x, base), Anchor::Middle, kind, name);
    }
}

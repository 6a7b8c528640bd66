//! The parts of a board: squares or a graph, lines, glyphs, labels and the side to move.

use super::canvas::{Canvas, Paint, round, round_joins};
use super::grid::{Grid, coordinate_type, file_gap, rank_gap};
use super::piece_stands::stand_room;
use super::style::Style;
use super::text::{Anchor, Type};
use crate::data::{BoardSquare, Diagram, DrawnGraph, Flank, Glyph, Man, Point, Symbol, Tone};

/// Half the side of a piece, in squares.
pub(super) const PIECE: f64 = 0.33;

/// The radius of a hole, in squares: a hole is round and pieces are not, so that
/// they differ in shape and not only in tone.
pub(super) const HOLE: f64 = 0.42;

/// The side of the square in which a symbol is drawn, in squares of the board.
const SYMBOL: f64 = 0.9;

/// The radius of the disc of a man without a figure, and the type size of its letter, in squares.
const LETTER: (f64, f64) = (0.36, 0.5);

/// Several men: their size, how far they are from the centre, and the type size of their number,
/// in squares.
const SEVERAL: f64 = 0.72;
const ASIDE_OF_NUMBER: f64 = 0.12;
const NUMBER: f64 = 0.38;

/// The radius of a dot where lines cross, in squares.
const STAR: f64 = 0.06;

/// From one line of a hole's hatching to the next, in squares.
const HATCHING: f64 = 0.085;

/// Lines of the hatching that begin on the side of a blocked square.
const BLOCKED: u8 = 7;

/// Draws the disc that shows the side to move, beyond all else that is on the right.
pub(super) fn marker(canvas: &mut Canvas, tone: Tone, grid: &Grid) {
    let x = beyond_stand(grid);
    let (_, y) = grid.centre(Point::new(0, 0));
    let radius = 0.17 * grid.cell;
    let (paint, width) = tone_paint(tone, grid.style);
    canvas.circle((x + 0.36 * grid.cell, y), radius - width / 2.0, paint);
}

/// Where the room for labels, marks and stands on the right ends, in mm.
fn beyond_stand(grid: &Grid) -> f64 {
    grid.right() + grid.gutter.right + stand_room(grid.diagram, Flank::Right, grid.style)
}

/// Names the move that the rules forbid above the disc, after a barred ring.
pub(super) fn forbidden_beside(canvas: &mut Canvas, grid: &Grid) {
    let Some((name, kind, radius)) = named_beside(grid.diagram, grid.style) else {
        return;
    };
    let x = beyond_stand(grid) + rank_gap(grid.style) + radius;
    let y = grid.corner(0, 1).1;
    let paint = Paint::stroke(grid.style.ban, 0.3 * radius);
    canvas.barred_ring((x, y), radius, (1.0, 0.0), paint);
    let at = (x + 2.0 * radius, y + kind.cap_height() / 2.0);
    canvas.text(at, Anchor::Start, kind, name);
}

/// The room for the name of a forbidden move beside the board, in mm.
pub(super) fn forbidden_room(diagram: &Diagram, style: &Style) -> f64 {
    named_beside(diagram, style).map_or(0.0, |(name, kind, radius)| {
        rank_gap(style) + 3.0 * radius + kind.width(name)
    })
}

/// The name of a forbidden move beside the board, how it is set, and the size of its ring.
fn named_beside<'a>(diagram: &'a Diagram, style: &Style) -> Option<(&'a str, Type, f64)> {
    let name = diagram.forbidden.as_deref()?;
    let kind = coordinate_type(style);
    (style.forbidden && style.forbidden_beside).then(|| (name, kind, 0.5 * kind.cap_height()))
}

/// Fills the squares that differ from the paper.
pub(super) fn ground(canvas: &mut Canvas, grid: &Grid) {
    light_ground(canvas, grid);
    let dark = Paint::fill(grid.style.board.tinted(grid.style.ink));
    for square in grid.diagram.shaded() {
        let Point { column, row } = square.into();
        let corner = grid.corner(column, row + 1);
        canvas.rect(corner, (grid.cell, grid.cell), 0.0, dark);
    }
}

/// Fills all squares, if they differ from the paper.
fn light_ground(canvas: &mut Canvas, grid: &Grid) {
    let Grid { diagram, style, .. } = *grid;
    if style.board == style.paper || diagram.drawn_graph().is_some() {
        return;
    }
    let size = diagram.size();
    let mut fill = |column: i8, (row, top): (i8, i8), end: i8| {
        let (from, to) = (grid.corner(column, top), grid.corner(end, row));
        let paint = Paint::fill(style.board);
        canvas.rect(from, (to.0 - from.0, to.1 - from.1), 0.0, paint);
    };
    if diagram.glyphs().all(|(_, glyph)| *glyph != Glyph::Absent) {
        fill(0, (0, size.row), size.column);
        return;
    }
    for row in 0..size.row {
        for (start, end) in runs(size.column, |column| diagram.has(Point::new(column, row))) {
            fill(start, (row, row + 1), end);
        }
    }
}

/// Draws a graph, or thin lines between squares, heavy ones around the board whatever its shape, and
/// dots where lines cross.
pub(super) fn lines(canvas: &mut Canvas, grid: &Grid) {
    let Grid { diagram, style, .. } = *grid;
    if let Some(drawn) = diagram.drawn_graph() {
        graph(canvas, drawn, grid);
        return;
    }
    let size = diagram.size();
    let mut thin = Vec::new();
    let mut heavy = Vec::new();
    let sides = |a: Point, b: Point| u8::from(diagram.has(a)) + u8::from(diagram.has(b));
    for (wanted, segments) in [(2, &mut thin), (1, &mut heavy)] {
        for line in 0..=size.row {
            let beside = |column| sides(Point::new(column, line - 1), Point::new(column, line));
            for (start, end) in runs(size.column, |column| beside(column) == wanted) {
                segments.push([grid.corner(start, line), grid.corner(end, line)]);
            }
        }
        for line in 0..=size.column {
            let beside = |row| sides(Point::new(line - 1, row), Point::new(line, row));
            for (start, end) in runs(size.row, |row| beside(row) == wanted) {
                segments.push([grid.corner(line, start), grid.corner(line, end)]);
            }
        }
    }
    let width = style.line_mm.get();
    canvas.lines(&thin, Paint::stroke(style.ink, width), &[]);
    // Square ends close the corners of the frame.
    let square = [("stroke-linecap", "square".to_owned())];
    canvas.lines(&heavy, Paint::stroke(style.ink, 2.0 * width), &square);
    for star in diagram.stars() {
        let Point { column, row } = star.into();
        let at = grid.corner(column, row);
        canvas.circle(at, STAR * grid.cell, Paint::fill(style.ink));
    }
}

/// The maximal runs of indices below the count that satisfy the condition, as
/// half-open ranges.
fn runs(count: i8, condition: impl Fn(i8) -> bool) -> Vec<(i8, i8)> {
    let there: Vec<i8> = (0..count).filter(|&index| condition(index)).collect();
    let runs = there.chunk_by(|index, next| index + 1 == *next);
    runs.map(|run| (run[0], run[run.len() - 1] + 1)).collect()
}

/// The paint of a side, and the width of its outline in mm.
fn tone_paint(tone: Tone, style: &Style) -> (Paint, f64) {
    let width = 2.0 * style.line_mm.get();
    let (fill, edge) = match tone {
        Tone::Dark => (style.dark, style.dark_edge),
        Tone::Light => (style.light, style.light_edge),
    };
    (Paint::fill(fill).and_stroke(edge, width), width)
}

/// Draws what stands on a square.
pub(super) fn draw_glyph(canvas: &mut Canvas, cell: BoardSquare, glyph: &Glyph, grid: &Grid) {
    let style = grid.style;
    let (x, y) = grid.centre(cell.into());
    match glyph {
        Glyph::Absent => {}
        Glyph::Piece(tone) => {
            let (paint, width) = tone_paint(*tone, style);
            // The outline lies inside, so that both sides are equally large.
            let half = PIECE * grid.cell - width / 2.0;
            let size = (2.0 * half, 2.0 * half);
            canvas.rect((x - half, y - half), size, 0.13 * grid.cell, paint);
        }
        Glyph::Men(tone, shown, 1) => man(canvas, *tone, *shown, (x, y), grid.cell, style),
        Glyph::Men(tone, shown, count) => {
            let aside = ASIDE_OF_NUMBER * grid.cell;
            let at = (x - aside, y - aside);
            man(canvas, *tone, *shown, at, SEVERAL * grid.cell, style);
            let kind = Type::new(NUMBER * grid.cell, style).bold();
            let corner = (x + 0.43 * grid.cell, y + 0.41 * grid.cell);
            canvas.text(corner, Anchor::End, kind, &count.to_string());
        }
        Glyph::Hole => hole(canvas, (x, y), grid),
        Glyph::Filled => {
            let half = grid.cell / 2.0;
            let at = (x - half, y - half);
            canvas.rect(at, (grid.cell, grid.cell), 0.0, Paint::fill(style.dark));
        }
        Glyph::Blocked => blocked(canvas, (x, y), grid),
        Glyph::Symbol(shape) => {
            let side = SYMBOL * grid.cell;
            canvas.symbol(shape, (x - side / 2.0, y - side / 2.0), side, style);
        }
        Glyph::Text(letters) => {
            let one = Type::new(1.0, style).bold();
            let room = 0.8 * grid.cell / one.width(letters).max(0.1);
            let kind = one.sized(room.min(0.56 * grid.cell));
            let base = y + kind.cap_height() / 2.0;
            canvas.text((x, base), Anchor::Middle, kind, letters);
        }
    }
}

/// Draws a man of a side: its figure, or its letter in a disc.
fn man(canvas: &mut Canvas, tone: Tone, man: Man, (x, y): (f64, f64), cell: f64, style: &Style) {
    let (paint, width) = tone_paint(tone, style);
    // What is inside has the colour of the other side.
    let (edge, inside) = match tone {
        Tone::Dark => (style.dark_edge, style.light),
        Tone::Light => (style.light_edge, style.dark),
    };
    if let Some([outline, lines]) = man.paths() {
        let side = SYMBOL * cell;
        let scale = (side / f64::from(Symbol::SIDE) * 1e6).round() / 1e6;
        let (left, top) = (round(x - side / 2.0), round(y - side / 2.0));
        let place = format!("translate({left} {top})scale({scale})");
        let extra = [round_joins(), ("transform", place)];
        // Widths, too, are scaled.
        let width = width / scale.max(1e-6);
        canvas.path(outline, paint.and_stroke(edge, width), &extra);
        canvas.path(lines, Paint::stroke(inside, 0.8 * width), &extra);
        return;
    }
    canvas.circle((x, y), LETTER.0 * cell - width / 2.0, paint);
    let mut kind = Type::new(LETTER.1 * cell, style).bold();
    kind.colour = inside;
    let base = y + kind.cap_height() / 2.0;
    canvas.text((x, base), Anchor::Middle, kind, &man.letter().to_string());
}

/// Hatches a square from edge to edge, so that those side by side make one surface.
fn blocked(canvas: &mut Canvas, (x, y): (f64, f64), grid: &Grid) {
    let Grid { style, cell, .. } = *grid;
    let (left, top) = (x - cell / 2.0, y - cell / 2.0);
    let mut lines = Vec::new();
    for number in 1..2 * BLOCKED {
        // From the left or lower edge up to the upper or right one.
        let along = f64::from(number) / f64::from(BLOCKED) * cell;
        let (low, high) = (along.min(cell), (along - cell).max(0.0));
        lines.push([(left + high, top + low), (left + low, top + high)]);
    }
    let width = (1.2 * style.line_mm.get()).min(0.4 * cell / f64::from(BLOCKED));
    canvas.lines(&lines, Paint::stroke(style.hatch, width), &[]);
}

/// Draws a ring filled with hatching. The chords are drawn one by one: a pattern would
/// need an identifier, which may clash when pictures are combined.
fn hole(canvas: &mut Canvas, (x, y): (f64, f64), grid: &Grid) {
    let Grid { style, cell, .. } = *grid;
    let line = style.line_mm.get();
    let radius = HOLE * cell - line;
    let paint = Paint::fill(style.hole).and_stroke(style.hatch, 2.0 * line);
    canvas.circle((x, y), radius, paint);
    let step = HATCHING * cell;
    let mut chords = Vec::new();
    let mut offset = step / 2.0;
    while offset < radius {
        for side in [-offset, offset] {
            let half = (radius * radius - offset * offset).sqrt();
            let diagonal = std::f64::consts::FRAC_1_SQRT_2;
            let end = |along: f64| (x + (side + along) * diagonal, y + (side - along) * diagonal);
            chords.push([end(-half), end(half)]);
        }
        offset += step;
    }
    let paint = Paint::stroke(style.hatch, (1.6 * line).min(0.45 * step));
    canvas.lines(&chords, paint, &[]);
}

/// Writes the labels of files and ranks.
pub(super) fn coordinates(canvas: &mut Canvas, grid: &Grid) {
    let Grid { diagram, style, .. } = *grid;
    let kind = coordinate_type(style);
    let (files, ranks) = diagram.labels();
    let base = if diagram.files_above {
        grid.y - file_gap(style)
    } else {
        grid.bottom() + file_gap(style) + kind.cap_height()
    };
    for (column, label) in (0..).zip(files) {
        let (x, _) = grid.centre(Point::new(column, 0));
        // Neighbouring labels must not run into each other.
        let size = kind.size * (0.9 * grid.cell / kind.width(label).max(0.1)).min(1.0);
        canvas.text((x, base), Anchor::Middle, kind.sized(size), label);
    }
    // Columns without a label on the left, such as a hand, are not part of the board.
    let left = match (0_u8..).zip(files).find(|(_, label)| !label.is_empty()) {
        Some((apart @ 1.., _)) => grid.x + f64::from(apart) * grid.cell,
        _ => grid.x,
    };
    let (x, anchor) = match diagram.ranks_at {
        Flank::Left => (left - rank_gap(style), Anchor::End),
        Flank::Right => (grid.right() + rank_gap(style), Anchor::Start),
    };
    for (row, label) in (0..).zip(ranks) {
        let (_, y) = grid.centre(Point::new(0, row));
        canvas.text((x, y + kind.cap_height() / 2.0), anchor, kind, label);
    }
}

/// The room for a name in its disc, and the greatest height of letters, in squares.
const NAME: (f64, f64) = (0.66, 0.34);

/// Draws a graph without what stands on it. Where something does, a vertex has no name.
fn graph(canvas: &mut Canvas, graph: &DrawnGraph, grid: &Grid) {
    let Grid { diagram, style, .. } = *grid;
    let width = 2.0 * style.line_mm.get();
    let ends = |edge: &[BoardSquare; 2]| edge.map(|end| grid.centre(end.into()));
    let edges: Vec<_> = graph.edges().iter().map(ends).collect();
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
        canvas.text((x, y + kind.cap_height() / 2.0), Anchor::Middle, kind, name);
    }
}

//! Arrows, crosses and brackets, set off by a halo from what they cover.

use super::board::{HOLE, PIECE};
use super::canvas::{Canvas, Paint, round};
use super::grid::{Grid, Sides};
use super::margins::shown;
use super::style::Colour;
use crate::data::{BoardSquare, Glyph, Mark, Point};

// All in squares.
const HALO: f64 = 0.05;
const SHAFT: f64 = 0.05;
const HEAD_WIDTH: f64 = 0.15;
const HEAD_LENGTH: f64 = 0.24;
const CROSS: f64 = 0.21;
const CROSS_WIDTH: f64 = 0.05;
/// Wider than that of arrows, since crosses lie on hatching.
const CROSS_HALO: f64 = 0.08;
/// From the centre of the piece that moves to the start of its arrow.
const TAIL: f64 = 0.12;
/// The same where the piece is a symbol, which is to stay whole: a king is known by its cross.
const SYMBOL_TAIL: f64 = 0.46;
/// The ring of a forbidden move: from its centre to the middle of its line, and how wide
/// that is.
const RING: f64 = 0.15;
const RING_WIDTH: f64 = 0.055;
/// Between the head of an arrow and what it points at.
const AIR: f64 = 0.02;

type Pair = (f64, f64);

/// Draws highlights, which lie under the pieces.
pub(super) fn highlights(canvas: &mut Canvas, grid: &Grid) {
    let style = grid.style;
    if style.highlight == style.board {
        return;
    }
    for mark in shown(grid.diagram, style) {
        if let Mark::Highlight(cell) = mark {
            let (x, y) = grid.centre(cell.into());
            let half = grid.cell / 2.0;
            let (at, size) = ((x - half, y - half), (grid.cell, grid.cell));
            canvas.rect(at, size, 0.0, Paint::fill(style.highlight));
        }
    }
}

/// Draws all marks that lie over the pieces.
pub(super) fn marks(canvas: &mut Canvas, grid: &Grid) {
    let style = grid.style;
    for mark in shown(grid.diagram, style) {
        match mark {
            Mark::Highlight(cell) => {
                // Symbols reach further into the corners than pieces do.
                let glyph = grid.diagram.glyph_at(cell.into());
                let symbol = matches!(glyph, Some(Glyph::Symbol(_) | Glyph::Men(..)));
                let (outer, inner) = if symbol { (0.455, 0.33) } else { (0.42, 0.24) };
                brackets(canvas, cell, (outer, inner), grid);
            }
            Mark::Arrow { from, to } => {
                let line = ArrowLine::new(grid, from, to);
                canvas.polygon(&line.arrow(), outlined(style.mark, HALO, grid));
            }
            Mark::Forbidden { from, to } => forbidden(canvas, ArrowLine::new(grid, from, to), grid),
            Mark::Removed(point) => cross(canvas, point, grid),
        }
    }
}

/// The halo is a stroke along the shape's edge, so it takes half its width
/// from the shape; shapes are drawn larger by that much.
fn outlined(colour: Colour, halo: f64, grid: &Grid) -> Paint {
    Paint::fill(colour).and_stroke(grid.style.halo, halo * grid.cell)
}

/// The line of an arrow: coordinates along and across it, in mm.
struct ArrowLine {
    origin: Pair,
    direction: Pair,
    cell: f64,
    /// From the square where the move begins to the point where it ends, in mm.
    length: f64,
    /// Where the arrow starts and where its tip is, in mm along the line.
    start: f64,
    tip: f64,
}

impl ArrowLine {
    fn new(grid: &Grid, from: BoardSquare, to: Point) -> Self {
        let Grid { diagram, style, .. } = *grid;
        // At the edge it ends before the labels.
        let gutter = Sides::default();
        let near = Grid { gutter, ..*grid };
        let (origin, target) = (near.centre(from.into()), near.centre(to));
        let (dx, dy) = (target.0 - origin.0, target.1 - origin.1);
        let length = dx.hypot(dy);
        let direction = (dx / length, dy / length);
        // Distances to the edge of a square grow towards its corners.
        let slant = 1.0 / direction.0.abs().max(direction.1.abs());
        let removed = style.removals && diagram.marks.contains(&Mark::Removed(to));
        let clear = match diagram.glyph_at(to) {
            _ if removed || diagram.square(to).is_none() => CROSS + CROSS_HALO + AIR,
            Some(Glyph::Piece(_)) => PIECE * slant + AIR,
            Some(Glyph::Hole) => HOLE + AIR,
            Some(Glyph::Text(_) | Glyph::Symbol(_) | Glyph::Men(..)) => PIECE * slant,
            Some(Glyph::Filled | Glyph::Blocked) => 0.5 * slant + AIR,
            Some(Glyph::Absent) | None => 0.0,
        };
        let tail = match diagram.glyph_at(from.into()) {
            Some(Glyph::Symbol(_) | Glyph::Men(..)) => SYMBOL_TAIL,
            _ => TAIL,
        };
        let tip = length - clear * grid.cell;
        Self {
            origin,
            direction,
            cell: grid.cell,
            length,
            start: (tail * slant * grid.cell).min(tip - HEAD_LENGTH * grid.cell),
            tip,
        }
    }

    /// The point at these distances along the line and to its side, in mm.
    fn at(&self, along: f64, across: f64) -> Pair {
        let ((x, y), (dx, dy)) = (self.origin, self.direction);
        (x + dx * along - dy * across, y + dy * along + dx * across)
    }

    fn neck(&self) -> f64 {
        self.tip - HEAD_LENGTH * self.cell
    }

    /// Shaft and head in one outline.
    fn arrow(&self) -> Vec<Pair> {
        let shaft = (SHAFT + HALO / 2.0) * self.cell;
        let mut corners = vec![self.at(self.start, shaft), self.at(self.neck(), shaft)];
        corners.extend(self.head());
        corners.extend([self.at(self.neck(), -shaft), self.at(self.start, -shaft)]);
        corners
    }

    fn head(&self) -> [Pair; 3] {
        let half = (HEAD_WIDTH + HALO) * self.cell;
        [
            self.at(self.neck(), half),
            self.at(self.tip, 0.0),
            self.at(self.neck(), -half),
        ]
    }
}

/// Draws a dashed arrow through a barred ring. The ring is on the border between two
/// neighbours, so that it is seen even where both squares are taken; the head may lie on what
/// stands in the way.
fn forbidden(canvas: &mut Canvas, mut line: ArrowLine, grid: &Grid) {
    let Grid { style, cell, .. } = *grid;
    let middle = line.length / 2.0;
    let outer = (RING + RING_WIDTH / 2.0) * cell;
    line.tip = line.tip.max(middle + outer + (HEAD_LENGTH + HALO) * cell);
    line.start = line.start.min(middle - outer);
    let part = |from, to| [line.at(from, 0.0), line.at(to, 0.0)];
    let shaft = [
        part(line.start, middle - outer),
        part(middle + outer, line.neck() + HALO * cell),
    ];
    let width = 1.6 * SHAFT * cell;
    let under = Paint::stroke(style.halo, width + 2.0 * HALO * cell);
    canvas.lines(&shaft, under, &[]);
    canvas.polygon(&line.head(), outlined(style.ban, HALO, grid));
    let dash = format!("{} {}", round(0.09 * cell), round(0.06 * cell));
    let dashes = [("stroke-dasharray", dash)];
    canvas.lines(&shaft, Paint::stroke(style.ban, width), &dashes);
    let centre = line.at(middle, 0.0);
    canvas.circle(centre, outer + HALO * cell, Paint::fill(style.halo));
    let ring = Paint::stroke(style.ban, RING_WIDTH * cell);
    canvas.barred_ring(centre, RING * cell, line.direction, ring);
}

fn cross(canvas: &mut Canvas, point: Point, grid: &Grid) {
    let (x, y) = grid.centre(point);
    let long = (CROSS + CROSS_HALO / 2.0) * grid.cell;
    let short = (CROSS_WIDTH + CROSS_HALO / 2.0) * grid.cell;
    // A plus sign, turned by an eighth: its twelve corners in order.
    let arm = [(short, short), (short, long), (-short, long)];
    let mut corners = Vec::new();
    let (mut cos, mut sin) = (1.0, 0.0);
    for _ in 0..4 {
        for (u, v) in arm {
            let (u, v): Pair = (u * cos - v * sin, u * sin + v * cos);
            let diagonal = std::f64::consts::FRAC_1_SQRT_2;
            corners.push((x + (u - v) * diagonal, y + (u + v) * diagonal));
        }
        (cos, sin) = (-sin, cos);
    }
    canvas.polygon(&corners, outlined(grid.style.mark, CROSS_HALO, grid));
}

/// Draws brackets in the corners of a square, where they show on white and around a
/// piece. Their arms lie from `inner` to `outer` from its centre, in squares.
fn brackets(canvas: &mut Canvas, cell: BoardSquare, (outer, inner): Pair, grid: &Grid) {
    let (x, y) = grid.centre(cell.into());
    let (outer, inner) = (outer * grid.cell, inner * grid.cell);
    for (right, down) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let at = |u: f64, v: f64| (x + right * u, y + down * v);
        let corner = [at(inner, outer), at(outer, outer), at(outer, inner)];
        canvas.open(&corner, Paint::stroke(grid.style.halo, 0.12 * grid.cell));
        canvas.open(&corner, Paint::stroke(grid.style.mark, 0.06 * grid.cell));
    }
}

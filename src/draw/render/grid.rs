//! Where a board lies on the paper: which way it is turned, its points in millimetres, and
//! the sizes that follow from a style.

use super::style::{Orientation, Rotation, Style};
use super::text::Type;
use crate::data::{Diagram, Point};

/// The room beyond an edge, in squares, if anything is marked there.
pub(super) const GUTTER: f64 = 0.64;

/// The distance, in squares, from the edge to a point beyond it: closer than
/// another square would be, to save paper.
const BEYOND: f64 = 0.36;

/// Lengths on the four sides of a board, in mm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sides {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Sides {
    /// Joins the lengths of each side.
    pub(super) fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            left: join(self.left, other.left),
            right: join(self.right, other.right),
            top: join(self.top, other.top),
            bottom: join(self.bottom, other.bottom),
        }
    }
}

/// A board, how it is drawn, and where it lies on the paper, in mm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid<'a> {
    pub diagram: &'a Diagram,
    pub style: &'a Style,
    pub x: f64,
    pub y: f64,
    pub cell: f64,
    /// The room for marks beyond the edges.
    pub gutter: Sides,
}

impl<'a> Grid<'a> {
    /// A board with its upper left corner at (x, y), in mm, and room beyond its edges.
    pub(super) fn new(
        diagram: &'a Diagram,
        style: &'a Style,
        (x, y): (f64, f64),
        gutter: Sides,
    ) -> Self {
        Self {
            diagram,
            style,
            x,
            y,
            cell: style.cell_mm.get(),
            gutter,
        }
    }

    /// Where two lines cross: lines are counted from the left and from the bottom.
    pub(super) fn corner(&self, column: i8, row: i8) -> (f64, f64) {
        let right = f64::from(column) * self.cell;
        let down = (f64::from(self.diagram.size().row) - f64::from(row)) * self.cell;
        (self.x + right, self.y + down)
    }

    pub(super) fn bottom(&self) -> f64 {
        self.corner(0, 0).1
    }

    pub(super) fn right(&self) -> f64 {
        self.corner(self.diagram.size().column, 0).0
    }

    /// The centre of a square, or of a point beyond the edge.
    pub(super) fn centre(&self, point: Point) -> (f64, f64) {
        let (size, room) = (self.diagram.size(), self.gutter);
        // Outside the labels.
        let beyond = |gutter: f64| (gutter / self.cell - GUTTER).max(0.0) + BEYOND;
        let along = |index: i8, count: i8, before: f64, after: f64| {
            if index < 0 {
                -beyond(before)
            } else if index >= count {
                f64::from(count) + beyond(after)
            } else {
                f64::from(index) + 0.5
            }
        };
        let across = along(point.column, size.column, room.left, room.right);
        let up = along(point.row, size.row, room.bottom, room.top);
        let down = f64::from(size.row) - up;
        (self.x + across * self.cell, self.y + down * self.cell)
    }
}

impl Rotation {
    /// The turn that a style gives to a diagram, and to all that follow it in a line of
    /// play.
    pub(super) fn of(diagram: &Diagram, style: &Style) -> Self {
        let sides = diagram.to_move.zip(diagram.home);
        let above = sides.is_some_and(|(mover, below)| mover != below);
        let half = above && style.orientation == Orientation::MoverBelow;
        Self((style.rotate.0 + if half { 2 } else { 0 }) % 4)
    }

    pub(super) fn apply(self, diagram: Diagram) -> Diagram {
        (0..self.0).fold(diagram, |diagram, _| diagram.turned())
    }
}

/// The narrowest column that captions are wrapped to, in type sizes: small
/// boards would otherwise have a word to a line.
const NARROWEST: f64 = 11.0;

/// How the labels of files and ranks are set: a little smaller than captions, and
/// small enough for small squares.
pub(super) fn coordinate_type(style: &Style) -> Type {
    let size = (0.82 * style.text_mm.get()).min(0.45 * style.cell_mm.get());
    Type::new(size, style)
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

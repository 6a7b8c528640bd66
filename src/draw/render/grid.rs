//! Points of a board in millimetres on the paper.

use super::style::Style;
use crate::draw::data::{Diagram, Point};

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
    pub fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            left: join(self.left, other.left),
            right: join(self.right, other.right),
            top: join(self.top, other.top),
            bottom: join(self.bottom, other.bottom),
        }
    }
}

/// Where a board lies on the paper, in mm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The side of a square.
    pub cell: f64,
    size: Point,
    /// The room for marks beyond the edges.
    pub gutter: Sides,
}

impl Grid {
    /// A board with its upper left corner at (x, y), in mm, and room beyond its edges.
    pub fn new(diagram: &Diagram, style: &Style, (x, y): (f64, f64), gutter: Sides) -> Self {
        Self {
            x,
            y,
            cell: style.cell_mm.get(),
            size: diagram.size(),
            gutter,
        }
    }

    /// A single square at the upper left corner.
    pub fn single(cell: f64) -> Self {
        Self {
            x: 0.0,
            y: 0.0,
            cell,
            size: Point::new(1, 1),
            gutter: Sides::default(),
        }
    }

    /// Where two lines cross: lines are counted from the left and from the bottom.
    pub fn corner(&self, column: i8, row: i8) -> (f64, f64) {
        let down = f64::from(self.size.row) - f64::from(row);
        (
            self.x + f64::from(column) * self.cell,
            self.y + down * self.cell,
        )
    }

    /// The lower edge.
    pub fn bottom(&self) -> f64 {
        self.corner(0, 0).1
    }

    /// The right edge.
    pub fn right(&self) -> f64 {
        self.corner(self.size.column, 0).0
    }

    /// The centre of a square, or of a point beyond the edge.
    pub fn centre(&self, point: Point) -> (f64, f64) {
        let along = |index: i8, count: i8| {
            if index < 0 {
                -BEYOND
            } else if index >= count {
                f64::from(count) + BEYOND
            } else {
                f64::from(index) + 0.5
            }
        };
        let down = f64::from(self.size.row) - along(point.row, self.size.row);
        (
            self.x + along(point.column, self.size.column) * self.cell,
            self.y + down * self.cell,
        )
    }
}

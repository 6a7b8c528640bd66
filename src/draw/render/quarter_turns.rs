//! How a style turns a board.

use super::style::{Orientation, Style};
use crate::draw::data::{Diagram, Point};

/// A number of quarter turns clockwise, 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuarterTurns(u8);

impl QuarterTurns {
    /// The turn that a style gives to a diagram, and to all that follow it in a line of
    /// play.
    pub fn of(diagram: &Diagram, style: &Style) -> Self {
        let above = match (diagram.to_move, diagram.home) {
            (Some(mover), Some(below)) => mover != below,
            _ => false,
        };
        let half = above && style.orientation == Orientation::MoverBelow;
        Self((style.rotate.quarters() + if half { 2 } else { 0 }) % 4)
    }

    /// The diagram, turned.
    pub fn apply(self, diagram: Diagram) -> Diagram {
        (0..self.0).fold(diagram, |diagram, _| diagram.turned())
    }

    /// A point of a board of this size, turned with the board.
    pub fn point(self, point: Point, mut size: Point) -> Point {
        (0..self.0).fold(point, |point, _| {
            let turned = point.turned(size);
            size = Point::new(size.row, size.column);
            turned
        })
    }
}

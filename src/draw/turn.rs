//! Which way up a board lies.

use super::diagram::Diagram;
use super::parts::Point;
use super::style::{Orientation, Style};

/// Quarter turns clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn(u8);

impl Turn {
    /// The turn that a style wants for a diagram, and for all that follow it in a
    /// line of play.
    pub fn of(diagram: &Diagram, style: &Style) -> Self {
        let above = match (diagram.side_to_move(), diagram.side_below()) {
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

    /// A point of a board of this size (the point just past its last cell), turned
    /// with it.
    pub fn point(self, point: Point, mut size: Point) -> Point {
        (0..self.0).fold(point, |point, _| {
            let turned = point.turned(size);
            size = Point::new(size.row, size.column);
            turned
        })
    }
}

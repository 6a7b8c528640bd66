//! Where things go: the room around a board, and the cells within it.

use super::around::Flank;
use super::diagram::Diagram;
use super::parts::{Mark, Point};
use super::stands::stand_room;
use super::style::Style;
use super::text::Type;

/// The distance, in cells, from the edge to a point beyond it: closer than
/// another cell would be, to save paper.
const BEYOND: f64 = 0.36;

/// The room beyond an edge, in cells, if anything is marked there.
const GUTTER: f64 = 0.64;

/// The room for the disc that shows the side to move, in cells.
const MARKER: f64 = 0.52;

/// Lengths on the four sides of a board, in mm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sides {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Sides {
    fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            left: join(self.left, other.left),
            right: join(self.right, other.right),
            top: join(self.top, other.top),
            bottom: join(self.bottom, other.bottom),
        }
    }
}

/// What surrounds a board: first the room for marks beyond the edge, then the
/// labels and the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    pub gutter: Sides,
    band: Sides,
}

impl Margins {
    pub fn of(diagram: &Diagram, style: &Style) -> Self {
        let cell = style.cell_mm.get();
        let size = diagram.size();
        let mut gutter = Sides::default();
        for mark in diagram.marks().iter().filter(|mark| shown(**mark, style)) {
            let (Mark::Arrow { to, .. } | Mark::Forbidden { to, .. } | Mark::Removed(to)) = mark
            else {
                continue;
            };
            let sides = [
                (&mut gutter.left, to.column < 0),
                (&mut gutter.right, to.column >= size.column),
                (&mut gutter.bottom, to.row < 0),
                (&mut gutter.top, to.row >= size.row),
            ];
            for (side, beyond) in sides {
                if beyond {
                    *side = GUTTER * cell;
                }
            }
        }

        // Half of the heavy frame lies outside the board.
        let frame = style.line_mm.get();
        let mut band = Sides {
            left: frame,
            right: frame,
            top: frame,
            bottom: frame,
        };
        if style.coordinates {
            let (files, _) = diagram.labels();
            if files.iter().any(|label| !label.trim().is_empty()) {
                let room = file_gap(style) + coordinate_type(style).cap_height();
                if diagram.has_files_above() {
                    band.top += room;
                } else {
                    band.bottom += room;
                }
            }
        }
        band.left += beside(diagram, Flank::Left, style);
        band.right += beside(diagram, Flank::Right, style);
        if style.side_to_move && diagram.side_to_move().is_some() {
            band.right += MARKER * cell;
        }
        Self { gutter, band }
    }

    /// Room enough for either of two boards.
    pub fn max(self, other: Self) -> Self {
        Self {
            gutter: self.gutter.zip(other.gutter, f64::max),
            band: self.band.zip(other.band, f64::max),
        }
    }

    /// This room above and below, and another's left and right.
    pub fn aligned(self, other: Self) -> Self {
        let sides = |own: Sides, other: Sides| Sides {
            top: own.top,
            bottom: own.bottom,
            ..other
        };
        Self {
            gutter: sides(self.gutter, other.gutter),
            band: sides(self.band, other.band),
        }
    }

    /// From the edge of the board to the end of all that surrounds it.
    pub fn total(&self) -> Sides {
        self.gutter.zip(self.band, |gutter, band| gutter + band)
    }
}

/// Whether the style has marks of this kind.
pub(super) const fn shown(mark: Mark, style: &Style) -> bool {
    match mark {
        Mark::Arrow { .. } => style.arrows,
        Mark::Removed(_) => style.removals,
        Mark::Forbidden { .. } => style.forbidden,
        Mark::Highlight(_) => style.highlights,
    }
}

/// Coordinates are a little smaller than captions, and fit small cells.
pub(super) fn coordinate_type(style: &Style) -> Type {
    let size = (0.82 * style.text_mm.get()).min(0.45 * style.cell_mm.get());
    Type::new(size, style)
}

pub(super) fn caption_type(style: &Style) -> Type {
    Type::new(style.text_mm.get(), style)
}

/// The room that the rank labels take on this side of the board.
pub(super) fn rank_room(diagram: &Diagram, flank: Flank, style: &Style) -> f64 {
    if !style.coordinates || diagram.flank_of_ranks() != flank {
        return 0.0;
    }
    let kind = coordinate_type(style);
    let (_, ranks) = diagram.labels();
    let widths = ranks.iter().map(|label| kind.width(label));
    let widest = widths.fold(0.0, f64::max);
    if widest > 0.0 {
        rank_gap(style) + widest
    } else {
        0.0
    }
}

/// The room for rank labels and a stand on this side of the board.
pub(super) fn beside(diagram: &Diagram, flank: Flank, style: &Style) -> f64 {
    rank_room(diagram, flank, style) + stand_room(diagram, flank, style)
}

/// From the edge of the board to the rank labels.
pub(super) fn rank_gap(style: &Style) -> f64 {
    style.line_mm.get() + 0.5 * coordinate_type(style).size
}

/// From the edge of the board to the file labels.
pub(super) fn file_gap(style: &Style) -> f64 {
    style.line_mm.get() + 0.55 * coordinate_type(style).size
}

/// A board's width and height in mm.
pub(super) fn board_size(diagram: &Diagram, style: &Style) -> (f64, f64) {
    let (size, cell) = (diagram.size(), style.cell_mm.get());
    (f64::from(size.column) * cell, f64::from(size.row) * cell)
}

/// A board laid on the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The side of a cell.
    pub cell: f64,
    size: Point,
    pub gutter: Sides,
}

impl Grid {
    pub fn new(diagram: &Diagram, style: &Style, (x, y): (f64, f64), margins: &Margins) -> Self {
        Self {
            x,
            y,
            cell: style.cell_mm.get(),
            size: diagram.size(),
            gutter: margins.gutter,
        }
    }

    /// The corner of the board's lines: column and row count the lines from
    /// the left and from the bottom.
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

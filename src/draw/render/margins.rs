//! The room around a board.

use super::board::forbidden_room;
use super::grid::{GUTTER, Sides, coordinate_type, file_gap, rank_gap};
use super::piece_stands::stand_room;
use super::style::Style;
use super::text::greatest;
use crate::data::{Diagram, Flank, Mark};

/// The room for the disc that shows the side to move, in squares.
const MARKER: f64 = 0.52;

/// The room around a board, in mm: first that for labels and then marks beyond the edge, then
/// that for stands and the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    pub gutter: Sides,
    band: Sides,
}

impl Margins {
    pub(super) fn of(diagram: &Diagram, style: &Style) -> Self {
        let cell = style.cell_mm.get();
        let size = diagram.size();
        let mut gutter = Sides::default();
        for mark in shown(diagram, style) {
            let (Mark::Arrow { to, .. } | Mark::Forbidden { to, .. } | Mark::Removed(to)) = mark
            else {
                continue;
            };
            for (side, beyond) in [
                (&mut gutter.left, to.column < 0),
                (&mut gutter.right, to.column >= size.column),
                (&mut gutter.bottom, to.row < 0),
                (&mut gutter.top, to.row >= size.row),
            ] {
                if beyond {
                    *side = GUTTER * cell;
                }
            }
        }
        // Labels keep their place, and marks lie outside them.
        gutter = gutter.zip(labels(diagram, style), |marks, labels| marks + labels);

        // Half of the heavy frame lies outside the board.
        let frame = style.line_mm.get();
        let mut band = Sides {
            left: frame + stand_room(diagram, Flank::Left, style),
            right: frame + stand_room(diagram, Flank::Right, style),
            top: frame,
            bottom: frame,
        };
        let marker = diagram.to_move.filter(|_| style.side_to_move);
        let marker = marker.map_or(0.0, |_| MARKER * cell);
        band.right += marker.max(forbidden_room(diagram, style));
        Self { gutter, band }
    }

    /// The least room that is enough around any of these boards.
    pub(super) fn of_all<'a>(boards: impl IntoIterator<Item = &'a Diagram>, style: &Style) -> Self {
        let each = boards.into_iter().map(|board| Self::of(board, style));
        each.fold(Self::default(), |all, one| Self {
            gutter: all.gutter.zip(one.gutter, f64::max),
            band: all.band.zip(one.band, f64::max),
        })
    }

    /// This room above and below, and another's left and right.
    pub(super) fn aligned(self, other: Self) -> Self {
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
    pub(super) fn total(&self) -> Sides {
        self.gutter.zip(self.band, |gutter, band| gutter + band)
    }
}

/// The marks of a board that a style shows.
pub(super) fn shown(diagram: &Diagram, style: &Style) -> impl Iterator<Item = Mark> {
    let marks = diagram.marks.iter().copied();
    marks.filter(move |mark| match mark {
        Mark::Arrow { .. } => style.arrows,
        Mark::Removed(_) => style.removals,
        Mark::Forbidden { .. } => style.forbidden && !style.forbidden_beside,
        Mark::Highlight(_) => style.highlights,
    })
}

/// The room for the labels of files and ranks.
fn labels(diagram: &Diagram, style: &Style) -> Sides {
    let mut room = Sides::default();
    if !style.coordinates {
        return room;
    }
    let kind = coordinate_type(style);
    let (files, ranks) = diagram.labels();
    let widest = greatest(ranks.iter().map(|label| kind.width(label)));
    if widest > 0.0 {
        let side = match diagram.ranks_at {
            Flank::Left => &mut room.left,
            Flank::Right => &mut room.right,
        };
        *side = rank_gap(style) + widest;
    }
    if files.iter().any(|label| !label.trim().is_empty()) {
        let side = if diagram.files_above {
            &mut room.top
        } else {
            &mut room.bottom
        };
        *side = file_gap(style) + kind.cap_height();
    }
    room
}

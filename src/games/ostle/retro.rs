//! Ostle for the retrograde solver: positions by slot, their moves and
//! un-moves.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use super::directed_set::DirectedSet;
use super::index::{Placement, Unplaced};
use super::{Ostle, Side, State};
use crate::base::value::Outcome;
use crate::game::{
    Banning, Classified, Layer, MoveSummary, Placed, Ranked, Retrograde, RowVisitor,
};

/// A position decoded from its slot.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    placement: Placement,
    symmetric: bool,
}

impl Cursor {
    pub(super) const fn placement(&self) -> Placement {
        self.placement
    }

    /// Whether its moves and un-moves may not correspond one to one.
    pub(super) const fn is_symmetric(&self) -> bool {
        self.symmetric
    }
}

impl Ranked for Ostle {
    fn slots(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.slots.end)
    }

    fn rank(&self, state: &State) -> u64 {
        self.slot(state).index
    }

    fn unrank(&self, index: u64) -> Option<State> {
        let (placement, _) = self.index().placement(index)?;
        Some(State {
            placement,
            side: Side::Black,
            forbidden: None,
        })
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }

    fn static_value(&self, layer: usize) -> i8 {
        let (own, opponent) = self.index().pieces(layer);
        own.cast_signed() - opponent.cast_signed()
    }

    fn by_rows<V: RowVisitor>(&self, visitor: V) -> Result<V::Output, V> {
        if self.fits_rows() {
            Ok(visitor.visit(self))
        } else {
            Err(visitor)
        }
    }
}

impl Retrograde for Ostle {
    type Cursor = Cursor;
    type Unplaced = Unplaced;

    #[inline]
    fn cursor(&self, index: u64) -> Option<Cursor> {
        let (placement, symmetric) = self.index().placement(index)?;
        Some(Cursor {
            placement,
            symmetric: symmetric || self.bans_all_images() && self.has_doubles(placement),
        })
    }

    #[inline(always)]
    fn summarize_moves(&self, cursor: Cursor, mut visit: impl FnMut(MoveSummary<Unplaced>)) {
        let at = cursor.placement;
        let fewest = u32::from(self.fewest());
        let lone_own = at.own.count_ones() == fewest;
        let lone_opp = at.opp.count_ones() == fewest;
        if lone_opp && self.shifts.can_capture(at.own, at.opp, 1 << at.hole) {
            return visit(MoveSummary::Over(Outcome::Win));
        }
        let empty = self.shifts.all & !(at.own | at.opp | 1 << at.hole);
        let ends = self.shifts.before(empty);
        let staying = DirectedSet::all(at.own)
            .and(ends)
            .or(self.hole_moves(at))
            .or(self.pushers(at, ends));
        let (count, xor) = staying.count_and_xor();
        visit(MoveSummary::Within { count, xor });
        if lone_own {
            self.steps(at, |step| {
                let (own, opp) = (step.after.opp, step.after.own);
                if self.shifts.can_capture(own, opp, 1 << step.after.hole) {
                    visit(MoveSummary::IntoCheckmate(step.number));
                }
            });
        }
        let orbit = self.index().orbit(at.hole);
        self.removals(at, |removal| {
            if removal.own && lone_own {
                visit(MoveSummary::Over(Outcome::Loss));
            } else {
                visit(MoveSummary::Earlier(self.unplaced_beside(
                    removal.after,
                    orbit,
                    0,
                )));
            }
        });
    }

    #[inline(always)]
    fn edges(&self, cursor: Cursor, mut visit: impl FnMut(u8, Unplaced)) {
        self.edges_with_undo(cursor, |number, next, _| visit(number, next));
    }

    #[inline(always)]
    fn unmoves(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced)) {
        self.unmoves_with_undo(cursor, |before, _| visit(before));
    }

    #[inline(always)]
    fn place(&self, unplaced: Unplaced) -> Placed {
        let index = self.index();
        let place = index.place(unplaced);
        let at = Placement {
            own: unplaced.own,
            opp: unplaced.opp,
            hole: unplaced.hole,
        };
        Placed {
            slot: place.slot,
            symmetric: place.symmetric || self.bans_all_images() && self.has_doubles(at),
            number: index.turned(place.turn, unplaced.number),
        }
    }
}

impl Classified for Ostle {
    fn criterion(&self) -> &'static str {
        "hole"
    }

    fn classes(&self) -> Vec<String> {
        let squares = self.index().orbit_squares();
        let names = squares
            .into_iter()
            .map(|square| self.grid().square_name(square));
        names.collect()
    }

    fn class(&self, cursor: Cursor) -> usize {
        self.index().orbit(cursor.placement().hole).into()
    }
}

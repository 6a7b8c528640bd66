//! Ostle for the retrograde solver: positions by slot, their moves and
//! un-moves.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use super::fan::Fan;
use super::index::{Placement, Unplaced};
use super::ways::number_of;
use super::{Move, Ostle, Side, State};
use crate::base::value::Outcome;
use crate::game::{Forward, Layer, MoveSummary, Placed, Ranked, Repetition, Retrograde, Slot};

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
}

impl Ranked for Ostle {
    fn slots(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.slots.end)
    }

    fn rank(&self, state: &State) -> Slot {
        let index = self.index();
        let placement = state.placement;
        let layer = index.layer_number(placement.own, placement.opp);
        let number = state.forbidden.map(Move::number);
        let placed = self.place(index.settled(layer, placement, number.unwrap_or(0)));
        // A move of a symmetric position has images, of which the least stands for all.
        let cursor = placed.symmetric.then(|| self.cursor(placed.slot)).flatten();
        let least = cursor.map_or(placed.number, |cursor| {
            self.least_image_of_move(cursor, placed.number).0
        });
        Slot {
            index: placed.slot,
            forbidden: number.map(|_| least),
        }
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

    fn forbid(&self, state: &State, number: u8) -> Option<State> {
        let mv = Move::from_number(number);
        let effect = self.effect(state, mv)?;
        effect.removed.is_none().then_some(State {
            forbidden: Some(mv),
            ..*state
        })
    }
}

impl Retrograde for Ostle {
    type Cursor = Cursor;
    type Unplaced = Unplaced;

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn with_repetition(&self, repetition: Repetition) -> Option<Self> {
        let (width, height) = (self.grid.width(), self.grid.height());
        Self::new(width, height, self.pieces, self.losses, repetition).ok()
    }

    #[inline]
    fn cursor(&self, index: u64) -> Option<Cursor> {
        let (placement, symmetric) = self.index().placement(index)?;
        Some(Cursor {
            placement,
            symmetric,
        })
    }

    #[inline]
    fn is_symmetric(&self, cursor: Cursor) -> bool {
        cursor.symmetric
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
        let staying = Fan::all(at.own)
            .and(ends)
            .or(self.hole_ways(at))
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
    fn edges(&self, cursor: Cursor, mut visit: impl FnMut(u8, Unplaced, bool)) {
        self.steps(cursor.placement, |step| {
            let has_undo = step.undo_from != 0;
            let undo = number_of(step.undo_from, step.number & 3 ^ 1) & 127;
            visit(step.number, self.unplaced(step.after, undo), has_undo);
        });
    }

    #[inline(always)]
    fn unmoves(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced, Option<u8>)) {
        let at = cursor.placement;
        self.hole_unmoves(at, &mut visit);
        self.piece_unmoves(at, &mut visit);
    }

    #[inline(always)]
    fn place(&self, unplaced: Unplaced) -> Placed {
        let index = self.index();
        let place = index.place(unplaced);
        Placed {
            slot: place.slot,
            symmetric: place.symmetric,
            number: index.turned(place.turn, unplaced.number),
        }
    }

    #[inline]
    fn follow(&self, cursor: Cursor, number: u8) -> u64 {
        let after = self.moved(cursor.placement, number);
        after.map_or(u64::MAX, |after| self.place(self.unplaced(after, 0)).slot)
    }
}

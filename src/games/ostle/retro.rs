//! Ostle for the retrograde solver: dense slots, moves and un-moves on bit sets.
//!
//! These loops run tens of billions of times; the plain code in the parent module
//! is their twin, and tests compare the two on every position of small boards.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use super::index::{LayerIndex, Place, Placement};
use super::{Move, Ostle, Side, State};
use crate::game::{Census, Edge, Layer, Ranked, Repetition, Retrograde, Slot, Unmove};
use crate::grid::{Direction, Grid, Mask};
use crate::value::Outcome;

/// One-step shifts of whole sets of squares, nothing wrapping round an edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shifts {
    all: Mask,
    /// Squares that are not on rank 1, and not on the last rank.
    above_first: Mask,
    below_last: Mask,
    height: u32,
}

impl Shifts {
    pub fn new(grid: &Grid) -> Self {
        let ranks = |rank: u8| {
            (0..grid.width())
                .filter_map(|file| grid.square(file, rank))
                .fold(0, |mask, square| mask | 1 << square)
        };
        Self {
            all: grid.all(),
            above_first: grid.all() & !ranks(0),
            below_last: grid.all() & !ranks(grid.height() - 1),
            height: grid.height().into(),
        }
    }

    /// Every square of the set one step in the direction of number `D`.
    #[inline(always)]
    const fn step<const D: u8>(self, mask: Mask) -> Mask {
        match D {
            0 => mask << 1 & self.above_first,
            1 => mask >> 1 & self.below_last,
            2 => mask >> self.height,
            _ => mask << self.height & self.all,
        }
    }

    #[inline(always)]
    const fn back<const D: u8>(self, mask: Mask) -> Mask {
        match D {
            0 => self.step::<1>(mask),
            1 => self.step::<0>(mask),
            2 => self.step::<3>(mask),
            _ => self.step::<2>(mask),
        }
    }

    /// Whether the mover can remove a piece of the opponent.
    #[inline]
    fn can_capture(self, own: Mask, opp: Mask, hole: Mask) -> bool {
        let inside = self.all & !hole;
        self.captures::<0>(own, opp, inside)
            || self.captures::<1>(own, opp, inside)
            || self.captures::<2>(own, opp, inside)
            || self.captures::<3>(own, opp, inside)
    }

    /// Whether a push in one direction does: opposing pieces with the edge or the
    /// hole ahead, then whatever stands behind them, through further opposing
    /// pieces, until an own piece is met. Unrolled: a loop would mispredict its
    /// own end, which costs more than the steps.
    #[inline(always)]
    fn captures<const D: u8>(self, own: Mask, opp: Mask, inside: Mask) -> bool {
        let run = opp & !self.back::<D>(inside);
        let first = self.back::<D>(run);
        let second = self.back::<D>(first & opp);
        let third = self.back::<D>(second & opp);
        let fourth = self.back::<D>(third & opp);
        (first | second | third | fourth) & own != 0
    }
}

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

#[inline]
const fn number_of(bit: Mask, direction: u8) -> u8 {
    // A bit of a 25-bit set: the number is below 100.
    (bit.trailing_zeros() as u8) << 2 | direction
}

impl Ostle {
    #[inline(always)]
    fn piece_unmoves<const D: u8>(
        &self,
        at: Placement,
        layer: &LayerIndex,
        visit: &mut impl FnMut(Unmove),
    ) {
        let shifts = self.shifts;
        let occupied = at.own | at.opp;
        let empty = shifts.all & !(occupied | 1 << at.hole);
        // Squares that a piece of the side that moved last can have come from.
        let mut origins = empty & shifts.back::<D>(at.opp);
        while origins != 0 {
            let origin = origins & origins.wrapping_neg();
            origins ^= origin;
            let number = number_of(origin, D);
            let mut end = shifts.step::<D>(origin);
            let mut chain = 0;
            // The move may have ended anywhere in the run of pieces ahead.
            while end & occupied != 0 {
                chain |= end;
                let before = Placement {
                    own: at.opp & !chain | shifts.back::<D>(at.opp & chain),
                    opp: at.own & !chain | shifts.back::<D>(at.own & chain),
                    hole: at.hole,
                };
                // Only its own last piece lets the side to move push all back.
                let undo = (end & at.own != 0).then(|| number_of(end, D ^ 1));
                visit(self.unmove(layer, before, number, undo));
                end = shifts.step::<D>(end);
            }
        }
    }

    #[inline(always)]
    fn hole_unmoves<const D: u8>(
        &self,
        at: Placement,
        layer: &LayerIndex,
        visit: &mut impl FnMut(Unmove),
    ) {
        let origin = self.shifts.step::<D>(1 << at.hole) & !(at.own | at.opp);
        if origin != 0 {
            let before = Placement {
                own: at.opp,
                opp: at.own,
                hole: number_of(origin, 0) >> 2,
            };
            let undo = Some(at.hole << 2 | D);
            visit(self.unmove(layer, before, number_of(origin, D ^ 1), undo));
        }
    }

    #[inline(always)]
    fn unmove(
        &self,
        layer: &LayerIndex,
        before: Placement,
        number: u8,
        undo: Option<u8>,
    ) -> Unmove {
        let index = self.index();
        let place = index.place(layer, before);
        Unmove {
            from: place.slot,
            from_symmetric: place.symmetric,
            number: index.turned(place.turn, number),
            undo,
        }
    }

    /// Visits every pseudo-legal move: number, the placement after it seen by the
    /// mover, and the removed piece's set (own or opposing), if any.
    #[inline(always)]
    fn piece_moves<const D: u8>(
        &self,
        at: Placement,
        visit: &mut impl FnMut(u8, Placement, Option<bool>, Mask),
    ) {
        let shifts = self.shifts;
        let occupied = at.own | at.opp;
        let hole = 1 << at.hole;
        let mut movers = at.own;
        while movers != 0 {
            let origin = movers & movers.wrapping_neg();
            movers ^= origin;
            let mut chain = origin;
            let mut last = origin;
            let mut next = shifts.step::<D>(origin);
            while next & occupied != 0 {
                chain |= next;
                last = next;
                next = shifts.step::<D>(next);
            }
            let stays = next & !hole != 0;
            let moving = if stays { chain } else { chain & !last };
            let after = Placement {
                own: at.own & !chain | shifts.step::<D>(at.own & moving),
                opp: at.opp & !chain | shifts.step::<D>(at.opp & moving),
                hole: at.hole,
            };
            let removed = (!stays).then_some(last & at.own != 0);
            let undo_from = if stays && last & at.opp != 0 { next } else { 0 };
            visit(number_of(origin, D), after, removed, undo_from);
        }
    }

    #[inline(always)]
    fn hole_move<const D: u8>(
        &self,
        at: Placement,
        visit: &mut impl FnMut(u8, Placement, Option<bool>, Mask),
    ) {
        let to = self.shifts.step::<D>(1 << at.hole) & !(at.own | at.opp);
        if to != 0 {
            let hole = number_of(to, 0) >> 2;
            visit(at.hole << 2 | D, Placement { hole, ..at }, None, to);
        }
    }

    /// All pseudo-legal moves in no particular order. The last argument of
    /// `visit` is the square from which the reply `opposite direction` takes the
    /// move back, or nothing.
    #[inline(always)]
    fn each_move(&self, at: Placement, mut visit: impl FnMut(u8, Placement, Option<bool>, Mask)) {
        self.piece_moves::<0>(at, &mut visit);
        self.piece_moves::<1>(at, &mut visit);
        self.piece_moves::<2>(at, &mut visit);
        self.piece_moves::<3>(at, &mut visit);
        self.hole_move::<0>(at, &mut visit);
        self.hole_move::<1>(at, &mut visit);
        self.hole_move::<2>(at, &mut visit);
        self.hole_move::<3>(at, &mut visit);
    }

    /// The place of the position after a move, seen by the side then to move.
    #[inline]
    fn place_after(&self, after: Placement) -> Place {
        let next = Placement {
            own: after.opp,
            opp: after.own,
            hole: after.hole,
        };
        let index = self.index();
        index.place(index.layer_of(next.own, next.opp), next)
    }
}

impl Ranked for Ostle {
    fn slots(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.slots.end)
    }

    fn rank(&self, state: &State) -> Slot {
        let index = self.index();
        let placement = state.placement;
        let place = index.place(index.layer_of(placement.own, placement.opp), placement);
        Slot {
            index: place.slot,
            forbidden: state
                .forbidden
                .map(|mv| index.turned(place.turn, mv.number())),
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

    fn repetition(&self) -> Repetition {
        self.repetition
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

    #[inline]
    fn census(&self, cursor: Cursor, mut visit: impl FnMut(Census)) {
        let at = cursor.placement;
        let fewest = u32::from(self.fewest());
        let lone_own = at.own.count_ones() == fewest;
        let lone_opp = at.opp.count_ones() == fewest;
        if lone_opp && self.shifts.can_capture(at.own, at.opp, 1 << at.hole) {
            return visit(Census::Over(Outcome::Win));
        }
        // A piece that walks off the board or into the hole leaves the same
        // position whichever way it goes; once is enough.
        let mut walked_off: Mask = 0;
        self.each_move(at, |number, after, removed, _| match removed {
            None => visit(Census::Within {
                number,
                checkmate: lone_own
                    && self
                        .shifts
                        .can_capture(after.opp, after.own, 1 << after.hole),
            }),
            Some(true) if lone_own => visit(Census::Over(Outcome::Loss)),
            Some(_) => {
                let origin = 1 << (number >> 2);
                let walks = after.own | origin == at.own && after.opp == at.opp;
                if !(walks && walked_off & origin != 0) {
                    walked_off |= if walks { origin } else { 0 };
                    visit(Census::Earlier(self.place_after(after).slot));
                }
            }
        });
    }

    #[inline]
    fn edges(&self, cursor: Cursor, mut visit: impl FnMut(Edge)) {
        let index = self.index();
        self.each_move(cursor.placement, |number, after, removed, undo_from| {
            if removed.is_none() {
                let place = self.place_after(after);
                let undo = (undo_from != 0)
                    .then(|| index.turned(place.turn, number_of(undo_from, (number & 3) ^ 1)));
                visit(Edge {
                    number,
                    to: place.slot,
                    undo,
                });
            }
        });
    }

    #[inline]
    fn unmoves(&self, cursor: Cursor, mut visit: impl FnMut(Unmove)) {
        let at = cursor.placement;
        let layer = self.index().layer_of(at.opp, at.own);
        self.piece_unmoves::<0>(at, layer, &mut visit);
        self.piece_unmoves::<1>(at, layer, &mut visit);
        self.piece_unmoves::<2>(at, layer, &mut visit);
        self.piece_unmoves::<3>(at, layer, &mut visit);
        self.hole_unmoves::<0>(at, layer, &mut visit);
        self.hole_unmoves::<1>(at, layer, &mut visit);
        self.hole_unmoves::<2>(at, layer, &mut visit);
        self.hole_unmoves::<3>(at, layer, &mut visit);
    }

    fn follow(&self, cursor: Cursor, number: u8) -> u64 {
        let state = State {
            placement: cursor.placement,
            side: Side::Black,
            forbidden: None,
        };
        let effect = self.effect(&state, Move::from_number(number));
        effect.map_or(u64::MAX, |effect| self.place_after(effect.after).slot)
    }
}

const _: () = assert!(Direction::Up as u8 == 0 && Direction::Down as u8 == 1);
const _: () = assert!(Direction::Left as u8 == 2 && Direction::Right as u8 == 3);

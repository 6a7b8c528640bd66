//! Moves and un-moves of Ostle as sets of squares with a direction.
//!
//! These loops run tens of billions of times. Tests compare them with the plain code in the
//! parent module on every position of small boards.
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use super::Ostle;
use super::directed_set::{DirectedSet, Shifts};
use super::index::Unplaced;
use super::state::Placement;
use crate::games::ostle::grid::{Mask, Square};

#[inline(always)]
pub(super) const fn number_of(bit: Mask, direction: u8) -> u8 {
    // A bit of a 36-bit set: the number is below 144.
    (bit.trailing_zeros() as u8) << 2 | direction
}

#[inline(always)]
const fn numbered(square: Square, direction: u8) -> u8 {
    square << 2 | direction
}

/// The placement without the pieces of `chain`, but with those of `moving` one step ahead.
#[inline(always)]
fn advanced(shifts: Shifts, at: Placement, chain: Mask, moving: Mask, direction: u8) -> Placement {
    let side = |men: Mask| men & !chain | shifts.ahead(men & moving, direction);
    Placement {
        own: side(at.own),
        opp: side(at.opp),
        hole: at.hole,
    }
}

/// A move that leaves all pieces on the board.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub number: u8,
    pub after: Placement,
    /// The square from which a reply in the opposite direction takes it back; empty if
    /// there is none.
    pub undo_from: Mask,
}

impl Ostle {
    /// Visits every un-move of pieces. The sets have the squares from which the moving
    /// piece may have come, by the number of pieces it has pushed.
    #[inline(always)]
    pub(super) fn piece_unmoves(&self, at: Placement, mut visit: impl FnMut(Unplaced, Option<u8>)) {
        let shifts = self.shifts;
        let index = self.index();
        // What all predecessors have in common.
        let (layer, orbit) = (index.layer_number(at.opp, at.own), index.orbit(at.hole));
        let occupied = at.own | at.opp;
        let empty = shifts.all & !(occupied | 1 << at.hole);
        let before =
            |own, opp, number| Unplaced::new(Placement { own, opp, ..at }, orbit, number, layer);
        let mut origins = shifts.before(at.opp).and(DirectedSet::all(empty));
        origins.each(|square, direction| {
            let origin = 1 << square;
            let own = at.opp ^ origin ^ shifts.ahead(origin, direction);
            visit(before(own, at.own, numbered(square, direction)), None);
        });
        // The move may have ended anywhere in the run of pieces ahead.
        let mut ahead = shifts.before(occupied);
        let mut pushed = 1;
        loop {
            ahead = shifts.before_each(ahead);
            origins = origins.and(ahead);
            if origins.is_empty() {
                return;
            }
            origins.each(|square, direction| {
                let mut end = shifts.ahead(1 << square, direction);
                let mut chain = end;
                for _ in 0..pushed {
                    end = shifts.ahead(end, direction);
                    chain |= end;
                }
                let own = at.opp & !chain | shifts.behind(at.opp & chain, direction);
                let opp = at.own & !chain | shifts.behind(at.own & chain, direction);
                // The side to move can push all back only if the last piece is its own.
                let undo = (end & at.own != 0).then(|| number_of(end, direction ^ 1));
                visit(before(own, opp, numbered(square, direction)), undo);
            });
            pushed += 1;
        }
    }

    /// Visits every un-move of the hole. The earlier position is turned so that
    /// its hole comes to the least square of its orbit.
    #[inline(always)]
    pub(super) fn hole_unmoves(&self, at: Placement, mut visit: impl FnMut(Unplaced, Option<u8>)) {
        let index = self.index();
        let layer = index.layer_number(at.opp, at.own);
        self.hole_moves(at).each(|_, direction| {
            let origin = self.shifts.ahead(1 << at.hole, direction);
            let before = Placement {
                hole: origin.trailing_zeros() as Square,
                ..at.turned()
            };
            let number = number_of(origin, direction ^ 1);
            let before = index.settled(layer, before, number);
            visit(before, Some(numbered(at.hole, direction)));
        });
    }

    /// The moves of the hole: its square, with every direction to an empty square.
    #[inline(always)]
    pub(super) fn hole_moves(&self, at: Placement) -> DirectedSet {
        let empty = self.shifts.all & !(at.own | at.opp);
        self.shifts
            .before(empty)
            .and(DirectedSet::all(1 << at.hole & self.hole_moves_from))
    }

    /// Visits every pseudo-legal move that removes no piece, in no particular
    /// order.
    #[inline(always)]
    pub(super) fn steps(&self, at: Placement, mut visit: impl FnMut(Step)) {
        let shifts = self.shifts;
        let occupied = at.own | at.opp;
        let empty = shifts.before(shifts.all & !(occupied | 1 << at.hole));
        empty
            .and(DirectedSet::all(at.own))
            .each(|square, direction| {
                let origin = 1 << square;
                visit(Step {
                    number: numbered(square, direction),
                    after: Placement {
                        own: at.own ^ origin ^ shifts.ahead(origin, direction),
                        ..at
                    },
                    undo_from: 0,
                });
            });
        self.hole_moves(at).each(|square, direction| {
            let to = shifts.ahead(1 << square, direction);
            visit(Step {
                number: numbered(square, direction),
                after: Placement {
                    hole: to.trailing_zeros() as Square,
                    ..at
                },
                undo_from: to,
            });
        });
        self.pushes(at, empty, |chain, last, square, direction| {
            let next = shifts.ahead(last, direction);
            visit(Step {
                number: numbered(square, direction),
                after: advanced(shifts, at, chain, chain, direction),
                undo_from: if last & at.opp != 0 { next } else { 0 },
            });
        });
    }

    /// Visits every push that ends in `ends` (given as the squares before it): the chain of
    /// pieces, the last of them, and the move.
    #[inline(always)]
    fn pushes(
        &self,
        at: Placement,
        ends: DirectedSet,
        mut visit: impl FnMut(Mask, Mask, Square, u8),
    ) {
        let (shifts, own) = (self.shifts, DirectedSet::all(at.own));
        shifts.pushers(at.own | at.opp, own, ends, |pushed, pushers| {
            pushers.each(|square, direction| {
                let mut last = 1 << square;
                let mut chain = last;
                for _ in 0..pushed {
                    last = shifts.ahead(last, direction);
                    chain |= last;
                }
                visit(chain, last, square, direction);
            });
        });
    }

    /// Visits every move that removes a piece: whether the piece is the mover's, and the placement
    /// after it. Of moves that walk the same piece off, which lead to the same position, only one is
    /// visited.
    #[inline(always)]
    pub(super) fn removals(&self, at: Placement, mut visit: impl FnMut(bool, Placement)) {
        let shifts = self.shifts;
        let outside = self.outside(at);
        let mut walkers = outside.any() & at.own;
        while walkers != 0 {
            let walker = walkers & walkers.wrapping_neg();
            walkers ^= walker;
            let after = Placement {
                own: at.own ^ walker,
                ..at
            };
            visit(true, after);
        }
        self.pushes(at, outside, |chain, last, _, direction| {
            let after = advanced(shifts, at, chain, chain ^ last, direction);
            visit(last & at.own != 0, after);
        });
    }

    /// The squares next to the edge of the board or the hole, by direction.
    #[inline(always)]
    pub(super) fn outside(&self, at: Placement) -> DirectedSet {
        let shifts = self.shifts;
        DirectedSet::all(shifts.all).without(shifts.before(shifts.all & !(1 << at.hole)))
    }

    /// The placement after a move that removes no piece, seen by its mover.
    pub(super) fn moved(&self, at: Placement, number: u8) -> Option<Placement> {
        let (square, direction) = (number >> 2, number & 3);
        let inside = self.shifts.all & !(1 << at.hole);
        let step = |mask| self.shifts.step_in(mask, direction);
        let origin = 1 << square & self.shifts.all;
        if square == at.hole {
            let to = step(origin & self.hole_moves_from) & !(at.own | at.opp);
            let hole = to.trailing_zeros() as Square;
            return (to != 0).then_some(Placement { hole, ..at });
        }
        let mut chain = at.own & origin;
        let mut next = step(chain);
        while next & (at.own | at.opp) != 0 {
            chain |= next;
            next = step(next);
        }
        (chain != 0 && next & inside != 0)
            .then(|| advanced(self.shifts, at, chain, chain, direction))
    }

    /// The moves of pieces that end in `ends` (given as the squares before it), as the squares
    /// and directions of the moving pieces.
    #[inline(always)]
    pub(super) fn movers(&self, at: Placement, ends: DirectedSet) -> DirectedSet {
        let own = DirectedSet::all(at.own);
        let mut movers = own.and(ends);
        let occupied = at.own | at.opp;
        self.shifts.pushers(occupied, own, ends, |_, pushers| {
            movers = movers.or(pushers);
        });
        movers
    }

    /// The position after a move that keeps the hole on its square, seen by the
    /// side then to move.
    #[inline(always)]
    pub(super) fn unplaced_beside(&self, after: Placement, orbit: u8) -> Unplaced {
        let layer = self.index().layer_number(after.opp, after.own);
        Unplaced::new(after.turned(), orbit, 0, layer)
    }

    /// The position after any move, seen by the side then to move, with a move of
    /// it.
    #[inline(always)]
    pub(super) fn unplaced(&self, after: Placement, number: u8) -> Unplaced {
        let next = after.turned();
        let index = self.index();
        index.settled(index.layer_number(next.own, next.opp), next, number)
    }
}

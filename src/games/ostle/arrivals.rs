//! With which forbidden moves an Ostle position can arise (the "possibly reachable
//! states" of the paper, Algorithm 6).
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use super::Ostle;
use super::fan::Fan;
use super::index::Placement;
use super::retro::Cursor;
use crate::game::{Arrivals, Classified, Forward, Repetition, Retrograde};

/// No position has more moves: twelve pieces and the hole in four directions.
const MOST_MOVES: usize = 52;

impl Ostle {
    /// Whether the last move can have removed a piece: the side that made it left
    /// an empty square behind, and what it pushed (or itself) went over the edge
    /// or into the hole.
    fn can_follow_removal(&self, at: Placement) -> bool {
        let most = u32::from(self.pieces());
        let mover_had_more = at.opp.count_ones() < most;
        let other_had_more = at.own.count_ones() < most;
        if !mover_had_more && !other_had_more {
            return false;
        }
        let shifts = self.shifts;
        let occupied = at.own | at.opp;
        let inside = shifts.all & !(1 << at.hole);
        let empty = Fan::all(inside & !occupied);
        // Squares before the edge of the board or the hole. A piece that walked off
        // itself was the mover's own; one pushed off can have been anybody's.
        let mut ends = Fan::all(shifts.all).without(shifts.before(inside));
        if mover_had_more && !empty.and(ends).is_empty() {
            return true;
        }
        let mut ahead = shifts.before(occupied);
        let mut origins = empty.and(shifts.before(at.opp));
        while !origins.is_empty() {
            ends = shifts.before_fan(ends);
            if !origins.and(ends).is_empty() {
                return true;
            }
            ahead = shifts.before_fan(ahead);
            origins = origins.and(ahead);
        }
        false
    }
}

impl Arrivals for Ostle {
    fn arrivals(&self, cursor: Cursor, mut visit: impl FnMut(Option<u8>)) {
        let at = cursor.placement();
        let mut numbers: u128 = 0;
        let mut unrestricted = self.can_follow_removal(at);
        // Up to symmetry, a move may lead back that does not take the last move back.
        // Where that cannot be, and it rarely can, nothing has to be looked up.
        let turned = self.repetition() == Repetition::UpToSymmetry
            && (self.is_symmetric(cursor) || self.may_return_turned(cursor));
        if turned {
            // The first move that leads back up to symmetry is the forbidden one.
            let mut back = [(u64::MAX, 0u8); MOST_MOVES];
            let mut count = 0;
            self.edges(cursor, |number, next, _| {
                back[count] = (self.place(next).slot, number);
                count += 1;
            });
            self.unmoves(cursor, |before, _| {
                let from = self.place(before).slot;
                let mut first = u8::MAX;
                for &(to, number) in &back[..count] {
                    first = first.min(if to == from { number } else { u8::MAX });
                }
                if first == u8::MAX {
                    unrestricted = true;
                } else {
                    numbers |= 1 << first;
                }
            });
        } else {
            self.unmoves(cursor, |_, undo| match undo {
                Some(number) => numbers |= 1 << number,
                None => unrestricted = true,
            });
        }
        if self.is_symmetric(cursor) {
            let mut least: u128 = 0;
            let mut rest = numbers;
            while rest != 0 {
                least |= 1
                    << self
                        .least_image_of_move(cursor, rest.trailing_zeros() as u8)
                        .0;
                rest &= rest - 1;
            }
            numbers = least;
        }
        if unrestricted {
            visit(None);
        }
        while numbers != 0 {
            visit(Some(numbers.trailing_zeros() as u8));
            numbers &= numbers - 1;
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

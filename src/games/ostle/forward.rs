//! Ostle searched forward from the initial state.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use super::Ostle;
use super::index::Unplaced;
use super::retro::Cursor;
use crate::game::Forward;
use crate::games::ostle::grid::{Direction, Mask};

impl Forward for Ostle {
    #[inline(always)]
    fn departures(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced)) {
        let at = cursor.placement();
        let fewest = u32::from(self.fewest());
        let lone_own = at.own.count_ones() == fewest;
        let lone_opp = at.opp.count_ones() == fewest;
        if lone_own && lone_opp {
            return;
        }
        let orbit = self.index().orbit(at.hole);
        self.removals(at, |removal| {
            let over = if removal.own { lone_own } else { lone_opp };
            if !over {
                visit(self.unplaced_beside(removal.after, orbit, 0));
            }
        });
    }

    fn least_image_of_move(&self, cursor: Cursor, number: u8) -> (u8, bool) {
        let at = cursor.placement();
        let kept = self.grid().symmetries().iter().filter(|symmetry| {
            symmetry.square(at.hole) == at.hole
                && symmetry.mask(at.own) == at.own
                && symmetry.mask(at.opp) == at.opp
        });
        kept.fold((number, false), |(least, several), symmetry| {
            let direction = symmetry.direction(Direction::from_index(number));
            let image = symmetry.square(number >> 2) << 2 | direction as u8;
            (least.min(image), several || image != number)
        })
    }

    #[inline(always)]
    fn may_return_turned(&self, cursor: Cursor) -> bool {
        // A move of a piece changes which squares are occupied in two places, its
        // origin and the end of what it pushes; a move of the hole in none.
        let at = cursor.placement();
        let occupied = at.own | at.opp;
        let hole: Mask = 1 << at.hole;
        let near = self.shifts.before(hole).any() | hole;
        let far = self.shifts.before(near).any();
        let mut found = false;
        for symmetry in &self.grid().symmetries()[1..] {
            let image: Mask = 1 << symmetry.square(at.hole);
            if image & far == 0 {
                continue;
            }
            let most = if image == hole {
                4
            } else if image & near != 0 {
                2
            } else {
                0
            };
            found |= (occupied ^ symmetry.mask(occupied)).count_ones() <= most;
        }
        found
    }
}

//! Forward search of Ostle from the initial state.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use super::Ostle;
use super::index::Unplaced;
use super::retro::Cursor;
use crate::game::Forward;

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
}

//! Rule 8: the forbidden move of a state, moves that take each other back, and the
//! forbidden moves with which a position can arise (the "possibly reachable states" of the
//! paper, Algorithm 6).

use super::directed_set::DirectedSet;
use super::state::Placement;
use super::{Effect, Move, Ostle, State};
use crate::game::Repetition;
use crate::games::ostle::grid::Mask;

/// The most moves of a position: twelve pieces and the hole in four directions.
pub(super) const MOST_MOVES: usize = 52;

impl Ostle {
    /// Whether the last move can have removed a piece: the moving piece left an empty
    /// square behind, and it or what it pushed left the board or fell into the hole.
    pub(super) fn can_follow_removal(&self, at: Placement) -> bool {
        let most = u32::from(self.pieces);
        let mover_had_more = at.opp.count_ones() < most;
        let other_had_more = at.own.count_ones() < most;
        if !mover_had_more && !other_had_more {
            return false;
        }
        let shifts = self.shifts;
        let occupied = at.own | at.opp;
        let empty = DirectedSet::all(shifts.all & !(occupied | 1 << at.hole));
        // Squares next to the edge of the board or the hole. A piece that walked off
        // belonged to the mover; one pushed off may have belonged to either side.
        let ends = self.outside(at);
        if mover_had_more && !empty.and(ends).is_empty() {
            return true;
        }
        let origins = empty.and(shifts.before(at.opp));
        let mut removed = false;
        shifts.pushers(occupied, origins, ends, |_, pushers| {
            removed |= !pushers.is_empty();
        });
        removed
    }
}

/// The reading of rule 8 that forbids every move to an image of the earlier position.
impl Ostle {
    pub(super) fn bans_all_images(&self) -> bool {
        self.repetition == Repetition::AllImages
    }

    /// The move that names all those to images of where `mv` leads: the first of them. Where
    /// the rule forbids one move, `mv` itself.
    pub(super) fn naming(&self, state: &State, mv: Move) -> Move {
        let quiet = |effect: &Effect| self.bans_all_images() && effect.removed.is_none();
        let Some(effect) = self.effect(state, mv).filter(quiet) else {
            return mv;
        };
        self.restoring(state, &effect.after.turned()).unwrap_or(mv)
    }

    /// Whether two moves of a placement that stay in the group lead to images of one position.
    #[cold]
    #[inline(never)]
    pub(super) fn has_doubles(&self, at: Placement) -> bool {
        if !self.returns_turned(at) {
            return false;
        }
        let (mut slots, mut found) = ([u64::MAX; MOST_MOVES], false);
        let mut count = 0;
        self.steps(at, |step| {
            let slot = self.index().place(self.unplaced(step.after, 0)).slot;
            found |= slots[..count].contains(&slot);
            slots[count] = slot;
            count += 1;
        });
        found
    }

    /// [`may_return_turned`](crate::game::Retrograde::may_return_turned).
    #[inline(always)]
    pub(super) fn returns_turned(&self, at: Placement) -> bool {
        // A move of a piece changes which squares are occupied at two squares: its origin
        // and the end of what it pushes. A move of the hole changes none.
        let occupied = at.own | at.opp;
        let hole: Mask = 1 << at.hole;
        let near = self.shifts.before(hole).any() | hole;
        let far = self.shifts.before(near).any();
        let mut found = false;
        for symmetry in &self.grid.symmetries[1..] {
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

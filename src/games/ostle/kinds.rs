//! Kinds of moves.

use super::{Effect, Ostle};
use crate::game::MoveKind;
use crate::games::ostle::grid::Mask;

pub(super) const SACRIFICE: u32 = 1;
pub(super) const CAPTURE: u32 = 1 << 1;
pub(super) const HOLE: u32 = 1 << 2;
pub(super) const PUSH: u32 = 1 << 3;
pub(super) const QUIET: u32 = 1 << 4;
pub(super) const RETREAT: u32 = 1 << 5;

#[rustfmt::skip]
pub(super) const KINDS: [MoveKind; 6] = [
    MoveKind::new("sacrifice", false, "gives up an own piece"),
    MoveKind::new("capture", true, "removes a piece of the opponent"),
    MoveKind::new("hole", false, "moves the hole"),
    MoveKind::new("push", false, "pushes at least one piece"),
    MoveKind::new("quiet", false, "removes nothing, pushes nothing and leaves the hole"),
    MoveKind::new("retreat", false, "is quiet and takes the piece farther from the nearest piece of the opponent"),
];

impl Ostle {
    /// The kinds of a move with this effect, a bit set over `KINDS`.
    pub(super) fn kinds_of_effect(&self, own: Mask, effect: &Effect) -> u32 {
        let sacrifice = effect.removed.is_some_and(|removal| removal.own);
        let capture = effect.removed.is_some_and(|removal| !removal.own);
        let push = effect.chain != 0;
        let quiet = effect.removed.is_none() && !push && !effect.hole;
        let after = effect.after.own;
        let retreat = quiet && {
            let distance = |piece| self.steps_to(piece, effect.after.opp);
            distance(after & !own) > distance(own & !after)
        };
        [sacrifice, capture, effect.hole, push, quiet, retreat]
            .into_iter()
            .enumerate()
            .fold(0, |set, (bit, is)| set | u32::from(is) << bit)
    }

    /// Steps (no diagonals) from a square to the nearest of some others.
    fn steps_to(&self, from: Mask, others: Mask) -> u32 {
        let (mut near, mut steps) = (from, 0);
        while near & others == 0 && near != self.shifts.all {
            near |= self.shifts.before(near).any();
            steps += 1;
        }
        steps
    }
}

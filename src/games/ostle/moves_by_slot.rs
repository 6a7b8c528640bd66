//! All moves of an Ostle position by slot, for scans of whole tables.

use super::directed_set::DirectedSet;
use super::retro::Cursor;
use super::{Effect, Ostle, Side, State};
use crate::base::value::Outcome;
use crate::game::{Leads, ListedMove, MoveKind, MovesBySlot};
use crate::games::ostle::grid::Mask;

pub(super) const SACRIFICE: u32 = 1;
pub(super) const CAPTURE: u32 = 1 << 1;
pub(super) const HOLE: u32 = 1 << 2;
pub(super) const PUSH: u32 = 1 << 3;
pub(super) const QUIET: u32 = 1 << 4;
pub(super) const RETREAT: u32 = 1 << 5;

pub(super) const KINDS: [MoveKind; 6] = [
    MoveKind {
        name: "sacrifice",
        meaning: "gives up an own piece",
        tempting: false,
    },
    MoveKind {
        name: "capture",
        meaning: "removes a piece of the opponent",
        tempting: true,
    },
    MoveKind {
        name: "hole",
        meaning: "moves the hole",
        tempting: false,
    },
    MoveKind {
        name: "push",
        meaning: "pushes at least one piece",
        tempting: false,
    },
    MoveKind {
        name: "quiet",
        meaning: "removes nothing, pushes nothing and leaves the hole",
        tempting: false,
    },
    MoveKind {
        name: "retreat",
        meaning: "is quiet and takes the piece farther from the nearest piece of the opponent",
        tempting: false,
    },
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

impl MovesBySlot for Ostle {
    fn moves_by_slot(
        &self,
        cursor: Cursor,
        kinds: u32,
        mut visit: impl FnMut(ListedMove<Self::Unplaced>),
    ) {
        let state = State {
            placement: cursor.placement(),
            side: Side::Black,
            forbidden: None,
        };
        let fewest = u32::from(self.fewest());
        // Few moves remove a piece or move the hole, and they are found at once.
        let at = cursor.placement();
        let candidates = if kinds & !(SACRIFICE | CAPTURE | HOLE) != 0 {
            DirectedSet::all(self.shifts.all)
        } else if kinds == HOLE {
            self.hole_moves(at)
        } else {
            self.removers(at).or(self.hole_moves(at))
        };
        for mv in Self::candidates(&state) {
            if !candidates.contains(mv.number()) {
                continue;
            }
            let Some(effect) = self.effect(&state, mv) else {
                continue;
            };
            let leads = if effect.after.opp.count_ones() < fewest {
                Leads::Over(Outcome::Win)
            } else if effect.after.own.count_ones() < fewest {
                Leads::Over(Outcome::Loss)
            } else {
                let reply = effect.reply.filter(|_| effect.removed.is_none());
                let number = reply.map_or(0, super::Move::number);
                Leads::To {
                    child: self.unplaced(effect.after, number),
                    undo: reply.is_some(),
                }
            };
            let kinds_of_move = self.kinds_of_effect(state.placement.own, &effect);
            if kinds == u32::MAX || kinds_of_move & kinds != 0 {
                visit(ListedMove {
                    number: mv.number(),
                    kinds: kinds_of_move,
                    leads,
                });
            }
        }
    }
}

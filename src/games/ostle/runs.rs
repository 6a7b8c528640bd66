//! What the pieces of a row can push, and the conditions on where the opponent stands.

use std::iter;

use super::{Move, Ostle};
use crate::base::cpu::extract;
use crate::game::Condition;
use crate::games::ostle::grid::{Mask, Square, low};

/// The run of a piece in one direction: what it pushes, and where that ends.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The piece, and the own pieces that it pushes.
    pub own: Mask,
    /// The pieces of the opponent that it pushes.
    pub opp: Mask,
    /// The last piece of all.
    pub last: Mask,
    /// The square behind the last piece; `None` if that is off the board or the hole.
    pub end: Option<Square>,
}

impl Ostle {
    /// Every run that a move can make: it ends on any square that can be empty, and off the
    /// board or in the hole.
    pub(super) fn runs(&self, own: Mask, hole: Square, mv: Move) -> Vec<Run> {
        let mut run = Run {
            own: 1 << mv.from,
            opp: 0,
            last: 1 << mv.from,
            end: None,
        };
        let mut runs = Vec::with_capacity(5);
        let mut at = mv.from;
        loop {
            let next = self.grid.neighbour(at, mv.direction);
            let Some(to) = next.filter(|&to| to != hole) else {
                runs.push(run);
                return runs;
            };
            let bit = 1 << to;
            if own & bit == 0 {
                runs.push(Run {
                    end: Some(to),
                    ..run
                });
                run.opp |= bit;
            } else {
                run.own |= bit;
            }
            run.last = bit;
            at = to;
        }
    }

    /// The squares from which the opponent of `own` removes one of its pieces at once.
    pub(super) fn attackers(&self, own: Mask, hole: Square) -> Mask {
        let mut attackers = 0;
        for Move { from, direction } in Self::moves_from(own) {
            let ahead = self.grid.neighbour(from, direction);
            if ahead.is_some_and(|ahead| ahead != hole) {
                continue;
            }
            let behind = |&at: &Square| self.grid.neighbour(at, direction.opposite());
            let pusher = iter::successors(Some(from), behind).find(|&at| own >> at & 1 == 0);
            if let Some(pusher) = pusher.filter(|&at| at != hole) {
                attackers |= 1 << pusher;
            }
        }
        attackers
    }

    /// The condition that the opponent stands on `on` and not on `off`, over free squares.
    pub(super) fn condition(free: Mask, on: Mask, off: Mask) -> Condition {
        Condition {
            mask: extract(low(on | off), low(free)),
            bits: extract(low(on), low(free)),
        }
    }
}

//! What the pieces of a row can push, and the conditions on where the opponent stands.

use super::Ostle;
use crate::base::cpu::extract;
use crate::game::Condition;
use crate::games::ostle::grid::{Direction, Mask, Square, squares_of};

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
    /// Every run that `from` can make in a direction: it ends on any square that can be
    /// empty, and off the board or in the hole.
    pub(super) fn runs(
        &self,
        own: Mask,
        hole: Square,
        from: Square,
        direction: Direction,
    ) -> Vec<Run> {
        let mut run = Run {
            own: 1 << from,
            opp: 0,
            last: 1 << from,
            end: None,
        };
        let mut runs = Vec::with_capacity(5);
        let mut at = from;
        loop {
            let next = self.grid.neighbour(at, direction);
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
        for piece in squares_of(own) {
            for direction in Direction::ALL {
                let ahead = self.grid.neighbour(piece, direction);
                if ahead.is_some_and(|ahead| ahead != hole) {
                    continue;
                }
                let behind = |&at: &Square| self.grid.neighbour(at, direction.opposite());
                let pusher =
                    std::iter::successors(Some(piece), behind).find(|&at| own >> at & 1 == 0);
                if let Some(pusher) = pusher.filter(|&at| at != hole) {
                    attackers |= 1 << pusher;
                }
            }
        }
        attackers
    }

    /// The condition that the opponent stands on `on` and not on `off`, over free squares.
    pub(super) fn condition(free: Mask, on: Mask, off: Mask) -> Condition {
        Condition {
            mask: extract(on | off, free),
            bits: extract(on, free),
        }
    }
}

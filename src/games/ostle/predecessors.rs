//! Playing Ostle backward: every conceivable predecessor is tried, and kept if a move leads
//! from it to the position.

use super::index::Placement;
use super::{Move, Ostle, State};
use crate::game::{Backward, Moves, Next};
use crate::games::ostle::grid::{Direction, Mask, Square};

impl Ostle {
    /// Squares from `origin` on in a direction, up to the edge or the hole.
    fn line(&self, hole: Square, origin: Square, direction: Direction) -> Vec<Square> {
        let next = |&square: &Square| {
            self.grid
                .neighbour(square, direction)
                .filter(|&next| next != hole)
        };
        std::iter::successors(Some(origin), next).collect()
    }

    /// Positions, seen by the side that made the move, from which a piece on the
    /// first square of `line` may have been moved along it.
    fn pulled_back(at: Placement, line: &[Square]) -> Vec<Placement> {
        let occupied = at.own | at.opp;
        let run = line[1..]
            .iter()
            .take_while(|&&square| occupied >> square & 1 == 1)
            .count();
        let mut found = Vec::new();
        let mut before = at;
        for moved in 0..=run {
            if moved > 0 {
                let (from, to) = (line[moved], line[moved - 1]);
                let shift =
                    |mask: Mask| mask & !(1 << from) & !(1 << to) | (mask >> from & 1) << to;
                (before.own, before.opp) = (shift(before.own), shift(before.opp));
                found.push(before);
            }
            if moved + 1 == line.len() {
                // The piece on the last square was removed.
                let last: Mask = 1 << line[moved];
                for (own, opp) in [(last, 0), (0, last)] {
                    found.push(Placement {
                        own: before.own | own,
                        opp: before.opp | opp,
                        ..before
                    });
                }
            }
        }
        found
    }
}

impl Backward for Ostle {
    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        let after = state.placement;
        // Seen by the side that made the last move.
        let at = Placement {
            own: after.opp,
            opp: after.own,
            hole: after.hole,
        };
        let occupied = at.own | at.opp;
        let mut tried: Vec<(Placement, Move)> = Vec::new();
        let empty = (0..self.grid.squares())
            .filter(|&square| square != at.hole && occupied >> square & 1 == 0);
        for origin in empty {
            for direction in Direction::ALL {
                let mv = Move::new(origin, direction);
                let line = self.line(at.hole, origin, direction);
                let predecessors = Self::pulled_back(at, &line);
                tried.extend(predecessors.into_iter().map(|before| (before, mv)));
                let hole = Placement { hole: origin, ..at };
                if self.grid.neighbour(origin, direction) == Some(at.hole) {
                    tried.push((hole, mv));
                }
            }
        }
        let most = u32::from(self.pieces);
        let mut found = Vec::new();
        for (placement, mv) in tried {
            let before = State {
                placement,
                side: state.side.other(),
                forbidden: None,
            };
            let fits = placement.own.count_ones() <= most && placement.opp.count_ones() <= most;
            let mover = placement.own | 1 << placement.hole;
            let leads_here = |next: Next<State>| match next {
                Next::State(next) => next.placement == after,
                Next::Over(_) => false,
            };
            if fits && mover >> mv.from() & 1 == 1 && leads_here(self.play(&before, mv)) {
                found.push((before, mv));
            }
        }
        found
    }
}

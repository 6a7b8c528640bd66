//! Changing Ostle positions piece by piece.

use super::index::Placement;
use super::{Ostle, State};
use crate::game::Editable;
use crate::games::ostle::grid::squares_of;

impl Editable for Ostle {
    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let at = state.placement;
        let (own, opponent) = (state.side.name(), state.side.other().name());
        let mut things: Vec<_> = squares_of(at.own)
            .map(|square| (square, format!("{own} piece on {}", self.name_of(square))))
            .collect();
        things.extend(squares_of(at.opp).map(|square| {
            (
                square,
                format!("{opponent} piece on {}", self.name_of(square)),
            )
        }));
        things.push((at.hole, format!("hole on {}", self.name_of(at.hole))));
        things
    }

    fn without(&self, state: &State, square: u8) -> Option<State> {
        let bit = 1_u32.checked_shl(square.into())?;
        let at = state.placement;
        let fewest = u32::from(self.fewest());
        let placement = Placement {
            own: at.own & !bit,
            opp: at.opp & !bit,
            hole: at.hole,
        };
        let enough = placement.own.count_ones() >= fewest && placement.opp.count_ones() >= fewest;
        (enough && placement != at).then_some(State {
            placement,
            ..state.unrestricted()
        })
    }

    fn neighbours(&self, state: &State) -> Vec<(u8, u8, State)> {
        let at = state.placement;
        let taken = at.own | at.opp | 1 << at.hole;
        let empty = self.grid.all() & !taken;
        let mut found = Vec::new();
        for from in squares_of(taken) {
            let bit = 1 << from;
            for to in squares_of(empty) {
                let shift = |pieces: u32| {
                    if pieces & bit == 0 {
                        pieces
                    } else {
                        pieces ^ bit | 1 << to
                    }
                };
                let placement = Placement {
                    own: shift(at.own),
                    opp: shift(at.opp),
                    hole: if from == at.hole { to } else { at.hole },
                };
                let state = State {
                    placement,
                    ..state.unrestricted()
                };
                found.push((from, to, state));
            }
        }
        found
    }

    fn name_of(&self, square: u8) -> String {
        self.grid.square_name(square)
    }
}

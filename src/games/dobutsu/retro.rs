//! The game for solvers and scans: positions by slot, their moves and un-moves.

use super::Dobutsu;
use super::movegen::Standing;
use super::notation::square_name;
use super::state::{Move, Position, Side, State};
use crate::base::value::Outcome;
use crate::game::{Layer, Leads, ListedMove, MoveSummary, Placed, Ranked, Retrograde};

/// A position decoded from its slot.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    pub(super) at: Position,
    symmetric: bool,
}

/// A position to be looked up, and a move of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unplaced {
    at: Position,
    number: u8,
}

impl Ranked for Dobutsu {
    fn rank(&self, state: &State) -> u64 {
        self.index().place(&state.at, 0).slot
    }

    fn unrank(&self, index: u64) -> Option<State> {
        let (at, _) = self.index().position(index)?;
        Some(State {
            at,
            side: Side::Sente,
        })
    }

    fn layers(&self) -> &[Layer] {
        self.index().layers()
    }
}

impl Retrograde for Dobutsu {
    type Cursor = Cursor;
    type Unplaced = Unplaced;

    #[inline]
    fn cursor(&self, index: u64) -> Option<Cursor> {
        let (at, symmetric) = self.index().position(index)?;
        Some(Cursor { at, symmetric })
    }

    #[inline]
    fn place(&self, unplaced: Unplaced) -> Placed {
        self.index().place(&unplaced.at, unplaced.number)
    }

    #[inline(always)]
    fn summarize_moves(&self, cursor: Cursor, mut visit: impl FnMut(MoveSummary<Unplaced>)) {
        let (rules, at) = (self.rules(), &cursor.at);
        match Standing::of(at) {
            Standing::Taking => return visit(MoveSummary::Over(Outcome::Win)),
            Standing::Lost => return visit(MoveSummary::Over(Outcome::Loss)),
            Standing::Open if rules.has_win(at) => {
                return visit(MoveSummary::Over(Outcome::Win));
            }
            Standing::Open => {}
        }
        let (mut count, mut xor) = (0, 0);
        rules.steps(at, |step| {
            if step.taken.is_some() && !rules.drops {
                let at = step.after.turned();
                return visit(MoveSummary::Earlier(Unplaced { at, number: 0 }));
            }
            count += 1;
            xor ^= step.number;
            if rules.loses_to_reply(&step.after) {
                visit(MoveSummary::IntoCheckmate(step.number));
            }
        });
        visit(MoveSummary::Within { count, xor });
    }

    #[inline(always)]
    fn edges(&self, cursor: Cursor, mut visit: impl FnMut(u8, Unplaced)) {
        let (rules, at) = (self.rules(), &cursor.at);
        if Standing::of(at) != Standing::Open {
            return;
        }
        rules.steps(at, |step| {
            if (step.taken.is_none() || rules.drops) && !rules.wins(&step) {
                let at = step.after.turned();
                visit(step.number, Unplaced { at, number: 0 });
            }
        });
    }

    #[inline(always)]
    fn unmoves(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced)) {
        let rules = self.rules();
        rules.unsteps(&cursor.at, rules.drops, |at, number| {
            visit(Unplaced { at, number });
        });
    }

    fn moves_by_slot(
        &self,
        cursor: Cursor,
        kinds: u32,
        mut visit: impl FnMut(ListedMove<Unplaced>),
    ) {
        let state = State {
            at: cursor.at,
            side: Side::Sente,
        };
        self.each_move(&state, |mv, reached| {
            let of_move = Self::kinds_reached(&state, mv, reached);
            if kinds != u32::MAX && of_move & kinds == 0 {
                return;
            }
            let leads = match self.outcome_of(&state, mv, reached) {
                Some(outcome) => Leads::Over(outcome),
                None => Leads::To {
                    child: Unplaced {
                        at: reached.turned(),
                        number: 0,
                    },
                    undo: false,
                },
            };
            visit(ListedMove {
                number: mv.number(Side::Sente),
                kinds: of_move,
                within: !mv.takes || self.rules().drops,
                leads,
            });
        });
    }

    #[inline]
    fn is_symmetric(&self, cursor: Cursor) -> bool {
        cursor.symmetric
    }

    fn arrivals(&self, cursor: Cursor, mut visit: impl FnMut(Option<u8>)) {
        let mut arises = false;
        self.rules().unsteps(&cursor.at, true, |_, _| arises = true);
        if arises {
            visit(None);
        }
    }

    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        let (rules, side) = (self.rules(), state.side.other());
        let mut found = Vec::new();
        rules.unsteps(&state.at, true, |at, number| {
            let before = State { at, side };
            let mut moves = Vec::new();
            self.each_move(&before, |mv, _| moves.push(mv));
            let mv = moves.into_iter().find(|mv| mv.number(side) == number);
            found.extend(mv.map(|mv| (before, mv)));
        });
        found
    }

    fn criterion(&self) -> &'static str {
        "lion"
    }

    fn classes(&self) -> Vec<String> {
        self.index().lions().into_iter().map(square_name).collect()
    }

    fn class(&self, cursor: Cursor) -> usize {
        let lion = cursor.at.own.lion;
        usize::from(lion % 3 * 3 + lion / 3)
    }
}

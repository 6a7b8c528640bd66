//! The states before a state, whatever their material.

use std::ops::ControlFlow;

use super::Pieces;
use super::rules::{Passes, Position};
use super::state::{Move, Origin, State};
use crate::base::subsets::bits;
use crate::game::{Moves, Next};

impl Pieces {
    pub(super) fn states_before(&self, state: &State) -> Vec<(State, Move)> {
        let mut found = Vec::new();
        let _ = self.each_before(state, |before, mv| {
            found.push((before, mv));
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(super) fn has_before(&self, state: &State) -> bool {
        self.each_before(state, |_, _| ControlFlow::Break(()))
            .is_break()
    }

    /// Visits the states before a state with their moves, some more than once.
    fn each_before(
        &self,
        state: &State,
        mut visit: impl FnMut(State, Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rules = self.rules();
        let side = state.side.other();
        // As the side sees it that moved.
        let after = state.at.turned(rules);
        let kinds = || rules.written_kinds().map(|(kind, _)| kind);
        let mut add = |tried: &Position, mv: Move| {
            for at in self.standing_alike(tried) {
                let before = State { at, side };
                let mv = mv.map(|square| before.seen_square(rules, square));
                if let Some(mv) = self.legal(&before, mv)
                    && self.play(&before, mv) == Next::State(*state)
                {
                    visit(before, mv)?;
                }
            }
            ControlFlow::Continue(())
        };
        for (before, [from, to]) in rules.before_castling(&after) {
            add(&before, Move::new(Origin::Square(from), to, None))?;
        }
        let left = Position {
            passing: 0,
            ..after
        };
        if rules.passes != Passes::Never {
            add(&left, Move::PASS)?;
        }
        for now in kinds() {
            for to in bits(after.men[0][now]) {
                let mut without = left;
                without.men[0][now] ^= 1 << to;
                let mut dropped = without;
                dropped.hands[0][now] += 1;
                add(&dropped, Move::new(Origin::Hand(now as u8), to, None))?;
                for was in kinds() {
                    let promotes = rules.kinds[was].promotes_to.contains(&now);
                    if was != now && !promotes {
                        continue;
                    }
                    let promotes = (was != now).then_some(now as u8);
                    let reach = self.core.geometry.to(0, was, to.into());
                    let free = !(without.of_side(0) | without.of_side(1));
                    let stands = rules.kinds[was].squares;
                    for from in bits(reach.all() & free & stands & !(1 << to)) {
                        let mv = Move::new(Origin::Square(from), to, promotes);
                        let mut quiet = without;
                        quiet.men[0][was] |= 1 << from;
                        add(&quiet, mv)?;
                        for taken in kinds() {
                            let mut taking = quiet;
                            let hand = rules.kinds[taken].in_hand;
                            if rules.to_hand {
                                if taking.hands[0][hand] == 0 {
                                    continue;
                                }
                                taking.hands[0][hand] -= 1;
                            }
                            if self.core.stands[1][taken] >> to & 1 == 1 {
                                let mut square = taking;
                                square.men[1][taken] |= 1 << to;
                                add(&square, mv)?;
                            }
                            // A man that is taken in passing stood elsewhere.
                            if rules.kinds[taken].passing.is_some() {
                                for stood in bits(free & !(1 << to | 1 << from)) {
                                    let mut passing = taking;
                                    passing.men[1][taken] |= 1 << stood;
                                    passing.passing = 1 << stood;
                                    add(&passing, mv)?;
                                }
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A position, and those in which the same men have more rights to castle, or one can be taken
    /// in passing.
    fn standing_alike(&self, at: &Position) -> Vec<Position> {
        let mut all = Vec::new();
        for at in &self.rules().with_rights(at) {
            all.push(*at);
            if let Some((kind, _)) = self.rules().passing_kinds()
                && at.passing == 0
            {
                all.extend(bits(at.men[1][kind]).map(|square| Position {
                    passing: 1 << square,
                    ..*at
                }));
            }
        }
        all
    }

    /// The move of a state that goes this way; `None` if the state does not occur or has none.
    fn legal(&self, state: &State, way: Move) -> Option<Move> {
        if self.fault_of(state).is_some() {
            return None;
        }
        let mut moves = self.moves(state).into_iter();
        moves.find(|&mv| Move { told: None, ..mv } == way)
    }
}

//! Games of pieces for the retrograde solver and for scans: positions by slot, their moves and
//! un-moves.

use std::ops::Range;

use super::core::Core;
use super::index::{Placing, Run};
use super::material::LayerNumber;
use super::movegen::{After, Step};
use super::rules::Squares;
use super::{Move, Pieces, State, features};
use crate::base::subsets::bits;
use crate::base::value::Outcome;
use crate::game::{
    Examined, Held, Layer, ListedMove, MostMoves, MoveSummary, Next, Placed, Ranked, Retrograde,
    asks_for,
};

/// A position decoded from its slot.
#[derive(Debug, Clone, Copy)]
pub struct Cursor(pub(super) Placing);

impl Core {
    /// The position of a slot, whether or not it occurs.
    #[inline(always)]
    pub(super) fn placing_in(&self, index: u64) -> Option<Placing> {
        let mut run = self.index.run(index)?;
        let filled = self.index.fill(&self.geometry, &mut run, index);
        filled.then_some(run.at)
    }

    /// The outcome for the side to move, if it has no move.
    pub(super) fn ended(&self, at: &mut Placing) -> Option<Outcome> {
        let mut stuck = true;
        self.moves(at, |_, _, _| {
            stuck = false;
            false
        });
        stuck.then(|| self.outcome_of_stuck(at))
    }

    /// Whether the other side, which is to move after a step, has a move that needs no closer
    /// look. `next` is the layer that the step leads to.
    fn surely_moves(&self, after: &Placing, step: Step, next: LayerNumber) -> bool {
        let mut men = after.taken[1];
        if self.rules.check {
            // A kind that is new on the board is not among those of the layer before.
            let new = step.from.is_none() || step.becomes != step.kind;
            if new || self.is_checked(after, 1) {
                return false;
            }
            for royal in bits(self.royals(after, 1)) {
                let pinning = self.layer(after).kinds[0].iter();
                men = pinning.fold(men & !(1 << royal), |men, &kind| {
                    men & !self.geometry.to(0, kind, royal.into()).around
                });
            }
        }
        let layer = &self.materials.layers[next as usize];
        if !layer.moves_men {
            let mut held = layer.in_hand.iter();
            return held.any(|&kind| self.drop_targets(after, 1, kind) != 0);
        }
        let taken = after.all();
        layer.kinds[0].iter().any(|&kind| {
            let lands = self.stands[1][kind] & !self.promotes[1][kind];
            bits(after.men[1][kind] & men).any(|square| {
                let reach = self.geometry.from(1, kind, square.into());
                let (goes, takes) = reach.targets(taken, after.taken[0]);
                (goes | takes) & lands != 0
            })
        })
    }

    fn outcome_of_stuck(&self, at: &Placing) -> Outcome {
        if self.rules.check && self.is_checked(at, 0) {
            Outcome::Loss
        } else {
            self.rules.no_move
        }
    }

    /// Where a position after a move is stored.
    #[inline(always)]
    pub(super) fn place_after(&self, at: &Placing, layer: u32, passing: Squares) -> Placed {
        let found = self.index.find::<1>(&self.geometry, layer, at, passing);
        found.map_or(Placed::new(u64::MAX, 0), |(found, _)| found)
    }

    /// The number of a move in a stored position, which `after` is the position after.
    #[inline(always)]
    fn number_of(&self, layer: u32, after: &Placing, step: Step) -> u8 {
        let to = step.to;
        if self.is_special && step.is_pass() {
            return self.numbers.pass[layer as usize];
        }
        let Some(from) = step.from else {
            return self.numbers.of_drop(&self.rules, layer, step.kind, 1 << to);
        };
        let mut men = after.men[0][step.kind] | 1 << from;
        if step.becomes == step.kind {
            men &= !(1 << to);
        }
        self.number(layer, men, (step.kind, from), (step.becomes, to))
    }

    fn group_of(&self, layer: u32) -> usize {
        self.materials.layers[layer as usize].group
    }

    /// Visits the moves, without their kinds; those to ended positions are over.
    fn each_child(&self, at: &Placing, mut visit: impl FnMut(&Placing, Step, ListedMove<Placed>)) {
        let mut at = *at;
        let layer = self.layer_with(at.layer, at.passing);
        let group = self.group_of(layer);
        self.moves(&mut at, |after, step, to| {
            let mut within = false;
            let leads = match to {
                After::Over(outcome) => Next::Over(outcome),
                After::Layer(next, passing) => {
                    let child = self.place_after(after, next, passing);
                    let doubtful = !self.surely_moves(after, step, next);
                    let placed = doubtful.then(|| self.placing_in(child.slot)).flatten();
                    let ended = placed.and_then(|mut child| self.ended(&mut child));
                    if let Some(outcome) = ended {
                        Next::Over(outcome.reversed())
                    } else {
                        within = self.group_of(next) == group;
                        Next::State((child, false))
                    }
                }
            };
            let listed = ListedMove {
                number: self.number_of(layer, after, step),
                kinds: 0,
                within,
                leads,
            };
            visit(after, step, listed);
            true
        });
    }
}

impl Pieces {
    /// What a slot holds, from the position in it, which may be one that does not occur, and a
    /// summary of its moves.
    #[inline(always)]
    fn examined(&self, at: &mut Placing, mut visit: impl FnMut(MoveSummary<Placed>)) -> Held {
        let core = &self.core;
        if !core.occurs(at) {
            return Held::Nothing;
        }
        // A move after which a royal man can be taken can be told at once, unless another one loses
        // sooner: by leaving the other side stuck where that wins, or by surrounding a corner.
        let told = core.rules.no_move != Outcome::Win && !core.rules.cornered_wins;
        if core.takes_royal(at) {
            if told {
                return Held::Won;
            }
            visit(MoveSummary::Over(Outcome::Win));
            return Held::Open {
                symmetric: at.symmetric,
            };
        }
        let can_be_taken = told && core.rules.takes_royal_men();
        let layer = core.layer_with(at.layer, at.passing);
        let group = core.group_of(layer);
        let turned = &core.materials.layers[core.layer(at).turned as usize];
        let bulk_stays = turned.group == group && !turned.lost && !core.has_held(at);
        // A move of a man that has not moved yet may lead out of the group.
        let bulk_stays = bulk_stays && core.layer(at).unmoved[0] == 0;
        let (mut count, mut xor, mut any) = (0_u8, 0, false);
        let (mut bulk_count, mut bulk_xor) = (0_u8, 0);
        core.moves_in_bulk(
            at,
            |at, kind, from, goes| {
                if !bulk_stays {
                    return false;
                }
                let first = core.numbers.of_man(layer, kind, at.men[0][kind], 1 << from);
                let targets = core.numbers.of_targets(kind, from);
                let mut left = goes;
                while left != 0 {
                    bulk_count += 1;
                    bulk_xor ^= first + targets[(left.trailing_zeros() & 63) as usize];
                    left &= left - 1;
                }
                true
            },
            |after, step, to| {
                any = true;
                match to {
                    After::Over(outcome) => {
                        visit(MoveSummary::Over(outcome));
                        return outcome != Outcome::Win;
                    }
                    After::Layer(next, _) if core.group_of(next) == group => {
                        let number = core.number_of(layer, after, step);
                        count += 1;
                        xor ^= number;
                        if can_be_taken && core.is_checked(after, 0) {
                            visit(MoveSummary::IntoCheckmate(number));
                        }
                    }
                    After::Layer(next, passing) => {
                        let child = core.place_after(after, next, passing);
                        visit(MoveSummary::Earlier(child));
                    }
                }
                true
            },
        );
        if !any && bulk_count == 0 {
            return Held::Ended(core.outcome_of_stuck(at));
        }
        visit(MoveSummary::Within {
            count: count + bulk_count,
            xor: xor ^ bulk_xor,
        });
        Held::Open {
            symmetric: at.symmetric,
        }
    }
}

impl Ranked for Pieces {
    fn rank(&self, state: &State) -> u64 {
        let core = &self.core;
        let found = core.placing(state).and_then(|mut at| {
            if !core.occurs(&mut at) || core.ended(&mut at).is_some() {
                return None;
            }
            let layer = core.layer_with(at.layer, at.passing);
            core.index.find::<0>(&core.geometry, layer, &at, at.passing)
        });
        found.map_or(u64::MAX, |(found, _)| found.slot)
    }

    fn unrank(&self, index: u64) -> Option<State> {
        self.cursor(index).map(|Cursor(at)| self.state_of(&at))
    }

    fn layers(&self) -> &[Layer] {
        &self.core.layers
    }

    fn most_moves(&self) -> MostMoves {
        self.core.numbers.most
    }
}

impl Retrograde for Pieces {
    type Cursor = Cursor;
    type Unplaced = Placed;

    fn has_ended_positions(&self) -> bool {
        true
    }

    #[inline]
    fn cursor(&self, index: u64) -> Option<Cursor> {
        let (core, mut at) = (&self.core, self.core.placing_in(index)?);
        let goes_on = core.occurs(&mut at) && core.ended(&mut at).is_none();
        goes_on.then_some(Cursor(at))
    }

    #[inline(always)]
    fn decoded(&self, index: u64) -> Option<Cursor> {
        self.core.placing_in(index).map(Cursor)
    }

    fn examine(&self, index: u64, visit: impl FnMut(MoveSummary<Placed>)) -> Held {
        let at = self.core.placing_in(index);
        at.map_or(Held::Nothing, |mut at| self.examined(&mut at, visit))
    }

    #[inline(always)]
    fn examine_all(&self, slots: Range<u64>, mut visit: impl FnMut(u64, Examined<Placed>)) {
        let (core, mut run) = (&self.core, None);
        for slot in slots {
            if run.as_ref().is_none_or(|run: &Run| run.end <= slot) {
                run = core.index.run(slot);
            }
            let held = if let Some(run) = &mut run
                && core.index.fill(&core.geometry, run, slot)
            {
                self.examined(&mut run.at, |found| visit(slot, Examined::Move(found)))
            } else {
                Held::Nothing
            };
            visit(slot, Examined::Slot(held));
        }
    }

    #[inline(always)]
    fn place(&self, unplaced: Placed) -> Placed {
        unplaced
    }

    fn summarize_moves(&self, Cursor(at): Cursor, mut visit: impl FnMut(MoveSummary<Placed>)) {
        let (mut count, mut xor) = (0, 0);
        self.core
            .each_child(&at, |_, _, listed| match listed.leads {
                Next::Over(outcome) => visit(MoveSummary::Over(outcome)),
                Next::State(_) if listed.within => {
                    (count, xor) = (count + 1, xor ^ listed.number);
                }
                Next::State((child, _)) => visit(MoveSummary::Earlier(child)),
            });
        visit(MoveSummary::Within { count, xor });
    }

    fn moves_by_slot(
        &self,
        Cursor(at): Cursor,
        kinds: u32,
        mut visit: impl FnMut(ListedMove<Placed>),
    ) {
        let core = &self.core;
        let before = features::before(core, &at);
        core.each_child(&at, |after, step, mut listed| {
            let draws = listed.leads == Next::Over(Outcome::Draw);
            listed.kinds = features::kinds_of(core, before, after, step, draws);
            if asks_for(kinds, listed.kinds) {
                visit(listed);
            }
        });
    }

    fn edges(&self, Cursor(at): Cursor, mut visit: impl FnMut(u8, Placed)) {
        self.core
            .each_child(&at, |_, _, listed| match listed.leads {
                Next::State((child, _)) if listed.within => visit(listed.number, child),
                _ => {}
            });
    }

    fn departures(&self, Cursor(at): Cursor, mut visit: impl FnMut(Placed)) {
        self.core
            .each_child(&at, |_, _, listed| match listed.leads {
                Next::State((child, _)) if !listed.within => visit(child),
                _ => {}
            });
    }

    #[inline(always)]
    fn unmoves(&self, Cursor(at): Cursor, visit: impl FnMut(Placed)) {
        let mut at = at;
        self.core.unmoves(&mut at, visit);
    }

    /// Without those of a side that could have taken a royal man, and had no other move.
    fn legal_unmoves(&self, cursor: Cursor, mut visit: impl FnMut(Placed, Option<u8>)) {
        let takes = self.rules().takes_royal_men();
        self.unmoves(cursor, |before| {
            let taker = takes.then(|| self.core.placing_in(before.slot)).flatten();
            if taker.is_none_or(|at| !self.core.takes_royal(&at)) {
                visit(before, None);
            }
        });
    }

    #[inline(always)]
    fn is_symmetric(&self, Cursor(at): Cursor) -> bool {
        at.symmetric
    }

    fn arrivals(&self, Cursor(at): Cursor, mut visit: impl FnMut(Option<u8>)) {
        let mut found = false;
        self.core.unmoves(&mut at.clone(), |before| {
            let may_move = |Cursor(before)| !self.core.takes_royal(&before);
            found = found || self.cursor(before.slot).is_some_and(may_move);
        });
        if found {
            visit(None);
            return;
        }
        // Positions of other groups. Men that promote to these may have fewer symmetries, and lead to one image only.
        let state = self.state_of(&at);
        let mut images = self.images(&state);
        if images.any(|at| self.has_before(&State { at, ..state })) {
            visit(None);
        }
    }

    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        self.states_before(state)
    }

    fn criterion(&self) -> &'static str {
        if self.rules().has_royal() {
            "royal"
        } else {
            "phase"
        }
    }

    fn classes(&self) -> Vec<String> {
        if !self.rules().has_royal() {
            return ["drop", "move"].map(str::to_owned).into();
        }
        let board = self.rules().board;
        (0..board.squares())
            .map(|square| board.name(square))
            .collect()
    }

    fn class(&self, Cursor(at): Cursor) -> usize {
        if self.rules().has_royal() {
            return self.core.royals(&at, 0).trailing_zeros() as usize;
        }
        let material = &self.core.layer(&at).material;
        usize::from(!self.is_dropping(material))
    }
}

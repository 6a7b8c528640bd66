//! Solution trees. They are plain data and hold no reference to the search.
//!
//! Statistics of solution trees.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use serde::Serialize;

use crate::game::Hidden;

/// The cost of a solution for the attacker. Costs compare by the order of the fields, as
/// in the paper by Sakuta and Iida; less is better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cost {
    pub plies: u16,
    pub fouls: u16,
    /// What the attacker has left over at the end, see [`Hidden::left_over`].
    pub left_over: u64,
}

impl Cost {
    pub(super) const fn with(self, plies: u16, fouls: u16) -> Self {
        Self {
            plies: self.plies + plies,
            fouls: self.fouls + fouls,
            ..self
        }
    }
}

/// A turn of the attacker in a solution tree (an OR node): the try, and everything that
/// can follow. Equal turns in several places may be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackerTurn<M, C> {
    /// The try.
    pub mv: M,
    /// The cost if the defender makes it as high as possible.
    pub(crate) cost: Cost,
    /// Number of states in the metaposition.
    pub positions: usize,
    /// The duals: other tries that win in as few plies with the fouls left.
    pub(crate) duals: Vec<M>,
    /// The next turn where the try is a foul; `None` if it is a foul in no state.
    pub foul: Option<Arc<AttackerTurn<M, C>>>,
    /// What follows where the try stands, by announcement.
    pub announcements: Vec<Announcement<M, C>>,
}

/// The states in which a try stands with one announcement (an AND node), and what can
/// follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement<M, C> {
    pub(crate) announced: C,
    /// Number of states in which the try reaches the goal.
    pub won: usize,
    pub(super) left_over: u64,
    /// The next turn after a reply, by the clue heard about the reply.
    pub replies: Vec<(C, Arc<AttackerTurn<M, C>>)>,
}

/// A step of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineStep<M, C> {
    /// A try that is a foul.
    Foul(M),
    /// A try that stands, with the announcement.
    Stands(M, C),
    /// A reply, as the clue heard about it.
    Reply(C),
}

impl<M: Copy, C: Copy> LineStep<M, C> {
    /// The step in the game's notation.
    pub fn in_words<G: Hidden<Move = M, Clue = C>>(&self, game: &G) -> String {
        match *self {
            Self::Foul(mv) => format!("{}(foul)", game.format_move(mv)),
            Self::Stands(mv, announced) => game.format_move(mv) + &game.format_announced(announced),
            Self::Reply(clue) => game.format_reply(clue),
        }
    }
}

pub(super) enum Then<'a, M, C> {
    Foul(&'a AttackerTurn<M, C>),
    Won(C),
    Reply(C, C, &'a AttackerTurn<M, C>),
}

impl<M: Copy, C: Copy> AttackerTurn<M, C> {
    /// The line of play in which the defender makes the cost as high as possible. Of equal
    /// continuations it takes the first, by announcement, then by reply, fouls last.
    pub fn line(&self) -> Vec<LineStep<M, C>> {
        let mut steps = Vec::new();
        for turn in self.turns_of_line() {
            match turn.worst().1 {
                Then::Foul(_) => steps.push(LineStep::Foul(turn.mv)),
                Then::Won(announced) => steps.push(LineStep::Stands(turn.mv, announced)),
                Then::Reply(announced, heard, _) => {
                    steps.push(LineStep::Stands(turn.mv, announced));
                    steps.push(LineStep::Reply(heard));
                }
            }
        }
        steps
    }

    /// The turns on the [line](Self::line), this one first.
    pub(crate) fn turns_of_line(&self) -> Vec<&Self> {
        std::iter::successors(Some(self), |turn| turn.next_on_line()).collect()
    }

    /// The next turn on the [line](Self::line), `None` at its end.
    pub(crate) fn next_on_line(&self) -> Option<&Self> {
        match self.worst().1 {
            Then::Foul(next) | Then::Reply(_, _, next) => Some(next),
            Then::Won(_) => None,
        }
    }

    /// The continuation of highest cost. There always is one, because a try in a tree stands
    /// in some state.
    pub(super) fn worst(&self) -> (Cost, Then<'_, M, C>) {
        let mut worst: Option<(Cost, Then<'_, M, C>)> = None;
        let mut meet = |cost: Cost, then| {
            if worst.as_ref().is_none_or(|(so_far, _)| cost > *so_far) {
                worst = Some((cost, then));
            }
        };
        for stands in &self.announcements {
            let announced = stands.announced;
            if stands.won > 0 {
                let left_over = stands.left_over;
                let cost = Cost {
                    plies: 1,
                    fouls: 0,
                    left_over,
                };
                meet(cost, Then::Won(announced));
            }
            for (heard, turn) in &stands.replies {
                let cost = turn.cost.with(2, 0);
                meet(cost, Then::Reply(announced, *heard, turn));
            }
        }
        if let Some(turn) = &self.foul {
            meet(turn.cost.with(0, 1), Then::Foul(turn));
        }
        worst.unwrap_or_else(|| unreachable!("a try of a tree stands somewhere"))
    }
}

/// Counts over a solution tree. Subtrees shared by several variations count in each of
/// them. Counts saturate at `u64::MAX`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TreeStats {
    /// Turns of the attacker.
    pub turns: u64,
    /// Lines that the attacker can distinguish.
    pub variations: u64,
    /// Tries that are fouls in some state.
    pub fouls: u64,
    /// Of those, the tries that leave a single state if they are fouls: the attacker then
    /// knows where everything is.
    pub informing_fouls: u64,
    /// Number of states in the largest metaposition.
    pub largest: usize,
    /// Turns with duals: other tries that win in as few plies.
    #[serde(skip)]
    pub dual_turns: u64,
    /// Replies that the attacker can distinguish from another reply to the same try: for
    /// each announcement, the number of different clues about replies, less one.
    #[serde(skip)]
    pub heard: u64,
}

impl TreeStats {
    fn add(&mut self, branch: &Self) {
        let sums = [
            (&mut self.turns, branch.turns),
            (&mut self.dual_turns, branch.dual_turns),
            (&mut self.fouls, branch.fouls),
            (&mut self.informing_fouls, branch.informing_fouls),
            (&mut self.variations, branch.variations),
            (&mut self.heard, branch.heard),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
        self.largest = self.largest.max(branch.largest);
    }
}

impl<M: Copy + Eq, C: Copy + Eq> AttackerTurn<M, C> {
    /// The statistics of the tree from this turn on.
    pub fn stats(&self) -> TreeStats {
        self.gather(&mut HashMap::default())
    }

    /// Whether every turn on the best line has a single winning try.
    pub(crate) fn line_is_dual_free(&self) -> bool {
        let mut turns = self.turns_of_line().into_iter();
        turns.all(|turn| turn.duals.is_empty())
    }

    /// The statistics from this turn on, looked up in `known` for shared subtrees.
    fn gather(&self, known: &mut HashMap<*const Self, TreeStats, FixedState>) -> TreeStats {
        if let Some(&stats) = known.get(&std::ptr::from_ref(self)) {
            return stats;
        }
        let mut stats = TreeStats {
            turns: 1,
            dual_turns: u64::from(!self.duals.is_empty()),
            largest: self.positions,
            ..TreeStats::default()
        };
        if let Some(turn) = &self.foul {
            stats.fouls += 1;
            stats.informing_fouls += u64::from(turn.positions == 1);
            stats.add(&turn.gather(known));
        }
        for stands in &self.announcements {
            stats.variations += u64::from(stands.won > 0);
            stats.heard += stands.replies.len().saturating_sub(1) as u64;
            for (_, turn) in &stands.replies {
                stats.add(&turn.gather(known));
            }
        }
        known.insert(std::ptr::from_ref(self), stats);
        stats
    }
}

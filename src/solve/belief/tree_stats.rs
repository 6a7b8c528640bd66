//! Statistics of solution trees.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use serde::Serialize;

use super::tree::{AttackerTurn, LineStep};

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
    /// Adds the counts of a subtree.
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
    #[must_use]
    pub fn stats(&self) -> TreeStats {
        self.gather(&mut HashMap::default())
    }

    /// Whether every turn on the best line has a single winning try.
    #[must_use]
    pub fn line_is_dual_free(&self) -> bool {
        self.turns_of_line()
            .iter()
            .all(|turn| turn.duals.is_empty())
    }

    /// The turns on the best line, this one first.
    #[must_use]
    pub fn turns_of_line(&self) -> Vec<&Self> {
        let mut turns = vec![self];
        let mut turn = self;
        let mut announced = None;
        for step in self.line() {
            let next = match step {
                LineStep::Stands(_, clue) => {
                    announced = Some(clue);
                    continue;
                }
                LineStep::Foul(_) => turn.foul(),
                LineStep::Reply(clue) => turn
                    .announcements
                    .iter()
                    .find(|stands| Some(stands.announced) == announced)
                    .and_then(|stands| stands.replies.iter().find(|(heard, _)| *heard == clue))
                    .map(|(_, turn)| &**turn),
            };
            let Some(next) = next else {
                return turns;
            };
            turns.push(next);
            turn = next;
        }
        turns
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
        if let Some(turn) = self.foul() {
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

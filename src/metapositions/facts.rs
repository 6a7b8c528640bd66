//! What can be counted in a solution tree.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::tree::{Step, Turn};

/// Counts over the whole tree of a solution. Turns that several variations share count
/// once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Turns of the attacker.
    pub turns: usize,
    /// Turns with other tries that win in as few plies.
    pub dual_turns: usize,
    /// Tries that are a foul in some state.
    pub fouls: usize,
    /// Those after which, if they are a foul, one state is left: the attacker then knows
    /// where everything is.
    pub informing_fouls: usize,
    /// States in the largest metaposition.
    pub largest: usize,
    /// Lines that the attacker can tell apart, shared turns counted each time, at most
    /// `u64::MAX`.
    pub variations: u64,
    /// Replies that capture or otherwise let themselves be told from the silent one.
    pub heard: usize,
}

impl<M: Copy + Eq, C: Copy + Eq> Turn<M, C> {
    /// Counts over the tree below this turn.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        facts.variations = self.gather(&mut facts, &mut HashMap::default());
        facts
    }

    /// Whether every turn on the best line has one winning try alone.
    #[must_use]
    pub fn line_is_dual_free(&self) -> bool {
        self.turns_of_line()
            .iter()
            .all(|turn| turn.duals.is_empty())
    }

    /// The turns that the best line goes through.
    #[must_use]
    pub fn turns_of_line(&self) -> Vec<&Self> {
        let mut turns = vec![self];
        let mut turn = self;
        let mut announced = None;
        for step in self.line() {
            let next = match step {
                Step::Stands(_, clue) => {
                    announced = Some(clue);
                    continue;
                }
                Step::Foul(_) => turn.foul(),
                Step::Reply(clue) => turn
                    .stands
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

    /// Adds what this turn has, unless it was here before, and gives its variations.
    fn gather(&self, facts: &mut Facts, seen: &mut HashMap<*const Self, u64, FixedState>) -> u64 {
        if let Some(&variations) = seen.get(&std::ptr::from_ref(self)) {
            return variations;
        }
        facts.turns += 1;
        facts.dual_turns += usize::from(!self.duals.is_empty());
        facts.largest = facts.largest.max(self.positions);
        let mut variations = 0_u64;
        if let Some(turn) = self.foul() {
            facts.fouls += 1;
            facts.informing_fouls += usize::from(turn.positions == 1);
            variations = variations.saturating_add(turn.gather(facts, seen));
        }
        for stands in &self.stands {
            if stands.won > 0 {
                variations = variations.saturating_add(1);
            }
            facts.heard += stands.replies.len().saturating_sub(1);
            for (_, turn) in &stands.replies {
                variations = variations.saturating_add(turn.gather(facts, seen));
            }
        }
        seen.insert(std::ptr::from_ref(self), variations);
        variations
    }
}

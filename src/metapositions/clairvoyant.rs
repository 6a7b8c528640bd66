//! Whether an attacker who saw everything would win: what any solution needs of every
//! state of a metaposition.

use super::search::Search;
use super::{Mode, SearchError};
use crate::game::{Answer, Hidden};
use crate::watch::Watch;

/// In how few plies a state is known to be won in sight, and in how many not.
pub(super) type Sighted = (u8, u8);

/// Nothing is known.
const UNKNOWN: Sighted = (u8::MAX, 0);

impl<G: Hidden, W: Watch> Search<'_, G, W> {
    /// Whether the attacker would win this state in so many plies (odd) if he saw
    /// everything. In reference mode it is not asked, and the answer is yes.
    pub(super) fn wins_in_sight(
        &mut self,
        state: &G::State,
        plies: u8,
    ) -> Result<bool, SearchError> {
        if self.mode == Mode::Reference {
            return Ok(true);
        }
        let key = self.game.key(state);
        let (won, not) = self.sighted.get(key).copied().unwrap_or(UNKNOWN);
        if won <= plies {
            return Ok(true);
        }
        if not >= plies {
            return Ok(false);
        }
        self.tick()?;
        let mut tries = Vec::new();
        self.game.tries(state, &mut tries);
        let checks: Vec<G::Move> = tries
            .iter()
            .filter(|(_, answer)| matches!(answer, Answer::Stands(_)))
            .map(|&(mv, _)| mv)
            .collect();
        if not < 1 && checks.iter().any(|&mv| self.game.wins(state, mv)) {
            self.sighted.set(key, (1, 0));
            return Ok(true);
        }
        if plies > 1 {
            let mut variations = self.variations(state, &checks);
            // Shorter wins are found first; what the table knows is not asked again.
            for within in (3.max(not + 2)..=plies).step_by(2) {
                for replies in &mut variations {
                    if self.all_win_in_sight(replies, within - 2)? {
                        self.sighted.set(key, (within, within - 2));
                        return Ok(true);
                    }
                }
            }
        }
        self.sighted.set(key, (u8::MAX, plies));
        Ok(false)
    }

    /// What the replies to each check lead to, checks with the fewest replies first.
    fn variations(&mut self, state: &G::State, checks: &[G::Move]) -> Vec<Vec<G::State>> {
        let mut variations = Vec::new();
        for &mv in checks {
            let mut replies = Vec::new();
            if self.game.replies(state, mv, &mut replies) {
                self.counts.looked_at += replies.len() as u64;
                variations.push(replies.into_iter().map(|(_, state)| state).collect());
            }
        }
        variations.sort_by_key(Vec::len);
        variations
    }

    /// Whether all of these are won; one that is not comes to the front, to be asked
    /// first next time.
    fn all_win_in_sight(
        &mut self,
        states: &mut [G::State],
        plies: u8,
    ) -> Result<bool, SearchError> {
        for place in 0..states.len() {
            if !self.wins_in_sight(&states[place], plies)? {
                states[..=place].rotate_right(1);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

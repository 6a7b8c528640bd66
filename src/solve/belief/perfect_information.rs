//! Wins with perfect information: whether an attacker who saw everything would win. A
//! metaposition can be won only if all of its states are won in this sense.

use std::ops::ControlFlow;

use super::memory::StateBounds;
use super::search::{Search, SearchError};
use crate::game::{Hidden, Reply};

impl<G: Hidden> Search<'_, G> {
    /// Whether the attacker would win this state within `plies` plies (an odd number) if he
    /// saw everything. Beyond the [sight](Mode::sight) of the mode nothing is searched, and
    /// the answer is `true`.
    pub(super) fn wins_with_perfect_information(
        &mut self,
        state: &G::State,
        plies: u8,
    ) -> Result<bool, SearchError> {
        if plies > self.mode.sight() {
            return Ok(true);
        }
        let key = self.game.key(state);
        let StateBounds { won, not } = self
            .perfect_information
            .get(key)
            .copied()
            .unwrap_or(StateBounds::UNKNOWN);
        if won <= plies {
            return Ok(true);
        }
        if not >= plies {
            return Ok(false);
        }
        self.tick()?;
        let mut standing = Vec::new();
        self.game.standing(state, &mut standing);
        if not < 1 && standing.iter().any(|&mv| self.game.wins(state, mv)) {
            self.perfect_information
                .set(key, StateBounds { won: 1, not: 0 });
            return Ok(true);
        }
        if plies == 1 {
            self.perfect_information.set(
                key,
                StateBounds {
                    won: u8::MAX,
                    not: 1,
                },
            );
            return Ok(false);
        }
        let mut checks = self.checks(state, standing);
        // Shorter wins first, from the shortest that is not known to fail.
        for within in (3.max(not + 2)..=plies).step_by(2) {
            for check in &mut checks {
                if self.wins_after(state, check, within - 2)? {
                    self.perfect_information.set(
                        key,
                        StateBounds {
                            won: within,
                            not: within - 2,
                        },
                    );
                    return Ok(true);
                }
            }
        }
        self.perfect_information.set(
            key,
            StateBounds {
                won: u8::MAX,
                not: plies,
            },
        );
        Ok(false)
    }

    /// The tries that stand, those with the fewest replies first.
    fn checks(&self, state: &G::State, standing: Vec<G::Move>) -> Vec<Check<G>> {
        let mut checks: Vec<_> = standing
            .into_iter()
            .map(|mv| Check {
                mv,
                replies: self.game.count_replies(state, mv),
                refutation: None,
            })
            .collect();
        checks.sort_by_key(|check| check.replies);
        checks
    }

    /// Whether the attacker wins within `plies` plies after every reply to a check. A reply
    /// that refutes the check is remembered and examined first the next time.
    fn wins_after(
        &mut self,
        state: &G::State,
        check: &mut Check<G>,
        plies: u8,
    ) -> Result<bool, SearchError> {
        if let Some(Reply::Escape) = check.refutation {
            return Ok(false);
        }
        if let Some(Reply::To(_, refutation)) = &check.refutation
            && !self.wins_with_perfect_information(refutation, plies)?
        {
            return Ok(false);
        }
        let mut wins = Ok(true);
        self.game.replies(state, check.mv, |reply| {
            self.counts.looked_at += 1;
            wins = match &reply {
                Reply::To(_, state) => self.wins_with_perfect_information(state, plies),
                Reply::Escape => Ok(false),
            };
            if wins == Ok(true) {
                return ControlFlow::Continue(());
            }
            check.refutation = Some(reply);
            ControlFlow::Break(())
        });
        wins
    }
}

/// A try that stands.
struct Check<G: Hidden> {
    mv: G::Move,
    /// Number of replies.
    replies: usize,
    /// The reply that refuted it last.
    refutation: Option<Reply<G::Clue, G::State>>,
}

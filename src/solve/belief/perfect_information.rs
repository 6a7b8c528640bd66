//! Whether an attacker who saw everything would win: what any solution needs of every
//! state of a metaposition.

use std::ops::ControlFlow;

use super::memory::StateBounds;
use super::search::{Mode, Search, SearchError};
use crate::base::watch::Watch;
use crate::game::{Hidden, Reply};

impl<G: Hidden, W: Watch> Search<'_, G, W> {
    /// Whether the attacker would win this state in so many plies (odd) if he saw
    /// everything. In reference mode it is not asked, and the answer is yes.
    pub(super) fn wins_with_perfect_information(
        &mut self,
        state: &G::State,
        plies: u8,
    ) -> Result<bool, SearchError> {
        if self.mode == Mode::Reference {
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
        // Shorter wins are found first; what the table knows is not asked again.
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

    /// The checks, those with the fewest replies first.
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

    /// Whether the attacker wins in so many plies after any reply to a check. A reply that
    /// refutes it is asked first next time.
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
    /// How many replies there are.
    replies: usize,
    /// What refuted it last time.
    refutation: Option<Reply<G::Clue, G::State>>,
}

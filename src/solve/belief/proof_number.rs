//! Proof-number search of metapositions, depth first (df-pn).
//!
//! The proof number of a metaposition is the least number of open metapositions that must
//! be won to prove that it is won, and the disproof number the least that must not be. The
//! search always goes to a metaposition that counts for both, so it turns to tries with few
//! and easy continuations first, wherever they are in the tree. Plies and fouls are limited
//! as in the other modes, so nothing repeats itself.
//!
//! Sources: A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*
//! (2002); L. V. Allis, M. van der Meulen, H. J. van den Herik, *Proof-number search*
//! (1994). Sakuta and Iida name it as the next step.
//!
//! Wins with perfect information: whether an attacker who saw everything would win. A
//! metaposition can be won only if all of its states are won in this sense.

use std::ops::ControlFlow;

use super::search::{Bounds, Goal, Goals, NEVER, Numbers, Result, Search};
use crate::game::{Hidden, Reply};

/// A try in a metaposition.
struct Branch<G: Hidden> {
    mv: G::Move,
    /// All of these must be won; `None` if it was not looked at yet.
    goals: Option<Goals<G>>,
}

impl<G: Hidden> Search<'_, G> {
    /// Whether a goal is reached; what is learned is in the table.
    pub(super) fn proves_by_numbers(&mut self, goal: &Goal<G::State>) -> Result<bool> {
        let none = Numbers {
            proof: NEVER,
            disproof: NEVER,
        };
        loop {
            let Numbers { proof, disproof } = self.deepen(goal, none)?;
            if proof == 0 || disproof == 0 {
                return Ok(proof == 0);
            }
        }
    }

    fn numbers(&self, goal: &Goal<G::State>) -> Numbers {
        let Goal { all, plies, fouls } = goal;
        let bounds = self.proofs.get(all.sum).map(|(bounds, _)| bounds);
        match bounds.and_then(|bounds| bounds.get(*plies, *fouls)) {
            Some(true) => Numbers::WON,
            Some(false) => Numbers::NOT,
            None => {
                let known = self.numbers.get((all.sum, *plies, *fouls));
                known.copied().unwrap_or(Numbers::OPEN)
            }
        }
    }

    /// Searches below a metaposition until one of its numbers reaches its limit.
    fn deepen(&mut self, goal: &Goal<G::State>, limit: Numbers) -> Result<Numbers> {
        let known = self.numbers(goal);
        if known.proof >= limit.proof || known.disproof >= limit.disproof {
            return Ok(known);
        }
        self.tick()?;
        let held = self.held;
        let first = self.proofs.get(goal.all.sum).and_then(|found| found.1);
        let mut tries = goal.all.tries(self.game);
        if let Some(place) = first.and_then(|first| tries.iter().position(|&mv| mv == first)) {
            tries[..=place].rotate_right(1);
        }
        let branch = |mv| Branch { mv, goals: None };
        let mut branches = tries.into_iter().map(branch).collect();
        let found = self.deepen_all(goal, &mut branches, limit);
        self.held = held;
        found
    }

    fn deepen_all(
        &mut self,
        goal: &Goal<G::State>,
        branches: &mut Vec<Branch<G>>,
        limit: Numbers,
    ) -> Result<Numbers> {
        loop {
            let mut sum = Numbers::NOT;
            // The best branch, and the proof number of the second best.
            let (mut best, mut second) = (None, NEVER);
            branches.retain(|branch| self.of_branch(branch).disproof > 0);
            for (place, branch) in branches.iter().enumerate() {
                let numbers = self.of_branch(branch);
                sum.disproof = (sum.disproof + numbers.disproof).min(NEVER);
                if numbers.proof < sum.proof {
                    second = sum.proof;
                    sum.proof = numbers.proof;
                    best = Some((place, numbers));
                } else {
                    second = second.min(numbers.proof);
                }
            }
            let Some((place, numbers)) = best else {
                self.learn(goal, None);
                return Ok(Numbers::NOT);
            };
            let mv = branches[place].mv;
            if sum.proof == 0 {
                self.learn(goal, Some(mv));
                return Ok(Numbers::WON);
            }
            if sum.proof >= limit.proof || sum.disproof >= limit.disproof {
                let name = (goal.all.sum, goal.plies, goal.fouls);
                self.numbers.set(name, sum);
                return Ok(sum);
            }
            let Some(goals) = &branches[place].goals else {
                match self.goals(goal, mv)? {
                    None => drop(branches.remove(place)),
                    found => branches[place].goals = found,
                }
                continue;
            };
            // Of all that must be won, the one that is easiest not to win.
            let (mut least, mut next, mut other) = (NEVER + 1, 0, NEVER);
            for (place, (_, goal)) in goals.iter().enumerate() {
                let numbers = self.numbers(goal);
                if numbers.disproof < least {
                    (other, least, next) = (least.min(NEVER), numbers.disproof, place);
                } else {
                    other = other.min(numbers.disproof);
                }
            }
            let (_, next) = &goals[next];
            let child = self.numbers(next);
            let proof = limit.proof.min(second.saturating_add(1)) - numbers.proof + child.proof;
            let disproof = limit.disproof - sum.disproof + numbers.disproof;
            let limit = Numbers {
                proof,
                disproof: disproof.min(other.saturating_add(1)),
            };
            self.deepen(next, limit)?;
        }
    }

    /// The numbers of a branch: all its goals must be won.
    fn of_branch(&self, branch: &Branch<G>) -> Numbers {
        let Some(goals) = &branch.goals else {
            return Numbers::OPEN;
        };
        let mut all = Numbers::WON;
        for (_, goal) in goals {
            let numbers = self.numbers(goal);
            all.proof = (all.proof + numbers.proof).min(NEVER);
            all.disproof = all.disproof.min(numbers.disproof);
        }
        all
    }

    /// Records that a goal is reached by a move, or not.
    fn learn(&mut self, goal: &Goal<G::State>, by: Option<G::Move>) {
        let unknown = (Bounds::UNKNOWN, None);
        let (mut bounds, before) = self.proofs.get(goal.all.sum).copied().unwrap_or(unknown);
        bounds.learn(goal.plies, goal.fouls, by.is_some());
        self.proofs.set(goal.all.sum, (bounds, by.or(before)));
    }
}

impl<G: Hidden> Search<'_, G> {
    /// Whether the attacker would win this state within `plies` plies (an odd number) if he
    /// saw everything. Beyond the [sight](Mode::sight) of the mode nothing is searched, and
    /// the answer is `true`.
    pub(super) fn wins_with_perfect_information(
        &mut self,
        state: &G::State,
        plies: u8,
    ) -> Result<bool> {
        if plies > self.mode.sight() {
            return Ok(true);
        }
        let key = self.game.key(state);
        let known = self.perfect_information.get(key);
        let (won, not) = known.copied().unwrap_or((u8::MAX, 0));
        if won <= plies {
            return Ok(true);
        }
        if not >= plies {
            return Ok(false);
        }
        self.tick()?;
        let learn = |search: &mut Self, won, not| search.perfect_information.set(key, (won, not));
        let mut standing = Vec::new();
        self.game.standing(state, &mut standing);
        if not < 1 && standing.iter().any(|&mv| self.game.wins(state, mv)) {
            learn(self, 1, 0);
            return Ok(true);
        }
        if plies == 1 {
            learn(self, u8::MAX, 1);
            return Ok(false);
        }
        let check = |mv| Check {
            mv,
            replies: self.game.count_replies(state, mv),
            refutation: None,
        };
        let mut checks: Vec<Check<G>> = standing.into_iter().map(check).collect();
        checks.sort_by_key(|check| check.replies);
        // Shorter wins first, from the shortest that is not known to fail.
        for within in (3.max(not + 2)..=plies).step_by(2) {
            for check in &mut checks {
                if self.wins_after(state, check, within - 2)? {
                    learn(self, within, within - 2);
                    return Ok(true);
                }
            }
        }
        learn(self, u8::MAX, plies);
        Ok(false)
    }

    /// Whether the attacker wins within `plies` plies after every reply to a check. A reply
    /// that refutes the check is remembered and examined first the next time.
    fn wins_after(&mut self, state: &G::State, check: &mut Check<G>, plies: u8) -> Result<bool> {
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
    replies: usize,
    /// The reply that refuted it last.
    refutation: Option<Reply<G::Clue, G::State>>,
}

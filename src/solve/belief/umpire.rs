//! Playing a problem against an umpire who holds out.
//!
//! The umpire never fixes a state. After each try he gives the answer that is worst
//! for the attacker among those that some state of the metaposition allows: one after which
//! the problem is no longer solved within the limits, or else one of the highest cost. So a
//! person who solves the problem in play has solved it against every defence.

use std::ops::ControlFlow;

use super::search::{Goal, Limits, Metaposition, Mode, Partition, Result, Search};
use super::tree::Cost;
use crate::base::progress::Progress;
use crate::game::{Answer, Hidden, Reply};

/// What the attacker hears about a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard<C> {
    /// It is no try here: his own pieces forbid it.
    NoTry,
    /// In some state that is still possible it stands, but is not of the kind that the
    /// problem asks for. It is not made.
    Quiet,
    /// It is a foul, with the number of fouls that are still allowed.
    Foul(u8),
    /// It was one foul too many: the defender has won.
    TooManyFouls,
    /// It stands, with what is announced about it and about the reply.
    Reply(C, C),
    /// It stands and reaches the goal.
    Won(C),
    /// It stands, and the game ends in the defender's favour.
    Escaped(C),
    /// It stands and does not win, and no ply is left.
    TooLate(C),
}

impl<C> Heard<C> {
    /// Whether the game is over.
    pub const fn is_end(&self) -> bool {
        !matches!(
            self,
            Self::NoTry | Self::Quiet | Self::Foul(_) | Self::Reply(..)
        )
    }
}

/// An answer that the umpire may give, with what is left to solve.
struct Branch<S, C> {
    heard: Heard<C>,
    then: Option<Goal<S>>,
}

/// A problem in play.
#[derive(Debug)]
pub(crate) struct Umpire<'g, G: Hidden> {
    pub(crate) game: &'g G,
    limits: Limits,
    now: Goal<G::State>,
    earlier: Vec<Goal<G::State>>,
}

/// How bad a branch is for the attacker, the worst last: whether he is lost, the cost, and
/// the number of states among branches that are lost.
type Badness = (bool, Option<Cost>, usize);

impl<'g, G: Hidden> Umpire<'g, G> {
    /// Sets up a problem, to be solved within the plies and fouls of the limits.
    pub(crate) fn new(game: &'g G, state: G::State, limits: Limits) -> Self {
        let now = Goal {
            all: Metaposition::of(game, vec![state]),
            plies: limits.plies,
            fouls: limits.fouls,
        };
        Self {
            game,
            limits,
            now,
            earlier: Vec::new(),
        }
    }

    /// The states that are still possible. They look the same to the attacker.
    pub(crate) fn states(&self) -> &[G::State] {
        &self.now.all.states
    }

    /// Plies and fouls that are left.
    pub(crate) const fn left(&self) -> (u8, u8) {
        (self.now.plies, self.now.fouls)
    }

    pub(crate) fn tries(&self) -> Vec<G::Move> {
        self.now.all.tries(self.game)
    }

    /// Takes back the last try; `false` if there is none.
    pub(crate) fn back(&mut self) -> bool {
        let before = self.earlier.pop();
        before.map(|before| self.now = before).is_some()
    }

    /// The best try with its cost; `None` if the problem is not solved any more within the
    /// plies and fouls that are left.
    pub(crate) fn best(&self, progress: &dyn Progress) -> Result<Option<(G::Move, Cost)>> {
        let best = self.search(progress).best(self.now.clone())?;
        Ok(best.map(|turn| (turn.mv, turn.cost)))
    }

    /// Makes a try, unless it is none or quiet, and answers it.
    pub(crate) fn attempt(
        &mut self,
        mv: G::Move,
        progress: &dyn Progress,
    ) -> Result<Heard<G::Clue>> {
        if !self.game.allows(&self.now.all.states[0], mv) {
            return Ok(Heard::NoTry);
        }
        let mut states = self.now.all.states.iter();
        if states.any(|state| self.game.answer(state, mv) == Answer::Quiet) {
            return Ok(Heard::Quiet);
        }
        let branches = self.branches(mv);
        let mut search = self.search(progress);
        let mut worst: Option<(Badness, _)> = None;
        for branch in branches {
            let badness = match &branch.then {
                Some(goal) => match (search.best(goal.clone())?, branch.heard) {
                    (Some(turn), Heard::Foul(_)) => (false, Some(turn.cost.with(0, 1)), 0),
                    (Some(turn), _) => (false, Some(turn.cost.with(2, 0)), 0),
                    (None, _) => (true, None, goal.all.states.len()),
                },
                None if matches!(branch.heard, Heard::Won(_)) => (false, None, 0),
                // The game is lost at once.
                None => (true, None, usize::MAX),
            };
            if worst.as_ref().is_none_or(|(so_far, _)| badness > *so_far) {
                worst = Some((badness, branch));
            }
        }
        let Some((_, branch)) = worst else {
            return Ok(Heard::NoTry);
        };
        if let Some(then) = branch.then {
            self.earlier.push(std::mem::replace(&mut self.now, then));
        }
        Ok(branch.heard)
    }

    fn search<'w>(&self, progress: &'w dyn Progress) -> Search<'w, G>
    where
        'g: 'w,
    {
        Search::new(self.game, Mode::Fast, &self.limits, progress)
    }

    /// The answers that some state allows, in the order in which ties are decided.
    fn branches(&self, mv: G::Move) -> Vec<Branch<G::State, G::Clue>> {
        let Goal { all, plies, fouls } = &self.now;
        let split = all.split(self.game, mv);
        let mut found: Vec<Branch<G::State, G::Clue>> = Vec::new();
        let mut partition = Partition::new();
        for (place, announced) in split.stands {
            let state = &all.states[place];
            let mut end = |heard: Heard<G::Clue>| {
                if found.iter().all(|branch| branch.heard != heard) {
                    found.push(Branch { heard, then: None });
                }
            };
            if self.game.wins(state, mv) {
                end(Heard::Won(announced));
                continue;
            }
            if *plies < 3 {
                end(Heard::TooLate(announced));
                continue;
            }
            self.game.replies(state, mv, |reply| {
                match reply {
                    Reply::Escape => end(Heard::Escaped(announced)),
                    Reply::To(heard, next) => {
                        let key = self.game.key(&next);
                        if partition.is_new((announced, heard), key) {
                            partition.add((announced, heard), key, next);
                        }
                    }
                }
                ControlFlow::Continue(())
            });
        }
        for ((announced, heard), all) in partition.groups {
            let then = Goal {
                all,
                plies: plies - 2,
                fouls: *fouls,
            };
            found.push(Branch {
                heard: Heard::Reply(announced, heard),
                then: Some(then),
            });
        }
        if !split.fouls.is_empty() {
            let left = fouls.checked_sub(1);
            let then = left.map(|fouls| Goal {
                all: all.part(self.game, &split.fouls),
                plies: *plies,
                fouls,
            });
            found.push(Branch {
                heard: left.map_or(Heard::TooManyFouls, Heard::Foul),
                then,
            });
        }
        found
    }
}

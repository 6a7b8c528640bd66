//! The second stage: building the tree of the best solution.
//!
//! Lines as somebody sees them who sees everything.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::search::{Goal, Goals, Metaposition, Mode, Result, Search, SearchError, Turn};
use super::tree::{Announcement, AttackerTurn, Cost, LineStep};
use crate::game::{Answer, Happened, Hidden, Reply};

impl<G: Hidden> Search<'_, G> {
    /// The best turn for a goal: of the turns that win in the fewest plies the one of least
    /// cost, and of equal ones the first in the game's order of tries.
    pub(super) fn best(&mut self, mut goal: Goal<G::State>) -> Result<Option<Arc<Turn<G>>>> {
        let name = (goal.all.sum, goal.fouls);
        if let Some(turn) = self.known.get(&name) {
            // Found with a limit that was large enough, so it is the shortest.
            let enough = turn.cost.plies <= u16::from(goal.plies);
            return Ok(enough.then(|| Arc::clone(turn)));
        }
        for plies in (1..=goal.plies).step_by(2) {
            goal.plies = plies;
            if self.mode != Mode::Reference && !self.proves(&goal)? {
                continue;
            }
            let mut best: Option<Turn<G>> = None;
            let mut winning = Vec::new();
            for mv in goal.all.tries(self.game) {
                if self.mode != Mode::Reference && !self.proves_by(&goal, mv)? {
                    continue;
                }
                let Some(turn) = self.turn(&goal, mv)? else {
                    continue;
                };
                winning.push(mv);
                if best.as_ref().is_none_or(|best| turn.cost < best.cost) {
                    best = Some(turn);
                }
            }
            if let Some(mut turn) = best {
                winning.retain(|&mv| mv != turn.mv);
                turn.duals = winning;
                let turn = Arc::new(turn);
                if self.mode != Mode::Reference {
                    if self.known.len() >= self.most_known {
                        return Err(SearchError::Memory(self.known.len()));
                    }
                    self.known.insert(name, Arc::clone(&turn));
                }
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }

    /// The turn that begins with this try, if it reaches the goal.
    fn turn(&mut self, goal: &Goal<G::State>, mv: G::Move) -> Result<Option<Turn<G>>> {
        let held = self.held;
        let Some(goals) = self.goals(goal, mv)? else {
            return Ok(None);
        };
        let mut turn = AttackerTurn {
            mv,
            cost: Cost::default(),
            positions: goal.all.states.len(),
            duals: Vec::new(),
            foul: None,
            announcements: self.announced(&goal.all, mv),
        };
        let won = self.follow(goals, &mut turn);
        self.held = held;
        if !won? {
            return Ok(None);
        }
        turn.cost = turn.worst().0;
        Ok(Some(turn))
    }

    /// The announcements of a try where it stands, with the numbers of states won at once.
    fn announced(
        &self,
        all: &Metaposition<G::State>,
        mv: G::Move,
    ) -> Vec<Announcement<G::Move, G::Clue>> {
        let mut found = BTreeMap::new();
        for (place, announced) in all.split(self.game, mv).stands {
            let state = &all.states[place];
            let this = found.entry(announced).or_insert_with(|| Announcement {
                announced,
                won: 0,
                // The same in all these states, as the attacker sees its own things.
                left_over: self.game.left_over(state, mv),
                replies: Vec::new(),
            });
            this.won += usize::from(self.game.wins(state, mv));
        }
        found.into_values().collect()
    }

    /// Fills in the continuations of a turn; `false` if one of them is not won.
    fn follow(&mut self, goals: Goals<G>, turn: &mut Turn<G>) -> Result<bool> {
        for (heard, goal) in goals {
            let Some(next) = self.best(goal)? else {
                return Ok(false);
            };
            let Some((announced, heard)) = heard else {
                turn.foul = Some(next);
                continue;
            };
            let mut stands = turn.announcements.iter_mut();
            if let Some(this) = stands.find(|this| this.announced == announced) {
                this.replies.push((heard, next));
            }
        }
        Ok(true)
    }
}

/// A state that agrees with what was heard, and the place of the one before it.
struct Reached<S> {
    state: S,
    before: usize,
}

/// A line of a solution from a state with everything seen: of all replies that agree with
/// what is heard and with what follows, the first in the game's order. `None` if none agrees,
/// or the line does not reach the goal.
pub(crate) fn seen<G: Hidden>(
    game: &G,
    start: &G::State,
    line: &[LineStep<G::Move, G::Clue>],
) -> Option<Vec<Happened<G::Move, G::State>>> {
    let start = Reached {
        state: start.clone(),
        before: 0,
    };
    let mut layers = vec![vec![start]];
    let mut steps = line.iter();
    let mut tries = Vec::new();
    while let Some(step) = steps.next() {
        let here = layers.last_mut()?;
        match *step {
            LineStep::Foul(mv) => {
                here.retain(|reached| game.answer(&reached.state, mv) == Answer::Foul);
                tries.push(Happened::Foul(mv));
            }
            LineStep::Stands(mv, announced) => {
                let stands = Answer::Stands(announced);
                here.retain(|reached| game.answer(&reached.state, mv) == stands);
                tries.push(Happened::Stands(mv, None));
                match steps.next() {
                    Some(LineStep::Reply(heard)) => {
                        let next = replied(game, here, mv, *heard);
                        layers.push(next);
                    }
                    _ => here.retain(|reached| game.wins(&reached.state, mv)),
                }
            }
            LineStep::Reply(_) => return None,
        }
    }
    // Back from the first state at the end.
    let mut states = Vec::new();
    let mut place = 0;
    for layer in layers.iter().rev() {
        let reached = layer.get(place)?;
        states.push(reached.state.clone());
        place = reached.before;
    }
    // The last is where the line began.
    states.pop();
    for step in &mut tries {
        if let Happened::Stands(_, after) = step {
            *after = states.pop();
        }
    }
    Some(tries)
}

/// The states after the replies to a try of which this is heard, each once.
fn replied<G: Hidden>(
    game: &G,
    before: &[Reached<G::State>],
    mv: G::Move,
    heard: G::Clue,
) -> Vec<Reached<G::State>> {
    let mut known = HashSet::new();
    let mut next = Vec::new();
    for (place, reached) in before.iter().enumerate() {
        game.replies(&reached.state, mv, |reply| {
            if let Reply::To(clue, state) = reply
                && clue == heard
                && known.insert(game.key(&state))
            {
                next.push(Reached {
                    state,
                    before: place,
                });
            }
            ControlFlow::Continue(())
        });
    }
    next
}

//! Swindles: lures that force a mistake, as solutions of problems.

use std::cmp::Reverse;
use std::fmt;

use indexmap::IndexSet;

use super::{Lure, Lures, Result};
use crate::analysis::solution::{Attack, Reply, Solution, Tree};
use crate::analysis::stipulation::side_and_task;
use crate::analysis::{Looker, Step, rate_moves};
use crate::base::text::plural;
use crate::base::value::{Outcome, Value};
use crate::game::{Next, Oracle, Playable, Retrograde, Slot};

/// What the solver of a swindle is asked: to force a mistake of a player who looks some plies
/// ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SwindleTask {
    /// Plies up to the mistake.
    pub plies: u16,
    /// How many plies ahead the opponent looks.
    pub depth: u8,
}

impl SwindleTask {
    pub(crate) const LEGEND: &'static str = "To force a mistake: the position is a draw. The opponent looks as many plies ahead as the task says: they see each win within these plies, otherwise count pieces, and may make any move that looks best. The solution answers all such moves. The last move of each line loses, and plies count up to it. Moves in brackets force it as fast.";

    /// Reads `force a mistake in 4 plies from a player who looks 2 plies ahead`, perhaps with the
    /// side to move, in any case; `None` if the text is anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let task = side_and_task(text)?.1.join(" ");
        let rest = task.strip_prefix("force a mistake in ")?;
        let (plies, rest) = rest.split_once(" plies from a player who looks ")?;
        let (depth, end) = rest.split_once(' ')?;
        let found = Self {
            plies: plies.parse().ok()?,
            depth: depth.parse().ok()?,
        };
        (matches!(end, "ply ahead" | "plies ahead") && found.plies > 0).then_some(found)
    }
}

impl fmt::Display for SwindleTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "force a mistake in {} from a player who looks {} ahead",
            plural(self.plies.into(), "ply"),
            plural(self.depth.into(), "ply")
        )
    }
}

impl Lures {
    /// The moves of a state that keep the draw, the best lures first: those that force a mistake,
    /// the soonest first, then the others by their chance. None if the state is no draw.
    pub(crate) fn lured<G: Retrograde, O: Oracle<G>>(
        &self,
        game: &G,
        oracle: &O,
        state: &G::State,
    ) -> Result<Vec<(G::Move, Lure)>, O::Error> {
        let slot = game.slot(state);
        let Some(number) = self.drawn(slot) else {
            return Ok(Vec::new());
        };
        let lures = self.moves(number, slot.forbidden);
        let mut moves = Vec::new();
        for mv in game.moves(state) {
            let lure = match game.play(state, mv) {
                Next::Over(Outcome::Draw) => lures.iter().find(|lure| lure.slot.is_none()),
                Next::Over(_) => None,
                Next::State(next) => {
                    if oracle.value(game, &next)?.outcome() != Outcome::Draw {
                        continue;
                    }
                    let child = game.slot(&next);
                    let here = |lure: &&Lure| lure.slot == Some(child.index);
                    let same = |lure: &&Lure| here(lure) && lure.forbidden == child.forbidden;
                    // Of a position with a symmetry, one move has several numbers.
                    lures.iter().find(same).or_else(|| lures.iter().find(here))
                }
            };
            moves.extend(lure.map(|&lure| (mv, lure)));
        }
        let soonest = |lure: &Lure| lure.forced.unwrap_or(u8::MAX);
        moves.sort_by_key(|(_, lure)| (soonest(lure), Reverse(lure.chance)));
        Ok(moves)
    }

    /// All that an opponent may choose after the move that forces a mistake soonest, replies that
    /// hold out longest first; an empty tree if none does.
    pub(crate) fn tree<G: Retrograde, O: Oracle<G>>(
        &self,
        game: &G,
        oracle: &O,
        looker: &mut Looker<'_, G>,
        state: &G::State,
    ) -> Result<Tree<G::Move>, O::Error> {
        let (mut states, mut nodes) = (IndexSet::from([state.clone()]), Vec::new());
        while let Some(state) = states.get_index(nodes.len()).cloned() {
            let lured = self.lured(game, oracle, &state)?;
            let soonest = lured.first().and_then(|(_, lure)| lure.forced);
            let forcing = lured.iter().take_while(|(_, lure)| lure.forced == soonest);
            let forcing: Vec<_> = forcing.map(|&(mv, _)| mv).collect();
            let (Some(moves), [mv, duals @ ..]) = (soonest, &forcing[..]) else {
                return Ok(Tree::none());
            };
            let mut replies = Vec::new();
            if let Next::State(next) = game.play(&state, *mv) {
                for reply in looker.liked(&next, self.depth) {
                    let then = match game.play(&next, reply) {
                        Next::State(again)
                            if oracle.value(game, &again)?.outcome() == Outcome::Draw =>
                        {
                            Some(states.insert_full(again).0)
                        }
                        _ => None,
                    };
                    replies.push(Reply { mv: reply, then });
                }
            }
            nodes.push(Attack {
                mv: *mv,
                duals: duals.to_vec(),
                plies: 2 * u16::from(moves),
                replies,
            });
        }
        let plies: Vec<_> = nodes.iter().map(|node| node.plies).collect();
        for node in &mut nodes {
            let left = |reply: &Reply<G::Move>| reply.then.map_or(0, |next| plies[next]);
            node.replies.sort_by_key(|reply| Reverse(left(reply)));
        }
        Ok(Tree {
            nodes,
            complete: true,
        })
    }

    /// The solution of a swindle: a drawn state in which a move forces a mistake. Its value is a
    /// draw, its tree and its line end with mistakes. `None` if no move forces one.
    pub(crate) fn solution<G: Retrograde + Playable, O: Oracle<G>>(
        &self,
        game: &G,
        oracle: &O,
        looker: &mut Looker<'_, G>,
        state: &G::State,
    ) -> Result<Option<Solution<G>>, O::Error> {
        let tree = self.tree(game, oracle, looker, state)?;
        let Some(root) = tree.nodes.first() else {
            return Ok(None);
        };
        let keys: Vec<_> = [root.mv].into_iter().chain(root.duals.clone()).collect();
        let failing = rate_moves(game, oracle, state)?.len() - keys.len();
        let (mut steps, mut at, mut here) = (Vec::new(), Some(root), state.clone());
        while let Some(node) = at {
            let step = |state: &G::State, mv, same| Step {
                state: state.clone(),
                mv,
                as_good: (same, same),
            };
            steps.push(step(&here, node.mv, 1 + node.duals.len()));
            let (Next::State(next), Some(reply)) =
                (game.play(&here, node.mv), node.replies.first())
            else {
                break;
            };
            steps.push(step(&next, reply.mv, node.replies.len()));
            at = reply.then.map(|next| &tree.nodes[next]);
            if let Next::State(again) = game.play(&next, reply.mv) {
                here = again;
            }
        }
        Ok(Some(Solution {
            state: state.clone(),
            value: Value::DRAW,
            keys,
            slower: Vec::new(),
            tries: Vec::new(),
            failing,
            set_play: None,
            line: steps.iter().map(|step| step.mv).collect(),
            tree,
            steps,
        }))
    }

    /// The number of a drawn state's position.
    fn drawn(&self, slot: Slot) -> Option<u32> {
        let number = self.graph.number(slot.index);
        number.filter(|&it| self.graph.is_drawn(it, slot.forbidden))
    }

    /// Plies within which the opponent goes wrong whatever they choose, with the lurer to move in
    /// a state; `None` if they need not, or the state is no draw.
    pub(crate) fn forced_plies(&self, slot: Slot) -> Option<u16> {
        Some(2 * u16::from(self.forced(self.drawn(slot)?, slot.forbidden)?))
    }
}

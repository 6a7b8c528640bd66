//! Analysis of solutions in the terms of problem composition.
//!
//! * *key*: the move that solves; *cook*: another move that also solves;
//! * *dual*: a second move of the attacker later in the solution that wins as fast;
//! * *slow win*: a move that also wins, but later than asked;
//! * *try*: a move that fails to exactly one reply, its *refutation*;
//! * *set play*: what would happen if the other side were to move first.

mod fold;
mod notation;
mod tree;

pub use notation::{SolutionText, TextLine, TextMove, TextPly, write_solution};
use serde::Serialize;
pub use tree::{Attack, MOST_NODES, Reply, Tree};

pub(crate) use fold::{Folded, Turn};
pub use fold::{Length, Then};
pub(crate) use notation::{spell_in, states_after, write_defences, write_line, write_tree};

use crate::analysis::rated::{Analysis, Rated, Step, rate_moves};
use crate::analysis::stipulation::Stipulation;
use crate::base::text::named;
use crate::base::value::{Outcome, Value};
use crate::game::{Game, Moves, Next, Oracle, Playable};

named! {
    /// The soundness of a puzzle. Each level includes the ones before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Soundness {
        /// Several moves solve it.
        Cooked = "cooked",
        /// One move is the only shortest win (or the only longest defence).
        UniqueShortestKey = "uniqueShortestKey",
        /// Also, every later move of the solver in the main line is the only best one.
        DualFreeLine = "dualFreeLine",
        /// Also in every variation that holds out as long. Only for won states and swindles.
        DualFreeTree = "dualFreeTree",
    }
}

impl Soundness {
    /// What people read, where a file has the name.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Cooked => "cooked",
            Self::UniqueShortestKey => "one key, duals later",
            Self::DualFreeLine => "no duals in the main line",
            Self::DualFreeTree => "no duals",
        }
    }
}

/// A move that fails to exactly one reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Try<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// Its value.
    pub value: Value,
    /// The reply that refutes it.
    pub refutation: M,
}

/// Play in the position with the other side to move.
#[derive(Debug, Clone, Serialize)]
pub struct SetPlay<S, M> {
    /// That position.
    #[serde(skip)]
    pub state: S,
    /// Its value.
    pub value: Value,
    /// Its main line; empty for a draw.
    pub line: Vec<M>,
}

/// The solution of a puzzle.
#[derive(Debug, Clone)]
pub struct Solution<G: Game> {
    /// The position to solve.
    pub state: G::State,
    /// Its value.
    pub value: Value,
    /// The moves with the best value: the key, then its cooks.
    pub keys: Vec<G::Move>,
    /// Moves with the outcome of the key that take longer to win, or lose sooner; in a mate
    /// problem also those that win as fast, but not by checks alone.
    pub slower: Vec<Rated<G::Move>>,
    /// Moves with a worse outcome that fail to exactly one reply.
    pub tries: Vec<Try<G::Move>>,
    /// The number of moves with a worse outcome.
    pub failing: usize,
    /// The set play; `None` if the other side cannot be to move, or has the same moves.
    pub set_play: Option<SetPlay<G::State, G::Move>>,
    /// The tree; empty unless the state is won or this is a
    /// [swindle](crate::analysis::lures).
    pub tree: Tree<G::Move>,
    /// The main line.
    pub line: Vec<G::Move>,
    /// The main line with the states before its moves.
    pub steps: Vec<Step<G::State, G::Move>>,
}

impl<G: Moves + Playable> Solution<G> {
    /// The main line with numbers, as people read it.
    pub(crate) fn written_line(&self, game: &G) -> String {
        let steps = self.steps.iter();
        let names = steps.map(|step| game.spell_move(&step.state, step.mv));
        write_line(&names.collect::<Vec<_>>())
    }

    /// Analyses a state. A tree of more than `most` nodes is cut, but for its main line; with 0,
    /// there is no tree.
    ///
    /// # Errors
    /// If a state cannot be valued.
    pub fn new<O: Oracle<G>>(
        game: &G,
        oracle: &O,
        state: &G::State,
        most: usize,
    ) -> Result<Self, O::Error> {
        Self::by(game, oracle, oracle, state, most)
    }

    /// Analyses a state that is the problem of a stipulation. If it asks for a mate and the state
    /// [meets](Stipulation::met_in) it, only checks that mate solve it; otherwise this is
    /// [`new`](Self::new).
    ///
    /// # Errors
    /// If a state cannot be valued.
    pub fn of<O: Oracle<G>>(
        game: &G,
        oracle: &O,
        state: &G::State,
        stipulation: Stipulation,
        most: usize,
    ) -> Result<Self, O::Error> {
        if let Some(after) = game.plies_after_mate()
            && stipulation.mate().is_some()
            && stipulation.met_in(game, state, oracle.value(game, state)?)
        {
            let mates = MateValues {
                oracle,
                attacker: game.side_to_move(state),
                after,
            };
            let mut solution = Self::by(game, &mates, oracle, state, most)?;
            solution.slower = rate_moves(game, oracle, state)?;
            let keys = &solution.keys;
            let other =
                |it: &Rated<_>| it.value.outcome() == Outcome::Win && !keys.contains(&it.mv);
            solution.slower.retain(other);
            return Ok(solution);
        }
        Self::new(game, oracle, state, most)
    }

    /// Analyses a state by values that say what solves it, and by those of the game.
    fn by<O: Oracle<G>>(
        game: &G,
        oracle: &O,
        plain: &impl Oracle<G, Error = O::Error>,
        state: &G::State,
        most: usize,
    ) -> Result<Self, O::Error> {
        let analysis = Analysis::new(game, oracle, state)?;
        let value = analysis.value();
        let rated = &analysis.rated;
        let keys: Vec<_> = analysis.best().collect();
        let same = |rated: &Rated<G::Move>| rated.value.outcome() == value.outcome();
        let (slower, failing): (Vec<_>, Vec<_>) =
            rated[keys.len()..].iter().copied().partition(same);
        let mut tries = Vec::new();
        for rated in &failing {
            if let Some(refutation) =
                only_refutation(game, oracle, state, rated.mv, value.outcome())?
            {
                tries.push(Try {
                    mv: rated.mv,
                    value: rated.value,
                    refutation,
                });
            }
        }
        let steps = analysis.line(game, oracle)?;
        let set_play = match game.passed(state) {
            Some(Next::State(passed)) => Some(set_play_of(game, plain, passed)?),
            _ => None,
        };
        Ok(Self {
            state: state.clone(),
            value,
            keys,
            slower,
            tries,
            failing: failing.len(),
            set_play,
            tree: if most == 0 {
                Tree::none()
            } else {
                Tree::new(game, oracle, state, most)?
            },
            line: steps.iter().map(|step| step.mv).collect(),
            steps,
        })
    }

    /// The soundness of the puzzle.
    pub fn soundness(&self) -> Soundness {
        let mut own = self.steps.iter().step_by(2);
        if self.keys.len() != 1 {
            Soundness::Cooked
        } else if own.any(|step| step.as_good.1 != 1) {
            Soundness::UniqueShortestKey
        } else if !self.tree.nodes.is_empty() && self.tree.dual_free() {
            Soundness::DualFreeTree
        } else {
            Soundness::DualFreeLine
        }
    }

    /// Whether the key is the only move with its outcome.
    pub fn only_key(&self) -> bool {
        self.keys.len() == 1 && self.slower.is_empty()
    }
}

fn set_play_of<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: G::State,
) -> Result<SetPlay<G::State, G::Move>, O::Error> {
    let analysis = Analysis::new(game, oracle, &state)?;
    let value = analysis.value();
    let line = match value.outcome() {
        Outcome::Draw => Vec::new(),
        _ => analysis.line(game, oracle)?,
    };
    Ok(SetPlay {
        state,
        value,
        line: line.iter().map(|step| step.mv).collect(),
    })
}

/// The only reply after which the mover no longer gets `outcome`; `None` if there are
/// several, or if the move ends the game.
fn only_refutation<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    mv: G::Move,
    outcome: Outcome,
) -> Result<Option<G::Move>, O::Error> {
    let Next::State(next) = game.play(state, mv) else {
        return Ok(None);
    };
    let replies = Analysis::new(game, oracle, &next)?;
    let refuting = |rated: &&Rated<G::Move>| rated.value.outcome().reversed() < outcome;
    let mut refutations = replies.rated.iter().filter(refuting);
    Ok(match (refutations.next(), refutations.next()) {
        (Some(only), None) => Some(only.mv),
        _ => None,
    })
}

/// The values of an oracle, but a loss of the defender that is no mate by checks counts as if
/// it took two plies more. So the shortest wins of the attacker are the mates, as long as these
/// are no longer than others.
struct MateValues<'a, O> {
    pub oracle: &'a O,
    pub attacker: &'static str,
    /// The plies of a game after the mating move.
    pub after: u16,
}

impl<O> MateValues<'_, O> {
    fn seen<G: Moves>(&self, game: &G, state: &G::State, value: Value) -> Value {
        if value.outcome() != Outcome::Loss || game.side_to_move(state) == self.attacker {
            return value;
        }
        let plies = value.plies().unwrap_or(0);
        let left = plies.checked_sub(self.after);
        if left.is_some_and(|left| game.is_mated(state, left)) {
            return value;
        }
        Value::decided(Outcome::Loss, plies.saturating_add(2)).unwrap_or(value)
    }
}

impl<G: Moves, O: Oracle<G>> Oracle<G> for MateValues<'_, O> {
    type Error = O::Error;

    fn value(&self, game: &G, state: &G::State) -> Result<Value, O::Error> {
        Ok(self.seen(game, state, self.oracle.value(game, state)?))
    }

    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>, O::Error> {
        let values = self.oracle.values(game, states)?.into_iter().zip(states);
        let seen = values.map(|(value, state)| self.seen(game, state, value));
        Ok(seen.collect())
    }

    fn contradiction(&self, game: &G, state: &G::State) -> O::Error {
        self.oracle.contradiction(game, state)
    }
}

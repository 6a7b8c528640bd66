//! The solution tree: every defence that holds out longest, and the attack on it.

use foldhash::fast::FixedState;
use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::analysis::rated::Analysis;
use crate::base::value::{Outcome, Value};
use crate::game::{Game, Moves, Next, Oracle};

/// A turn of the attacker.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Attack<M> {
    /// The move: the shortest win; of several, the first in the game's order of moves.
    #[serde(rename = "move")]
    pub mv: M,
    /// Other moves that win as fast.
    pub duals: Vec<M>,
    /// Plies to the end of the game, including the move.
    pub plies: u16,
    /// The replies that hold out longest; empty if the move ends the game.
    pub replies: Vec<Reply<M>>,
}

/// A reply of the defender.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Reply<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// The attack on it, as a node of the tree; `None` if the reply ends the game or the
    /// tree is cut here.
    #[serde(rename = "node")]
    pub then: Option<usize>,
}

/// A solution tree. Nodes are turns of the attacker; node 0 is the key. Variations share
/// the node of a common position. Plies decrease from each node to those that its replies lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree<M> {
    /// The attacker's turns, breadth first from the key.
    pub nodes: Vec<Attack<M>>,
    /// Whether the tree is whole, not cut.
    pub complete: bool,
}

/// The default for the most turns of the attacker in a tree.
pub const MOST_NODES: usize = 2_000;

/// The attacker's turns that a tree comes to, in order.
type Waiting<G> = IndexMap<<G as Game>::State, Analysis<G>, FixedState>;

impl<M: Copy + PartialEq> Tree<M> {
    /// The tree of a state; empty unless the state is won. A tree with more than `most`
    /// nodes is cut, breadth first, and then not [`complete`](Self::complete); its main line goes on
    /// to the end.
    ///
    /// # Errors
    /// If a state cannot be valued.
    pub fn new<G, O>(game: &G, oracle: &O, state: &G::State, most: usize) -> Result<Self, O::Error>
    where
        G: Moves + Game<Move = M>,
        O: Oracle<G>,
    {
        let mut tree = Self {
            nodes: Vec::new(),
            complete: true,
        };
        let root = Analysis::new(game, oracle, state)?;
        if root.value().outcome() != Outcome::Win {
            return Ok(tree);
        }
        let mut waiting: Waiting<G> = [(state.clone(), root)].into_iter().collect();
        // The main line goes on to its end where the tree is cut.
        while tree.nodes.len() < waiting.len() || tree.go_on(game, oracle, &mut waiting)? {
            let Some((state, analysis)) = waiting.get_index(tree.nodes.len()) else {
                break;
            };
            let mut attack = attack(analysis);
            if let Next::State(defence) = game.play(state, attack.mv) {
                let analysis = Analysis::new(game, oracle, &defence)?;
                for mv in analysis.best() {
                    let then = match game.play(&defence, mv) {
                        Next::Over(_) => None,
                        Next::State(next)
                            if waiting.len() >= most && !waiting.contains_key(&next) =>
                        {
                            tree.complete = false;
                            None
                        }
                        Next::State(next) => {
                            Some(enter(game, oracle, &mut waiting, &next, attack.plies)?)
                        }
                    };
                    attack.replies.push(Reply { mv, then });
                }
            }
            tree.nodes.push(attack);
        }
        Ok(tree)
    }

    /// Takes up the turn at which the main line is cut; `false` if it is whole.
    fn go_on<G, O>(
        &mut self,
        game: &G,
        oracle: &O,
        waiting: &mut Waiting<G>,
    ) -> Result<bool, O::Error>
    where
        G: Moves + Game<Move = M>,
        O: Oracle<G>,
    {
        let mut last = 0;
        let first = |node: &Attack<M>| node.replies.first()?.then;
        while let Some(next) = first(&self.nodes[last]) {
            last = next;
        }
        let node = &mut self.nodes[last];
        if let Some(reply) = node.replies.first_mut()
            && let Some((state, _)) = waiting.get_index(last)
            && let Next::State(defence) = game.play(state, node.mv)
            && let Next::State(next) = game.play(&defence, reply.mv)
        {
            reply.then = Some(enter(game, oracle, waiting, &next, node.plies)?);
            return Ok(true);
        }
        Ok(false)
    }

    pub(crate) const fn none() -> Self {
        Self {
            nodes: Vec::new(),
            complete: false,
        }
    }

    pub(crate) fn named(&self, name: impl Fn(M) -> String) -> Tree<String> {
        let reply = |reply: &Reply<M>| Reply {
            mv: name(reply.mv),
            then: reply.then,
        };
        let nodes = self.nodes.iter().map(|node| Attack {
            mv: name(node.mv),
            duals: node.duals.iter().map(|&mv| name(mv)).collect(),
            plies: node.plies,
            replies: node.replies.iter().map(reply).collect(),
        });
        Tree {
            nodes: nodes.collect(),
            complete: self.complete,
        }
    }
}

impl<M> Tree<M> {
    /// Whether no turn of the attacker has a dual.
    pub fn dual_free(&self) -> bool {
        self.complete && self.nodes.iter().all(|node| node.duals.is_empty())
    }

    /// The number of lines in the tree: paths to an end. Shared parts count as often as
    /// they are reached. At most `u64::MAX`.
    pub fn variations(&self) -> u64 {
        // A reply's node comes after its parent unless it is shared, and plies decrease
        // along every path, so nodes are counted by decreasing plies.
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&at| self.nodes[at].plies);
        let mut lines = vec![0_u64; self.nodes.len()];
        for at in order {
            let replies = &self.nodes[at].replies;
            let sum = replies.iter().fold(0_u64, |sum, reply| {
                sum.saturating_add(reply.then.map_or(1, |next| lines[next]))
            });
            lines[at] = if replies.is_empty() { 1 } else { sum };
        }
        lines.first().copied().unwrap_or(0)
    }
}

impl<M: Serialize> Serialize for Tree<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut data = serializer.serialize_struct("Tree", 4)?;
        data.serialize_field("complete", &self.complete)?;
        data.serialize_field("dual_free", &self.dual_free())?;
        data.serialize_field("variations", &self.variations())?;
        data.serialize_field("nodes", &self.nodes)?;
        data.end()
    }
}

/// The place of a turn among those that wait, at which it is put if it is new. Its win must be nearer
/// than `before`: where values contradict each other, a tree could lead round in circles.
fn enter<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    waiting: &mut Waiting<G>,
    state: &G::State,
    before: u16,
) -> Result<usize, O::Error> {
    if !waiting.contains_key(state) {
        waiting.insert(state.clone(), Analysis::new(game, oracle, state)?);
    }
    let nearer = |value: Value| {
        value.outcome() == Outcome::Win && value.plies().is_some_and(|plies| plies < before)
    };
    match waiting.get_full(state) {
        Some((place, _, turn)) if nearer(turn.value()) => Ok(place),
        _ => Err(oracle.contradiction(game, state)),
    }
}

fn attack<G: Moves>(analysis: &Analysis<G>) -> Attack<G::Move> {
    let mut moves = analysis.best();
    // A won state has a move that wins.
    let mv = moves.next();
    let mv = mv.unwrap_or_else(|| unreachable!("a won state has a winning move"));
    Attack {
        mv,
        duals: moves.collect(),
        plies: analysis.value().plies().unwrap_or(0),
        replies: Vec::new(),
    }
}

//! Solution trees as readers want them: equal continuations once, and the defences that they
//! answer side by side.

use std::hash::Hash;

use foldhash::fast::FixedState;
use indexmap::IndexSet;

use super::tree::{Attack, Tree};

/// How much of a solution is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Length {
    /// The main line.
    Main,
    /// The main line, some variations and tries; the number left out is shown.
    Short,
    /// All variations.
    #[default]
    Full,
}

/// A turn of the attacker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Turn<M> {
    pub mv: M,
    /// Other moves that win as fast; at the last move of a game, those that do after each of
    /// the defences that it answers.
    pub duals: Vec<M>,
    /// The replies, those with the same continuation together. The first reply of the first
    /// group is that of the main line.
    pub defences: Vec<Defence<M>>,
}

/// Replies that are answered in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Defence<M> {
    /// The replies, in the game's order of moves.
    pub replies: Vec<M>,
    /// Whether these are all replies that hold out as long.
    pub all: bool,
    pub then: Then,
}

/// What follows a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Then {
    /// Nothing: the game is over.
    Over,
    /// More play, which a tree or a book does not have.
    Cut,
    /// The next turn of the attacker, by its number.
    Turn(usize),
}

/// A solution tree in which subtrees of the same moves are one.
#[derive(Debug, Clone)]
pub(crate) struct Folded<M> {
    pub turns: IndexSet<Turn<M>, FixedState>,
    /// The number of the key; `None` if there is no tree.
    pub root: Option<usize>,
}

impl<M: Copy + Eq + Hash> Folded<M> {
    pub(crate) fn new(tree: &Tree<M>) -> Self {
        let mut folded = Self {
            turns: IndexSet::default(),
            root: None,
        };
        let nodes = &tree.nodes;
        // Plies decrease along every path, so what follows is folded first.
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&node| nodes[node].plies);
        let mut places = vec![0; nodes.len()];
        for node in order {
            places[node] = folded.turn(tree, node, &places);
        }
        folded.root = places.first().copied();
        folded
    }

    /// Adds a turn, unless an equal one is there. Returns its number.
    fn turn(&mut self, tree: &Tree<M>, node: usize, places: &[usize]) -> usize {
        let (nodes, attack) = (&tree.nodes, &tree.nodes[node]);
        let replies = &attack.replies;
        let mut groups: Vec<(Vec<usize>, Then)> = Vec::new();
        let mut last = Vec::new();
        for (place, reply) in replies.iter().enumerate() {
            let then = match reply.then {
                // A reply that loses ends a swindle, whatever other replies take.
                None if attack.plies > 2 && !tree.complete => Then::Cut,
                None => Then::Over,
                Some(next) if nodes[next].replies.is_empty() => {
                    last.push((place, &nodes[next]));
                    continue;
                }
                Some(next) => Then::Turn(places[next]),
            };
            match groups.iter_mut().find(|(_, known)| *known == then) {
                Some((group, _)) => group.push(place),
                None => groups.push((vec![place], then)),
            }
        }
        for (group, turn) in last_moves(&last) {
            groups.push((group, Then::Turn(self.turns.insert_full(turn).0)));
        }
        groups.sort_by_key(|(group, _)| group[0]);
        let defences = groups.into_iter().map(|(group, then)| Defence {
            all: group.len() == replies.len(),
            replies: group.iter().map(|&place| replies[place].mv).collect(),
            then,
        });
        let turn = Turn {
            mv: attack.mv,
            duals: attack.duals.clone(),
            defences: defences.collect(),
        };
        self.turns.insert_full(turn).0
    }
}

/// The last moves of a game after several replies, as few different ones as come of taking
/// each time the move that answers most; the first reply keeps its own move.
fn last_moves<M: Copy + Eq>(last: &[(usize, &Attack<M>)]) -> Vec<(Vec<usize>, Turn<M>)> {
    let moves = |attack: &Attack<M>| -> Vec<M> {
        let first = std::iter::once(attack.mv);
        first.chain(attack.duals.iter().copied()).collect()
    };
    let left = last.iter().map(|(place, attack)| (*place, moves(attack)));
    let mut left: Vec<(usize, Vec<M>)> = left.collect();
    let mut groups = Vec::new();
    while let Some((first, own)) = left.first() {
        let answers = |mv: &M| left.iter().filter(|(_, moves)| moves.contains(mv)).count();
        let chosen = if *first == 0 {
            own[0]
        } else {
            // Of several that answer as many, the first.
            let moves = left.iter().flat_map(|(_, moves)| moves).rev();
            *moves.max_by_key(|mv| answers(mv)).unwrap_or(&own[0])
        };
        let answered = |(_, moves): &(usize, Vec<M>)| moves.contains(&chosen);
        let (group, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(answered);
        left = rest;
        let duals = group[0].1.iter().copied();
        let duals =
            duals.filter(|mv| *mv != chosen && group.iter().all(|(_, all)| all.contains(mv)));
        let turn = Turn {
            mv: chosen,
            duals: duals.collect(),
            defences: Vec::new(),
        };
        groups.push((group.iter().map(|(place, _)| *place).collect(), turn));
    }
    groups
}

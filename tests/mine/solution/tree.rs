//! The solution tree by exhaustive search, and a tree under test walked beside it.

use std::collections::{HashMap, VecDeque};

use tesuji::analysis::Tree;
use tesuji::game::{Game, Moves, Next};
use tesuji::games::ostle::{Move, State};

use crate::common::truth::{Truth, best};

/// A turn of the attacker.
#[derive(Debug)]
pub struct Turn {
    /// All moves with the best value, in order.
    pub best: Vec<Move>,
    /// Plies to the end.
    pub plies: u16,
    /// Every longest defence against the first of them, and where it leads unless it
    /// ends the game.
    pub replies: Vec<(Move, Option<State>)>,
}

/// All turns of the attacker after a won state, itself included.
pub fn turns(truth: &Truth, state: &State) -> HashMap<State, Turn> {
    let game = &truth.game;
    let mut turns = HashMap::new();
    let mut waiting = vec![*state];
    while let Some(state) = waiting.pop() {
        if turns.contains_key(&state) {
            continue;
        }
        let moves = best(&truth.tried(&state));
        let mut turn = Turn {
            best: moves.iter().map(|tried| tried.mv).collect(),
            plies: moves[0].worth.1.unwrap(),
            replies: Vec::new(),
        };
        if let Next::State(defence) = game.play(&state, turn.best[0]) {
            for reply in best(&truth.tried(&defence)) {
                let next = match game.play(&defence, reply.mv) {
                    Next::State(next) => Some(next),
                    Next::Over(_) => None,
                };
                waiting.extend(next);
                turn.replies.push((reply.mv, next));
            }
        }
        turns.insert(state, turn);
    }
    turns
}

/// Lines from a state to an end.
pub fn lines(turns: &HashMap<State, Turn>, state: &State, known: &mut HashMap<State, u64>) -> u64 {
    if let Some(&lines) = known.get(state) {
        return lines;
    }
    let replies = &turns[state].replies;
    let ends = u64::from(replies.is_empty());
    let sum = replies.iter().fold(ends, |sum, (_, next)| {
        let more = next.map_or(1, |next| lines(turns, &next, known));
        sum.saturating_add(more)
    });
    known.insert(*state, sum);
    sum
}

/// Walks a whole tree from its root by playing its moves; every turn must be the one
/// that the search finds.
pub fn compare(truth: &Truth, state: &State, tree: &Tree<Move>, turns: &HashMap<State, Turn>) {
    let text = truth.game.format_state(state);
    assert!(tree.complete, "{text}");
    assert_eq!(tree.nodes.len(), turns.len(), "{text}");
    let mut states: HashMap<usize, (State, usize)> = HashMap::from([(0, (*state, 0))]);
    let mut waiting = VecDeque::from([0]);
    while let Some(at) = waiting.pop_front() {
        let (node, (state, depth)) = (&tree.nodes[at], states[&at]);
        let turn = &turns[&state];
        assert_eq!(node.mv, turn.best[0], "{text}");
        assert_eq!(node.duals, turn.best[1..], "{text}");
        assert_eq!(node.plies, turn.plies, "{text}");
        assert_eq!(node.replies.len(), turn.replies.len(), "{text}");
        for (reply, &(mv, next)) in node.replies.iter().zip(&turn.replies) {
            assert_eq!(reply.mv, mv, "{text}");
            assert_eq!(reply.then.is_some(), next.is_some(), "{text}");
            let (Some(then), Some(next)) = (reply.then, next) else {
                continue;
            };
            let (known, _) = states.entry(then).or_insert_with(|| {
                waiting.push_back(then);
                (next, depth + 1)
            });
            assert_eq!(*known, next, "{text}: a node stands for one state");
        }
    }
    // As many nodes as states, and each stands for another one.
    assert_eq!(states.len(), turns.len(), "{text}");
    let depths: Vec<usize> = (0..states.len()).map(|at| states[&at].1).collect();
    assert!(depths.is_sorted(), "{text}: nodes come breadth first");
}

/// The main line: the first reply of each node.
pub fn main_line(tree: &Tree<Move>) -> Vec<Move> {
    let mut line = Vec::new();
    let mut at = tree.nodes.first();
    while let Some(node) = at {
        line.push(node.mv);
        let reply = node.replies.first();
        line.extend(reply.map(|reply| reply.mv));
        let next = reply.and_then(|reply| reply.then);
        at = next.map(|next| &tree.nodes[next]);
    }
    line
}

/// A tree cut at `most` nodes is the beginning of the whole one with the rest of its main line, and
/// says so.
pub fn compare_cut(whole: &Tree<Move>, cut: &Tree<Move>, most: usize) {
    assert!(!cut.complete && !cut.dual_free());
    assert_eq!(main_line(whole), main_line(cut));
    let next = |&node: &usize| cut.nodes[node].replies.first()?.then;
    let line: Vec<usize> = std::iter::successors(Some(0), next).collect();
    assert!(cut.nodes.len() >= most);
    assert!((most..cut.nodes.len()).all(|node| line.contains(&node)));
    for (at, (whole, cut)) in whole.nodes.iter().zip(&cut.nodes).take(most).enumerate() {
        assert_eq!((whole.mv, &whole.duals), (cut.mv, &cut.duals));
        assert_eq!(whole.plies, cut.plies);
        assert_eq!(whole.replies.len(), cut.replies.len());
        for (place, (whole, cut)) in whole.replies.iter().zip(&cut.replies).enumerate() {
            assert_eq!(whole.mv, cut.mv);
            let kept = whole.then.filter(|&then| then < most);
            let goes_on = place == 0 && line.contains(&at) && whole.then.is_some();
            if kept.is_some() || !goes_on {
                assert_eq!(kept, cut.then);
            }
        }
    }
}

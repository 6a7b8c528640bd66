//! A slow and simple solver, the reference that the fast one is tested against.
//!
//! It holds every state in a hash map. Sweep `n` applies the definition to find the
//! states decided in exactly `n` plies. Only parents of states decided in sweep `n - 1`
//! need to be examined: a win in `n` has a child lost in `n - 1`, and the slowest child
//! of a loss in `n` is won in `n - 1`.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use tesuji::base::value::{Outcome, Value};
use tesuji::game::{Moves, Next};

/// Values of all states reachable from the given roots.
#[derive(Debug)]
pub struct NaiveSolution<S> {
    numbers: HashMap<S, u32, FixedState>,
    values: Vec<Option<(Outcome, u16)>>,
}

/// One move of the explicit game graph.
#[derive(Debug, Clone, Copy)]
enum Edge {
    Over(Outcome),
    To(u32),
}

/// Solves every state reachable from `roots`.
///
/// `same` maps a state to a representative of the states equivalent to it by symmetry;
/// pass `Clone::clone` to make no such assumption.
///
/// # Panics
/// If there are more than 2^32 states.
pub fn solve<G: Moves>(
    game: &G,
    roots: impl IntoIterator<Item = G::State>,
    same: impl Fn(&G::State) -> G::State,
) -> NaiveSolution<G::State> {
    let mut numbers: HashMap<G::State, u32, FixedState> = HashMap::default();
    let mut states: Vec<G::State> = Vec::new();
    let mut number_of = |state: G::State, states: &mut Vec<G::State>| {
        *numbers.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            u32::try_from(states.len() - 1).expect("far fewer states fit in memory")
        })
    };
    for root in roots {
        number_of(same(&root), &mut states);
    }
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < states.len() {
        let state = states[edges.len()].clone();
        let edge = |mv| match game.play(&state, mv) {
            Next::Over(outcome) => Edge::Over(outcome),
            Next::State(next) => Edge::To(number_of(same(&next), &mut states)),
        };
        edges.push(game.moves(&state).into_iter().map(edge).collect());
    }
    let parents = parents_of(&edges);
    let mut values: Vec<Option<(Outcome, u16)>> = vec![None; edges.len()];
    // A state decided in `plies` plies has a child decided in one ply less.
    let mut candidates: Vec<u32> = (0..).take(edges.len()).collect();
    for plies in 1u16.. {
        let found: Vec<(u32, Outcome)> = candidates
            .into_iter()
            .filter(|&state| values[state as usize].is_none())
            .filter_map(|state| {
                let moves = &edges[state as usize];
                decided_in(plies, moves, &values).map(|outcome| (state, outcome))
            })
            .collect();
        if found.is_empty() {
            break;
        }
        candidates = Vec::new();
        for (state, outcome) in found {
            values[state as usize] = Some((outcome, plies));
            candidates.extend(&parents[state as usize]);
        }
        candidates.sort_unstable();
        candidates.dedup();
    }
    NaiveSolution { numbers, values }
}

/// For each state, the states with a move to it.
fn parents_of(edges: &[Vec<Edge>]) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); edges.len()];
    for (parent, moves) in (0..).zip(edges) {
        for edge in moves {
            if let Edge::To(child) = *edge {
                lists[child as usize].push(parent);
            }
        }
    }
    lists
}

/// The outcome of a state with these moves if it is decided in exactly `plies` plies.
/// `values` holds the states decided in fewer plies.
fn decided_in(plies: u16, moves: &[Edge], values: &[Option<(Outcome, u16)>]) -> Option<Outcome> {
    // The outcome of a move for the mover, and the plies to the end, this one included.
    let valued = |edge: &Edge| match *edge {
        Edge::Over(Outcome::Draw) => None,
        Edge::Over(outcome) => Some((outcome, 1)),
        Edge::To(state) => values[state as usize].map(|(outcome, n)| (outcome.reversed(), n + 1)),
    };
    if moves
        .iter()
        .any(|edge| valued(edge) == Some((Outcome::Win, plies)))
    {
        return Some(Outcome::Win);
    }
    let all_lose = moves.iter().all(|edge| {
        valued(edge).is_some_and(|(outcome, n)| outcome == Outcome::Loss && n <= plies)
    });
    (all_lose && !moves.is_empty()).then_some(Outcome::Loss)
}

impl<S: std::hash::Hash + Eq> NaiveSolution<S> {
    /// Number of states reached.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no state was reached.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The longest distance of a decided state, in plies to the end of the game.
    #[must_use]
    pub fn longest(&self) -> Option<u16> {
        self.values.iter().flatten().map(|&(_, plies)| plies).max()
    }

    /// The value of a state, given as its representative. `None` if it was not reached or
    /// its distance does not fit a [`Value`].
    #[must_use]
    pub fn value(&self, representative: &S) -> Option<Value> {
        let number = *self.numbers.get(representative)?;
        match self.values[number as usize] {
            None => Some(Value::DRAW),
            Some((outcome, plies)) => Value::decided(outcome, plies),
        }
    }
}

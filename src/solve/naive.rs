//! A slow and obviously right solver, the twin that the fast one is tested with.
//!
//! Every state is held explicitly in a hash map; sweep `n` finds those that are
//! decided in exactly `n` plies, from the definition. It looks only at the parents
//! of the states that sweep `n - 1` decided: a win in `n` has a child lost in
//! `n - 1`, and a loss in `n` has a longest child of `n - 1`.

use std::collections::HashMap;

use crate::base::value::{Outcome, Value};
use crate::game::{Moves, Next};

/// Values of all states that can be reached from some given ones.
#[derive(Debug)]
pub struct NaiveSolution<S> {
    numbers: HashMap<S, u32>,
    values: Vec<Option<(Outcome, u16)>>,
}

/// One move of the explicit game graph.
#[derive(Debug, Clone, Copy)]
enum Edge {
    Over(Outcome),
    To(u32),
}

/// Solves everything reachable from `roots`. `same` maps a state to a
/// representative of all states that are worth the same for trivial reasons
/// (symmetry); pass `Clone::clone` to rely on nothing.
///
/// # Panics
/// If there are more than 2^32 states.
pub fn solve<G: Moves>(
    game: &G,
    roots: impl IntoIterator<Item = G::State>,
    same: impl Fn(&G::State) -> G::State,
) -> NaiveSolution<G::State> {
    let mut numbers: HashMap<G::State, u32> = HashMap::new();
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
    // What is decided in `plies` plies has a child that is decided in one less.
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

/// For each state, those with a move to it.
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

/// The outcome of a state with these moves if it is decided in exactly `plies`
/// plies, given the values of all states decided sooner.
fn decided_in(plies: u16, moves: &[Edge], values: &[Option<(Outcome, u16)>]) -> Option<Outcome> {
    // Of a move: its outcome for the mover, and plies to the end with it.
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
    /// Number of different states met.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no state was met.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The greatest number of plies to the end of any decided state.
    #[must_use]
    pub fn longest(&self) -> Option<u16> {
        self.values.iter().flatten().map(|&(_, plies)| plies).max()
    }

    /// The value of a state (of its representative), `None` if it was not met or
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

//! All positions that play can reach.

use std::collections::{BTreeSet, HashMap};

use super::{State, TicTacToe};
use crate::game::{Layer, Moves, Next};

/// The positions up to symmetry, those with most stones first.
#[derive(Debug, Default)]
pub(super) struct List {
    positions: Vec<State>,
    numbers: HashMap<State, u64, foldhash::fast::FixedState>,
    layers: Vec<Layer>,
}

impl List {
    pub fn new() -> Self {
        let game = TicTacToe {
            list: Self::default(),
        };
        let mut list = Self::default();
        for (group, layer) in layers(&game, State::least_image)
            .into_iter()
            .rev()
            .enumerate()
        {
            let start = list.positions.len() as u64;
            let stones = layer.first().map_or(0, |state| state.stones());
            list.positions.extend(layer);
            list.layers.push(Layer {
                name: stones.to_string(),
                slots: start..list.positions.len() as u64,
                group,
            });
        }
        list.numbers = (0..)
            .zip(&list.positions)
            .map(|(number, &state)| (state, number))
            .collect();
        list
    }

    pub fn len(&self) -> u64 {
        self.positions.len() as u64
    }

    pub fn position(&self, slot: u64) -> Option<State> {
        self.positions.get(usize::try_from(slot).ok()?).copied()
    }

    pub fn slot(&self, state: State) -> Option<u64> {
        self.numbers.get(&state.least_image()).copied()
    }

    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }
}

/// The positions of the unfinished game that can be reached, by number of stones, each
/// set in order; `like` maps a position to the one that stands for it.
pub(super) fn layers(game: &TicTacToe, like: impl Fn(State) -> State) -> Vec<BTreeSet<State>> {
    let mut layers = vec![BTreeSet::from([State { own: 0, other: 0 }])];
    loop {
        let last = layers.iter().next_back().into_iter().flatten();
        let next: BTreeSet<State> = last
            .flat_map(|state| {
                let children = game.moves(state).into_iter();
                children.filter_map(|mv| match game.play(state, mv) {
                    Next::State(next) => Some(like(next)),
                    Next::Over(_) => None,
                })
            })
            .collect();
        if next.is_empty() {
            return layers;
        }
        layers.push(next);
    }
}

//! Metapositions, and partitioning the states after a try into them.

use std::collections::HashSet;
use std::hash::Hash;

use foldhash::fast::FixedState;

use crate::base::random;
use crate::game::Hidden;

/// A non-empty set of distinct states that look the same to the attacker.
#[derive(Debug, Clone)]
pub(super) struct Metaposition<S> {
    states: Vec<S>,
    sum: u128,
}

impl<S> Metaposition<S> {
    /// The metaposition of a single state.
    pub fn known<G: Hidden<State = S>>(game: &G, state: S) -> Self {
        let sum = spread(game.key(&state));
        Self {
            states: vec![state],
            sum,
        }
    }

    /// The metaposition of the states at these indices, at least one.
    pub fn part<G: Hidden<State = S>>(&self, game: &G, places: &[usize]) -> Self
    where
        S: Clone,
    {
        let states: Vec<S> = places
            .iter()
            .map(|&place| self.states[place].clone())
            .collect();
        let sum = states.iter().fold(0_u128, |sum, state| {
            sum.wrapping_add(spread(game.key(state)))
        });
        Self { states, sum }
    }

    pub fn states(&self) -> &[S] {
        &self.states
    }

    pub const fn len(&self) -> usize {
        self.states.len()
    }

    /// A hash that does not depend on the order of states: the sum of a strong hash of each
    /// (not the XOR, which was found to collide; see the [module](super)).
    pub const fn sum(&self) -> u128 {
        self.sum
    }
}

/// Spreads a key over 128 bits, so that sums of keys are as good as random.
fn spread(key: u64) -> u128 {
    let low = random::hash(key);
    let high = random::mix(key.rotate_left(32).wrapping_add(0xd1b5_4a32_d192_ed03));
    u128::from(high) << 64 | u128::from(low)
}

/// Partitions states into metapositions, one per clue.
pub(super) struct Partition<C, S> {
    groups: Vec<(C, Metaposition<S>)>,
    /// Clues and keys of the states so far.
    seen: HashSet<(C, u64), FixedState>,
}

impl<C: Copy + Ord + Hash, S> Partition<C, S> {
    pub fn new() -> Self {
        Self {
            groups: Vec::new(),
            seen: HashSet::default(),
        }
    }

    /// Marks a state as seen; `false` if it was before.
    pub fn is_new(&mut self, clue: C, key: u64) -> bool {
        self.seen.insert((clue, key))
    }

    /// Adds a new state.
    pub fn add(&mut self, clue: C, key: u64, state: S) {
        let more = spread(key);
        match self.groups.iter_mut().find(|(this, _)| *this == clue) {
            Some((_, group)) => {
                group.states.push(state);
                group.sum = group.sum.wrapping_add(more);
            }
            None => self.groups.push((
                clue,
                Metaposition {
                    states: vec![state],
                    sum: more,
                },
            )),
        }
    }

    /// The metapositions in the order of their clues.
    pub fn done(mut self) -> Vec<(C, Metaposition<S>)> {
        self.groups.sort_by_key(|&(clue, _)| clue);
        self.groups
    }
}

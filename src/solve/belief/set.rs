//! Metapositions, and sorting what follows a try into them.

use std::collections::HashSet;
use std::hash::Hash;

use foldhash::fast::FixedState;

use crate::base::random;
use crate::game::Hidden;

/// States that look alike to the attacker, all different, at least one.
#[derive(Debug, Clone)]
pub(super) struct Metaposition<S> {
    states: Vec<S>,
    sum: u128,
}

impl<S> Metaposition<S> {
    /// The metaposition of one known state.
    pub fn known<G: Hidden<State = S>>(game: &G, state: S) -> Self {
        let sum = spread(game.key(&state));
        Self {
            states: vec![state],
            sum,
        }
    }

    /// Some states of this one, by place; at least one.
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

    /// A hash that does not depend on the order of states: the sum of strong hashes of
    /// each. (An XOR would make sets collide whose symmetric differences do.)
    pub const fn sum(&self) -> u128 {
        self.sum
    }
}

/// A key spread over 128 bits, so that sums of a few are as good as random.
fn spread(key: u64) -> u128 {
    let low = random::hash(key);
    let high = random::mix(key.rotate_left(32).wrapping_add(0xd1b5_4a32_d192_ed03));
    u128::from(high) << 64 | u128::from(low)
}

/// Metapositions under way, one a clue, in the order of clues when done.
pub(super) struct Sorter<C, S> {
    groups: Vec<(C, Metaposition<S>)>,
    /// Clues with keys that have come.
    seen: HashSet<(C, u64), FixedState>,
}

impl<C: Copy + Ord + Hash, S> Sorter<C, S> {
    pub fn new() -> Self {
        Self {
            groups: Vec::new(),
            seen: HashSet::default(),
        }
    }

    /// Whether a state with this clue and key has not come before; it has now.
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

    /// The metapositions by clue.
    pub fn done(mut self) -> Vec<(C, Metaposition<S>)> {
        self.groups.sort_by_key(|&(clue, _)| clue);
        self.groups
    }
}

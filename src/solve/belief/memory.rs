//! What a search remembers, within a bound.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::FixedState;

/// A table in two generations: when the young one is full it becomes the old one, and
/// what was old is forgotten.
#[derive(Debug)]
pub(super) struct Generations<K, V> {
    young: HashMap<K, V, FixedState>,
    old: HashMap<K, V, FixedState>,
    most: usize,
}

impl<K: Eq + Hash + Copy, V: Clone> Generations<K, V> {
    /// A table that takes about so many bytes at most.
    pub fn new(bytes: usize) -> Self {
        // A hash table is between half and all but an eighth full, and there are two.
        let entry = size_of::<(K, V)>() + 1;
        Self {
            young: HashMap::default(),
            old: HashMap::default(),
            most: (bytes / entry / 5).max(1 << 10),
        }
    }

    pub fn get(&self, key: K) -> Option<&V> {
        self.young.get(&key).or_else(|| self.old.get(&key))
    }

    /// Sets a value; an entry that was looked up becomes young again.
    pub fn set(&mut self, key: K, value: V) {
        if self.young.len() >= self.most {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

/// What is known of a single state played with perfect information.
#[derive(Debug, Clone, Copy)]
pub(super) struct StateBounds {
    /// The attacker is known to win in this many plies.
    pub won: u8,
    /// The attacker is known not to win in this many plies.
    pub not: u8,
}

impl StateBounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        won: u8::MAX,
        not: 0,
    };
}

/// Fouls that may be allowed at most: what players are allowed by custom.
pub const MOST_FOULS: u8 = 8;

/// For each number of fouls, in how few plies a metaposition is known to be won, and in
/// how many it is known not to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    won: [u8; MOST_FOULS as usize + 1],
    not: [u8; MOST_FOULS as usize + 1],
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        won: [u8::MAX; MOST_FOULS as usize + 1],
        not: [0; MOST_FOULS as usize + 1],
    };

    /// Whether it is won in so many plies with so many fouls, if known: more of either
    /// never hurts.
    pub fn get(&self, plies: u8, fouls: u8) -> Option<bool> {
        let fouls = usize::from(fouls);
        if self.won[..=fouls].iter().any(|&won| won <= plies) {
            Some(true)
        } else if self.not[fouls..].iter().any(|&not| not >= plies) {
            Some(false)
        } else {
            None
        }
    }

    /// Learns whether it is won.
    pub fn learn(&mut self, plies: u8, fouls: u8, won: bool) {
        let fouls = usize::from(fouls);
        if won {
            self.won[fouls] = self.won[fouls].min(plies);
        } else {
            self.not[fouls] = self.not[fouls].max(plies);
        }
    }
}

//! The transposition tables of a search, of bounded size.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::FixedState;

/// A table of two generations. When the young one is full it becomes the old one, and the
/// previous old one is discarded.
#[derive(Debug)]
pub(super) struct Generations<K, V> {
    young: HashMap<K, V, FixedState>,
    old: HashMap<K, V, FixedState>,
    most: usize,
}

impl<K: Eq + Hash + Copy, V: Clone> Generations<K, V> {
    /// Creates a table that takes at most about `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        // A hash table is from 7/16 to 7/8 full, and there are two of them.
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

    /// Inserts a value into the young generation.
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

/// The most fouls that a search can allow: the number that players have by custom.
pub const MOST_FOULS: u8 = 8;

/// What is known about a metaposition: for each number of fouls, the fewest plies in which
/// it is known to be won, and the most in which it is known not to be.
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

    /// Whether the metaposition is won within `plies` plies and `fouls` fouls, `None` if
    /// unknown. More of either never hurts.
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

    /// Records whether the metaposition is won within `plies` plies and `fouls` fouls.
    pub fn learn(&mut self, plies: u8, fouls: u8, won: bool) {
        let fouls = usize::from(fouls);
        if won {
            self.won[fouls] = self.won[fouls].min(plies);
        } else {
            self.not[fouls] = self.not[fouls].max(plies);
        }
    }
}

//! Random numbers that a seed repeats.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use crate::common::skipped;

use tesuji::base::random::SplitMix64;

/// Random numbers of a seed.
pub struct Chance(SplitMix64);

impl Chance {
    /// From `TESUJI_SEED`, or a seed that is told, so that a failure can be repeated.
    pub fn new(test: &str) -> Self {
        let given = std::env::var("TESUJI_SEED").ok();
        let seed = given.map_or_else(
            || RandomState::new().hash_one(test),
            |seed| seed.parse().expect("TESUJI_SEED is a whole number"),
        );
        println!("{test}: TESUJI_SEED={seed}");
        Self(SplitMix64::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// Random numbers of their own, for a thread.
    pub fn divided(&mut self) -> Self {
        Self(SplitMix64::new(self.next()))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }
}

/// How often something is done: `short` times, or in the long form more often.
pub fn times(short: usize) -> usize {
    long().map_or(short, |times| times.max(short))
}

/// Whether this is the long form.
pub fn is_long() -> bool {
    long().is_some()
}

fn long() -> Option<usize> {
    static LONG: LazyLock<Option<usize>> = LazyLock::new(|| {
        let given = std::env::var("TESUJI_FAULTS").ok();
        if given.is_none() {
            skipped("the long form of these tests", "TESUJI_FAULTS=50 runs it");
        }
        given.map(|times| times.parse().expect("TESUJI_FAULTS is a whole number"))
    });
    *LONG
}

/// The bytes with one random bit flipped.
pub fn flipped(bytes: &[u8], chance: &mut Chance) -> (usize, Vec<u8>) {
    let bit = chance.below(8 * bytes.len());
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    (bit, bytes)
}

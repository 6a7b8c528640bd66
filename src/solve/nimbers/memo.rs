//! What a search has learned about shapes, in a table of bounded size.

use std::hash::{BuildHasher, Hash};

use foldhash::quality::FixedState;

use crate::game::Nimber;

/// What is known about a shape: its nimber, or a set of nimbers below 16 that it does not
/// have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Known(u32);

impl Known {
    const EXACT: u32 = 1 << 16;
    const BITS: u32 = 17;

    pub const fn exactly(nimber: Nimber) -> Self {
        Self(Self::EXACT | nimber as u32)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "an exact value was a nimber before"
    )]
    pub const fn exact(self) -> Option<Nimber> {
        if self.0 & Self::EXACT == 0 {
            None
        } else {
            Some(self.0 as Nimber)
        }
    }

    pub const fn excludes(self, nimber: Nimber) -> bool {
        self.0 & Self::EXACT == 0 && nimber < 16 && self.0 >> nimber & 1 == 1
    }

    /// Nimbers of 16 and more are not remembered.
    pub const fn without(self, nimber: Nimber) -> Self {
        if nimber < 16 {
            Self(self.0 | 1 << nimber)
        } else {
            self
        }
    }
}

/// Entries that compete for a place.
const WAYS: usize = 8;

/// A hash table of entries of twelve bytes: the first hash of a shape, and in one number
/// what is known, the logarithm of the work that it took, and ten bits of a second hash.
///
/// The table grows until it may take no more memory. Then a new entry replaces the one of
/// its bucket that took the least work. Shapes are recognized by 74 bits of hashes. A search
/// that looks a billion times for shapes in a table of 64 million entries confuses two of
/// them with a probability of about one in two million.
#[derive(Debug)]
pub(super) struct Memo {
    /// Buckets of [`WAYS`] entries, a power of two of them; vacant entries end with 0.
    entries: Vec<[u32; 3]>,
    /// The logarithm of the number of buckets, and the most that it may be.
    log: u32,
    most: u32,
    used: usize,
}

impl Memo {
    /// Creates an empty table that never takes more than `bytes` bytes, not even while it
    /// grows (but always room for one bucket).
    pub fn new(bytes: u64) -> Self {
        // While the table grows, the old one is there too, half as large.
        let buckets = bytes / 3 * 2 / (WAYS * size_of::<[u32; 3]>()) as u64;
        Self {
            entries: vec![[0; 3]; WAYS],
            log: 0,
            most: buckets.max(1).ilog2().min(40),
            used: 0,
        }
    }

    pub const fn len(&self) -> usize {
        self.used
    }

    pub fn get(&self, shape: impl Hash) -> Option<Known> {
        let (key, tag) = hashes(shape);
        let bucket = self.bucket(key);
        let found = self.entries[bucket..bucket + WAYS]
            .iter()
            .find(|entry| is_of(entry, key, tag))?;
        Some(Known(found[2] & ((1 << Known::BITS) - 1)))
    }

    /// Records what is known of a shape after so many nodes.
    pub fn put(&mut self, shape: impl Hash, known: Known, work: u64) {
        let (key, tag) = hashes(shape);
        let effort = (u64::BITS - work.leading_zeros()).clamp(1, 31);
        let fact = tag << 22 | effort << Known::BITS | known.0;
        loop {
            let bucket = self.bucket(key);
            let entries = &mut self.entries[bucket..bucket + WAYS];
            let place = entries
                .iter()
                .position(|entry| entry[2] == 0 || is_of(entry, key, tag));
            if place.is_none() && self.log < self.most {
                self.grow();
                continue;
            }
            let least = || (0..WAYS).min_by_key(|&place| entries[place][2] >> Known::BITS & 31);
            let place = place.or_else(least).unwrap_or(0);
            self.used += usize::from(entries[place][2] == 0);
            entries[place] = [low(key), low(key >> 32), fact];
            return;
        }
    }

    /// The first entry of the bucket of a key.
    const fn bucket(&self, key: u64) -> usize {
        // A shift by 64 is none.
        ((key >> 1 >> (63 - self.log)) as usize) * WAYS
    }

    fn grow(&mut self) {
        self.log += 1;
        let old = std::mem::replace(&mut self.entries, vec![[0; 3]; WAYS << self.log]);
        for entry in old.into_iter().filter(|entry| entry[2] != 0) {
            let bucket = self.bucket(u64::from(entry[1]) << 32 | u64::from(entry[0]));
            // A bucket holds no more than the one that it comes from.
            let vacant = self.entries[bucket..bucket + WAYS]
                .iter_mut()
                .find(|entry| entry[2] == 0);
            if let Some(vacant) = vacant {
                *vacant = entry;
            }
        }
    }
}

/// The key and the ten bits of the second hash.
fn hashes(shape: impl Hash) -> (u64, u32) {
    let key = FixedState::with_seed(1).hash_one(&shape);
    let second = FixedState::with_seed(2).hash_one(&shape);
    (key, low(second >> 54))
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is wanted")]
const fn low(number: u64) -> u32 {
    number as u32
}

const fn is_of(entry: &[u32; 3], key: u64, tag: u32) -> bool {
    entry[2] != 0 && entry[2] >> 22 == tag && entry[0] == low(key) && entry[1] == low(key >> 32)
}

#[cfg(test)]
mod tests {
    use super::{Known, Memo};

    #[test]
    fn a_table_that_may_grow_forgets_nothing() {
        let mut memo = Memo::new(1 << 24);
        let known = |shape: u64| Known::exactly(u16::try_from(shape % 5000).unwrap());
        for shape in 0..50_000_u64 {
            memo.put(shape, known(shape), shape);
        }
        assert_eq!(memo.len(), 50_000);
        for shape in 0..50_000_u64 {
            assert_eq!(memo.get(shape), Some(known(shape)), "{shape}");
        }
        assert_eq!(memo.get(50_000_u64), None);
        memo.put(7_u64, Known::default().without(3), 1);
        assert_eq!(memo.len(), 50_000);
        let found = memo.get(7_u64).unwrap();
        assert!(found.excludes(3) && !found.excludes(2) && found.exact().is_none());
    }

    #[test]
    fn a_full_table_keeps_what_took_most_work() {
        let mut memo = Memo::new(3000);
        assert!(memo.entries.len() * 12 <= 2000, "{}", memo.entries.len());
        for shape in 0..1000_u64 {
            memo.put(
                shape,
                Known::exactly(1),
                if shape < 3 { 1 << 20 } else { 2 },
            );
        }
        assert!(memo.entries.len() * 12 <= 2000);
        for shape in 0..3_u64 {
            assert_eq!(memo.get(shape), Some(Known::exactly(1)), "{shape}");
        }
        assert!(memo.len() <= memo.entries.len());
    }
}

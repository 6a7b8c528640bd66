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

    pub(super) const fn exactly(nimber: Nimber) -> Self {
        Self(Self::EXACT | nimber as u32)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "an exact value was a nimber before"
    )]
    pub(super) const fn exact(self) -> Option<Nimber> {
        if self.0 & Self::EXACT == 0 {
            None
        } else {
            Some(self.0 as Nimber)
        }
    }

    pub(crate) const fn excludes(self, nimber: Nimber) -> bool {
        self.0 & Self::EXACT == 0 && nimber < 16 && self.0 >> nimber & 1 == 1
    }

    /// Whether the nimber is this one, if that is known.
    pub(super) const fn answers(self, nimber: Nimber) -> Option<bool> {
        match self.exact() {
            Some(exact) => Some(exact == nimber),
            None if self.excludes(nimber) => Some(false),
            None => None,
        }
    }

    /// Nimbers of 16 and more are not remembered.
    pub(super) const fn without(self, nimber: Nimber) -> Self {
        if nimber < 16 {
            Self(self.0 | 1 << nimber)
        } else {
            self
        }
    }
}

/// How far the answers to a question seem to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub yes: u32,
    pub no: u32,
}

impl Numbers {
    /// The number of an answer that is wrong.
    pub(super) const NEVER: u32 = u32::MAX;
    /// The largest number of an answer that may be right.
    pub(super) const MOST: u32 = 1 << 30;
    pub(super) const NO_LIMITS: Self = Self {
        yes: Self::NEVER,
        no: Self::NEVER,
    };

    pub(super) const fn of(answer: bool) -> Self {
        Self {
            yes: if answer { 0 } else { Self::NEVER },
            no: if answer { Self::NEVER } else { 0 },
        }
    }

    pub(super) const fn answer(self) -> Option<bool> {
        match self {
            Self { yes: 0, .. } => Some(true),
            Self { no: 0, .. } => Some(false),
            Self { .. } => None,
        }
    }

    /// The numbers of a question about `size` squares that was not searched. Larger shapes
    /// take longer; yes takes longer than no, because every move has to be refuted.
    pub(crate) const fn guess(size: u32) -> Self {
        Self {
            yes: size + 1,
            no: size / 16 + 1,
        }
    }

    /// The numbers in eight bits each, rounded down.
    fn packed(self) -> u32 {
        pack(self.yes) << 8 | pack(self.no)
    }

    const fn unpacked(bits: u32) -> Self {
        Self {
            yes: unpack(bits >> 8 & 0xff),
            no: unpack(bits & 0xff),
        }
    }
}

/// A number in eight bits, rounded down: up to 31 it is exact, then five bits of it are kept.
fn pack(number: u32) -> u32 {
    let number = number.min(31 << 14);
    let shift = (u32::BITS - number.leading_zeros()).saturating_sub(5);
    // The first of five bits is set where there is a shift; its place tells so.
    (shift << 4) + (number >> shift)
}

const fn unpack(byte: u32) -> u32 {
    if byte < 32 {
        byte
    } else {
        (byte & 15 | 16) << ((byte >> 4) - 1)
    }
}

/// Entries of a bucket.
const WAYS: usize = 8;

/// An entry stands in its own bucket or, while that is full, in one of the next: this number
/// of buckets is examined. With one of them a table of ten million entries doubled when an
/// eighth of it was used, because some bucket was full.
const WINDOW: usize = 4;

/// A hash table of entries of twelve bytes: the first hash of a shape, and in one number
/// what is known, the logarithm of the work that it took, and ten bits of a second hash. The
/// proof numbers of an open question are an entry of their own, with the nimber mixed into
/// the first hash.
///
/// The table grows until it may take no more memory. Then a new entry replaces the one of
/// its buckets that took the least work. Shapes are recognized by 74 bits of hashes. A search
/// that looks a billion times for shapes in a table of 64 million entries confuses two of
/// them with a probability of about one in 300,000.
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
    pub(super) fn new(bytes: u64) -> Self {
        // While the table grows, the old one is there too, half as large.
        let buckets = bytes / 3 * 2 / (WAYS * size_of::<[u32; 3]>()) as u64;
        Self {
            entries: vec![[0; 3]; WAYS],
            log: 0,
            most: buckets.max(1).ilog2().min(40),
            used: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.used
    }

    pub(super) fn get(&self, shape: impl Hash) -> Option<Known> {
        let (key, tag) = hashes(shape);
        self.find(key, tag).map(Known)
    }

    /// What is known of a shape, and the numbers of the question whether it has this nimber.
    pub(crate) fn look_up(
        &self,
        shape: impl Hash,
        nimber: Nimber,
    ) -> (Option<Known>, Option<Numbers>) {
        let (key, tag) = hashes(shape);
        let numbers = self.find(with_nimber(key, nimber), tag);
        (
            self.find(key, tag).map(Known),
            numbers.map(Numbers::unpacked),
        )
    }

    fn find(&self, key: u64, tag: u32) -> Option<u32> {
        for bucket in self.window(key) {
            let entries = &self.entries[bucket..bucket + WAYS];
            if let Some(found) = entries.iter().find(|entry| is_of(entry, key, tag)) {
                return Some(found[2] & ((1 << Known::BITS) - 1));
            }
            // Nothing stands in the next bucket for want of a place in this one.
            if entries[WAYS - 1][2] == 0 {
                break;
            }
        }
        None
    }

    /// Records what is known of a shape after a search of `work` nodes.
    pub(super) fn put(&mut self, shape: impl Hash, known: Known, work: u64) {
        let (key, tag) = hashes(shape);
        self.write(key, tag, known.0, work);
    }

    /// Records the numbers of the question whether a shape has a nimber.
    pub(crate) fn put_numbers(
        &mut self,
        shape: impl Hash,
        nimber: Nimber,
        numbers: Numbers,
        work: u64,
    ) {
        let (key, tag) = hashes(shape);
        self.write(with_nimber(key, nimber), tag, numbers.packed(), work);
    }

    fn write(&mut self, key: u64, tag: u32, fact: u32, work: u64) {
        let effort = (u64::BITS - work.leading_zeros()).clamp(1, 31);
        self.insert([
            low(key),
            low(key >> 32),
            tag << 22 | effort << Known::BITS | fact,
        ]);
    }

    /// Writes an entry in the place of an older one about the same, in a vacant one, or else
    /// in that of the entry that took the least work.
    fn insert(&mut self, entry: [u32; 3]) {
        let key = u64::from(entry[1]) << 32 | u64::from(entry[0]);
        loop {
            let places = self.window(key).flat_map(|bucket| bucket..bucket + WAYS);
            let mut fitting = places.clone().filter(|&place| {
                self.entries[place][2] == 0 || is_of(&self.entries[place], key, entry[2] >> 22)
            });
            let place = match fitting.next() {
                Some(place) => place,
                None if self.log < self.most => {
                    self.grow();
                    continue;
                }
                None => {
                    let work = |&place: &usize| self.entries[place][2] >> Known::BITS & 31;
                    places.min_by_key(work).unwrap_or(0)
                }
            };
            self.used += usize::from(self.entries[place][2] == 0);
            self.entries[place] = entry;
            return;
        }
    }

    /// The first entries of the buckets in which a key may stand, in order.
    fn window(&self, key: u64) -> impl Iterator<Item = usize> + Clone + use<> {
        // A shift by 64 is none.
        let own = (key >> 1 >> (63 - self.log)) as usize;
        let last = (1 << self.log) - 1;
        (own..own + WINDOW.min(last + 1)).map(move |bucket| (bucket & last) * WAYS)
    }

    fn grow(&mut self) {
        self.log += 1;
        let old = std::mem::replace(&mut self.entries, vec![[0; 3]; WAYS << self.log]);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| entry[2] != 0) {
            self.insert(entry);
        }
    }
}

/// The key and the ten bits of the second hash.
fn hashes(shape: impl Hash) -> (u64, u32) {
    let key = FixedState::with_seed(1).hash_one(&shape);
    let second = FixedState::with_seed(2).hash_one(&shape);
    (key, low(second >> 54))
}

/// The key of a question, which is in another bucket than the shape: many questions about one
/// shape would fill a bucket.
const fn with_nimber(key: u64, nimber: Nimber) -> u64 {
    key ^ (nimber as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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
    use super::*;

    #[test]
    fn numbers_are_kept_apart_for_each_nimber() {
        let mut memo = Memo::new(1 << 24);
        let numbers = |yes, no| Numbers { yes, no };
        for shape in 0..5000_u64 {
            memo.put_numbers(shape, 0, numbers(3, 5), 1);
            memo.put_numbers(shape, 7, numbers(31, 1), 1);
        }
        memo.put(9_u64, Known::exactly(2), 1);
        for shape in 0..5000_u64 {
            let (known, found) = memo.look_up(shape, 7);
            assert_eq!(known, (shape == 9).then_some(Known::exactly(2)));
            assert_eq!(found, Some(numbers(31, 1)));
            assert_eq!(memo.look_up(shape, 0).1, Some(numbers(3, 5)));
            assert_eq!(memo.look_up(shape, 1).1, None);
        }
    }

    #[test]
    fn a_packed_number_is_rounded_down_a_little() {
        for number in 0..600_000 {
            let kept = unpack(pack(number));
            let exact = number.min(31 << 14);
            assert!(
                kept <= exact && exact - kept <= exact / 16,
                "{number}: {kept}"
            );
            assert!(number > 31 || kept == number);
        }
        assert!(pack(u32::MAX) < 256);
    }

    #[test]
    fn many_questions_about_one_shape_take_little_memory() {
        let mut memo = Memo::new(1 << 24);
        for nimber in 0..100 {
            memo.put_numbers(1_u64, nimber, Numbers { yes: 2, no: 2 }, 1);
        }
        assert_eq!(memo.len(), 100);
        assert!(memo.entries.len() <= 1024, "{}", memo.entries.len());
    }

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
    fn a_quarter_of_a_table_is_used_before_it_grows() {
        let mut memo = Memo::new(1 << 30);
        for shape in 0..300_000_u64 {
            let room = memo.entries.len();
            memo.put(shape, Known::exactly(1), 1);
            assert!(
                memo.entries.len() == room || memo.len() > room / 4,
                "{room}"
            );
        }
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

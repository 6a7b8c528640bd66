//! Numbering the subsets of a given size, which dense numberings of positions rest on.

use std::iter::{from_fn, successors};

/// The numbers of the bits of a set, in order.
#[inline]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    from_fn(move || {
        (set != 0).then(|| {
            #[expect(clippy::cast_possible_truncation, reason = "at most 63")]
            let bit = set.trailing_zeros() as u8;
            set &= set - 1;
            bit
        })
    })
}

/// The numbers of the bits of a larger set, in order.
pub(crate) fn wide_bits(mut set: u128) -> impl Iterator<Item = u32> {
    from_fn(move || {
        let bit = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

/// A set of numbers below 256, such as those of moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct NumberSet([u128; 2]);

impl NumberSet {
    #[inline]
    pub(crate) const fn insert(&mut self, number: u8) {
        self.0[(number >> 7) as usize] |= 1 << (number & 127);
    }

    pub(crate) const fn contains(self, number: u8) -> bool {
        self.0[(number >> 7) as usize] >> (number & 127) & 1 == 1
    }

    /// The numbers in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = u8> {
        let halves = (0u8..).zip(self.0);
        #[expect(clippy::cast_possible_truncation, reason = "at most 127")]
        let of = |(half, set)| wide_bits(set).map(move |bit| half << 7 | bit as u8);
        halves.flat_map(of)
    }
}

/// Drops bit number `place` and closes the gap.
#[inline]
pub(crate) fn without_bit(mask: u32, place: u8) -> u32 {
    let low = mask & ((1 << place) - 1);
    low | mask >> 1 & !((1 << place) - 1)
}

/// `n` choose `k`, for `n` up to 32, or up to 64 and `k` up to 15.
pub(crate) fn binomial(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (1..=u64::from(k)).fold(1, |product, i| product * (u64::from(n - k) + i) / i)
}

/// `n` choose `k`, at `[n][k]`, for `k` up to 15.
pub(crate) type Binomials = [[u64; 16]; 65];

pub(crate) fn binomials() -> Box<Binomials> {
    let mut all = Box::new([[0; 16]; 65]);
    for (n, row) in (0..).zip(&mut *all) {
        for (k, ways) in (0..).zip(row) {
            *ways = binomial(n, k);
        }
    }
    all
}

/// The rank, in colexicographic order, of a set that is not empty among those within some places.
#[expect(clippy::inline_always, reason = "the inner loop of numberings")]
#[inline(always)]
pub(crate) fn rank(binomials: &Binomials, set: u64, among: u64) -> u64 {
    let below = |left: u64| (among & (left & left.wrapping_neg()).wrapping_sub(1)).count_ones();
    // The first element counts the places below.
    let (mut rank, mut count) = (u64::from(below(set)), 2);
    let mut left = set & set.wrapping_sub(1);
    while left != 0 {
        rank += binomials[below(left) as usize][count & 15];
        left &= left - 1;
        count += 1;
    }
    rank
}

/// The set of this rank, with `chosen` of some places.
#[expect(clippy::inline_always, reason = "the inner loop of numberings")]
#[inline(always)]
pub(crate) fn unrank(binomials: &Binomials, mut rank: u64, chosen: usize, among: u64) -> u64 {
    let mut place = among.count_ones() as usize;
    let mut set = 0;
    for count in (1..=chosen).rev() {
        if count == 1 {
            place = usize::try_from(rank).unwrap_or(usize::MAX);
        } else {
            while binomials[place][count & 15] > rank {
                place = place.saturating_sub(1);
            }
            rank -= binomials[place][count & 15];
        }
        set |= nth(among, place);
    }
    set
}

/// The place of a set with a number.
#[inline]
fn nth(mut set: u64, number: usize) -> u64 {
    for _ in 0..number {
        set &= set.wrapping_sub(1);
    }
    set & set.wrapping_neg()
}

/// Numbers the `chosen`-element subsets of `0..places` in colexicographic order
/// (the order of the subsets read as binary numbers) by three table look-ups, which for up to 24
/// places stay in the processor's first cache.
#[derive(Debug, Clone)]
pub struct Ranker {
    places: u32,
    chosen: u32,
    /// By the value of a part of eight places: the low part, then the middle part after each
    /// number of elements in the low part, and last the high part, which has up to 13 places.
    pub(super) parts: Box<[[u32; 256]; 10 + (1 << 5)]>,
}

impl Ranker {
    pub(super) const LOW: usize = 0;
    pub(super) const MIDDLE: usize = 1;
    pub(super) const HIGH: usize = 10;

    /// Tables for subsets of `chosen` out of `places` (at most 29; at most 24 for special instructions).
    #[expect(clippy::large_stack_arrays, reason = "it goes to the heap at once")]
    pub fn new(places: u32, chosen: u32) -> Self {
        debug_assert!(places <= 29);
        // The rank is the sum of C(place of the i-th element, i), i from 1. In the
        // low part i counts from 1, in the high part it ends at `chosen`, in the
        // middle it depends on how many elements the low part has.
        let table = |above: u32, first: &dyn Fn(u32) -> u32, shift: u32| {
            std::array::from_fn(|part| {
                let part = above << 8 | u32::try_from(part).unwrap_or(0);
                let ranks = bits(part.into())
                    .zip(first(part)..)
                    .map(|(place, i)| binomial(u32::from(place) + shift, i));
                u32::try_from(ranks.sum::<u64>()).unwrap_or(u32::MAX)
            })
        };
        let mut parts = Box::new([[0; 256]; 10 + (1 << 5)]);
        parts[Self::LOW] = table(0, &|_| 1, 0);
        for (below, middle) in (1..).zip(&mut parts[Self::MIDDLE..Self::HIGH]) {
            *middle = table(0, &|_| below, 8);
        }
        let last = |part: u32| (chosen + 1).saturating_sub(part.count_ones()).max(1);
        let tables = 0..1 << places.saturating_sub(24);
        for (above, high) in tables.zip(&mut parts[Self::HIGH..]) {
            *high = table(above, &last, 16);
        }
        Self {
            places,
            chosen,
            parts,
        }
    }

    /// Number of subsets.
    pub fn count(&self) -> u64 {
        binomial(self.places, self.chosen)
    }

    /// Rank of a subset, `0..count()`. The mask must have `chosen` bits, all
    /// below `places`.
    #[inline]
    pub(crate) fn rank(&self, subset: u32) -> u32 {
        let part = |number: u32| (subset >> (8 * number) & 255) as usize;
        let below = (subset & 255).count_ones() as usize;
        self.parts[Self::LOW][part(0)]
            + self.parts[Self::MIDDLE + below][part(1)]
            + self.parts.as_flattened()[256 * Self::HIGH + (subset >> 16 & 8191) as usize]
    }

    /// All subsets in the order of their ranks.
    pub(crate) fn patterns(&self) -> Vec<u32> {
        // The next greater number with as many bits (Gosper).
        let next = |&set: &u32| {
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            Some(ripple | (set ^ ripple).checked_div(lowest)? >> 2)
        };
        let sets = successors(Some((1 << self.chosen) - 1), next);
        sets.take_while(|set| set >> self.places == 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_subsets_in_numerical_order() {
        for places in 0..=13 {
            for chosen in 0..=places {
                let ranker = Ranker::new(places, chosen);
                let brute: Vec<u32> = (0..1u32 << places)
                    .filter(|mask| mask.count_ones() == chosen)
                    .collect();
                assert_eq!(ranker.patterns(), brute);
                assert_eq!(ranker.count(), brute.len() as u64);
                for (rank, &mask) in brute.iter().enumerate() {
                    assert_eq!(ranker.rank(mask) as usize, rank);
                }
            }
        }
        assert_eq!(Ranker::new(24, 5).count(), 42_504);
        for (places, chosen) in [(24, 4), (29, 5)] {
            let ranker = Ranker::new(places, chosen);
            let patterns = ranker.patterns();
            assert!(patterns.is_sorted_by(|a, b| a < b));
            let ranks = patterns.iter().map(|&pattern| ranker.rank(pattern));
            assert!(ranks.eq(0..u32::try_from(ranker.count()).unwrap()));
        }
    }
}

//! Bit operations for numbering positions: gathering the bits of a set that lie under a
//! mask, and numbering the subsets of a given size.

use crate::games::ostle::grid::{Mask, Square};

/// Gathers the bits of `value` that lie under `mask` into the low bits (`pext`).
#[inline]
#[must_use]
pub fn extract(value: Mask, mask: Mask) -> Mask {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: compiled only where the target is known to have BMI2.
    unsafe {
        core::arch::x86_64::_pext_u32(value, mask)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    extract_portable(value, mask)
}

/// Spreads the low bits of `value` over the bits of `mask` (`pdep`), the inverse
/// of [`extract`].
#[inline]
#[must_use]
pub fn deposit(value: Mask, mask: Mask) -> Mask {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: compiled only where the target is known to have BMI2.
    unsafe {
        core::arch::x86_64::_pdep_u32(value, mask)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    deposit_portable(value, mask)
}

/// [`extract`] without special instructions.
#[must_use]
pub fn extract_portable(value: Mask, mut mask: Mask) -> Mask {
    let mut gathered = 0;
    let mut place = 0;
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        gathered |= Mask::from(value & bit != 0) << place;
        place += 1;
        mask ^= bit;
    }
    gathered
}

/// [`deposit`] without special instructions.
#[must_use]
pub fn deposit_portable(value: Mask, mut mask: Mask) -> Mask {
    let mut spread = 0;
    let mut place = 0;
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        if value >> place & 1 == 1 {
            spread |= bit;
        }
        place += 1;
        mask ^= bit;
    }
    spread
}

/// Removes bit number `square` and closes the gap.
#[inline]
#[must_use]
pub fn without_bit(mask: Mask, square: Square) -> Mask {
    let low = mask & ((1 << square) - 1);
    low | mask >> 1 & !((1 << square) - 1)
}

/// Inserts a zero bit at number `square`, the inverse of [`without_bit`].
#[inline]
#[must_use]
pub fn with_bit(mask: Mask, square: Square) -> Mask {
    let low = mask & ((1 << square) - 1);
    low | (mask & !((1 << square) - 1)) << 1
}

/// `n` choose `k`, for `n` up to 32.
#[must_use]
pub fn binomial(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (1..=u64::from(k)).fold(1, |product, i| product * (u64::from(n - k) + i) / i)
}

/// Numbers the `chosen`-element subsets of `0..places` in colexicographic order
/// (the order of the subsets read as binary numbers) by three table look-ups, in
/// tables small enough for the processor's first cache.
#[derive(Debug, Clone)]
pub struct Ranker {
    places: u32,
    chosen: u32,
    low: Box<[u32; 256]>,
    /// `[elements in the low part][middle part]`
    middle: Vec<[u32; 256]>,
    high: Box<[u32; 256]>,
}

impl Ranker {
    /// Tables for subsets of `chosen` out of `places` (at most 24).
    #[must_use]
    pub fn new(places: u32, chosen: u32) -> Self {
        debug_assert!(places <= 24);
        // The rank is the sum of C(place of the i-th element, i), i from 1. In the
        // low part i counts from 1, in the high part it ends at `chosen`, in the
        // middle it depends on how many elements the low part has.
        let table = |first: &dyn Fn(u32) -> u32, shift: u32| {
            std::array::from_fn(|part| {
                let part = u32::try_from(part).unwrap_or(0);
                let ranks = squares(part)
                    .zip(first(part)..)
                    .map(|(place, i)| binomial(place + shift, i));
                u32::try_from(ranks.sum::<u64>()).unwrap_or(u32::MAX)
            })
        };
        Self {
            places,
            chosen,
            low: Box::new(table(&|_| 1, 0)),
            middle: (0..=8).map(|below| table(&|_| below + 1, 8)).collect(),
            high: Box::new(table(
                &|part| (chosen + 1).saturating_sub(part.count_ones()).max(1),
                16,
            )),
        }
    }

    /// The number of subsets.
    #[must_use]
    pub fn count(&self) -> u64 {
        binomial(self.places, self.chosen)
    }

    /// The rank of a subset, in `0..count()`. The mask must have `chosen` bits, all below
    /// `places`.
    #[inline]
    #[must_use]
    pub fn rank(&self, subset: Mask) -> u32 {
        let low = subset & 255;
        self.low[low as usize]
            + self.middle[low.count_ones() as usize][(subset >> 8 & 255) as usize]
            + self.high[(subset >> 16 & 255) as usize]
    }

    /// All subsets in the order of their ranks.
    ///
    /// # Panics
    /// Never: subsets of at most 24 places fit a mask.
    #[must_use]
    pub fn patterns(&self) -> Vec<Mask> {
        let mut patterns = Vec::with_capacity(usize::try_from(self.count()).unwrap_or(0));
        let mut subset: u64 = (1 << self.chosen) - 1;
        while subset < 1 << self.places {
            patterns.push(Mask::try_from(subset).expect("below 2^24"));
            if subset == 0 {
                break;
            }
            // The next greater number with as many bits (Gosper).
            let lowest = subset & subset.wrapping_neg();
            let ripple = subset + lowest;
            subset = ripple | (subset ^ ripple) / lowest >> 2;
        }
        patterns
    }
}

fn squares(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros();
            mask &= mask - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_and_the_portable_code_gather_alike() {
        let mut x: u32 = 0x9e37_79b9;
        for _ in 0..10_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mask = x.rotate_left(7) & 0x01ff_ffff;
            assert_eq!(extract(x, mask), extract_portable(x, mask));
            assert_eq!(deposit(x, mask), deposit_portable(x, mask));
            assert_eq!(deposit_portable(extract_portable(x, mask), mask), x & mask);
        }
    }

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
    }

    #[test]
    fn dropping_and_opening_a_bit_are_inverse() {
        assert_eq!(without_bit(0b1_1011, 2), 0b1111);
        assert_eq!(with_bit(0b1111, 2), 0b1_1011);
        assert_eq!(without_bit(0b1_0000, 4), 0);
    }
}

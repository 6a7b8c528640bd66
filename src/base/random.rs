//! Numbers that look random and are the same on every machine.

/// What is added from one number to the next: 2^64 divided by the golden ratio, odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of numbers that look random: `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// The next number below a bound of at least 1.
    #[expect(clippy::cast_possible_truncation, reason = "less than a usize")]
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next() as u128 * bound as u128) >> 64) as usize
    }
}

/// A sequence that is evenly spread over all numbers, however far one goes: the multiples of the
/// golden ratio (Weyl).
pub(crate) const fn spread(place: u64) -> u64 {
    place.wrapping_mul(STEP)
}

/// A hash of a number, by which neighbours become as good as random: the first number of
/// the sequence with this seed. That of [`spread(n)`](spread) is number `n` of seed 0.
pub(crate) const fn hash(number: u64) -> u64 {
    mix(number.wrapping_add(STEP))
}

/// The finalizer of `SplitMix64`: a permutation of all numbers in which every bit of the
/// result depends on every bit given. It leaves 0 as it is.
pub(crate) const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_reference_implementation() {
        // From Vigna's splitmix64.c with the state 1234567.
        let mut numbers = SplitMix64::new(1_234_567);
        let first = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(first, std::array::from_fn(|_| numbers.next()));
        assert_eq!(hash(1_234_567), first[0]);
        let mut zero = SplitMix64::new(0);
        assert_eq!(
            [zero.next(), zero.next()],
            [hash(spread(0)), hash(spread(1))]
        );
    }
}

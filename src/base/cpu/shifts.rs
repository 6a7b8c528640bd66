//! Renumbering the squares of a set when the free squares change a little.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "masks of at most 32 bits are made in 64"
)]

use super::Cpu;

/// Renumbers a set over the free squares before a change as a set over those after it, where
/// no square's number changes by more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shifts {
    /// Bits that keep their number.
    pub stay: u32,
    /// Bits whose number grows by one.
    pub up: u32,
    /// Bits whose number falls by one.
    pub down: u32,
    /// Bits that are then changed.
    pub flip: u32,
}

impl Shifts {
    /// Renumbers sets over the squares `from` as sets over the squares `to`. Squares that are
    /// not in both are dropped, and those of `flip` are then changed. `None` if some number
    /// changes by more than one.
    #[must_use]
    #[inline(always)]
    pub fn between<C: Cpu>(cpu: C, from: u32, to: u32, flip: u32) -> Option<Self> {
        let below = |square: u32| ((1u64 << square) - 1) as u32;
        let mut shifts = Self {
            stay: 0,
            up: 0,
            down: 0,
            flip: cpu.extract(flip, to),
        };
        let mut changed = from ^ to;
        let (mut first, mut by) = (0, 0);
        loop {
            let end = changed.trailing_zeros();
            let numbers = |end| (1u32 << (from & below(end)).count_ones()) - 1;
            let bits = numbers(end) & !numbers(first);
            match by {
                0 => shifts.stay |= bits,
                1 => shifts.up |= bits,
                -1 => shifts.down |= bits,
                _ => return None,
            }
            if changed == 0 {
                return Some(shifts);
            }
            by += if from >> end & 1 == 1 { -1 } else { 1 };
            first = end + 1;
            changed &= changed - 1;
        }
    }

    /// The renumbered set.
    #[must_use]
    #[inline(always)]
    pub const fn of(self, set: u32) -> u32 {
        (set & self.stay | (set & self.up) << 1 | (set & self.down) >> 1) ^ self.flip
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Portable, deposit, extract};
    use super::*;
    use crate::base::random::SplitMix64;

    #[test]
    fn shifts_renumber_as_spreading_and_gathering_do() {
        let mut random = SplitMix64::new(3);
        let mut next = || (random.next() >> 39) as u32;
        let (mut near, mut far) = (0, 0);
        for _ in 0..20_000 {
            let from = next() & next() | next();
            // Most often a square that is exchanged for another.
            let to = (0..next() % 3).fold(from, |to, _| to ^ 1 << (next() % 25));
            let flip = next() & from & to;
            let set = extract(next(), (1 << from.count_ones()) - 1);
            let expected = extract(deposit(set, from) ^ flip, to);
            if let Some(shifts) = Shifts::between(Portable, from, to, flip) {
                assert_eq!(shifts.of(set), expected, "{from:b} {to:b}");
                near += 1;
            } else {
                far += 1;
            }
        }
        assert!(near > 10_000 && far > 100);
    }
}

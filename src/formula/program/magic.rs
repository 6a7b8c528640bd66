//! A program of the family `magic`.

use crate::formula::measure::Bits;

/// The program `table[a * n >> s & mask]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Magic {
    /// The multiplier.
    pub a: u64,
    /// The shift.
    pub s: u32,
    /// The number of bits of the index.
    pub index_bits: u32,
    /// The number of bits of an answer.
    pub width: u32,
    /// The answers by place.
    pub table: Vec<u64>,
}

impl Magic {
    /// The answer for state `n`; 0 beyond the end of the table.
    #[must_use]
    pub fn answer(&self, n: u64) -> u64 {
        let place = Self::index(self.a, self.s, self.index_bits, n);
        self.table.get(place).copied().unwrap_or(0)
    }

    /// The total length of the constants in bits: multiplier, shift, mask and table.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        let length = |number: u64| u64::from(u64::BITS - number.leading_zeros());
        length(self.a)
            + length(self.s.into())
            + u64::from(self.index_bits)
            + self.table.len() as u64 * u64::from(self.width)
    }

    /// The packed answers, the first one in the lowest bits.
    pub(in crate::formula) fn packed(&self) -> Bits {
        let mut bits = Bits::default();
        for &answer in &self.table {
            bits.push(answer, self.width);
        }
        bits
    }

    /// The place of state `n`: `a * n >> s`, its lowest `index_bits` bits.
    #[inline]
    pub(in crate::formula) fn index(a: u64, s: u32, index_bits: u32, n: u64) -> usize {
        let mask = (1_u64 << index_bits) - 1;
        usize::try_from(a.wrapping_mul(n) >> s & mask).unwrap_or(usize::MAX)
    }
}

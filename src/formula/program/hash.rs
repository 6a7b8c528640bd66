//! A program of the family `hash`.

use crate::formula::measure::Bits;

/// The multipliers of the 64-bit finalizer of `MurmurHash3`.
pub(in crate::formula) const MIX: [u64; 2] = [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53];

/// A perfect hash by displacements, with a table of answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Displaced {
    /// The displacement of each bucket.
    pub displacements: Vec<u32>,
    /// The number of bits of a displacement.
    pub displacement_width: u32,
    /// The number of bits of an answer.
    pub width: u32,
    /// The answers by place.
    pub table: Vec<u64>,
}

/// The 64-bit finalizer of `MurmurHash3`.
fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 33).wrapping_mul(MIX[0]);
    let n = (n ^ n >> 33).wrapping_mul(MIX[1]);
    n ^ n >> 33
}

/// The bucket of state `n`.
pub(in crate::formula) fn bucket(n: u64, buckets: usize) -> usize {
    usize::try_from(mix(n) % buckets as u64).unwrap_or(0)
}

/// The place of state `n` in the table, given the displacement of its bucket.
pub(in crate::formula) fn place(n: u64, displacement: u32, places: usize) -> usize {
    let n = mix(n.wrapping_add(u64::from(displacement + 1).wrapping_mul(MIX[0])));
    usize::try_from(n % places as u64).unwrap_or(0)
}

impl Displaced {
    /// The answer for state `n`.
    #[must_use]
    pub fn answer(&self, n: u64) -> u64 {
        let displacement = self.displacements[bucket(n, self.displacements.len())];
        self.table[place(n, displacement, self.table.len())]
    }

    /// The total length in bits of displacements, table and the two multipliers.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        self.displacements.len() as u64 * u64::from(self.displacement_width)
            + self.table.len() as u64 * u64::from(self.width)
            + 128
    }

    /// The packed displacements and answers.
    pub(in crate::formula) fn packed(&self) -> [Bits; 2] {
        let mut displacements = Bits::default();
        for &displacement in &self.displacements {
            displacements.push(displacement.into(), self.displacement_width);
        }
        let mut table = Bits::default();
        for &answer in &self.table {
            table.push(answer, self.width);
        }
        [displacements, table]
    }
}

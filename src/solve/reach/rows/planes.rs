//! Bits by row and column.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::super::memory::WordArray;
use crate::base::cpu::Cpu;

/// A bit for every row and column of a layer. Each row begins with a word of its own.
#[derive(Debug)]
pub(super) struct Plane {
    words: WordArray<AtomicU64>,
    row: usize,
}

impl Plane {
    /// All bits are zero.
    ///
    /// # Errors
    /// If the operating system cannot provide the memory.
    pub fn new(rows: usize, columns: usize) -> io::Result<Self> {
        let row = columns.div_ceil(64);
        let len = rows.checked_mul(row).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self {
            words: WordArray::new(len)?,
            row,
        })
    }

    /// The bits of a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[AtomicU64] {
        &self.words[row * self.row..(row + 1) * self.row]
    }

    /// Whether a bit is set.
    #[inline(always)]
    pub fn get(&self, row: usize, column: usize) -> bool {
        self.row(row)[column / 64].load(Relaxed) >> (column % 64) & 1 == 1
    }

    /// Makes a bit zero.
    pub fn clear(&self, row: usize, column: usize) {
        self.row(row)[column / 64].fetch_and(!(1 << (column % 64)), Relaxed);
    }
}

/// The columns whose bits are set in word number `word` of a row.
#[inline(always)]
pub(super) fn columns_of(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            64 * word + bit
        })
    })
}

/// Which of at most 64 bytes equal `byte`, as a bit set.
#[inline(always)]
pub(super) fn equal_bytes<C: Cpu>(cpu: C, bytes: &[u8], byte: u8) -> u64 {
    const LOW: u64 = u64::MAX / 255 * 127;
    let (eights, rest) = bytes.as_chunks::<8>();
    let all = u64::MAX / 255 * u64::from(byte);
    let mut found = 0;
    for (place, &eight) in eights.iter().enumerate() {
        let differs = u64::from_le_bytes(eight) ^ all;
        // The highest bit of each byte that is zero.
        let zero = !((differs & LOW) + LOW | differs | LOW);
        found |= cpu.extract_wide(zero, !LOW) << (8 * place);
    }
    for (place, &other) in rest.iter().enumerate() {
        found |= u64::from(other == byte) << (8 * eights.len() + place);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cpu::Portable;

    #[test]
    fn bytes_are_compared_one_by_one() {
        let values = [0, 1, 127, 128, 129, 255];
        let bytes: Vec<u8> = (0..64).map(|at| values[at % 6]).collect();
        for len in [0, 1, 8, 61, 64] {
            for byte in [0, 1, 127, 128, 255] {
                let expected = bytes[..len].iter().enumerate();
                let expected =
                    expected.fold(0, |set, (at, &other)| set | u64::from(other == byte) << at);
                assert_eq!(equal_bytes(Portable, &bytes[..len], byte), expected);
            }
        }
    }
}

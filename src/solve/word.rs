//! The shared words in which working records are kept, and comparing many at a time.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "records of narrow values have 32 bits"
)]

use std::fmt::Debug;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::base::value::{Narrow, Wide, Width};

/// An atomic integer that can be an element of a [`WordArray`](super::WordArray).
///
/// # Safety
/// All-zero bytes must be a valid value, and the alignment at most 8 bytes.
pub unsafe trait AtomicWord: Debug + Send + Sync {}

// SAFETY: zero bytes are the number zero, and a byte has no alignment.
unsafe impl AtomicWord for AtomicU8 {}
// SAFETY: zero bytes are the number zero, and the alignment is 4.
unsafe impl AtomicWord for AtomicU32 {}
// SAFETY: zero bytes are the number zero, and the alignment is at most 8.
unsafe impl AtomicWord for AtomicU64 {}

/// A width of values, with the word that holds a working record of that width: 32 bits
/// for [`Narrow`] values, 64 for [`Wide`] ones.
///
/// Words are shared between threads and accessed with relaxed ordering.
pub trait WordWidth: Width {
    /// The word.
    type Atom: AtomicWord;

    /// Reads a word.
    fn load(atom: &Self::Atom) -> u64;
    /// Writes a word.
    fn store(atom: &Self::Atom, bits: u64);
    /// Replaces `old` by `new`. As with `compare_exchange_weak`, this may fail although
    /// the word is `old`.
    ///
    /// # Errors
    /// The current bits, if the word was not replaced.
    fn replace(atom: &Self::Atom, old: u64, new: u64) -> Result<(), u64>;

    /// The words, of at most 64, that match one of two patterns, as a bit set. A word
    /// matches the pattern `(mask, bits)` if `word & mask == bits`.
    #[inline(always)]
    fn matching(atoms: &[Self::Atom], patterns: [(u64, u64); 2]) -> u64 {
        let [(first, is), (second, or)] = patterns;
        atoms.iter().enumerate().fold(0, |found, (place, atom)| {
            let bits = Self::load(atom);
            found | u64::from(bits & first == is || bits & second == or) << place
        })
    }
}

impl WordWidth for Narrow {
    type Atom = AtomicU32;

    #[inline(always)]
    fn load(atom: &AtomicU32) -> u64 {
        atom.load(Relaxed).into()
    }

    #[inline(always)]
    fn store(atom: &AtomicU32, bits: u64) {
        atom.store(bits as u32, Relaxed);
    }

    #[inline(always)]
    fn replace(atom: &AtomicU32, old: u64, new: u64) -> Result<(), u64> {
        atom.compare_exchange_weak(old as u32, new as u32, Relaxed, Relaxed)
            .map_or_else(|now| Err(now.into()), |_| Ok(()))
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(miri)))]
    #[inline(always)]
    fn matching(atoms: &[AtomicU32], patterns: [(u64, u64); 2]) -> u64 {
        matching_avx2(atoms, patterns.map(|(mask, is)| (mask as u32, is as u32)))
    }
}

impl WordWidth for Wide {
    type Atom = AtomicU64;

    #[inline(always)]
    fn load(atom: &AtomicU64) -> u64 {
        atom.load(Relaxed)
    }

    #[inline(always)]
    fn store(atom: &AtomicU64, bits: u64) {
        atom.store(bits, Relaxed);
    }

    #[inline(always)]
    fn replace(atom: &AtomicU64, old: u64, new: u64) -> Result<(), u64> {
        atom.compare_exchange_weak(old, new, Relaxed, Relaxed)
            .map(|_| ())
    }
}

/// [`WordWidth::matching`] for narrow values, eight words at a time.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(miri)))]
#[inline(always)]
fn matching_avx2(words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
    use core::arch::asm;
    use core::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_movemask_ps,
        _mm256_or_si256, _mm256_set1_epi32,
    };
    let (eights, rest) = words.as_chunks::<8>();
    let [(first, is), (second, or)] = patterns;
    let mut found = 0u64;
    for (place, word) in rest.iter().enumerate() {
        let bits = word.load(Relaxed);
        let hit = bits & first == is || bits & second == or;
        found |= u64::from(hit) << (8 * eights.len() + place);
    }
    // SAFETY: compiled only for targets that have AVX2. The load reads the eight words
    // that `eight` borrows. It is written in assembly because other threads may be
    // writing these words: the processor reads each aligned word whole, as relaxed
    // atomic loads would, while a plain load would be a data race.
    unsafe {
        let [first, is, second, or] =
            [first, is, second, or].map(|bits| _mm256_set1_epi32(bits.cast_signed()));
        for (place, eight) in eights.iter().enumerate() {
            let bits: __m256i;
            asm!(
                "vmovdqu {bits}, ymmword ptr [{from}]",
                from = in(reg) eight.as_ptr(),
                bits = lateout(ymm_reg) bits,
                options(nostack, readonly, preserves_flags)
            );
            let hit = _mm256_or_si256(
                _mm256_cmpeq_epi32(_mm256_and_si256(bits, first), is),
                _mm256_cmpeq_epi32(_mm256_and_si256(bits, second), or),
            );
            let hit = _mm256_movemask_ps(_mm256_castsi256_ps(hit));
            found |= u64::from(hit.cast_unsigned()) << (8 * place);
        }
    }
    found
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "avx2", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn eight_words_at_a_time_match_like_one_at_a_time() {
        let mut x = 0x9e37_79b9u32;
        for len in [0, 1, 7, 8, 9, 31, 63, 64] {
            let words: Vec<u32> = (0..len)
                .map(|_| {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    x >> 28 | (x >> 24 & 3) << 8
                })
                .collect();
            let atoms: Vec<_> = words.iter().map(|&word| AtomicU32::new(word)).collect();
            for value in 0..16 {
                let patterns = [(0xff, value), (0xff00, (value & 3) << 8)];
                let one_at_a_time = words.iter().enumerate().fold(0, |found, (place, word)| {
                    let hit = word & 0xff == value || word & 0xff00 == (value & 3) << 8;
                    found | u64::from(hit) << place
                });
                assert_eq!(
                    matching_avx2(&atoms, patterns),
                    one_at_a_time,
                    "{len} words"
                );
            }
        }
    }
}

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

use super::memory::WordArray;
use super::words::{Records, Words};
use crate::base::cpu::Cpu;
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
    fn matching<C: Cpu>(cpu: C, atoms: &[Self::Atom], patterns: [(u64, u64); 2]) -> u64;

    /// The working records that are these words.
    fn records_of(words: WordArray<Self::Atom>) -> Words;
    /// The words of working records; `None` if they are not of this width, or packed.
    fn words_of(records: Words) -> Option<WordArray<Self::Atom>>;
    /// These words as working records, to be read.
    fn view(words: &[Self::Atom]) -> Records<'_>;
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

    #[inline(always)]
    fn matching<C: Cpu>(cpu: C, atoms: &[AtomicU32], patterns: [(u64, u64); 2]) -> u64 {
        cpu.matching(atoms, patterns.map(|(mask, is)| (mask as u32, is as u32)))
    }

    fn records_of(words: WordArray<AtomicU32>) -> Words {
        Words::Narrow(words)
    }

    fn words_of(records: Words) -> Option<WordArray<AtomicU32>> {
        match records {
            Words::Narrow(words) => Some(words),
            Words::Wide(_) | Words::Packed(_) => None,
        }
    }

    fn view(words: &[AtomicU32]) -> Records<'_> {
        Records::Narrow(words)
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

    #[inline(always)]
    fn matching<C: Cpu>(_cpu: C, atoms: &[AtomicU64], patterns: [(u64, u64); 2]) -> u64 {
        let [(first, is), (second, or)] = patterns;
        atoms.iter().enumerate().fold(0, |found, (place, atom)| {
            let bits = Self::load(atom);
            found | u64::from(bits & first == is || bits & second == or) << place
        })
    }

    fn records_of(words: WordArray<AtomicU64>) -> Words {
        Words::Wide(words)
    }

    fn words_of(records: Words) -> Option<WordArray<AtomicU64>> {
        match records {
            Words::Wide(words) => Some(words),
            Words::Narrow(_) | Words::Packed(_) => None,
        }
    }

    fn view(words: &[AtomicU64]) -> Records<'_> {
        Records::Wide(words)
    }
}

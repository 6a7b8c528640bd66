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

use super::work::packed::PACKING;
use crate::base::cpu::{Cpu, PACKED, PackedBytes, for_each_member};
use crate::base::value::{Narrow, Value, Wide, Width};

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
    type Atom: AtomicWord + Default;
    /// The word outside of shared memory.
    type Word: Copy + Default + Into<u64> + Send;

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

    /// Copies the words that a set chooses, sixteen words to each bit set of `chosen`, one
    /// after the other, to the front of `found`. Returns their number.
    fn compress<C: Cpu>(
        cpu: C,
        atoms: &[Self::Atom],
        chosen: &[u16],
        found: &mut [Self::Word],
    ) -> usize;

    /// Copies the words at some places; `found` is as long as `places`.
    fn gather<C: Cpu>(cpu: C, atoms: &[Self::Atom], places: &[u32], found: &mut [Self::Word]);

    /// The words, if they have 32 bits.
    fn of_32_bits(atoms: &[Self::Atom]) -> Option<&[AtomicU32]>;

    /// Number of bytes of a block of [`PACKED`] packed working records.
    const PACKED_BYTES: usize;

    /// Packs a block of [`PACKED`] working records.
    fn pack<C: Cpu>(cpu: C, words: &mut [Self::Atom], bytes: &mut [u8]);

    /// Unpacks a block of working records.
    fn unpack<C: Cpu>(cpu: C, bytes: &[u8], words: &mut [Self::Atom]);

    /// The working record at a place of packed blocks.
    fn get_packed(bytes: &[u8], at: usize) -> u64;

    /// Replaces the working record at a place of packed blocks.
    fn set_packed(bytes: &mut [u8], at: usize, bits: u64);

    /// The working records at up to sixteen places of packed blocks.
    fn gather_packed<C: Cpu>(cpu: C, bytes: &[u8], places: &[u32]) -> [Self::Word; 16];

    /// Which records of a packed block may have a value, as a bit set.
    fn with_value<C: Cpu>(cpu: C, bytes: &[u8], value: Value<Self>) -> u64;

    /// The words, of at most 64, that match one of two patterns, as a bit set. A word
    /// matches the pattern `(mask, bits)` if `word & mask == bits`.
    #[inline(always)]
    fn matching<C: Cpu>(_cpu: C, atoms: &[Self::Atom], patterns: [(u64, u64); 2]) -> u64 {
        let [(first, is), (second, or)] = patterns;
        atoms.iter().enumerate().fold(0, |found, (place, atom)| {
            let bits = Self::load(atom);
            found | u64::from(bits & first == is || bits & second == or) << place
        })
    }
}

impl WordWidth for Narrow {
    type Atom = AtomicU32;
    type Word = u32;

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
    fn compress<C: Cpu>(cpu: C, atoms: &[AtomicU32], chosen: &[u16], found: &mut [u32]) -> usize {
        cpu.compress(atoms, chosen, found)
    }

    #[inline(always)]
    fn gather<C: Cpu>(cpu: C, atoms: &[AtomicU32], places: &[u32], found: &mut [u32]) {
        cpu.gather(atoms, places, found);
    }

    #[inline(always)]
    fn of_32_bits(atoms: &[AtomicU32]) -> Option<&[AtomicU32]> {
        Some(atoms)
    }

    const PACKED_BYTES: usize = size_of::<PackedBytes>();

    #[inline(always)]
    fn pack<C: Cpu>(cpu: C, words: &mut [AtomicU32], bytes: &mut [u8]) {
        let bytes = bytes.as_mut_array().expect("the bytes of a block");
        cpu.pack(words.as_mut_array().expect("a block"), bytes, PACKING);
    }

    #[inline(always)]
    fn unpack<C: Cpu>(cpu: C, bytes: &[u8], words: &mut [AtomicU32]) {
        let bytes = bytes.as_array().expect("the bytes of a block");
        cpu.unpack(bytes, words.as_mut_array().expect("a block"), PACKING);
    }

    #[inline(always)]
    fn get_packed(bytes: &[u8], at: usize) -> u64 {
        PACKING.get(bytes, at).into()
    }

    #[inline(always)]
    fn set_packed(bytes: &mut [u8], at: usize, bits: u64) {
        PACKING.set(bytes, at, bits as u32);
    }

    #[inline(always)]
    fn gather_packed<C: Cpu>(cpu: C, bytes: &[u8], places: &[u32]) -> [u32; 16] {
        let mut found = [0; 16];
        cpu.gather_packed(bytes, places, PACKING, &mut found);
        found
    }

    #[inline(always)]
    fn with_value<C: Cpu>(cpu: C, bytes: &[u8], value: Value<Self>) -> u64 {
        // Both values of a record are in its lowest bytes.
        let bytes = bytes.as_array().expect("the bytes of a block");
        cpu.with_byte(bytes, value.code() as u8)
    }

    #[inline(always)]
    fn matching<C: Cpu>(cpu: C, atoms: &[AtomicU32], patterns: [(u64, u64); 2]) -> u64 {
        cpu.matching(atoms, patterns.map(|(mask, is)| (mask as u32, is as u32)))
    }
}

impl WordWidth for Wide {
    type Atom = AtomicU64;
    type Word = u64;

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
    fn compress<C: Cpu>(_cpu: C, atoms: &[AtomicU64], chosen: &[u16], found: &mut [u64]) -> usize {
        let mut count = 0;
        for (sixteen, &chosen) in atoms.chunks(16).zip(chosen) {
            for_each_member(chosen, |member| {
                found[count] = Self::load(&sixteen[member]);
                count += 1;
            });
        }
        count
    }

    #[inline(always)]
    fn gather<C: Cpu>(_cpu: C, atoms: &[AtomicU64], places: &[u32], found: &mut [u64]) {
        for (&place, found) in places.iter().zip(found) {
            *found = Self::load(&atoms[place as usize]);
        }
    }

    #[inline(always)]
    fn of_32_bits(_atoms: &[AtomicU64]) -> Option<&[AtomicU32]> {
        None
    }

    const PACKED_BYTES: usize = 8 * PACKED;

    fn pack<C: Cpu>(_cpu: C, words: &mut [AtomicU64], bytes: &mut [u8]) {
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks_mut().0) {
            *bytes = word.get_mut().to_le_bytes();
        }
    }

    fn unpack<C: Cpu>(_cpu: C, bytes: &[u8], words: &mut [AtomicU64]) {
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word.get_mut() = u64::from_le_bytes(*bytes);
        }
    }

    fn get_packed(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes.as_chunks().0[at])
    }

    fn set_packed(bytes: &mut [u8], at: usize, bits: u64) {
        bytes.as_chunks_mut().0[at] = bits.to_le_bytes();
    }

    fn gather_packed<C: Cpu>(_cpu: C, bytes: &[u8], places: &[u32]) -> [u64; 16] {
        let mut found = [0; 16];
        for (&place, found) in places.iter().zip(&mut found) {
            *found = Self::get_packed(bytes, place as usize);
        }
        found
    }

    fn with_value<C: Cpu>(_cpu: C, _bytes: &[u8], _value: Value<Self>) -> u64 {
        u64::MAX
    }
}

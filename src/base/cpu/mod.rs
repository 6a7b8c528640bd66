//! Special instructions of the processor, chosen at run time.
//!
//! Bit extraction (BMI2) and working on eight or sixteen words at once (AVX2, AVX-512) make
//! the inner loops several times faster, but not every processor has them. A loop is written
//! once, generic over a [`Cpu`], as a [`CpuTask`]; [`dispatch`] compiles it for each kind of
//! processor and runs the version for the one at hand. No compiler flag is needed.
//!
//! Set the environment variable `TESUJI_PORTABLE` to run the portable version anywhere.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;
mod bit_map;
mod packing;
mod portable;
mod shifts;

use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::subsets::Ranker;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use avx512::Avx512;
pub use bit_map::BitMap;
pub use packing::{PACKED, PackedBytes, PackedWords, Packing};
pub use portable::Portable;
pub use shifts::Shifts;

/// A kind of processor, with the instructions that differ between kinds.
pub trait Cpu: Copy + Debug + Send + Sync {
    /// Gathers the bits of `value` that lie under `mask` into the low bits (`pext`).
    fn extract(self, value: u32, mask: u32) -> u32;

    /// Spreads the low bits of `value` over the bits of `mask` (`pdep`), the inverse of
    /// [`extract`](Self::extract).
    fn deposit(self, value: u32, mask: u32) -> u32;

    /// [`extract`](Self::extract) for 64 bits.
    fn extract_wide(self, value: u64, mask: u64) -> u64;

    /// [`deposit`](Self::deposit) for 64 bits.
    fn deposit_wide(self, value: u64, mask: u64) -> u64;

    /// The words, of at most 64, that match one of two patterns, as a bit set. A word
    /// matches the pattern `(mask, bits)` if `word & mask == bits`.
    fn matching(self, words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
        let [(first, is), (second, or)] = patterns;
        words.iter().enumerate().fold(0, |found, (place, word)| {
            let bits = word.load(Relaxed);
            found | u64::from(bits & first == is || bits & second == or) << place
        })
    }

    /// Copies the words that pass a filter, in their order, to the front of `selected`.
    /// Returns their number; what lies behind them is undefined. Unless `KEYED`, the filter's
    /// key is not looked at, and only its condition counts.
    ///
    /// # Panics
    /// If there are more than [`SELECTED`] words.
    fn select<const KEYED: bool>(
        self,
        words: &[u32],
        filter: Filter,
        selected: &mut Selected,
    ) -> usize;

    /// Replaces each set by the rank of the renumbered set.
    #[inline(always)]
    fn ranks(self, sets: &mut [u32], shifts: Shifts, ranker: &Ranker) {
        for set in sets {
            *set = ranker.rank(shifts.of(*set));
        }
    }

    /// Counts down the words at different places, and puts the places of those words that it
    /// leaves as they are, because 1 or 2 is left of their count, to the front of `rest`.
    /// Returns the number of these places; `None`, with nothing done, if this kind of
    /// processor has no special instructions for it.
    ///
    /// # Panics
    /// If there are more than [`SELECTED`] places, or a place is none of `words`.
    #[inline(always)]
    fn count_down(
        self,
        words: &[AtomicU32],
        places: &[u32],
        step: CountDown,
        rest: &mut Selected,
    ) -> Option<usize> {
        let _ = (words, places, step, rest);
        None
    }

    /// Puts the places, out of those given, of words that do not pass to the front of `rest`.
    /// Returns their number; `None`, with nothing done, if this kind of processor has no
    /// special instructions for it.
    ///
    /// # Panics
    /// If there are more than [`SELECTED`] places, or a place is none of `words`.
    #[inline(always)]
    fn failing(
        self,
        words: &[AtomicU32],
        places: &[u32],
        bound: Bound,
        rest: &mut Selected,
    ) -> Option<usize> {
        let _ = (words, places, bound, rest);
        None
    }

    /// Packs words, as a [`Packing`] says.
    #[inline(always)]
    fn pack(self, words: &mut PackedWords, bytes: &mut PackedBytes, packing: Packing) {
        packing.pack_all(words, bytes);
    }

    /// Unpacks words that were packed with the same [`Packing`].
    #[inline(always)]
    fn unpack(self, bytes: &PackedBytes, words: &mut PackedWords, packing: Packing) {
        packing.unpack_all(bytes, words);
    }

    /// The packed words of which one or both of the lowest bytes are `byte`, as a bit set.
    #[inline(always)]
    fn with_byte(self, bytes: &PackedBytes, byte: u8) -> u64 {
        let is = |at: usize| {
            let [a, b, ..] = packing::packed(bytes, at).to_le_bytes();
            a == byte || b == byte
        };
        (0..PACKED).fold(0, |found, at| found | u64::from(is(at)) << at)
    }

    /// Copies the words at the first sixteen places, or fewer if there are no more, of packed
    /// bytes to the front of `found`; what lies behind them is undefined.
    ///
    /// # Panics
    /// If a place is none of the words.
    #[inline(always)]
    fn gather_packed(self, bytes: &[u8], places: &[u32], packing: Packing, found: &mut [u32; 16]) {
        for (&place, found) in places.iter().zip(found) {
            *found = packing.get(bytes, place as usize);
        }
    }

    /// Replaces each set by the rank of its image.
    #[inline(always)]
    fn image_ranks(self, sets: &mut [u32], map: &BitMap, ranker: &Ranker) {
        for set in sets {
            *set = ranker.rank(map.of(*set));
        }
    }

    /// Copies the words at some places.
    ///
    /// # Panics
    /// If a place is none of `words`, or `found` is not as long as `places`.
    #[inline(always)]
    fn gather(self, words: &[AtomicU32], places: &[u32], found: &mut [u32]) {
        assert!(found.len() == places.len(), "a word for each place");
        for (&place, found) in places.iter().zip(found) {
            *found = words[place as usize].load(Relaxed);
        }
    }

    /// Copies the words that a set chooses, one after the other, to the front of `found`.
    /// Returns their number.
    ///
    /// # Panics
    /// If the set is not of as many sixteens as the words, or chooses more than there are, or
    /// `found` is not longer than the words by sixteen.
    #[inline(always)]
    fn compress(self, words: &[AtomicU32], chosen: &[u16], found: &mut [u32]) -> usize {
        assert!(
            chosen.len() == words.len().div_ceil(16),
            "a set of other words"
        );
        let mut count = 0;
        for (sixteen, &chosen) in words.chunks(16).zip(chosen) {
            for_each_member(chosen, |member| {
                found[count] = sixteen[member].load(Relaxed);
                count += 1;
            });
        }
        count
    }

    /// Raises the two greatest numbers of each column that a set chooses by one of `numbers`,
    /// in their order. Of equal numbers both count.
    ///
    /// # Panics
    /// If the set is not of as many sixteens as the columns, or chooses more than there are
    /// numbers.
    #[inline(always)]
    fn raise(self, greatest: &mut [u32], second: &mut [u32], chosen: &[u16], numbers: &[u32]) {
        assert!(
            greatest.len() == second.len(),
            "columns with two numbers each"
        );
        assert!(
            chosen.len() == greatest.len().div_ceil(16),
            "a set of other columns"
        );
        let mut numbers = numbers.iter();
        let columns = greatest.chunks_mut(16).zip(second.chunks_mut(16));
        for ((greatest, second), &chosen) in columns.zip(chosen) {
            for_each_member(chosen, |member| {
                let &number = numbers.next().expect("a number for each column");
                let best = greatest[member];
                second[member] = second[member].max(best.min(number));
                greatest[member] = best.max(number);
            });
        }
    }
}

/// Visits the numbers of the bits of a set.
#[inline(always)]
pub fn for_each_member(mut set: u16, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// The most words that [`Cpu::select`] takes.
pub const SELECTED: usize = 512;

/// Room for selected words, and some more, since whole vectors are stored.
pub type Selected = [u32; SELECTED + 16];

/// Room in which nothing is selected yet.
pub const NONE_SELECTED: Selected = [0; SELECTED + 16];

/// Which words [`Cpu::select`] takes: those with `word & mask == bits` that have, moreover,
/// some bit of `with` if `word & key_mask == key`, and otherwise some bit of `without`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    /// The bits that must be as in `bits`.
    pub mask: u32,
    /// What they must be.
    pub bits: u32,
    /// The bits of the key.
    pub key_mask: u32,
    /// The key.
    pub key: u32,
    /// Bits of which a word with this key must have one.
    pub with: u32,
    /// Bits of which any other word must have one.
    pub without: u32,
}

impl Filter {
    #[inline(always)]
    const fn passes<const KEYED: bool>(self, word: u32) -> bool {
        let asked = if word & self.key_mask == self.key {
            self.with
        } else {
            self.without
        };
        word & self.mask == self.bits && (!KEYED || word & asked != 0)
    }
}

/// How [`Cpu::count_down`] changes a word: a count of 0 in the six bits from `shift` on
/// stays, a count of at least 3 falls by one, and then unless the word has the bit `flag` the
/// bits of `xor` are changed.
#[derive(Debug, Clone, Copy)]
pub struct CountDown {
    /// The lowest bit of the count.
    pub shift: u32,
    /// The bit with which nothing else changes.
    pub flag: u32,
    /// What changes.
    pub xor: u32,
}

/// Which words pass in [`Cpu::failing`]: those with all bits of `flags` whose byte from bit
/// `shift` on is at most `most`, and odd if and only if `most` is.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// The bits that the word must have.
    pub flags: u32,
    /// The lowest bit of the byte.
    pub shift: u32,
    /// The greatest value of the byte.
    pub most: u8,
}

/// Work that is compiled once for each kind of processor.
///
/// `run` should be `#[inline(always)]`, and so should all that it calls in its inner loops:
/// only what is inlined may use the special instructions.
pub trait CpuTask {
    /// What the work yields.
    type Output;

    /// Does the work.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Does the work with the best instructions that this processor has.
pub fn dispatch<T: CpuTask>(task: T) -> T::Output {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        if let Some(cpu) = Avx512::detected() {
            return cpu.run(task);
        }
        if let Some(cpu) = Avx2::detected() {
            return cpu.run(task);
        }
    }
    task.run(Portable)
}

/// Whether the portable version is asked for.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn is_portable() -> bool {
    std::env::var_os("TESUJI_PORTABLE").is_some()
}

/// [`Cpu::extract`], outside of a [`CpuTask`]: with a call where the target is not known to
/// have the instruction, but the processor at hand has it.
#[inline]
#[must_use]
pub fn extract(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(cpu) = Avx2::at_hand() {
        return cpu.extract(value, mask);
    }
    Portable.extract(value, mask)
}

/// [`Cpu::deposit`], outside of a [`CpuTask`], as for [`extract`].
#[inline]
#[must_use]
pub fn deposit(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(cpu) = Avx2::at_hand() {
        return cpu.deposit(value, mask);
    }
    Portable.deposit(value, mask)
}

#[cfg(test)]
mod tests;

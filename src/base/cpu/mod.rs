//! Special instructions of the processor, chosen at run time.
//!
//! Bit extraction (BMI2) and working on eight or sixteen words at once (AVX2, AVX-512) make
//! the inner loops several times faster, but not every processor has them. A loop is written
//! once, generic over a [`Cpu`], as a `CpuTask`; `dispatch` compiles it for each kind of
//! processor and runs the version for the one at hand. No compiler flag is needed.
//!
//! Set the environment variable `TESUJI_PORTABLE` to run the portable version anywhere.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "no more bits are gathered or spread than the mask has"
)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;

use std::fmt::Debug;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::subsets::{Ranker, bits};

#[cfg(all(target_arch = "x86_64", not(miri)))]
use avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use avx512::Avx512;

/// A kind of processor, with the instructions that differ between kinds. The defaults run on any.
pub trait Cpu: Copy + Debug + Send + Sync {
    /// Gathers the bits of `value` that lie under `mask` into the low bits (`pext`).
    #[inline]
    fn extract(self, value: u32, mut mask: u32) -> u32 {
        let mut gathered = 0;
        let mut place = 0;
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            gathered |= u32::from(value & bit != 0) << place;
            place += 1;
            mask ^= bit;
        }
        gathered
    }

    /// Spreads the low bits of `value` over the bits of `mask` (`pdep`), the inverse of
    /// [`extract`](Self::extract).
    #[inline]
    fn deposit(self, value: u32, mut mask: u32) -> u32 {
        let mut spread = 0;
        let mut place = 0;
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            spread |= bit & (value >> place & 1).wrapping_neg();
            place += 1;
            mask ^= bit;
        }
        spread
    }

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
    /// Panics if there are more than [`SELECTED`] words.
    #[inline(always)]
    fn select<const KEYED: bool>(
        self,
        words: &[u32],
        filter: Filter,
        selected: &mut Selected,
    ) -> usize {
        assert!(words.len() <= SELECTED, "too many words");
        append::<KEYED>(words, filter, selected, 0)
    }

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
    /// Panics if there are more than [`SELECTED`] places, or a place is none of `words`.
    #[inline(always)]
    fn count_down(
        self,
        _words: &[AtomicU32],
        _places: &[u32],
        _step: CountDown,
        _rest: &mut Selected,
    ) -> Option<usize> {
        None
    }

    /// Puts the places, out of those given, of words that do not pass to the front of `rest`.
    /// Returns their number; `None`, with nothing done, if this kind of processor has no
    /// special instructions for it.
    /// Panics if there are more than [`SELECTED`] places, or a place is none of `words`.
    #[inline(always)]
    fn failing(
        self,
        _words: &[AtomicU32],
        _places: &[u32],
        _bound: Bound,
        _rest: &mut Selected,
    ) -> Option<usize> {
        None
    }

    /// Packs words, as a [`Packing`] says.
    #[inline(always)]
    fn pack(self, words: &mut PackedWords, bytes: &mut PackedBytes, packing: Packing) {
        for (at, word) in words.iter_mut().enumerate() {
            packing.set(bytes, at, *word.get_mut());
        }
    }

    /// Unpacks words that were packed with the same [`Packing`].
    #[inline(always)]
    fn unpack(self, bytes: &PackedBytes, words: &mut PackedWords, packing: Packing) {
        for (at, word) in words.iter_mut().enumerate() {
            *word.get_mut() = packing.get(bytes, at);
        }
    }

    /// The packed words of which one or both of the lowest bytes are `byte`, as a bit set.
    #[inline(always)]
    fn with_byte(self, bytes: &PackedBytes, byte: u8) -> u64 {
        let is = |at: usize| {
            let [a, b, ..] = packed(bytes, at).to_le_bytes();
            a == byte || b == byte
        };
        (0..PACKED).fold(0, |found, at| found | u64::from(is(at)) << at)
    }

    /// Copies the words at the first sixteen places, or fewer if there are no more, of packed
    /// bytes to the front of `found`; what lies behind them is undefined.
    /// Panics if a place is none of the words.
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
    /// Panics if a place is none of `words`, or `found` is not as long as `places`.
    #[inline(always)]
    fn gather(self, words: &[AtomicU32], places: &[u32], found: &mut [u32]) {
        assert!(found.len() == places.len(), "a word for each place");
        for (&place, found) in places.iter().zip(found) {
            *found = words[place as usize].load(Relaxed);
        }
    }

    /// Copies the words that a set chooses, one after the other, to the front of `found`.
    /// Returns their number.
    /// Panics if the set is not of as many sixteens as the words, or chooses more than there are, or
    /// `found` is not longer than the words by sixteen.
    #[inline(always)]
    fn compress(self, words: &[AtomicU32], chosen: &[u16], found: &mut [u32]) -> usize {
        assert!(
            chosen.len() == words.len().div_ceil(16),
            "a set of other words"
        );
        let mut count = 0;
        for (sixteen, &chosen) in words.chunks(16).zip(chosen) {
            for member in bits(chosen.into()) {
                found[count] = sixteen[usize::from(member)].load(Relaxed);
                count += 1;
            }
        }
        count
    }

    /// Raises the two greatest numbers of each column that a set chooses by one of `numbers`,
    /// in their order. Of equal numbers both count.
    /// Panics if the set is not of as many sixteens as the columns, or chooses more than there are
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
            for member in bits(chosen.into()).map(usize::from) {
                let &number = numbers.next().expect("a number for each column");
                let best = greatest[member];
                second[member] = second[member].max(best.min(number));
                greatest[member] = best.max(number);
            }
        }
    }
}

/// The most words that [`Cpu::select`] takes.
pub(crate) const SELECTED: usize = 512;

/// Room for selected words, and some more, since whole vectors are stored.
pub(crate) type Selected = [u32; SELECTED + 16];

pub(crate) const NONE_SELECTED: Selected = [0; SELECTED + 16];

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
pub(crate) trait CpuTask {
    type Output;

    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Does the work with the best instructions that this processor has.
pub(crate) fn dispatch<T: CpuTask>(task: T) -> T::Output {
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

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn is_portable() -> bool {
    std::env::var_os("TESUJI_PORTABLE").is_some()
}

/// [`Cpu::extract`], outside of a `CpuTask`: with a call where the target is not known to
/// have the instruction, but the processor at hand has it.
#[inline]
pub(crate) fn extract(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(cpu) = Avx2::at_hand() {
        return cpu.extract(value, mask);
    }
    Portable.extract(value, mask)
}

/// [`Cpu::deposit`], outside of a [`CpuTask`], as for [`extract`].
#[inline]
pub(crate) fn deposit(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(cpu) = Avx2::at_hand() {
        return cpu.deposit(value, mask);
    }
    Portable.deposit(value, mask)
}

/// Any processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Cpu for Portable {}

/// Copies words that pass behind the first `count` selected ones.
#[inline(always)]
fn append<const KEYED: bool>(
    words: &[u32],
    filter: Filter,
    selected: &mut Selected,
    mut count: usize,
) -> usize {
    // Without branches: which words pass cannot be foreseen.
    for &word in words {
        selected[count] = word;
        count += usize::from(filter.passes::<KEYED>(word));
    }
    count
}

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
    #[inline(always)]
    pub(crate) fn between<C: Cpu>(cpu: C, from: u32, to: u32, flip: u32) -> Option<Self> {
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
    #[inline(always)]
    pub const fn of(self, set: u32) -> u32 {
        (set & self.stay | (set & self.up) << 1 | (set & self.down) >> 1) ^ self.flip
    }
}

/// A map of sets of up to 24 places that takes each place to another, or to none, and then
/// changes some places: three look-ups for each set, however the places are permuted.
#[derive(Debug, Clone)]
pub struct BitMap {
    /// By part of eight places: the image of each set of them.
    parts: Box<[[u32; 256]; 3]>,
}

impl Default for BitMap {
    fn default() -> Self {
        Self {
            parts: Box::new([[0; 256]; 3]),
        }
    }
}

impl BitMap {
    /// Sets the map to one of `places` places: `image` gives that of each as a bit, or zero,
    /// and `flip` the places that are changed afterwards.
    /// Panics if there are more than 24 places.
    pub(crate) fn set(&mut self, places: u32, flip: u32, mut image: impl FnMut(u32) -> u32) {
        assert!(places <= 24, "too many places");
        for (first, part) in (0..).step_by(8).zip(self.parts.iter_mut()) {
            part[0] = if first == 0 { flip } else { 0 };
            for bit in 0..8 {
                let place = first + bit;
                let image = if place < places { image(place) } else { 0 };
                let (known, new) = part.split_at_mut(1 << bit);
                for (&known, new) in known.iter().zip(new) {
                    *new = known ^ image;
                }
            }
        }
    }

    /// The image of a set.
    #[inline]
    pub fn of(&self, set: u32) -> u32 {
        let part = |number: usize| (set >> (8 * number) & 255) as usize;
        self.parts[0][part(0)] ^ self.parts[1][part(1)] ^ self.parts[2][part(2)]
    }
}

/// Number of words that are packed together.
pub(crate) const PACKED: usize = 64;

/// Number of bits of a packed word.
const BITS: usize = 28;

pub(crate) type PackedWords = [AtomicU32; PACKED];

pub(crate) type PackedBytes = [u8; PACKED * BITS / 8];

const MASK: u32 = (1 << BITS) - 1;

/// How [`Cpu::pack`] stores words of 31 bits in 28.
///
/// A word has a count of six bits, of which five are used, from bit `shift` on, below two
/// flags. Both flags become the count 31, the second alone the count 30. The first alone is not
/// stored: a word has it if the value in its lowest byte wins. A byte wins if it is
/// even and at most `greatest`, or odd, greater, and neither of `never`.
///
/// Packed words follow each other from the lowest bit of the first byte on: two in seven bytes.
#[derive(Debug, Clone, Copy)]
pub struct Packing {
    /// The lowest bit of the count.
    pub shift: u32,
    /// The first flag.
    pub first: u32,
    /// The second flag.
    pub second: u32,
    /// The greatest byte of which the even ones win.
    pub greatest: u32,
    /// Odd bytes above it that do not win.
    pub never: [u32; 2],
}

impl Packing {
    #[inline(always)]
    pub(crate) const fn pack(self, word: u32) -> u32 {
        let fields = word & ((1 << self.shift) - 1);
        let code = if word & self.second == 0 {
            word >> self.shift & 31
        } else if word & self.first == 0 {
            30
        } else {
            31
        };
        fields | code << self.shift
    }

    #[inline(always)]
    pub(crate) const fn unpack(self, packed: u32) -> u32 {
        let fields = packed & ((1 << self.shift) - 1);
        match packed >> self.shift {
            31 => fields | self.first | self.second,
            30 => fields | self.second | 1 << self.shift,
            count => {
                let byte = packed & 255;
                let wins = (byte & 1 == 1) == (byte > self.greatest)
                    && byte != self.never[0]
                    && byte != self.never[1];
                fields | count << self.shift | if wins { self.first } else { 0 }
            }
        }
    }

    /// The word of number `at` in packed bytes.
    /// Panics if there are not that many.
    #[inline(always)]
    pub fn get(self, bytes: &[u8], at: usize) -> u32 {
        self.unpack(packed(bytes, at))
    }

    /// Replaces the word of number `at` in packed bytes.
    /// Panics if there are not that many.
    #[inline(always)]
    pub(crate) fn set(self, bytes: &mut [u8], at: usize, word: u32) {
        let (first, shift) = place(at);
        let four = bytes[first..].first_chunk_mut().expect("a packed word");
        let others = u32::from_le_bytes(*four) & !(MASK << shift);
        *four = (others | self.pack(word) << shift).to_le_bytes();
    }
}

#[inline(always)]
fn packed(bytes: &[u8], at: usize) -> u32 {
    let (first, shift) = place(at);
    let four = bytes[first..].first_chunk().expect("a packed word");
    u32::from_le_bytes(*four) >> shift & MASK
}

/// Where four bytes begin that have a packed word, and its lowest bit in them.
#[inline(always)]
const fn place(at: usize) -> (usize, u32) {
    (3 * at + at / 2, 4 * (at as u32 % 2))
}

#[cfg(test)]
mod tests;

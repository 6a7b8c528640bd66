//! Words of 31 bits packed in 28.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "a place in a pair of words is 0 or 1"
)]

use std::sync::atomic::AtomicU32;

/// Number of words that are packed together.
pub const PACKED: usize = 64;

/// Number of bits of a packed word.
pub(super) const BITS: usize = 28;

/// Words that are packed together.
pub type PackedWords = [AtomicU32; PACKED];

/// The bytes that they take.
pub type PackedBytes = [u8; PACKED * BITS / 8];

/// The bits of a packed word.
pub(super) const MASK: u32 = (1 << BITS) - 1;

/// How [`Cpu::pack`](super::Cpu::pack) stores words of 31 bits in 28.
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
    /// The 28 bits of a word.
    #[inline(always)]
    #[must_use]
    pub const fn pack(self, word: u32) -> u32 {
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

    /// The word of 28 bits.
    #[inline(always)]
    #[must_use]
    pub const fn unpack(self, packed: u32) -> u32 {
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
    ///
    /// # Panics
    /// If there are not that many.
    #[inline(always)]
    #[must_use]
    pub fn get(self, bytes: &[u8], at: usize) -> u32 {
        self.unpack(packed(bytes, at))
    }

    /// Replaces the word of number `at` in packed bytes.
    ///
    /// # Panics
    /// If there are not that many.
    #[inline(always)]
    pub fn set(self, bytes: &mut [u8], at: usize, word: u32) {
        let (first, shift) = place(at);
        let four = bytes[first..].first_chunk_mut().expect("a packed word");
        let others = u32::from_le_bytes(*four) & !(MASK << shift);
        *four = (others | self.pack(word) << shift).to_le_bytes();
    }

    #[inline(always)]
    pub(super) fn pack_all(self, words: &mut PackedWords, bytes: &mut PackedBytes) {
        for (at, word) in words.iter_mut().enumerate() {
            self.set(bytes, at, *word.get_mut());
        }
    }

    #[inline(always)]
    pub(super) fn unpack_all(self, bytes: &PackedBytes, words: &mut PackedWords) {
        for (at, word) in words.iter_mut().enumerate() {
            *word.get_mut() = self.get(bytes, at);
        }
    }
}

/// The 28 bits of word number `at`.
#[inline(always)]
pub(super) fn packed(bytes: &[u8], at: usize) -> u32 {
    let (first, shift) = place(at);
    let four = bytes[first..].first_chunk().expect("a packed word");
    u32::from_le_bytes(*four) >> shift & MASK
}

/// Where four bytes begin that have a packed word, and its lowest bit in them.
#[inline(always)]
pub(super) const fn place(at: usize) -> (usize, u32) {
    (3 * at + at / 2, 4 * (at as u32 % 2))
}

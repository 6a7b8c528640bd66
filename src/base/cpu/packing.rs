//! Words of 31 bits packed in 28.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "words are cut into planes on purpose"
)]

use std::sync::atomic::AtomicU32;

/// Number of words that are packed together.
pub const PACKED: usize = 128;

/// Half of that number.
pub(super) const HALF: usize = PACKED / 2;

/// Words that are packed together.
pub type PackedWords = [AtomicU32; PACKED];

/// The bytes that they take.
pub type PackedBytes = [u8; PACKED * 7 / 2];

/// How [`Cpu::pack`](super::Cpu::pack) stores words of 31 bits in 28.
///
/// A word has a count of six bits, of which five are used, from bit `shift` on, below two
/// flags. Both flags become the count 31, the second alone the count 30. The first alone is not
/// stored: a word has it if the value in its lowest byte wins. A byte wins if it is
/// even and at most `greatest`, or odd, greater, and neither of `never`.
///
/// The lowest 16 bits of all words come first, then the next eight, and then the highest four, two
/// words to a byte: the first half of the words in the lower halves of the bytes.
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

    /// The word at a place.
    #[inline]
    #[must_use]
    pub fn unpack_one(self, bytes: &PackedBytes, at: usize) -> u32 {
        let low = u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]);
        let high = bytes[3 * PACKED + at % HALF] >> (4 * (at / HALF)) & 15;
        let middle = u32::from(bytes[2 * PACKED + at]) << 16;
        self.unpack(u32::from(low) | middle | u32::from(high) << 24)
    }

    #[inline(always)]
    pub(super) fn pack_all(self, words: &mut PackedWords, bytes: &mut PackedBytes) {
        let (low, rest) = bytes.split_at_mut(2 * PACKED);
        let (middle, high) = rest.split_at_mut(PACKED);
        let low = low.as_chunks_mut::<2>().0;
        high.fill(0);
        for half in 0..2 {
            let part = half * HALF..(half + 1) * HALF;
            let words = words[part.clone()].iter_mut();
            let planes = low[part.clone()].iter_mut().zip(&mut middle[part]);
            for ((word, (low, middle)), high) in words.zip(planes).zip(&mut *high) {
                let packed = self.pack(*word.get_mut());
                *low = (packed as u16).to_le_bytes();
                *middle = (packed >> 16) as u8;
                *high |= ((packed >> 24) as u8) << (4 * half);
            }
        }
    }

    #[inline(always)]
    pub(super) fn unpack_all(self, bytes: &PackedBytes, words: &mut PackedWords) {
        let (low, rest) = bytes.split_at(2 * PACKED);
        let (middle, high) = rest.split_at(PACKED);
        let low = low.as_chunks::<2>().0;
        for half in 0..2 {
            let part = half * HALF..(half + 1) * HALF;
            let words = words[part.clone()].iter_mut();
            let planes = low[part.clone()].iter().zip(&middle[part]);
            for ((word, (&low, &middle)), &high) in words.zip(planes).zip(high) {
                let low = u32::from(u16::from_le_bytes(low));
                let high = u32::from(high >> (4 * half) & 15);
                *word.get_mut() = self.unpack(low | u32::from(middle) << 16 | high << 24);
            }
        }
    }
}

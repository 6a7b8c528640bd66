//! A set of slots, with the number of each member.

use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::solve::{WordArray, prefetch_read};

/// Number of words whose members are counted together.
const WORDS: usize = 8;

/// A set of slots. Its members are numbered in their order.
#[derive(Debug)]
pub(super) struct Members {
    bits: WordArray<AtomicU64>,
    /// Number of members before each [`WORDS`] words.
    before: Vec<u32>,
    len: usize,
}

impl Members {
    /// The set of these slots, of less than 2^32 in all.
    ///
    /// # Errors
    /// If memory is short.
    pub fn new(slots: u64, members: &[u32]) -> io::Result<Self> {
        let bits = WordArray::new(usize::try_from(slots.div_ceil(64)).unwrap_or(usize::MAX))?;
        for &member in members {
            let word: &AtomicU64 = &bits[member as usize / 64];
            word.store(word.load(Relaxed) | 1 << (member % 64), Relaxed);
        }
        let mut count = 0;
        let before = bits.chunks(WORDS).map(|words| {
            let now = count;
            count += ones(words);
            now
        });
        Ok(Self {
            before: before.collect(),
            bits,
            len: members.len(),
        })
    }

    /// Number of members.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Asks for what [`number`](Self::number) needs.
    #[inline]
    pub fn prefetch(&self, slot: u64) {
        let word = usize::try_from(slot / 64).unwrap_or(usize::MAX);
        if let (Some(bits), Some(before)) = (self.bits.get(word), self.before.get(word / WORDS)) {
            prefetch_read(bits);
            prefetch_read(before);
        }
    }

    /// The number of a slot among the members; `None` if it is none.
    #[inline]
    pub fn number(&self, slot: u64) -> Option<u32> {
        let word = usize::try_from(slot / 64).ok()?;
        let (bits, bit) = (self.bits.get(word)?.load(Relaxed), 1 << (slot % 64));
        if bits & bit == 0 {
            return None;
        }
        let first = word / WORDS * WORDS;
        let inside = ones(&self.bits[first..word]);
        Some(self.before[word / WORDS] + inside + (bits & (bit - 1)).count_ones())
    }

    /// The slots of members, from a number on.
    pub fn slots_from(&self, number: u32) -> impl Iterator<Item = u32> {
        let group = self.before.partition_point(|&before| before <= number) - 1;
        let skipped = (number - self.before[group]) as usize;
        let words = (group * WORDS..).zip(&self.bits[group * WORDS..]);
        let slots = words.flat_map(|(place, word)| {
            let mut left = word.load(Relaxed);
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                // Slots are below 2^32.
                u32::try_from(64 * place).ok().map(|first| first + bit)
            })
        });
        slots.skip(skipped)
    }
}

fn ones(words: &[AtomicU64]) -> u32 {
    words
        .iter()
        .map(|word| word.load(Relaxed).count_ones())
        .sum()
}

//! A set of slots, with the number of each member.

/// Number of words whose members are counted together.
const WORDS: usize = 8;

/// A set of slots. Its members are numbered in their order.
#[derive(Debug, Default)]
pub(super) struct Members {
    bits: Vec<u64>,
    /// Number of members before each [`WORDS`] words.
    before: Vec<u32>,
}

impl Members {
    /// The set of these slots, of less than 2^32 in all.
    pub fn new(slots: u64, members: impl Iterator<Item = u32>) -> Self {
        let mut bits = vec![0u64; usize::try_from(slots.div_ceil(64)).unwrap_or(usize::MAX)];
        for member in members {
            bits[member as usize / 64] |= 1 << (member % 64);
        }
        let mut count = 0;
        let before = bits.chunks(WORDS).map(|words| {
            let now = count;
            count += words.iter().map(|word| word.count_ones()).sum::<u32>();
            now
        });
        let before = before.collect();
        Self { bits, before }
    }

    /// The number of a slot among the members; `None` if it is none.
    #[inline]
    pub fn number(&self, slot: u64) -> Option<u32> {
        let word = usize::try_from(slot / 64).ok()?;
        let (bits, bit) = (*self.bits.get(word)?, 1 << (slot % 64));
        if bits & bit == 0 {
            return None;
        }
        let first = word / WORDS * WORDS;
        let words = self.bits[first..word].iter();
        let inside: u32 = words.map(|word| word.count_ones()).sum();
        Some(self.before[word / WORDS] + inside + (bits & (bit - 1)).count_ones())
    }
}

//! What any processor can do.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "no more bits are gathered or spread than the mask has"
)]

use super::{Cpu, Filter, SELECTED, Selected};

/// Any processor.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Cpu for Portable {
    #[inline]
    fn extract(self, value: u32, mask: u32) -> u32 {
        self.extract_wide(value.into(), mask.into()) as u32
    }

    #[inline]
    fn deposit(self, value: u32, mask: u32) -> u32 {
        self.deposit_wide(value.into(), mask.into()) as u32
    }

    #[inline]
    fn extract_wide(self, value: u64, mut mask: u64) -> u64 {
        let mut gathered = 0;
        let mut place = 0;
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            gathered |= u64::from(value & bit != 0) << place;
            place += 1;
            mask ^= bit;
        }
        gathered
    }

    #[inline]
    fn deposit_wide(self, value: u64, mut mask: u64) -> u64 {
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
}

/// Copies words that pass behind the first `count` selected ones.
#[inline(always)]
pub(super) fn append<const KEYED: bool>(
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

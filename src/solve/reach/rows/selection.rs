//! Bits of the columns that fulfil a condition, packed and spread again.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::planes::columns_of;
use crate::base::cpu::Cpu;
use crate::game::{Condition, Squares};

/// The columns that fulfil a condition, as bits of a row.
#[derive(Debug)]
pub(super) struct Selection {
    parts: Box<[Part]>,
}

/// Columns of one word of a row's bits.
#[derive(Debug, Clone, Copy)]
struct Part {
    mask: u64,
    /// The number of the word.
    word: u32,
    /// Number of columns in the parts before.
    before: u32,
}

impl Selection {
    fn new(columns: &[Squares], condition: Condition) -> Self {
        let mut before = 0;
        let mut parts = Vec::new();
        for (word, columns) in (0..).zip(columns.chunks(64)) {
            let bits = columns.iter().enumerate();
            let mask = bits.fold(0, |mask, (bit, &column)| {
                mask | u64::from(condition.holds(column)) << bit
            });
            if mask != 0 {
                parts.push(Part { mask, word, before });
                before += mask.count_ones();
            }
        }
        Self {
            parts: parts.into(),
        }
    }

    /// Packs the bits of the columns of a row together, in their order, and returns how many
    /// are set. `packed` is two words longer than a row.
    #[inline(always)]
    pub fn pack<C: Cpu>(&self, cpu: C, row: &[AtomicU64], packed: &mut [u64]) -> u64 {
        let (mut open, mut at, mut shift, mut set) = (0u64, 0, 0, 0);
        for part in &self.parts {
            let bits = cpu.extract_wide(row[part.word as usize].load(Relaxed), part.mask);
            set += u64::from(bits.count_ones());
            open |= bits << shift;
            packed[at] = open;
            let end = shift + part.mask.count_ones();
            // What is left for the next word, in two steps: a shift may be by 64.
            let rest = bits >> 1 >> (63 - shift);
            let full = end >= 64;
            open = if full { rest } else { open };
            at += usize::from(full);
            shift = end & 63;
        }
        packed[at] = open;
        packed[at + 1] = 0;
        set
    }

    /// Visits the columns whose bits are set in a row.
    #[inline(always)]
    pub fn each(&self, row: &[AtomicU64], mut visit: impl FnMut(usize)) {
        for part in &self.parts {
            let word = part.word as usize;
            let bits = row[word].load(Relaxed) & part.mask;
            for column in columns_of(word, bits) {
                visit(column);
            }
        }
    }

    /// Visits the words of a row, by number, whose columns get bits that [`pack`](Self::pack)
    /// took from as many columns.
    #[inline(always)]
    pub fn unpack<C: Cpu>(&self, cpu: C, packed: &[u64], mut visit: impl FnMut(usize, u64)) {
        for part in &self.parts {
            let (at, shift) = ((part.before >> 6) as usize, part.before & 63);
            let bits = packed[at] >> shift | packed[at + 1] << 1 << (63 - shift);
            visit(part.word as usize, cpu.deposit_wide(bits, part.mask));
        }
    }
}

/// The selections of a layer, each made once.
#[derive(Debug)]
pub(super) struct Selections<'g> {
    columns: &'g [Squares],
    numbers: HashMap<Condition, u32>,
    made: Vec<Selection>,
}

impl<'g> Selections<'g> {
    pub fn new(columns: &'g [Squares]) -> Self {
        Self {
            columns,
            numbers: HashMap::new(),
            made: Vec::new(),
        }
    }

    /// The number of the selection for a condition.
    pub fn number(&mut self, condition: Condition) -> u32 {
        let Self {
            columns,
            numbers,
            made,
        } = self;
        *numbers.entry(condition).or_insert_with(|| {
            made.push(Selection::new(columns, condition));
            u32::try_from(made.len() - 1).expect("conditions have less than 32 bits")
        })
    }

    /// The selection of a number.
    #[inline(always)]
    pub fn get(&self, number: u32) -> &Selection {
        &self.made[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cpu::{CpuTask, Portable, dispatch};
    use crate::base::subsets::Ranker;

    struct PackAndUnpack;

    impl CpuTask for PackAndUnpack {
        type Output = ();

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) {
            check(cpu);
            check(Portable);
        }
    }

    /// Bits of the columns without one square become those of the columns without another,
    /// in their order.
    fn check(cpu: impl Cpu) {
        let columns = Ranker::new(12, 4).patterns();
        let conditions = [(0b1, 0b0), (0b1100, 0b1000), (0b11_0000, 0b01_0000)];
        let words = columns.len().div_ceil(64);
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        for (mask, bits) in conditions {
            let from = Condition { mask, bits };
            let to = Condition {
                mask: mask << 5,
                bits: bits << 5,
            };
            let row: Vec<AtomicU64> = (0..words)
                .map(|_| {
                    x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    AtomicU64::new(x ^ x >> 32)
                })
                .collect();
            let is_set = |at: usize| row[at / 64].load(Relaxed) >> (at % 64) & 1 == 1;
            let places = |condition: Condition| {
                let columns = columns.iter().enumerate();
                columns.filter(move |&(_, &column)| condition.holds(column))
            };
            let expected: Vec<usize> = places(from)
                .zip(places(to))
                .filter(|((at, _), _)| is_set(*at))
                .map(|(_, (at, _))| at)
                .collect();
            let mut packed = vec![u64::MAX; words + 2];
            let set = Selection::new(&columns, from).pack(cpu, &row, &mut packed);
            assert_eq!(set, expected.len() as u64);
            let mut found = Vec::new();
            Selection::new(&columns, to).unpack(cpu, &packed, |word, bits| {
                found.extend(
                    (0..64)
                        .filter(|bit| bits >> bit & 1 == 1)
                        .map(|bit| 64 * word + bit),
                );
            });
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn bits_keep_their_order() {
        dispatch(PackAndUnpack);
    }
}

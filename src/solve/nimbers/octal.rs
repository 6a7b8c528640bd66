//! Octal games: heaps of which some may be taken, and the rest be split in two.

use super::mex::mex;
use crate::game::Nimber;

/// A game on heaps, given by digits `d1 d2 d3 ...` after `0.`: taking `i` is allowed
/// if nothing is left (1 in `di`), if one heap is left (2), if two are left (4).
///
/// Source: R. K. Guy and C. A. B. Smith, *The G-values of various games* (1956).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Octal {
    digits: Vec<u8>,
}

impl Octal {
    /// A game by its digits, each 0 to 7; `None` if one is greater.
    #[must_use]
    pub fn new(digits: &[u8]) -> Option<Self> {
        digits.iter().all(|&digit| digit < 8).then(|| Self {
            digits: digits.to_vec(),
        })
    }

    /// Dawson's chess, 0.137: placing on a row of squares so that no two neighbours
    /// are taken.
    #[must_use]
    pub fn dawsons_chess() -> Self {
        Self {
            digits: vec![1, 3, 7],
        }
    }

    /// The nimbers of heaps of 0 to `most`, by the definition: a square number of
    /// steps.
    #[must_use]
    pub fn nimbers(&self, most: usize) -> Vec<Nimber> {
        let mut values = Vec::with_capacity(most + 1);
        self.extend(&mut values, most);
        values
    }

    fn extend(&self, values: &mut Vec<Nimber>, most: usize) {
        while values.len() <= most {
            let heap = values.len();
            let mut options = Vec::new();
            for (taken, digit) in (1..=heap).zip(&self.digits) {
                let rest = heap - taken;
                if digit & 1 != 0 && rest == 0 {
                    options.push(0);
                }
                if digit & 2 != 0 && rest > 0 {
                    options.push(values[rest]);
                }
                if digit & 4 != 0 {
                    let splits = (1..=rest / 2).map(|part| values[part] ^ values[rest - part]);
                    options.extend(splits);
                }
            }
            values.push(mex(options));
        }
    }

    /// The nimbers of all heaps, if they are found to be periodic among those up to
    /// `most`.
    ///
    /// That is proved: with `k` digits, if values repeat with period `p` for all heaps
    /// from `s` up to `2 s + p + k`, they do so for ever (Guy and Smith; Siegel,
    /// theorem IV.2.7).
    #[must_use]
    pub fn periodic(&self, most: usize) -> Option<Periodic> {
        let mut values = Vec::new();
        let mut known = 64.min(most);
        loop {
            self.extend(&mut values, known);
            for period in 1..known / 2 {
                let differs = |&heap: &usize| values[heap] != values[heap + period];
                let last = (0..=known - period).rev().find(differs);
                let start = last.map_or(0, |last| last + 1).max(1);
                if 2 * start + 2 * period + self.digits.len() <= known + 1 {
                    values.truncate(start + period);
                    return Some(Periodic { values, period });
                }
            }
            if known >= most {
                return None;
            }
            known = (2 * known).min(most);
        }
    }
}

/// Nimbers of heaps that are periodic from some heap on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Periodic {
    /// Those before the period, and one period.
    values: Vec<Nimber>,
    period: usize,
}

impl Periodic {
    /// The nimber of a heap, however large.
    #[must_use]
    pub fn nimber(&self, heap: usize) -> Nimber {
        let start = self.start();
        let place = if heap < start {
            heap
        } else {
            start + (heap - start) % self.period
        };
        self.values[place]
    }

    /// The first heap from which on nimbers repeat.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.values.len() - self.period
    }

    /// After how many heaps they repeat.
    #[must_use]
    pub const fn period(&self) -> usize {
        self.period
    }
}

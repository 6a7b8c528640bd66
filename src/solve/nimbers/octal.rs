//! Octal games: games of taking from heaps and splitting the rest in two.

use crate::game::Nimber;

/// An octal game, given by the digits `d1 d2 d3 ...` of its code `0.d1d2d3...`. A move may
/// take `i` objects from a heap and leave nothing if `di` has the bit 1, one heap if it has
/// the bit 2, and two heaps if it has the bit 4.
///
/// Source: R. K. Guy and C. A. B. Smith, *The G-values of various games* (1956).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Octal {
    digits: Vec<u8>,
}

impl Octal {
    /// Creates a game from its digits; `None` if one of them exceeds 7.
    pub fn new(digits: &[u8]) -> Option<Self> {
        digits.iter().all(|&digit| digit < 8).then(|| Self {
            digits: digits.to_vec(),
        })
    }

    /// Dawson's chess, 0.137: placing on a row of squares so that no two neighbours are
    /// occupied.
    pub fn dawsons_chess() -> Self {
        Self {
            digits: vec![1, 3, 7],
        }
    }

    /// The nimbers of heaps of 0 to `most`, by the definition, in O(`most`²) steps.
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
            let mex = (0..Nimber::MAX).find(|nimber| !options.contains(nimber));
            values.push(mex.unwrap_or(Nimber::MAX));
        }
    }

    /// The nimbers of all heaps, if those of heaps up to `most` prove them periodic; `None`
    /// otherwise.
    ///
    /// In a game with `k` digits, if nimbers repeat with period `p` for all heaps from `s` to
    /// `2 s + p + k`, they repeat forever (Guy and Smith; Siegel, theorem IV.2.7).
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

/// The nimbers of all heaps of a game in which they are eventually periodic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Periodic {
    /// The nimbers before the period, and one period.
    values: Vec<Nimber>,
    period: usize,
}

impl Periodic {
    /// The nimber of a heap of any size.
    pub fn nimber(&self, heap: usize) -> Nimber {
        let start = self.start();
        let place = if heap < start {
            heap
        } else {
            start + (heap - start) % self.period
        };
        self.values[place]
    }

    /// The size of the heap at which the period starts.
    pub const fn start(&self) -> usize {
        self.values.len() - self.period
    }
}

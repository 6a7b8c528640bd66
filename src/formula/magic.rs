//! The family `magic`: `table[a * n >> s & mask]`.
//!
//! As chess programs find the moves of sliding pieces: a multiplier that brings all
//! states with the same answer into the same places of a small table, so that no place
//! is claimed by two answers. Since several moves may be best, places are claimed by
//! sets of answers and must keep one in common. Source: P. Kannan, *Magic Move-Bitboard
//! Generation in Computer Chess* (2007).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::measure::Bits;
use super::policy::Policy;
use super::program::{Form, Program};
use crate::base::watch::Watch;

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MagicBounds {
    /// The greatest multiplier.
    pub a: u64,
    /// The largest table, as the number of bits of its index, at most 24.
    pub index_bits: u32,
}

/// A table with its index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Magic {
    /// The multiplier.
    pub a: u64,
    /// The shift.
    pub s: u32,
    /// Bits of the index.
    pub index_bits: u32,
    /// Bits of an answer.
    pub width: u32,
    /// The answers.
    pub table: Vec<u8>,
}

impl Magic {
    /// The answer for a state.
    #[must_use]
    pub fn answer(&self, n: u64) -> u64 {
        let place = index(self.a, self.s, self.index_bits, n);
        self.table.get(place).copied().unwrap_or(0).into()
    }

    /// The lengths of the constants in bits: multiplier, shift, mask, table.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        let length = |number: u64| u64::from(u64::BITS - number.leading_zeros());
        length(self.a)
            + length(self.s.into())
            + u64::from(self.index_bits)
            + self.table.len() as u64 * u64::from(self.width)
    }

    /// The table's answers one after another, the first one in the lowest bits.
    pub(super) fn packed(&self) -> Bits {
        let mut bits = Bits::default();
        for &answer in &self.table {
            bits.push(answer.into(), self.width);
        }
        bits
    }
}

#[inline]
fn index(a: u64, s: u32, index_bits: u32, n: u64) -> usize {
    let mask = (1_u64 << index_bits) - 1;
    usize::try_from(a.wrapping_mul(n) >> s & mask).unwrap_or(usize::MAX)
}

/// The table of a multiplier and a shift: sets of answers that all states of a place
/// have in common, cut after the last place that is claimed; `None` if a place has
/// nothing in common.
fn claim(
    entries: &[(u64, u16)],
    (a, s, index_bits): (u64, u32, u32),
    claims: &mut Claims,
) -> Option<usize> {
    claims.begin(1 << index_bits);
    let mut length = 0;
    for &(code, best) in entries {
        let place = index(a, s, index_bits, code);
        if claims.narrow(place, best) == 0 {
            return None;
        }
        length = length.max(place + 1);
    }
    Some(length)
}

/// The answers that the states of each place have in common. Candidates mostly fail
/// after a few states, so places are not cleared but marked with the candidate's number.
#[derive(Default)]
struct Claims {
    candidate: u32,
    places: Vec<(u32, u16)>,
}

impl Claims {
    fn begin(&mut self, count: usize) {
        self.candidate = self.candidate.wrapping_add(1);
        if self.places.len() != count || self.candidate == 0 {
            self.places.clear();
            self.places.resize(count, (0, 0));
            self.candidate = 1;
        }
    }

    #[inline]
    fn narrow(&mut self, place: usize, best: u16) -> u16 {
        let (candidate, claimed) = &mut self.places[place];
        *claimed = if *candidate == self.candidate {
            *claimed & best
        } else {
            best
        };
        *candidate = self.candidate;
        *claimed
    }

    /// What is claimed of a place; anything if nothing is.
    fn of(&self, place: usize) -> u16 {
        let (candidate, claimed) = self.places[place];
        if candidate == self.candidate {
            claimed
        } else {
            u16::MAX
        }
    }
}

/// A search that can be stopped, kept, and taken up again: for the shortest index that
/// does, the least table, then the least multiplier and shift.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MagicSearch {
    bounds: MagicBounds,
    /// Bits of the index, and half the multiplier, to go on with.
    next: (u32, u64),
    /// The least of this index: places, multiplier, shift.
    found: Option<(usize, u64, u32)>,
}

/// Multipliers that are tried between two looks at the clock.
const ROUND: u64 = 1 << 12;

impl MagicSearch {
    /// A search within bounds.
    #[must_use]
    pub fn new(bounds: MagicBounds) -> Self {
        let bounds = MagicBounds {
            index_bits: bounds.index_bits.min(24),
            ..bounds
        };
        Self {
            bounds,
            next: (0, 0),
            found: None,
        }
    }

    /// The bounds.
    #[must_use]
    pub const fn bounds(&self) -> MagicBounds {
        self.bounds
    }

    /// An even multiplier does what its half does with one shift less, or wastes a bit.
    const fn halves(&self) -> u64 {
        self.bounds.a.div_ceil(2)
    }

    /// Whether it can be a search at all: one that was read from a file may be anything.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let found = self.found.is_none_or(|(length, a, s)| {
            a >= 1 && a <= self.bounds.a && s < 64 && length <= 1 << self.next.0.min(24)
        });
        found && self.bounds.index_bits <= 24 && self.next.1 <= self.halves()
    }

    /// Whether there is nothing left to try.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.next.0 > self.bounds.index_bits
            || (self.found.is_some() && self.next.1 >= self.halves())
    }

    /// Multipliers to try in all, if every index must be.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.halves()
            .saturating_mul(u64::from(self.bounds.index_bits) + 1)
    }

    /// Multipliers tried so far.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.halves().saturating_mul(self.next.0.into()) + self.next.1
    }

    /// Tries some thousand multipliers.
    pub fn advance(&mut self, policy: &Policy, watch: &impl Watch) {
        if self.is_finished() {
            return;
        }
        let entries = entries(policy);
        let greatest = entries.iter().map(|(code, _)| *code).max().unwrap_or(0);
        let (index_bits, first) = self.next;
        let end = self.halves().min(first + ROUND);
        let found = (first..end)
            .into_par_iter()
            .map_init(Claims::default, |claims, half| {
                let a = 2 * half + 1;
                // Beyond the product's length the index is 0.
                let longest = u128::from(a) * u128::from(greatest);
                let most = (128 - longest.leading_zeros()).min(64 - index_bits);
                let shifts = 0..most.max(1);
                let lengths = shifts.filter_map(|s| {
                    let length = claim(&entries, (a, s, index_bits), claims)?;
                    Some((length, a, s))
                });
                lengths.min()
            })
            .flatten()
            .min();
        self.found = self.found.into_iter().chain(found).min();
        watch.advance(end - first);
        self.next.1 = end;
        if end == self.halves() && self.found.is_none() {
            self.next = (index_bits + 1, 0);
        }
    }

    /// The program found, if there is one.
    #[must_use]
    pub fn program(&self, policy: &Policy) -> Option<Program> {
        let (length, a, s) = self.found?;
        let index_bits = self.next.0;
        let mut claims = Claims::default();
        claim(&entries(policy), (a, s, index_bits), &mut claims)?;
        let answer = |place| u8::try_from(claims.of(place).trailing_zeros()).unwrap_or(0);
        let table = (0..length.min(1 << index_bits)).map(answer).collect();
        Some(Program::new(Form::Magic(Magic {
            a,
            s,
            index_bits,
            width: policy.width(),
            table,
        })))
    }
}

/// The states with their best moves, states far apart first: neighbours in number often
/// have neighbouring places, and a wrong candidate should fail soon.
fn entries(policy: &Policy) -> Vec<(u64, u16)> {
    let known = u16::MAX >> (16 - policy.answers());
    let bound: Vec<(u64, u16)> = policy
        .bound()
        .map(|entry| (entry.code, entry.best & known))
        .collect();
    let stride = (bound.len() / 64).max(1);
    let order = (0..stride).flat_map(|from| (from..bound.len()).step_by(stride));
    order.map(|place| bound[place]).collect()
}

/// The program of a whole search; `None` if there is none within the bounds.
#[must_use]
pub fn magic(policy: &Policy, bounds: MagicBounds, watch: &impl Watch) -> Option<Program> {
    let mut search = MagicSearch::new(bounds);
    while !search.is_finished() {
        search.advance(policy, watch);
    }
    search.program(policy)
}

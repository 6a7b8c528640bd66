//! The search of the family `magic`: `table[a * n >> s & mask]`.
//!
//! Chess programs find the moves of sliding pieces in the same way. A multiplier is
//! wanted that maps the states to places of a small table so that all states of a place
//! have an answer in common. Several moves may be best in a state, so each place keeps
//! the set of answers that all its states allow. Source: P. Kannan, *Magic Move-Bitboard
//! Generation in Computer Chess* (2007).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::policy::{Choices, Policy};
use super::program::{Form, Magic, Program};
use super::search::Search;
use crate::base::progress::Progress;

/// The bounds of a search for `Magic`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MagicBounds {
    /// The greatest multiplier.
    pub a: u64,
    /// The largest table, as the number of bits of its index, at most 24.
    pub index_bits: u32,
}

/// The answers that the states of each place have in common. Most candidates fail after
/// a few states, so places are not cleared but marked with the candidate's number.
#[derive(Default)]
struct Claims {
    candidate: u32,
    places: Vec<(u32, Option<Choices>)>,
}

impl Claims {
    /// Fills the table of a multiplier and a shift with the answers that all states of a
    /// place have in common, and returns its length up to the last place used; `None` if the
    /// states of a place have no answer in common.
    fn fill(
        &mut self,
        policy: &Policy,
        entries: &[(u64, Choices)],
        a: u64,
        s: u32,
        index_bits: u32,
    ) -> Option<usize> {
        let count = 1 << index_bits;
        self.candidate = self.candidate.wrapping_add(1);
        if self.places.len() != count || self.candidate == 0 {
            self.places.clear();
            self.places.resize(count, (0, None));
            self.candidate = 1;
        }
        let mut length = 0;
        for &(code, right) in entries {
            let place = Magic::index(a, s, index_bits, code);
            let with = |claimed| policy.common(claimed, right);
            let common = self.of(place).map_or(Some(right), with);
            self.places[place] = (self.candidate, common);
            common?;
            length = length.max(place + 1);
        }
        Some(length)
    }

    /// The answers that a place allows; `None` if no state has it.
    fn of(&self, place: usize) -> Option<Choices> {
        let (candidate, claimed) = self.places[place];
        claimed.filter(|_| candidate == self.candidate)
    }
}

/// A search that can be stopped, saved and resumed. It looks for the shortest index,
/// then the smallest table, then the least multiplier and shift.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MagicSearch {
    bounds: MagicBounds,
    /// The bits of the index and half the multiplier with which the search continues.
    next: (u32, u64),
    /// The best program with this index: places, multiplier, shift.
    found: Option<(usize, u64, u32)>,
}

/// Multipliers tried in one round.
const ROUND: u64 = 1 << 12;

impl MagicSearch {
    /// A search within bounds; more than 24 index bits count as 24.
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

    /// The number of odd multipliers. An even one does what its half does with a smaller
    /// shift, or wastes a bit.
    const fn halves(&self) -> u64 {
        self.bounds.a.div_ceil(2)
    }

    /// Whether the search is consistent, which one that was read from a file may not be.
    pub fn is_sound(&self) -> bool {
        let found = self.found.is_none_or(|(length, a, s)| {
            a >= 1 && a <= self.bounds.a && s < 64 && length <= 1 << self.next.0.min(24)
        });
        found && self.bounds.index_bits <= 24 && self.next.1 <= self.halves()
    }

    /// The best program found so far.
    pub fn program(&self, policy: &Policy) -> Option<Program> {
        let (length, a, s) = self.found?;
        let index_bits = self.next.0;
        let mut claims = Claims::default();
        claims.fill(policy, &entries(policy), a, s, index_bits)?;
        let answer = |place| claims.of(place).map_or(0, |right| policy.least(right));
        let table = (0..length.min(1 << index_bits)).map(answer).collect();
        let form = Form::Magic(Magic {
            a,
            s,
            index_bits,
            width: policy.width(),
            table,
        });
        Some(Program::answering(form, policy.kind()))
    }
}

impl Search for MagicSearch {
    type Aim = Policy;

    fn continues(&self, new: &Self, _policy: &Policy) -> bool {
        self.bounds == new.bounds && self.is_sound()
    }

    fn is_finished(&self) -> bool {
        self.next.0 > self.bounds.index_bits
            || (self.found.is_some() && self.next.1 >= self.halves())
    }

    /// Tries up to 4,096 multipliers.
    fn advance(&mut self, policy: &Policy, progress: &dyn Progress) {
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
                // A larger shift makes every index 0.
                let longest = u128::from(a) * u128::from(greatest);
                let most = (128 - longest.leading_zeros()).min(64 - index_bits);
                let shifts = 0..most.max(1);
                let lengths = shifts.filter_map(|s| {
                    let length = claims.fill(policy, &entries, a, s, index_bits)?;
                    Some((length, a, s))
                });
                lengths.min()
            })
            .flatten()
            .min();
        self.found = self.found.into_iter().chain(found).min();
        progress.advance(end - first);
        self.next.1 = end;
        if end == self.halves() && self.found.is_none() {
            self.next = (index_bits + 1, 0);
        }
    }

    /// As if no index but the longest will do.
    fn tried(&self) -> (u64, u64) {
        let (index_bits, half) = self.next;
        let up_to = |index_bits: u32| self.halves().saturating_mul(index_bits.into());
        (up_to(index_bits) + half, up_to(self.bounds.index_bits + 1))
    }
}

/// The states with their right answers, those far apart first: states with similar numbers
/// often have similar places, and a wrong candidate should fail soon.
fn entries(policy: &Policy) -> Vec<(u64, Choices)> {
    let bound: Vec<(u64, Choices)> = policy.demands().collect();
    let stride = (bound.len() / 64).max(1);
    let order = (0..stride).flat_map(|from| (from..bound.len()).step_by(stride));
    order.map(|place| bound[place]).collect()
}

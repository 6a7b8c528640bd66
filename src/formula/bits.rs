//! The family `bits`: every bit of the answer is `a * (n + c) >> s & 1`.
//!
//! All constants within bounds are tried, bit by bit. Only `a` and `c` modulo `2^(s+1)`
//! matter, so larger ones are not counted again. A state with several best moves leaves
//! some bits free, but not always independently of each other: solutions of a bit are
//! grouped by their answers in such states, and combined at the end.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::policy::{Policy, length};
use super::search::Search;
use crate::base::progress::Progress;

/// One bit of an answer: `a * (n + c) >> s & 1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Term {
    /// The multiplier.
    pub a: u64,
    /// The number added to the state first.
    pub c: u64,
    /// The shift.
    pub s: u32,
}

impl Term {
    /// The bit for state `n`.
    pub const fn of(self, n: u64) -> u64 {
        self.a.wrapping_mul(n.wrapping_add(self.c)) >> self.s & 1
    }

    /// The total length of the constants in bits.
    pub fn constant_bits(self) -> u32 {
        length(self.a) + length(self.c) + length(self.s.into())
    }

    /// The order of terms: the shortest constants first.
    fn size(self) -> (u32, Self) {
        (self.constant_bits(), self)
    }
}

/// The constants that are tried: all up to these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitBounds {
    /// The greatest multiplier.
    pub a: u64,
    /// The greatest addend.
    pub c: u64,
    /// The greatest shift, at most 62.
    pub s: u32,
}

impl BitBounds {
    /// One more than the greatest multiplier and addend that are tried with a shift.
    fn at(self, s: u32) -> (u64, u64) {
        let modulus = 1_u64 << (s + 1).min(63);
        (
            modulus.min(self.a.saturating_add(1)),
            modulus.min(self.c.saturating_add(1)),
        )
    }

    /// The number of candidates for one bit with a shift.
    fn with_shift(self, s: u32) -> u128 {
        let (a, c) = self.at(s);
        u128::from(a - 1) * u128::from(c)
    }

    /// The number of candidates for one bit.
    pub fn candidates(self) -> u128 {
        (0..=self.s.min(62)).map(|s| self.with_shift(s)).sum()
    }
}

/// The solutions of a bit that give the same answers in all states that couple bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The number of solutions.
    pub count: u64,
    /// The one with the shortest constants.
    pub least: Term,
}

impl Found {
    fn join(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            least: if other.least.size() < self.least.size() {
                other.least
            } else {
                self.least
            },
        }
    }
}

/// Solutions by their answers in the states that couple bits: one bit for each state, in
/// words of 64.
type Groups = BTreeMap<Vec<u64>, Found>;

/// Programs for the bits so far, by their answers in the states that couple bits: how many, and
/// the one with the shortest constants.
type Programs = BTreeMap<Vec<u64>, (u128, Vec<Term>)>;

/// A search that can be stopped, saved and resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitSearch {
    bounds: BitBounds,
    /// The solutions found so far, bit by bit.
    groups: Vec<Vec<(Vec<u64>, Found)>>,
    /// The bit, the shift and the multiplier with which the search continues.
    next: (u32, u32, u64),
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitSolution {
    /// The solutions of each bit, the least significant bit first.
    pub of_bit: Vec<Option<Found>>,
    /// The number of programs that are right in all states; the greatest number if there
    /// are more.
    pub programs: u128,
    /// The one with the shortest constants.
    pub least: Option<Vec<Term>>,
}

/// Candidates tried in one round.
const ROUND: u64 = 1 << 22;
/// Addends that a thread tries at a time.
const CHUNK: u64 = 1 << 14;

impl BitSearch {
    /// A search within bounds for a policy; a shift above 62 counts as 62.
    pub fn new(policy: &Policy, bounds: BitBounds) -> Self {
        let bounds = BitBounds {
            s: bounds.s.min(62),
            ..bounds
        };
        let bits = policy.width() as usize;
        Self {
            bounds,
            groups: vec![Vec::new(); bits],
            next: (0, 0, 1),
        }
    }

    /// Whether the search is consistent with this policy, which one that was read from a
    /// file may not be.
    pub fn fits(&self, policy: &Policy) -> bool {
        let words = coupled(policy).len().div_ceil(64);
        let mut groups = self.groups.iter().flatten();
        groups.all(|(key, _)| key.len() == words)
            && self.groups.len() == policy.width() as usize
            && self.next.1 <= self.bounds.s
            && self.next.2 >= 1
            && self.bounds.s <= 62
    }

    /// The result so far.
    pub fn solution(&self, policy: &Policy) -> BitSolution {
        let of_bit = self.groups.iter().map(|groups| {
            let found = groups.iter().map(|(_, found)| *found);
            found.reduce(Found::join)
        });
        let coupled = coupled(policy);
        let mut joined = Programs::from([(vec![0; coupled.len()], (1, Vec::new()))]);
        for (bit, groups) in self.groups.iter().enumerate() {
            let mut next = Programs::new();
            for (answers, (count, terms)) in &joined {
                for (key, found) in groups {
                    let answers = answers.iter().enumerate();
                    let answers =
                        answers.map(|(place, answer)| answer | u64::from(is_in(key, place)) << bit);
                    let answers: Vec<u64> = answers.collect();
                    // The low bits must be those of a right answer, or no high bits help.
                    let low = u64::MAX >> (63 - bit.min(63));
                    let open = answers.iter().zip(&coupled).all(|(answer, (_, right))| {
                        right.iter().any(|value| value & low == *answer)
                    });
                    if !open {
                        continue;
                    }
                    let terms: Vec<Term> = terms.iter().copied().chain([found.least]).collect();
                    let count = count.saturating_mul(found.count.into());
                    let entry = next.entry(answers).or_insert((0, terms.clone()));
                    entry.0 = entry.0.saturating_add(count);
                    if size(&terms) < size(&entry.1) {
                        entry.1 = terms;
                    }
                }
            }
            joined = next;
        }
        let counts = joined.values().map(|(count, _)| *count);
        let all = joined.values().map(|(_, terms)| terms);
        BitSolution {
            of_bit: of_bit.collect(),
            programs: counts.fold(0, u128::saturating_add),
            least: all.min_by_key(|terms| size(terms)).cloned(),
        }
    }
}

impl Search for BitSearch {
    type Aim = Policy;

    fn continues(&self, new: &Self, policy: &Policy) -> bool {
        self.bounds == new.bounds && self.fits(policy)
    }

    fn is_finished(&self) -> bool {
        self.next.0 as usize >= self.groups.len()
    }

    /// Tries up to about four million candidates.
    fn advance(&mut self, policy: &Policy, progress: &dyn Progress) {
        let (bit, s, first) = self.next;
        if self.is_finished() {
            return;
        }
        let demands = demands(policy, bit);
        let coupled = coupled(policy);
        let (a_end, c_end) = self.bounds.at(s);
        let end = a_end.min(first + (ROUND / c_end).max(1));
        let chunks = c_end.div_ceil(CHUNK);
        let terms = (0..(end - first) * chunks)
            .into_par_iter()
            .flat_map_iter(|part| {
                let (a, chunk) = (first + part / chunks, part % chunks);
                let addends = chunk * CHUNK..c_end.min((chunk + 1) * CHUNK);
                addends.map(move |c| Term { a, c, s })
            });
        let right = terms.filter(|term| demands.iter().all(|&(code, bit)| term.of(code) == bit));
        let groups = right.fold(Groups::new, |mut groups, least| {
            let key = set_of(&coupled, |(code, _)| least.of(*code) == 1);
            add(&mut groups, key, Found { count: 1, least });
            groups
        });
        let found = groups.reduce(Groups::new, join);
        let known = std::mem::take(&mut self.groups[bit as usize]);
        let known: Groups = known.into_iter().collect();
        self.groups[bit as usize] = join(known, found).into_iter().collect();
        progress.advance((end - first) * c_end);
        self.next = if end < a_end {
            (bit, s, end)
        } else if s < self.bounds.s {
            (bit, s + 1, 1)
        } else {
            (bit + 1, 0, 1)
        };
    }

    fn tried(&self) -> (u64, u64) {
        let (bit, shift, a) = self.next;
        let of_bit = self.bounds.candidates();
        let of_bits = |bits: usize| of_bit.saturating_mul(bits as u128);
        let before: u128 = (0..shift).map(|s| self.bounds.with_shift(s)).sum();
        let (_, c) = self.bounds.at(shift);
        let within = before + u128::from(a - 1) * u128::from(c);
        let tried = of_bits(bit as usize).saturating_add(within);
        let counted = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
        (counted(tried), counted(of_bits(self.groups.len())))
    }
}

/// The indices of the things that fit, as bits.
pub(super) fn set_of<T>(things: &[T], fits: impl Fn(&T) -> bool) -> Vec<u64> {
    let word = |things: &[T]| {
        let bits = things.iter().enumerate();
        bits.fold(0, |word, (bit, thing)| word | u64::from(fits(thing)) << bit)
    };
    things.chunks(64).map(word).collect()
}

/// Whether a set that [`set_of`] made has an index.
pub(super) fn is_in(set: &[u64], index: usize) -> bool {
    set[index / 64] >> (index % 64) & 1 == 1
}

fn size(terms: &[Term]) -> (u32, Vec<Term>) {
    (
        terms.iter().map(|term| term.constant_bits()).sum(),
        terms.to_vec(),
    )
}

fn add(groups: &mut Groups, key: Vec<u64>, found: Found) {
    let known = groups.entry(key);
    known
        .and_modify(|known| *known = known.join(found))
        .or_insert(found);
}

fn join(mut known: Groups, found: Groups) -> Groups {
    for (key, found) in found {
        add(&mut known, key, found);
    }
    known
}

/// The states in which a bit of the answer is decided, with that bit.
fn demands(policy: &Policy, bit: u32) -> Vec<(u64, u64)> {
    let demands = policy.demands().filter_map(|(code, right)| {
        let mut bits = policy.values(right).map(|value| value >> bit & 1);
        let first = bits.next()?;
        bits.all(|bit| bit == first).then_some((code, first))
    });
    demands.collect()
}

/// The states in which the bits of the right answers depend on each other, with these
/// answers: not every combination of possible bits is a right answer.
fn coupled(policy: &Policy) -> Vec<(u64, Vec<u64>)> {
    let is_coupled = |right: &[u64]| {
        // The bits that are not the same in all answers can be combined in 2^open ways.
        let all = right.iter().fold(u64::MAX, |all, value| all & value);
        let any = right.iter().fold(0, |any, value| any | value);
        let open = (any & !all).count_ones();
        right.len() as u64 != 1 << open.min(63)
    };
    let states = policy.demands().map(|(code, right)| {
        let right: Vec<u64> = policy.values(right).collect();
        (code, right)
    });
    states.filter(|(_, right)| is_coupled(right)).collect()
}

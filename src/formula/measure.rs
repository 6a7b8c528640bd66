//! The information content of a policy.

use std::collections::{BTreeMap, BTreeSet};

use super::policy::Policy;

/// Sizes of a policy in bits, with which programs are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Information {
    /// The number of states.
    pub states: usize,
    /// The number of states in which not every answer is right.
    pub bound: usize,
    /// The answers of all states, each in as few bits as the number of moves needs.
    pub raw: u64,
    /// The packed answers, compressed by Zstandard at level 19.
    pub zstd: u64,
    /// The Shannon entropy of the answers, without states in which every answer is right.
    /// Of several right answers the most common one is counted.
    pub entropy: f64,
    /// The entropy of the answers given the legal moves, if there are at most 16 sets of
    /// these.
    pub entropy_of_legal: Option<f64>,
}

/// The most sets of legal moves for which the conditional entropy is computed.
const FEW: usize = 16;

impl Information {
    /// Measures a policy.
    ///
    /// # Errors
    /// [`std::io::Error`] if the compressor fails.
    pub fn of(policy: &Policy) -> std::io::Result<Self> {
        let width = policy.width();
        let contexts = contexts(policy);
        let one = vec![0; contexts.len()];
        let few = contexts.iter().collect::<BTreeSet<_>>().len() <= FEW;
        let answers = common_answers(policy, &one);
        let mut packed = Bits::default();
        for &answer in &answers {
            packed.push(answer.into(), width);
        }
        let zstd = zstd::bulk::compress(packed.bytes(), 19)?;
        Ok(Self {
            states: policy.entries().len(),
            bound: policy.bound().count(),
            raw: policy.entries().len() as u64 * u64::from(width),
            zstd: zstd.len() as u64 * 8,
            entropy: entropy(policy, &answers, &one),
            entropy_of_legal: few
                .then(|| entropy(policy, &common_answers(policy, &contexts), &contexts)),
        })
    }
}

/// A string of bits; the first bit of a byte is the least significant one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    len: u64,
}

impl Bits {
    /// Adds the lowest `width` bits of a value, the lowest first.
    pub fn push(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= u8::from(value >> bit & 1 == 1) << (self.len % 8);
            }
            self.len += 1;
        }
    }

    pub const fn len(&self) -> u64 {
        self.len
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The legal moves of each state.
fn contexts(policy: &Policy) -> Vec<u16> {
    policy.entries().iter().map(|entry| entry.legal).collect()
}

/// A best move for every state. Of several, the one most common among states of the same
/// context is chosen: first by the states with one best move, then by the choices.
fn common_answers(policy: &Policy, contexts: &[u16]) -> Vec<u8> {
    let mut counts: BTreeMap<u16, [u64; 16]> = BTreeMap::new();
    let first = |best: u16| u8::try_from(best.trailing_zeros()).unwrap_or(0);
    for (entry, context) in policy.entries().iter().zip(contexts) {
        if entry.best.is_power_of_two() {
            counts.entry(*context).or_default()[usize::from(first(entry.best))] += 1;
        }
    }
    let mut answers = vec![0; policy.entries().len()];
    for _ in 0..3 {
        let before = counts.clone();
        counts.clear();
        let known = u16::MAX >> (16 - policy.answers());
        for (place, (entry, context)) in policy.entries().iter().zip(contexts).enumerate() {
            let weights = before.get(context).copied().unwrap_or_default();
            let best = entry.best & known;
            let choices = (0..16_u8).filter(|mv| best >> mv & 1 == 1);
            let choice =
                choices.max_by_key(|&mv| (weights[usize::from(mv)], std::cmp::Reverse(mv)));
            answers[place] = choice.unwrap_or(0);
            if !entry.is_free() {
                counts.entry(*context).or_default()[usize::from(answers[place])] += 1;
            }
        }
    }
    answers
}

/// The entropy of the answers given their contexts, in bits.
fn entropy(policy: &Policy, answers: &[u8], contexts: &[u16]) -> f64 {
    let mut counts: BTreeMap<u16, [u64; 16]> = BTreeMap::new();
    let states = policy.entries().iter().zip(contexts).zip(answers);
    for ((_, context), answer) in states.filter(|((entry, _), _)| !entry.is_free()) {
        counts.entry(*context).or_default()[usize::from(*answer)] += 1;
    }
    let of = |counts: &[u64; 16]| {
        let all: u64 = counts.iter().sum();
        let met = counts.iter().filter(|&&count| count > 0);
        met.map(|&count| count as f64 * (all as f64 / count as f64).log2())
            .sum::<f64>()
    };
    counts.values().map(of).sum()
}

//! The information content of a policy.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::policy::{AnswerKind, Policy};

/// Sizes of a policy in bits, with which programs are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Information {
    /// The answers of all states, each in as few bits as the greatest one needs.
    pub raw: u64,
    /// The packed answers, compressed by Zstandard at level 19.
    pub zstd: u64,
    /// The Shannon entropy of the answers, without states in which every answer is right.
    /// Of several right answers the most common one is counted.
    pub entropy: f64,
    /// The entropy of the moves given the legal moves, if there are at most 16 sets of
    /// these.
    pub entropy_of_legal: Option<f64>,
    /// The entropy of the moves, which is what is left of next states for those who know
    /// the rules; the same as `entropy` if moves are the answers.
    pub entropy_of_moves: f64,
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
        let contexts: Vec<u16> = policy.entries.iter().map(|entry| entry.legal).collect();
        let one = vec![0; contexts.len()];
        let few = contexts.iter().collect::<BTreeSet<_>>().len() <= FEW;
        let answers = common_answers(policy, &one);
        let zstd = zstd::bulk::compress(&packed(&answers, width), 19)?;
        let moves = policy.with_moves();
        Ok(Self {
            raw: policy.entries.len() as u64 * u64::from(width),
            zstd: zstd.len() as u64 * 8,
            entropy: entropy(policy, &answers, &one),
            entropy_of_legal: few
                .then(|| entropy(&moves, &common_answers(&moves, &contexts), &contexts)),
            entropy_of_moves: entropy(&moves, &common_answers(&moves, &one), &one),
        })
    }
}

/// The lowest `width` bits of values, the lowest first; the first bit of a byte is the least
/// significant one.
pub(super) fn packed(values: &[u64], width: u32) -> Vec<u8> {
    let mut bytes = vec![0; (values.len() * width as usize).div_ceil(8)];
    let bits = values.iter();
    let bits = bits.flat_map(|value| (0..width).map(move |bit| value >> bit & 1 == 1));
    for (place, bit) in bits.enumerate() {
        bytes[place / 8] |= u8::from(bit) << (place % 8);
    }
    bytes
}

/// How often each answer is given in each context.
type Counts = BTreeMap<(u16, u64), u64>;

/// A right answer for every state. Of several, the one most common among states of the same
/// context is chosen: first by the states with one right answer, then by the choices.
fn common_answers(policy: &Policy, contexts: &[u16]) -> Vec<u64> {
    let mut bound = policy
        .demands()
        .map(|(_, right)| policy.values(right).collect());
    // Empty where every answer is right.
    let right = policy.entries.iter().map(|entry| {
        let bound = (!entry.is_free()).then(|| bound.next()).flatten();
        bound.unwrap_or_default()
    });
    let right: Vec<Vec<u64>> = right.collect();
    let mut counts = Counts::new();
    for (right, context) in right.iter().zip(contexts) {
        if let [only] = right.as_slice() {
            *counts.entry((*context, *only)).or_default() += 1;
        }
    }
    let any: Vec<u64> = match policy.kind() {
        AnswerKind::Move => (0..policy.moves.into()).collect(),
        AnswerKind::NextState => vec![0],
    };
    let mut answers = vec![0; policy.entries.len()];
    for _ in 0..3 {
        let before = std::mem::take(&mut counts);
        for (place, (right, context)) in right.iter().zip(contexts).enumerate() {
            let weight = |value: u64| before.get(&(*context, value)).copied().unwrap_or(0);
            let choices = if right.is_empty() { &any } else { right };
            let choice = choices
                .iter()
                .max_by_key(|&&value| (weight(value), Reverse(value)));
            answers[place] = choice.copied().unwrap_or(0);
            if !right.is_empty() {
                *counts.entry((*context, answers[place])).or_default() += 1;
            }
        }
    }
    answers
}

/// The entropy of the answers given their contexts, in bits.
fn entropy(policy: &Policy, answers: &[u64], contexts: &[u16]) -> f64 {
    let mut counts = Counts::new();
    let mut all: BTreeMap<u16, u64> = BTreeMap::new();
    let states = policy.entries.iter().zip(contexts).zip(answers);
    for ((_, context), answer) in states.filter(|((entry, _), _)| !entry.is_free()) {
        *counts.entry((*context, *answer)).or_default() += 1;
        *all.entry(*context).or_default() += 1;
    }
    let bits = counts
        .iter()
        .map(|((context, _), &count)| count as f64 * (all[context] as f64 / count as f64).log2());
    bits.sum()
}

//! The family `diagram`: an ordered decision diagram over the digits of a state.
//!
//! A node asks for one digit and goes on by its value; what remains is the answer.
//! The diagram is made from the top, level by level. What stands below a node is a
//! partial function, since most numbers are no states and many states have several best
//! moves; two such functions are merged if they agree wherever both say something, and
//! a node all of whose children agree is left out. Which of the mergers to make is a
//! matter of colouring, done greedily here. Source: T. R. Shiple, R. Hojati,
//! A. L. Sangiovanni-Vincentelli, R. K. Brayton, *Heuristic minimization of BDDs using
//! don't cares* (1994); R. E. Bryant, *Graph-based algorithms for Boolean function
//! manipulation* (1986).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::measure::Bits;
use super::policy::Policy;
use super::program::{Form, Program};
use crate::game::Digit;

/// A reduced, ordered decision diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// The digits in the order in which they are asked for.
    digits: Vec<Digit>,
    /// The nodes of each digit: for each value of it what follows.
    levels: Vec<Vec<Vec<To>>>,
    /// Where it begins.
    root: To,
    answers: u8,
}

/// What follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum To {
    /// This answer.
    Answer(u8),
    /// Node number so of the level.
    Node(usize, usize),
}

impl Diagram {
    /// The answer for a state.
    #[must_use]
    pub fn answer(&self, n: u64) -> u64 {
        let mut at = self.root;
        loop {
            match at {
                To::Answer(answer) => return answer.into(),
                To::Node(level, node) => at = self.levels[level][node][self.digits[level].of(n)],
            }
        }
    }

    /// Nodes, answers not counted.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// The digits in the order in which they are asked for.
    #[must_use]
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The nodes with their digit's place and what follows as numbers: answers first,
    /// then the nodes from the bottom of the diagram to its top, the root last.
    pub(super) fn listed(&self) -> Vec<(usize, Vec<usize>)> {
        let answers = usize::from(self.answers);
        // The first number of each level.
        let mut first = vec![0; self.levels.len()];
        let mut next = answers;
        for (level, nodes) in self.levels.iter().enumerate().rev() {
            first[level] = next;
            next += nodes.len();
        }
        let number = |to: &To| match to {
            To::Answer(answer) => usize::from(*answer),
            To::Node(level, node) => first[*level] + node,
        };
        let levels = self.levels.iter().enumerate().rev();
        levels
            .flat_map(|(level, nodes)| {
                nodes
                    .iter()
                    .map(move |node| (level, node.iter().map(number).collect()))
            })
            .collect()
    }

    /// Where the diagram begins, by the same numbers.
    pub(super) fn first(&self) -> usize {
        match self.root {
            To::Answer(answer) => usize::from(answer),
            To::Node(..) => usize::from(self.answers) + self.nodes() - 1,
        }
    }

    /// Answers and nodes are numbered in so many bits.
    pub(super) fn width(&self) -> u32 {
        let count = usize::from(self.answers) + self.nodes();
        (usize::BITS - (count - 1).leading_zeros()).max(1)
    }

    /// For each digit how many of the nodes, listed from the bottom, come before those
    /// that ask for it, and how many entries of theirs.
    pub(super) fn bounds(&self) -> Vec<(usize, usize)> {
        let mut bounds = vec![(0, 0); self.levels.len()];
        let (mut nodes, mut entries) = (0, 0);
        for (level, of_level) in self.levels.iter().enumerate().rev() {
            bounds[level] = (nodes, entries);
            nodes += of_level.len();
            entries += of_level.len() * self.digits[level].radix();
        }
        bounds
    }

    /// What follows in each case, packed node by node from the bottom.
    pub(super) fn packed(&self) -> Bits {
        let width = self.width();
        let mut bits = Bits::default();
        for (_, next) in self.listed() {
            for to in next {
                bits.push(to as u64, width);
            }
        }
        bits
    }

    /// The packed nodes, and for each digit where its nodes begin.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        self.packed().len() + self.levels.len() as u64 * u64::from(self.width())
    }
}

/// What is below a node: for the digits that are left, read as one number, the best
/// moves; in order.
type Below = Vec<(u64, u16)>;

/// Both, if they have a best move in common wherever both say something.
fn merged(a: &Below, b: &Below) -> Option<Below> {
    let mut both = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            Ordering::Equal => {
                let common = a[i].1 & b[j].1;
                if common == 0 {
                    return None;
                }
                both.push((a[i].0, common));
                (i, j) = (i + 1, j + 1);
            }
            Ordering::Less => {
                both.push(a[i]);
                i += 1;
            }
            Ordering::Greater => {
                both.push(b[j]);
                j += 1;
            }
        }
    }
    both.extend_from_slice(&a[i..]);
    both.extend_from_slice(&b[j..]);
    Some(both)
}

/// Functions tried as partners of a new one, those merged last.
const PARTNERS: usize = 4096;

/// Merges functions one by one into the first that suits them; tells where each went.
fn colour(functions: &[Below]) -> (Vec<Below>, Vec<usize>) {
    // Large ones first: they are the hardest to place.
    let mut order: Vec<usize> = (0..functions.len()).collect();
    order.sort_by_key(|&place| (std::cmp::Reverse(functions[place].len()), place));
    let mut classes: Vec<Below> = Vec::new();
    let mut went = vec![0; functions.len()];
    for place in order {
        let function = &functions[place];
        let from = classes.len().saturating_sub(PARTNERS);
        let found = classes[from..]
            .iter()
            .position(|class| merged(class, function).is_some());
        let class = found.map_or(classes.len(), |found| from + found);
        match classes.get_mut(class) {
            Some(known) => *known = merged(known, function).unwrap_or_default(),
            None => classes.push(function.clone()),
        }
        went[place] = class;
    }
    (classes, went)
}

/// The diagram that asks for the digits in this order.
fn build(policy: &Policy, digits: &[Digit]) -> Diagram {
    let known = u16::MAX >> (16 - policy.answers());
    let weights: Vec<u64> = (0..digits.len())
        .map(|level| {
            digits[level + 1..]
                .iter()
                .map(|digit| digit.radix() as u64)
                .product()
        })
        .collect();
    let whole = |code| {
        digits
            .iter()
            .zip(&weights)
            .map(|(digit, weight)| digit.of(code) as u64 * weight)
            .sum()
    };
    let mut root: Below = policy
        .bound()
        .map(|entry| (whole(entry.code), entry.best & known))
        .collect();
    root.sort_unstable();
    // The functions that a level must be able to begin with, and who points there: a
    // node's case, or the beginning.
    let mut pending = vec![root];
    let mut pointers: Vec<Vec<Option<(usize, usize, usize)>>> = vec![vec![None]];
    let mut levels: Vec<Vec<Vec<To>>> = vec![Vec::new(); digits.len()];
    let mut begin = To::Answer(0);
    for (level, digit) in digits.iter().enumerate() {
        let (classes, went) = colour(&pending);
        let mut next_pending = Vec::new();
        let mut next_pointers = Vec::new();
        let mut to = Vec::with_capacity(classes.len());
        let mut joined: Vec<Vec<Option<(usize, usize, usize)>>> = vec![Vec::new(); classes.len()];
        for (pointers, class) in pointers.into_iter().zip(&went) {
            joined[*class].extend(pointers);
        }
        for (class, pointers) in classes.into_iter().zip(joined) {
            let mut children: Vec<Below> = vec![Vec::new(); digit.radix()];
            for (rest, best) in class {
                let value = usize::try_from(rest / weights[level]).unwrap_or(usize::MAX);
                children[value].push((rest % weights[level], best));
            }
            let one = children
                .iter()
                .skip(1)
                .try_fold(children[0].clone(), |one, child| merged(&one, child));
            if let Some(one) = one {
                // The digit does not matter here.
                next_pending.push(one);
                next_pointers.push(pointers);
                continue;
            }
            let node = levels[level].len();
            to.push((pointers, To::Node(level, node)));
            levels[level].push(vec![To::Answer(0); digit.radix()]);
            for (value, child) in children.into_iter().enumerate() {
                if child.is_empty() {
                    // No state comes here.
                    continue;
                }
                next_pending.push(child);
                next_pointers.push(vec![Some((level, node, value))]);
            }
        }
        for (pointers, to) in to {
            point(&mut levels, &mut begin, &pointers, to);
        }
        pending = next_pending;
        pointers = next_pointers;
    }
    for (below, pointers) in pending.iter().zip(&pointers) {
        let best = below.first().map_or(1, |(_, best)| *best);
        let answer = To::Answer(u8::try_from(best.trailing_zeros()).unwrap_or(0));
        point(&mut levels, &mut begin, pointers, answer);
    }
    Diagram {
        digits: digits.to_vec(),
        levels,
        root: begin,
        answers: policy.answers(),
    }
}

fn point(
    levels: &mut [Vec<Vec<To>>],
    begin: &mut To,
    pointers: &[Option<(usize, usize, usize)>],
    to: To,
) {
    for pointer in pointers {
        match pointer {
            Some((level, node, value)) => levels[*level][*node][*value] = to,
            None => *begin = to,
        }
    }
}

/// More states are tried in the given orders of digits only.
const SIFTED: usize = 20_000;

/// A small diagram of a policy. `encodings` are ways to read a state as digits; each is
/// tried in its own order, backwards, and, for policies that are not too large, with one
/// digit after another moved to where it does best (sifting: R. Rudell 1993).
#[must_use]
pub fn diagram(policy: &Policy, encodings: &[Vec<Digit>]) -> Option<Program> {
    let small = policy.entries().len() <= SIFTED;
    least(policy, encodings, |made| {
        if small { sifted(policy, made) } else { made }
    })
}

/// The same without moving digits.
pub(super) fn quick_diagram(policy: &Policy, encodings: &[Vec<Digit>]) -> Option<Program> {
    least(policy, encodings, |made| made)
}

fn least(
    policy: &Policy,
    encodings: &[Vec<Digit>],
    improved: impl Fn(Diagram) -> Diagram,
) -> Option<Program> {
    let mut best: BTreeMap<(u64, usize), Diagram> = BTreeMap::new();
    for (number, digits) in encodings
        .iter()
        .enumerate()
        .filter(|(_, digits)| !digits.is_empty())
    {
        let backwards = digits.iter().rev().cloned().collect();
        for order in [digits.clone(), backwards] {
            let made = improved(build(policy, &order));
            best.entry((made.constant_bits(), number)).or_insert(made);
        }
    }
    let (_, diagram) = best.pop_first()?;
    Some(Program::new(Form::Diagram(diagram)))
}

fn sifted(policy: &Policy, mut best: Diagram) -> Diagram {
    /// Rounds of moving every digit once.
    const ROUNDS: usize = 3;
    for _ in 0..ROUNDS {
        let before = best.constant_bits();
        for digit in best.digits.clone() {
            let others: Vec<Digit> = best
                .digits
                .iter()
                .filter(|other| **other != digit)
                .cloned()
                .collect();
            let places = (0..=others.len()).into_par_iter();
            let tried = places.map(|place| {
                let mut order = others.clone();
                order.insert(place, digit.clone());
                let made = build(policy, &order);
                (made.constant_bits(), place, made)
            });
            if let Some((bits, _, made)) = tried.min_by_key(|(bits, place, _)| (*bits, *place))
                && bits < best.constant_bits()
            {
                best = made;
            }
        }
        if best.constant_bits() == before {
            break;
        }
    }
    best
}

//! The search of the family `diagram`: an ordered decision diagram over the digits of a
//! state.
//!
//! A node branches on one digit; a leaf is an answer. The diagram is built from the top,
//! level by level. Below a node there is a partial function, since most numbers are not
//! states and many states have several best moves. Two such functions are merged if they
//! are compatible wherever both are defined, and a node whose children are all
//! compatible is left out. Choosing the mergers is a graph colouring, done greedily
//! here. Source: T. R. Shiple, R. Hojati, A. L. Sangiovanni-Vincentelli, R. K. Brayton,
//! *Heuristic minimization of BDDs using don't cares* (1994); R. E. Bryant, *Graph-based
//! algorithms for Boolean function manipulation* (1986).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::policy::{AnswerKind, Policy};
use super::program::{Diagram, Form, Program, To};
use crate::game::Digit;

/// The partial function below a node: the remaining digits, read as one number, and the
/// best moves, in the order of the numbers.
type Below = Vec<(u64, u16)>;

/// The union of two functions, with the best moves in common where both are defined;
/// `None` if there is none in common somewhere.
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

/// With how many classes, the latest ones, a function is compared.
const PARTNERS: usize = 4096;

/// Merges functions one by one into the first class that is compatible. Returns the
/// classes, and for each function the index of its class.
fn colour(functions: &[Below]) -> (Vec<Below>, Vec<usize>) {
    // Large functions first: they are the hardest to merge.
    let mut order: Vec<usize> = (0..functions.len()).collect();
    order.sort_by_key(|&place| (std::cmp::Reverse(functions[place].len()), place));
    let mut classes: Vec<Below> = Vec::new();
    let mut went = vec![0; functions.len()];
    for place in order {
        let function = &functions[place];
        let from = classes.len().saturating_sub(PARTNERS);
        let mut known = (from..).zip(&classes[from..]);
        let found = known.find_map(|(class, known)| Some((class, merged(known, function)?)));
        if let Some((class, both)) = found {
            classes[class] = both;
            went[place] = class;
        } else {
            went[place] = classes.len();
            classes.push(function.clone());
        }
    }
    (classes, went)
}

fn build(policy: &Policy, digits: &[Digit]) -> Diagram {
    let known = u16::MAX >> (16 - policy.moves);
    let radix = |digit: &Digit| digit.radix() as u64;
    let whole = |code| {
        let values = digits.iter();
        values.fold(0, |whole, digit| {
            whole * radix(digit) + digit.of(code) as u64
        })
    };
    let mut root: Below = policy
        .asked()
        .map(|entry| (whole(entry.code), entry.best & known))
        .collect();
    root.sort_unstable();
    // The functions that begin at a level, and what points there: cases of nodes, or
    // `None` for the root.
    let mut pending = vec![root];
    let mut pointers: Vec<Vec<Option<(usize, usize, usize)>>> = vec![vec![None]];
    let mut levels: Vec<Vec<Vec<To>>> = vec![Vec::new(); digits.len()];
    let mut begin = To::Answer(0);
    for (level, digit) in digits.iter().enumerate() {
        let weight: u64 = digits[level + 1..].iter().map(radix).product();
        let (classes, went) = colour(&pending);
        let mut next_pending = Vec::new();
        let mut next_pointers = Vec::new();
        let mut joined: Vec<Vec<Option<(usize, usize, usize)>>> = vec![Vec::new(); classes.len()];
        for (pointers, class) in pointers.into_iter().zip(&went) {
            joined[*class].extend(pointers);
        }
        for (class, pointers) in classes.into_iter().zip(joined) {
            let mut children: Vec<Below> = vec![Vec::new(); digit.radix()];
            for (rest, best) in class {
                let value = usize::try_from(rest / weight).unwrap_or(usize::MAX);
                children[value].push((rest % weight, best));
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
            point(&mut levels, &mut begin, &pointers, To::Node(level, node));
            levels[level].push(vec![To::Answer(0); digit.radix()]);
            for (value, child) in children.into_iter().enumerate() {
                if child.is_empty() {
                    // No state has this digit here.
                    continue;
                }
                next_pending.push(child);
                next_pointers.push(vec![Some((level, node, value))]);
            }
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
        answers: policy.moves,
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

/// The most states of a policy whose digits are sifted.
const SIFTED: usize = 20_000;

/// A small diagram of a policy. `encodings` are ways to read a state as digits. Each is
/// tried in its own order, reversed, and, for policies of at most 20,000 states, with one
/// digit after another moved to its best place (sifting: R. Rudell 1993). `None` if there
/// is no encoding, or the answers are not moves: next states are so many that a diagram is
/// a table with detours.
pub fn diagram(policy: &Policy, encodings: &[Vec<Digit>]) -> Option<Program> {
    least_diagram(policy, encodings, policy.entries.len() <= SIFTED)
}

/// The smallest diagram over all encodings, each in its own order and reversed, and sifted or
/// not.
pub(super) fn least_diagram(
    policy: &Policy,
    encodings: &[Vec<Digit>],
    sift: bool,
) -> Option<Program> {
    if policy.kind() != AnswerKind::Move {
        return None;
    }
    let mut best: BTreeMap<(u64, usize), Diagram> = BTreeMap::new();
    for (number, digits) in encodings
        .iter()
        .enumerate()
        .filter(|(_, digits)| !digits.is_empty())
    {
        let backwards = digits.iter().rev().cloned().collect();
        for order in [digits.clone(), backwards] {
            let mut made = build(policy, &order);
            if sift {
                made = sifted(policy, made);
            }
            best.entry((made.constant_bits(), number)).or_insert(made);
        }
    }
    let (_, diagram) = best.pop_first()?;
    Some(Program::new(Form::Diagram(diagram)))
}

/// The diagram with its digits moved to better places.
fn sifted(policy: &Policy, mut best: Diagram) -> Diagram {
    /// How often every digit is moved.
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

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

use std::cmp::{Ordering, Reverse};

use rayon::prelude::*;

use super::policy::{AnswerKind, Entry, Policy};
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

/// What points to a function: a case of a node, as level, node and value; `None` for the root.
type Pointer = Option<(usize, usize, usize)>;

/// Merges functions one by one into the first class that is compatible, with what points to
/// them.
fn colour(mut functions: Vec<(Below, Vec<Pointer>)>) -> Vec<(Below, Vec<Pointer>)> {
    // Large functions first: they are the hardest to merge.
    functions.sort_by_key(|(function, _)| Reverse(function.len()));
    let mut classes: Vec<(Below, Vec<Pointer>)> = Vec::new();
    for (function, pointers) in functions {
        let from = classes.len().saturating_sub(PARTNERS);
        let mut known = (from..).zip(&classes[from..]);
        let found = known.find_map(|(class, (known, _))| Some((class, merged(known, &function)?)));
        if let Some((class, both)) = found {
            classes[class].0 = both;
            classes[class].1.extend(pointers);
        } else {
            classes.push((function, pointers));
        }
    }
    classes
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
    let below = |entry: &Entry| (whole(entry.code), entry.best & known);
    let mut root: Below = policy.asked().map(below).collect();
    root.sort_unstable();
    // The functions that begin at a level.
    let mut pending = vec![(root, vec![None])];
    let mut levels: Vec<Vec<Vec<To>>> = vec![Vec::new(); digits.len()];
    let mut begin = To::Answer(0);
    for (level, digit) in digits.iter().enumerate() {
        let weight: u64 = digits[level + 1..].iter().map(radix).product();
        for (class, pointers) in colour(std::mem::take(&mut pending)) {
            let mut children: Vec<Below> = vec![Vec::new(); digit.radix()];
            for (rest, best) in class {
                let value = usize::try_from(rest / weight).unwrap_or(usize::MAX);
                children[value].push((rest % weight, best));
            }
            let mut others = children.iter().skip(1);
            let one = others.try_fold(children[0].clone(), |one, child| merged(&one, child));
            if let Some(one) = one {
                // The digit does not matter here.
                pending.push((one, pointers));
                continue;
            }
            let node = levels[level].len();
            point(&mut levels, &mut begin, &pointers, To::Node(level, node));
            levels[level].push(vec![To::Answer(0); digit.radix()]);
            for (value, child) in children.into_iter().enumerate() {
                // Otherwise no state has this digit here.
                if !child.is_empty() {
                    pending.push((child, vec![Some((level, node, value))]));
                }
            }
        }
    }
    for (below, pointers) in &pending {
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

fn point(levels: &mut [Vec<Vec<To>>], begin: &mut To, pointers: &[Pointer], to: To) {
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
/// is no encoding, or the answers are not moves: next states are many, and a diagram of them
/// is a table with detours.
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
    let orders = encodings.iter().filter(|digits| !digits.is_empty());
    let orders = orders.flat_map(|digits| [digits.clone(), digits.iter().rev().cloned().collect()]);
    let made = orders.map(|order| {
        let made = build(policy, &order);
        if sift { sifted(policy, made) } else { made }
    });
    // The first of several.
    let least = made.min_by_key(Diagram::constant_bits)?;
    Some(Program::new(Form::Diagram(least)))
}

/// The diagram with its digits moved to better places.
fn sifted(policy: &Policy, mut best: Diagram) -> Diagram {
    /// How often every digit is moved.
    const ROUNDS: usize = 3;
    for _ in 0..ROUNDS {
        let before = best.constant_bits();
        for digit in best.digits.clone() {
            let mut others = best.digits.clone();
            others.retain(|other| *other != digit);
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

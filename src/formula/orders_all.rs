//! The family `orders-all`: win or block at once, otherwise take the first free square of
//! one of several orders. Such a program is right in every state, however it was reached.

use rayon::prelude::*;

use super::diagram::{diagram, quick_diagram};
use super::hash::perfect_hash;
use super::orders::{ORDERS, Tactic, Tactics, order};
use super::policy::{Entry, Policy};
use super::program::{Form, Index, Ordered, Program};
use crate::game::Digit;

/// The most orders of a program.
const MOST_ORDERS: usize = 16;

/// A program of the family that is right in every state; `None` if none is found. Up to 16
/// orders are chosen one after another, each to suit most of the states that no earlier
/// one suits; a perfect hash or a decision diagram chooses between them. `helpers` are
/// its source templates: Rust, C, Python.
#[must_use]
pub fn orders_everywhere(
    tactics: &Tactics,
    encodings: &[Vec<Digit>],
    helpers: &[String; 3],
) -> Option<Program> {
    let open: Vec<&Tactic> = tactics
        .states
        .iter()
        .filter(|tactic| tactic.forced.is_none())
        .collect();
    // The states that each order suits, as bits.
    let all: Vec<Vec<u64>> = (0..ORDERS)
        .into_par_iter()
        .map(|number| {
            let order = order(number);
            set_of(&open, |tactic| suits(tactic, &order))
        })
        .collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut served = vec![0_usize; open.len()];
    let mut best: Option<(Program, Policy)> = None;
    for _ in 0..MOST_ORDERS {
        // The order that suits most of the states with the fewest suitable orders so far.
        let fewest = served.iter().copied().min().unwrap_or(0);
        let wanted = [fewest, fewest + 1].map(|count| set_of(&served, |served| *served == count));
        let gain = |number: usize| {
            wanted.each_ref().map(|wanted| {
                let words = all[number].iter().zip(wanted);
                words
                    .map(|(fits, wanted)| (fits & wanted).count_ones())
                    .sum::<u32>()
            })
        };
        let orders = (0..all.len()).into_par_iter();
        let next = orders.max_by_key(|&number| (gain(number), std::cmp::Reverse(number)))?;
        chosen.push(next);
        for (place, served) in served.iter_mut().enumerate() {
            *served += usize::from(all[next][place / 64] >> (place % 64) & 1 == 1);
        }
        if served.contains(&0) {
            continue;
        }
        let entries = open.iter().enumerate().map(|(place, tactic)| Entry {
            code: tactic.code,
            best: chosen.iter().enumerate().fold(0, |set, (bit, &number)| {
                set | u16::from(all[number][place / 64] >> (place % 64) & 1 == 1) << bit
            }),
            legal: 0,
        });
        let count = u8::try_from(chosen.len()).ok()?;
        let which = Policy::new(entries.collect(), count).ok()?;
        let indices = [perfect_hash(&which), quick_diagram(&which, encodings)];
        let orders: Vec<[u8; 9]> = chosen.iter().map(|&number| order(number as u64)).collect();
        for index in indices.into_iter().flatten() {
            let program = Program::new(Form::Orders(Ordered {
                index: Index::Program(Box::new(index)),
                orders: orders.clone(),
                helpers: helpers.clone(),
                reached: None,
            }));
            if best
                .as_ref()
                .is_none_or(|(best, _)| program.constant_bits() < best.constant_bits())
            {
                best = Some((program, which.clone()));
            }
        }
    }
    let (mut best, which) = best?;
    // With the best number of orders, the digits of the diagram are sifted too.
    let sifted = diagram(&which, encodings)?;
    if let Form::Orders(orders) = best.form() {
        let program = Program::new(Form::Orders(Ordered {
            index: Index::Program(Box::new(sifted)),
            ..orders.clone()
        }));
        if program.constant_bits() < best.constant_bits() {
            best = program;
        }
    }
    Some(best)
}

/// The indices of the things that fit, as bits.
fn set_of<T>(things: &[T], fits: impl Fn(&T) -> bool) -> Vec<u64> {
    let word = |things: &[T]| {
        let bits = things.iter().enumerate();
        bits.fold(0, |word, (bit, thing)| word | u64::from(fits(thing)) << bit)
    };
    things.chunks(64).map(word).collect()
}

/// Whether the first free square of an order is a best move.
fn suits(tactic: &Tactic, order: &[u8; 9]) -> bool {
    let first = order.iter().find(|&mv| tactic.free >> mv & 1 == 1);
    first.is_some_and(|mv| tactic.best >> mv & 1 == 1)
}

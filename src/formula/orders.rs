//! The family `orders`: win or block at once, else take the first free square of an
//! order; which order, a multiplication and a shift decide.
//!
//! Such a program is asked for right answers in the states *reached under its own
//! play*, from either side of the game and against every defence. Pairs of orders are
//! drawn at random (the same ones every time). Of a pair it is known which states of its
//! play want the one, which the other; a multiplier must then tell these apart.

use rayon::prelude::*;

use super::bits::Term;
use super::diagram::{diagram, quick_diagram};
use super::hash::perfect_hash;
use super::measure::Bits;
use super::policy::{Entry, Policy};
use super::program::{Form, Program};
use crate::game::Digit;
use crate::watch::Watch;

/// A state as such programs see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tactic {
    /// The state's number.
    pub code: u64,
    /// The free squares, bit `i` being square `i`.
    pub free: u16,
    /// The best moves.
    pub best: u16,
    /// What winning or blocking at once comes to.
    pub forced: Option<u8>,
    /// For each square the states after all replies, by their places in
    /// [`Tactics::states`].
    pub replies: [Vec<u32>; 9],
}

/// A game on nine squares, as such programs see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tactics {
    /// All states.
    pub states: Vec<Tactic>,
    /// For each side, the states in which it makes its first move, by place.
    pub begins: Vec<Vec<u32>>,
}

/// Orders with their index.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordered {
    /// Which order is taken.
    pub index: Index,
    /// Squares, the first choice first.
    pub orders: Vec<[u8; 9]>,
    /// How a program looks the squares up, language by language.
    pub helpers: [String; 3],
    /// The states reached under its own play, by code, if it is right in these alone.
    pub reached: Option<Vec<u64>>,
}

/// How the order is chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Index {
    /// One of two, by a bit.
    Term(Term),
    /// By a program of another family.
    Program(Box<Program>),
}

impl Ordered {
    /// The lengths of the index's constants and of the orders, four bits a square.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        let index = match &self.index {
            Index::Term(term) => u64::from(term.constant_bits()),
            Index::Program(program) => program.constant_bits(),
        };
        index + self.orders.len() as u64 * 36
    }

    /// The orders, four bits a square, the first in the lowest bits.
    pub(super) fn packed(&self) -> Vec<u64> {
        let packed = self.orders.iter().map(|order| {
            let mut bits = Bits::default();
            for &square in order {
                bits.push(square.into(), 4);
            }
            bits.bytes()
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        });
        packed.collect()
    }
}

/// What a walk through all games of a pair of orders found.
struct Walk<'a> {
    tactics: &'a Tactics,
    orders: [&'a [u8; 9]; 2],
    seen: Vec<bool>,
    reached: Vec<u32>,
    /// States that want one of the two orders: place, which.
    wanting: Vec<(u32, u64)>,
}

impl Walk<'_> {
    /// Plays on from a state; `false` if neither order has a best move somewhere.
    fn from(&mut self, place: u32) -> bool {
        if std::mem::replace(&mut self.seen[place as usize], true) {
            return true;
        }
        self.reached.push(place);
        let tactic = &self.tactics.states[place as usize];
        let moves = match tactic.forced {
            Some(mv) => [Some(mv).filter(|mv| tactic.best >> mv & 1 == 1), None],
            None => self.orders.map(|order| {
                let first = order.iter().copied().find(|mv| tactic.free >> mv & 1 == 1);
                first.filter(|mv| tactic.best >> mv & 1 == 1)
            }),
        };
        match (tactic.forced, moves) {
            (_, [None, None]) => return false,
            (None, [Some(_), None]) => self.wanting.push((place, 0)),
            (None, [None, Some(_)]) => self.wanting.push((place, 1)),
            _ => {}
        }
        let twice = moves[0] == moves[1];
        moves
            .into_iter()
            .flatten()
            .skip(usize::from(twice && moves[1].is_some()))
            .all(|mv| {
                let tactics = self.tactics;
                tactics.states[place as usize].replies[usize::from(mv)]
                    .iter()
                    .all(|&next| self.from(next))
            })
    }
}

/// Walks through all games of a pair for some sides.
fn walk<'a>(tactics: &'a Tactics, sides: &[usize], orders: [&'a [u8; 9]; 2]) -> Option<Walk<'a>> {
    let mut walk = Walk {
        tactics,
        orders,
        seen: vec![false; tactics.states.len()],
        reached: Vec::new(),
        wanting: Vec::new(),
    };
    let begins = sides.iter().flat_map(|&side| &tactics.begins[side]);
    for &begin in begins {
        if !walk.from(begin) {
            return None;
        }
    }
    Some(walk)
}

/// Order number so of the 9! there are.
fn order(mut number: u64) -> [u8; 9] {
    let mut left: Vec<u8> = (0..9).collect();
    let mut order = [0; 9];
    for (place, slot) in order.iter_mut().enumerate() {
        let radix = 9 - place as u64;
        *slot = left.remove(usize::try_from(number % radix).unwrap_or(0));
        number /= radix;
    }
    order
}

/// How many orders there are.
const ORDERS: u64 = 362_880;
/// The pairs whose multiplier is looked for.
const KEPT: usize = 64;
/// The greatest multiplier tried.
const MOST: u64 = 1 << 20;

/// How many single orders play a side rightly, and the first of them.
#[must_use]
pub fn single_orders(tactics: &Tactics, side: usize) -> (usize, Option<[u8; 9]>) {
    let fits: Vec<u64> = (0..ORDERS)
        .into_par_iter()
        .filter(|&number| {
            let order = order(number);
            walk(tactics, &[side], [&order, &order]).is_some()
        })
        .collect();
    (fits.len(), fits.first().map(|&number| order(number)))
}

/// A program that plays all sides rightly, among so many pairs of orders. `None` if
/// there is none among them.
#[must_use]
pub fn orders(
    tactics: &Tactics,
    pairs: u64,
    helpers: &[String; 3],
    watch: &impl Watch,
) -> Option<Program> {
    /// Pairs that a thread takes at a time.
    const CHUNK: u64 = 1 << 12;
    let sides: Vec<usize> = (0..tactics.begins.len()).collect();
    watch.begin("pairs of orders", pairs);
    let mut found: Vec<(usize, u64)> = (0..pairs.div_ceil(CHUNK))
        .into_par_iter()
        .flat_map_iter(|chunk| {
            let sides = &sides;
            watch.advance(CHUNK);
            (chunk * CHUNK..pairs.min((chunk + 1) * CHUNK)).filter_map(move |pair| {
                let [a, b] = pair_of(pair);
                let walk = walk(tactics, sides, [&a, &b])?;
                Some((walk.wanting.len(), pair))
            })
        })
        .collect();
    found.sort_unstable();
    found.truncate(KEPT);
    let programs = found.par_iter().filter_map(|&(_, pair)| {
        let [a, b] = pair_of(pair);
        let walk = walk(tactics, &sides, [&a, &b])?;
        let states = &walk.tactics.states;
        let demands: Vec<(u64, u64)> = walk
            .wanting
            .iter()
            .map(|&(place, which)| (states[place as usize].code, which))
            .collect();
        let term = least_term(&demands)?;
        Some((term.constant_bits(), term, pair))
    });
    let (_, term, pair) = programs.min()?;
    let [a, b] = pair_of(pair);
    let program = Ordered {
        index: Index::Term(term),
        reached: Some(reached(tactics, &sides, [&a, &b], term)),
        orders: vec![a, b],
        helpers: helpers.clone(),
    };
    Some(Program::new(Form::Orders(program)))
}

/// Pair number so: two orders by a multiplicative generator (Steele and Vigna,
/// `SplitMix64`).
fn pair_of(number: u64) -> [[u8; 9]; 2] {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    let mixed = mixed ^ mixed >> 31;
    [order(mixed % ORDERS), order(mixed / ORDERS % ORDERS)]
}

/// The least term without addend that has these bits.
fn least_term(demands: &[(u64, u64)]) -> Option<Term> {
    let terms = (1..MOST).flat_map(|a| (0..40).map(move |s| Term { a, c: 0, s }));
    let fits = |term: &Term| demands.iter().all(|&(code, bit)| term.of(code) == bit);
    // The shift costs as little as anything: with the least multiplier comes the least
    // length but for a bit or two.
    terms.into_iter().find(fits)
}

/// The states that the program itself comes to, in order.
fn reached(tactics: &Tactics, sides: &[usize], orders: [&[u8; 9]; 2], term: Term) -> Vec<u64> {
    let mut seen = vec![false; tactics.states.len()];
    let mut open: Vec<u32> = sides
        .iter()
        .flat_map(|&side| tactics.begins[side].clone())
        .collect();
    while let Some(place) = open.pop() {
        if std::mem::replace(&mut seen[place as usize], true) {
            continue;
        }
        let tactic = &tactics.states[place as usize];
        let order = orders[usize::from(term.of(tactic.code) == 1)];
        let first = order.iter().copied().find(|mv| tactic.free >> mv & 1 == 1);
        if let Some(mv) = tactic.forced.or(first) {
            open.extend(&tactic.replies[usize::from(mv)]);
        }
    }
    let places = seen.iter().zip(&tactics.states).filter(|(seen, _)| **seen);
    let mut codes: Vec<u64> = places.map(|(_, tactic)| tactic.code).collect();
    codes.sort_unstable();
    codes
}

/// The most orders that a program with an index of another family has.
const MOST_ORDERS: usize = 16;

/// A program of the family that is right in every state: of up to 16 orders, chosen one
/// after another to suit most of the states that none before suits, a perfect hash or a
/// decision diagram tells which to take.
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
    // For each order the states that it suits, as bits.
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
        // Most of those that fewest of the orders before serve.
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
    // For the best number of orders the digits of the diagram are put in a better order.
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

/// The places of the things that fit, as bits.
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

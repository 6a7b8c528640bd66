//! The family `orders`: win or block at once, else take the first free square of an
//! order; which order, a multiplication and a shift decide.
//!
//! Such a program is asked for right answers in the states *reached under its own
//! play*, from either side of the game and against every defence. Pairs of orders are
//! drawn at random (the same ones every time). Of a pair it is known which states of its
//! play want the one, which the other; a multiplier must then tell these apart.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bits::Term;
use super::measure::Bits;
use super::program::{Form, Program};
use crate::base::random;
use crate::base::watch::Watch;

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
pub(super) fn order(mut number: u64) -> [u8; 9] {
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
pub(super) const ORDERS: u64 = 362_880;
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

/// A search among pairs of orders that can be stopped, kept, and taken up again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderSearch {
    pairs: u64,
    next: u64,
    /// The pairs found whose states are the fewest to tell apart: how many these are, the
    /// pair's number.
    found: Vec<(usize, u64)>,
}

impl OrderSearch {
    /// A search among so many pairs.
    #[must_use]
    pub const fn new(pairs: u64) -> Self {
        Self {
            pairs,
            next: 0,
            found: Vec::new(),
        }
    }

    /// How many pairs are searched.
    #[must_use]
    pub const fn pairs(&self) -> u64 {
        self.pairs
    }

    /// How many were.
    #[must_use]
    pub const fn tried(&self) -> u64 {
        self.next
    }

    /// Whether all were.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.next >= self.pairs
    }

    /// Tries some hundred thousand pairs.
    pub fn advance(&mut self, tactics: &Tactics, watch: &impl Watch) {
        /// Pairs that a thread takes at a time, and how often.
        const CHUNK: u64 = 1 << 12;
        const CHUNKS: u64 = 1 << 6;
        let sides: Vec<usize> = (0..tactics.begins.len()).collect();
        let end = self.pairs.min(self.next + CHUNK * CHUNKS);
        let first = self.next;
        let found: Vec<(usize, u64)> = (0..(end - first).div_ceil(CHUNK))
            .into_par_iter()
            .flat_map_iter(|chunk| {
                let sides = &sides;
                let from = first + chunk * CHUNK;
                (from..end.min(from + CHUNK)).filter_map(move |pair| {
                    let [a, b] = pair_of(pair);
                    let walk = walk(tactics, sides, [&a, &b])?;
                    Some((walk.wanting.len(), pair))
                })
            })
            .collect();
        watch.advance(end - first);
        self.found.extend(found);
        self.found.sort_unstable();
        self.found.truncate(KEPT);
        self.next = end;
    }

    /// A program that plays all sides rightly, the smallest among the pairs found;
    /// `None` if there is none.
    #[must_use]
    pub fn program(&self, tactics: &Tactics, helpers: &[String; 3]) -> Option<Program> {
        let sides: Vec<usize> = (0..tactics.begins.len()).collect();
        let programs = self.found.par_iter().filter_map(|&(_, pair)| {
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
}

/// The two orders of pair `number`, at random.
fn pair_of(number: u64) -> [[u8; 9]; 2] {
    let mixed = random::nth(number);
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

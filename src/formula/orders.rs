//! The family `orders`: win or block at once, otherwise take the first free square of one
//! of two orders, which a multiplication and a shift choose.
//!
//! Such a program must be right in the states that are *reached under its own play*, for
//! both sides of the game and against every defence. Pairs of orders are drawn at random
//! from a fixed sequence. For each pair it is found which states need the one order and
//! which the other; a multiplier must then separate these.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bits::{Term, is_in, set_of};
use super::diagram::{diagram, least_diagram};
use super::hash::perfect_hash;
use super::policy::{Entry, Policy};
use super::program::{Form, Index, Ordered, Program};
use super::search::Search;
use crate::base::progress::Progress;
use crate::base::random;
use crate::game::Digit;

/// A state of a game on nine squares, as programs of this family see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tactic {
    /// The state's number.
    pub code: u64,
    /// The free squares, bit `i` being square `i`.
    pub free: u16,
    /// The best moves, bit `i` being square `i`.
    pub best: u16,
    /// The square that wins or blocks at once.
    pub forced: Option<u8>,
    /// For each square the states after all replies, as indices of
    /// [`Tactics::states`].
    pub replies: [Vec<u32>; 9],
}

impl Tactic {
    fn is_best(&self, mv: u8) -> bool {
        self.best >> mv & 1 == 1
    }

    /// The first free square of an order.
    fn first(&self, order: &[u8; 9]) -> Option<u8> {
        order.iter().copied().find(|mv| self.free >> mv & 1 == 1)
    }
}

/// A game on nine squares, as programs of this family see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tactics {
    /// All states.
    pub states: Vec<Tactic>,
    /// For each side, the states in which it makes its first move, as indices of `states`.
    pub begins: Vec<Vec<u32>>,
}

/// Plays all games that begin in some states and in which the player makes the moves that `moves`
/// gives, one game after the other. Returns by state whether a game comes to it; `None` if `moves`
/// gives it up.
fn played(
    tactics: &Tactics,
    begins: &[Vec<u32>],
    mut moves: impl FnMut(&Tactic) -> Option<[Option<u8>; 2]>,
) -> Option<Vec<bool>> {
    let mut seen = vec![false; tactics.states.len()];
    let mut open: Vec<u32> = begins.iter().flatten().rev().copied().collect();
    while let Some(place) = open.pop() {
        if std::mem::replace(&mut seen[place as usize], true) {
            continue;
        }
        let tactic = &tactics.states[place as usize];
        let [first, second] = moves(tactic)?;
        let second = second.filter(|_| second != first);
        let moves = first.into_iter().chain(second);
        let next = moves.flat_map(|mv| &tactic.replies[usize::from(mv)]);
        open.extend(next.rev());
    }
    Some(seen)
}

/// Plays all games of a pair of orders that begin in some states, with both where they differ.
/// Returns the states that need one of the two orders: number, which order; `None` if neither order
/// has a best move somewhere.
fn walk(tactics: &Tactics, begins: &[Vec<u32>], orders: [&[u8; 9]; 2]) -> Option<Vec<(u64, u64)>> {
    let mut wanting = Vec::new();
    played(tactics, begins, |tactic| {
        let moves = match tactic.forced {
            Some(mv) => [Some(mv), None],
            None => orders.map(|order| tactic.first(order)),
        };
        let moves = moves.map(|mv| mv.filter(|&mv| tactic.is_best(mv)));
        match (tactic.forced, moves) {
            (_, [None, None]) => return None,
            (None, [Some(_), None]) => wanting.push((tactic.code, 0)),
            (None, [None, Some(_)]) => wanting.push((tactic.code, 1)),
            _ => {}
        }
        Some(moves)
    })?;
    Some(wanting)
}

/// The order with this number, 0 to 9! - 1.
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

/// The number of orders, 9!.
const ORDERS: u64 = 362_880;
/// The number of pairs for which a multiplier is searched.
const KEPT: usize = 64;
/// The greatest multiplier tried.
const MOST: u64 = 1 << 20;

/// The number of single orders that always play a side perfectly.
pub fn single_orders(tactics: &Tactics, side: usize) -> usize {
    let fits = |number: &u64| {
        let order = order(*number);
        walk(tactics, &tactics.begins[side..=side], [&order, &order]).is_some()
    };
    (0..ORDERS).into_par_iter().filter(fits).count()
}

/// A search among pairs of orders that can be stopped, saved and resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderSearch {
    pairs: u64,
    next: u64,
    /// The pairs with the fewest states to separate: the number of these states, and the
    /// number of the pair.
    found: Vec<(usize, u64)>,
}

impl OrderSearch {
    /// A search among this number of pairs.
    pub const fn new(pairs: u64) -> Self {
        Self {
            pairs,
            next: 0,
            found: Vec::new(),
        }
    }

    /// The smallest program, among the pairs found, that plays all sides perfectly; `None`
    /// if there is none. `helpers` are its source templates: Rust, C, Python.
    pub fn program(&self, tactics: &Tactics, helpers: &[String; 3]) -> Option<Program> {
        let programs = self.found.par_iter().filter_map(|&(_, pair)| {
            let [a, b] = pair_of(pair);
            let term = least_term(&walk(tactics, &tactics.begins, [&a, &b])?)?;
            Some((term.constant_bits(), term, pair))
        });
        let (_, term, pair) = programs.min()?;
        let [a, b] = pair_of(pair);
        let program = Ordered {
            index: Index::Term(term),
            reached: Some(reached(tactics, [&a, &b], term)),
            orders: vec![a, b],
            helpers: helpers.clone(),
        };
        Some(Program::new(Form::Orders(program)))
    }
}

impl Search for OrderSearch {
    type Aim = Tactics;

    fn continues(&self, new: &Self, _tactics: &Tactics) -> bool {
        self.pairs == new.pairs
    }

    fn is_finished(&self) -> bool {
        self.next >= self.pairs
    }

    /// Tries up to 262,144 pairs.
    fn advance(&mut self, tactics: &Tactics, progress: &dyn Progress) {
        const ROUND: u64 = 1 << 18;
        let end = self.pairs.min(self.next + ROUND);
        let found = (self.next..end).into_par_iter().filter_map(|pair| {
            let [a, b] = pair_of(pair);
            let wanting = walk(tactics, &tactics.begins, [&a, &b])?;
            Some((wanting.len(), pair))
        });
        self.found.par_extend(found);
        progress.advance(end - self.next);
        self.found.sort_unstable();
        self.found.truncate(KEPT);
        self.next = end;
    }

    fn tried(&self) -> (u64, u64) {
        (self.next, self.pairs)
    }
}

/// The pair with this number: two orders drawn at random.
fn pair_of(number: u64) -> [[u8; 9]; 2] {
    let mixed = random::hash(random::spread(number));
    [order(mixed % ORDERS), order(mixed / ORDERS % ORDERS)]
}

/// The least term without addend that has these bits: state, bit.
fn least_term(demands: &[(u64, u64)]) -> Option<Term> {
    let terms = (1..MOST).flat_map(|a| (0..40).map(move |s| Term { a, c: 0, s }));
    let fits = |term: &Term| demands.iter().all(|&(code, bit)| term.of(code) == bit);
    // The shift is short: the least multiplier gives the least total length within a bit
    // or two.
    terms.into_iter().find(fits)
}

/// The numbers of the states that the program itself reaches, in order.
fn reached(tactics: &Tactics, orders: [&[u8; 9]; 2], term: Term) -> Vec<u64> {
    let seen = played(tactics, &tactics.begins, |tactic| {
        let order = orders[usize::from(term.of(tactic.code) == 1)];
        Some([tactic.forced.or_else(|| tactic.first(order)), None])
    });
    let places = seen.unwrap_or_default().into_iter().zip(&tactics.states);
    let places = places.filter(|(seen, _)| *seen);
    let mut codes: Vec<u64> = places.map(|(_, tactic)| tactic.code).collect();
    codes.sort_unstable();
    codes
}

/// The most orders of a program.
const MOST_ORDERS: usize = 16;

/// A program of the family that is right in every state; `None` if none is found. Up to 16
/// orders are chosen one after another, each to suit most of the states that no earlier
/// one suits; a perfect hash or a decision diagram chooses between them. `helpers` are
/// its source templates: Rust, C, Python.
pub fn orders_everywhere(
    tactics: &Tactics,
    encodings: &[Vec<Digit>],
    helpers: &[String; 3],
) -> Option<Program> {
    let open = tactics.states.iter();
    let open: Vec<_> = open.filter(|tactic| tactic.forced.is_none()).collect();
    // The states that each order suits, as bits.
    let suited = |number| {
        let order = order(number);
        let suits = |tactic: &&Tactic| tactic.first(&order).is_some_and(|mv| tactic.is_best(mv));
        set_of(&open, suits)
    };
    let all: Vec<Vec<u64>> = (0..ORDERS).into_par_iter().map(suited).collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut served = vec![0_usize; open.len()];
    let program = |index: Program, orders: &[[u8; 9]]| {
        Program::new(Form::Orders(Ordered {
            index: Index::Program(Box::new(index)),
            orders: orders.to_vec(),
            helpers: helpers.clone(),
            reached: None,
        }))
    };
    let mut found = Vec::new();
    for _ in 0..MOST_ORDERS {
        // The order that suits most of the states with the fewest suitable orders so far.
        let fewest = served.iter().copied().min().unwrap_or(0);
        let wanted = [fewest, fewest + 1].map(|count| set_of(&served, |served| *served == count));
        let gain = |number: usize| {
            wanted.each_ref().map(|wanted| {
                let words = all[number].iter().zip(wanted);
                let counts = words.map(|(fits, wanted)| (fits & wanted).count_ones());
                counts.sum::<u32>()
            })
        };
        let orders = (0..all.len()).into_par_iter();
        let next = orders.max_by_key(|&number| (gain(number), std::cmp::Reverse(number)))?;
        chosen.push(next);
        for (place, served) in served.iter_mut().enumerate() {
            *served += usize::from(is_in(&all[next], place));
        }
        if served.contains(&0) {
            continue;
        }
        let entries = open.iter().enumerate().map(|(place, tactic)| Entry {
            code: tactic.code,
            best: chosen.iter().enumerate().fold(0, |set, (bit, &number)| {
                set | u16::from(is_in(&all[number], place)) << bit
            }),
            legal: 0,
        });
        let count = u8::try_from(chosen.len()).ok()?;
        let which = Policy::new(entries.collect(), count).ok()?;
        let indices = [
            perfect_hash(&which),
            least_diagram(&which, encodings, false),
        ];
        let orders: Vec<[u8; 9]> = chosen.iter().map(|&number| order(number as u64)).collect();
        for index in indices.into_iter().flatten() {
            found.push((program(index, &orders), orders.clone(), which.clone()));
        }
    }
    let found = found.into_iter();
    let (best, orders, which) = found.min_by_key(|(program, ..)| program.constant_bits())?;
    // With the best number of orders, the digits of the diagram are sifted too.
    let sifted = program(diagram(&which, encodings)?, &orders);
    let both = [best, sifted].into_iter();
    both.min_by_key(Program::constant_bits)
}

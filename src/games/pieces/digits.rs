//! Sets of equal men as digits of the number of a position.

use std::sync::Arc;

use super::rules::{KindNumber, Squares};
use crate::base::subsets::{Binomials, bits, unrank};

/// The most sets that are kept by rank.
const MOST_SETS: u64 = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// All men of a side and kind.
    All,
    /// The man that can be taken in passing.
    Passing,
    /// The others of its kind, or those that are not among the unmoved men.
    Rest,
}

#[derive(Debug, Clone)]
pub(super) struct Digit {
    pub side: usize,
    pub kind: KindNumber,
    pub men: usize,
    pub role: Role,
    /// The squares of such men that have not moved and may castle, which are not counted; as in the
    /// stored position, and as the other side sees it.
    pub unmoved: [Squares; 2],
    pub fixed: bool,
    /// The squares on which the men can stand, in the stored position.
    pub squares: Squares,
    /// The numbers of these squares, if the digit is fixed.
    pub places: Arc<Places>,
    pub size: u64,
    /// The product of the sizes of the digits behind.
    pub weight: u64,
    /// 2 to the 64 divided by the size, rounded up; 0 if that is no good for division.
    pub inverse: u64,
}

impl Digit {
    /// Divides a number by the size: quotient and rest. Multiplication is much faster than
    /// division.
    #[inline(always)]
    pub(super) const fn divide(&self, number: u64) -> (u64, u64) {
        let quotient = match self.inverse {
            0 => number / self.size,
            inverse => ((number as u128 * inverse as u128) >> 64) as u64,
        };
        (quotient, number - quotient * self.size)
    }
}

/// The ranks of sets of equal men among some squares.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// By man, in the order of squares, and square: what it adds to the rank.
    terms: Vec<[u64; 64]>,
    /// The sets by rank, if they are few.
    pub sets: Vec<Squares>,
}

impl Places {
    pub(super) fn new(binomials: &Binomials, squares: Squares, men: usize) -> Self {
        let mut terms = vec![[0; 64]; men];
        for (place, square) in bits(squares).enumerate() {
            for (man, terms) in terms.iter_mut().enumerate() {
                terms[usize::from(square)] = binomials[place][man + 1];
            }
        }
        let size = binomials[squares.count_ones() as usize][men];
        let kept = if size <= MOST_SETS { size } else { 0 };
        let sets = (0..kept).map(|rank| unrank(binomials, rank, men, squares));
        Self {
            terms,
            sets: sets.collect(),
        }
    }

    /// The rank of a set of as many squares as there are men.
    #[inline(always)]
    pub(super) fn rank(&self, set: Squares) -> u64 {
        let (mut rank, mut left) = (0, set);
        for terms in &self.terms {
            rank += terms[(left.trailing_zeros() & 63) as usize];
            left &= left.wrapping_sub(1);
        }
        rank
    }
}

/// Chooses which digits are fixed: as few slots as possible, but all fixed if that takes less
/// than a fifth more, or if they must be. Fixed digits come first.
pub(super) fn choose(
    binomials: &Binomials,
    all: Squares,
    digits: &mut Vec<Digit>,
    (taken, all_fixed): (usize, bool),
) {
    let squares = all.count_ones() as usize;
    let with = |choice: u32| {
        let mut chosen = digits.clone();
        for (place, digit) in chosen.iter_mut().enumerate() {
            digit.fixed = choice >> place & 1 == 1;
        }
        chosen.sort_by_key(|digit| !digit.fixed);
        let (mut taken, mut product) = (taken, 1_u64);
        for digit in &mut chosen {
            let among = if digit.fixed {
                digit.squares.count_ones() as usize
            } else {
                squares.saturating_sub(taken)
            };
            digit.size = binomials[among][digit.men];
            product = product.saturating_mul(digit.size);
            taken += digit.men;
        }
        (product, chosen)
    };
    // Every choice is tried for those that cannot stand everywhere; the others gain only from
    // being tight.
    let places = digits.iter().enumerate();
    let limited = places.filter(|(_, digit)| digit.squares != all);
    let limited: u32 = limited.fold(0, |set, (place, _)| set | 1 << place);
    let choices = std::iter::successors(Some(limited), |&choice| {
        (choice > 0).then(|| (choice - 1) & limited)
    });
    let best = choices.map(with).min_by_key(|&(product, _)| product);
    let fixed = with(u32::MAX);
    let best = best.filter(|(product, _)| !all_fixed && fixed.0 / 6 >= product / 5);
    *digits = best.unwrap_or(fixed).1;
}

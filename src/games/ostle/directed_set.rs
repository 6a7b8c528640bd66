//! Sets of squares with a direction each.
//!
//! The moves of a position fall into a few sets by what is ahead of a piece. Each set of
//! (square, direction) is computed for all pieces at once and then visited by one loop.
//! Branching on every square and direction instead would cause many mispredictions, which
//! cost more than all the arithmetic.
#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of squares are small"
)]

use std::array;

use crate::games::ostle::grid::{Direction, Grid, Mask, Square};

/// One-step shifts of whole sets of squares, without wrapping around the edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shifts {
    pub all: Mask,
    /// Squares that are not on rank 1, and not on the last rank.
    above_first: Mask,
    below_last: Mask,
    /// Squares that are not on the first file, and not on the last one.
    after_first: Mask,
    before_last: Mask,
    height: u32,
    /// Whether a line has more than five squares.
    is_long: bool,
}

impl Shifts {
    pub(super) fn new(grid: &Grid) -> Self {
        let ranks = |rank: u8| {
            (0..grid.width)
                .filter_map(|file| grid.square(file, rank))
                .fold(0, |mask, square| mask | 1 << square)
        };
        Self {
            all: grid.all(),
            above_first: grid.all() & !ranks(0),
            below_last: grid.all() & !ranks(grid.height - 1),
            after_first: grid.all() << grid.height & grid.all(),
            before_last: grid.all() >> grid.height,
            height: grid.height.into(),
            is_long: grid.width.max(grid.height) > 5,
        }
    }

    /// Every square of the set one step in the direction of number `D`.
    #[inline(always)]
    const fn step<const D: u8>(self, mask: Mask) -> Mask {
        match D {
            0 => mask << 1 & self.above_first,
            1 => mask >> 1 & self.below_last,
            2 => mask >> self.height,
            _ => mask << self.height & self.all,
        }
    }

    /// Every square of the set one step against the direction of number `D`.
    #[inline(always)]
    pub(super) const fn back<const D: u8>(self, mask: Mask) -> Mask {
        match D {
            0 => self.step::<1>(mask),
            1 => self.step::<0>(mask),
            2 => self.step::<3>(mask),
            _ => self.step::<2>(mask),
        }
    }

    /// The squares from which a step in each direction leads to `mask`.
    #[inline(always)]
    pub(super) fn before(self, mask: Mask) -> DirectedSet {
        self.before_each(DirectedSet::all(mask))
    }

    /// The squares from which one more step in the same direction leads to `set`.
    #[inline(always)]
    pub(crate) fn before_each(self, set: DirectedSet) -> DirectedSet {
        let [up, down, left, right] = set.0;
        DirectedSet([
            self.back::<0>(up),
            self.back::<1>(down),
            self.back::<2>(left),
            self.back::<3>(right),
        ])
    }

    /// Visits, by the number of pieces pushed, the members of `origins` from which a push ends in
    /// `ends` (given as the squares before it).
    #[inline(always)]
    pub(super) fn pushers(
        self,
        occupied: Mask,
        origins: DirectedSet,
        mut ends: DirectedSet,
        mut visit: impl FnMut(u32, DirectedSet),
    ) {
        let mut ahead = self.before(occupied);
        let mut origins = origins.and(ahead);
        let mut pushed = 1;
        while !origins.is_empty() {
            ends = self.before_each(ends);
            visit(pushed, origins.and(ends));
            ahead = self.before_each(ahead);
            origins = origins.and(ahead);
            pushed += 1;
        }
    }

    /// How far a set of squares rotates for a step in a direction, in bits to the
    /// left; right for squares whose step stays on the board.
    #[inline(always)]
    const fn rotation(self, direction: u8) -> u32 {
        let all = 1 | 63 << 8 | (64 - self.height) << 16 | self.height << 24;
        all >> (direction << 3) & 63
    }

    /// The squares of `mask` one step ahead; none of them may step off the board.
    #[inline(always)]
    pub(super) const fn ahead(self, mask: Mask, direction: u8) -> Mask {
        mask.rotate_left(self.rotation(direction))
    }

    /// The squares of `mask` one step back; none of them may step off the board.
    #[inline(always)]
    pub(super) const fn behind(self, mask: Mask, direction: u8) -> Mask {
        mask.rotate_right(self.rotation(direction))
    }

    /// The square of `mask` one step ahead if it is on the board, otherwise nothing.
    #[inline(always)]
    pub(crate) fn step_in(self, mask: Mask, direction: u8) -> Mask {
        let (left, right) = (self.before_last, self.after_first);
        let bounds = [self.above_first, self.below_last, left, right];
        self.ahead(mask, direction) & bounds[usize::from(direction & 3)]
    }

    /// Whether the mover can remove a piece of the opponent.
    #[inline]
    pub(crate) fn can_capture(self, own: Mask, opp: Mask, hole: Mask) -> bool {
        let inside = self.all & !hole;
        // All four: stopping early would mispredict too often.
        self.captures::<0>(own, opp, inside)
            | self.captures::<1>(own, opp, inside)
            | self.captures::<2>(own, opp, inside)
            | self.captures::<3>(own, opp, inside)
    }

    /// Whether a push in one direction removes a piece of the opponent: starting from
    /// opposing pieces next to the edge or the hole, this looks backward through opposing
    /// pieces for a piece of the mover. Unrolled, because a loop would mispredict its own
    /// end, which costs more than the steps.
    #[inline(always)]
    fn captures<const D: u8>(self, own: Mask, opp: Mask, inside: Mask) -> bool {
        let run = opp & !self.back::<D>(inside);
        let first = self.back::<D>(run);
        let second = self.back::<D>(first & opp);
        let third = self.back::<D>(second & opp);
        let fourth = self.back::<D>(third & opp);
        let fifth = if self.is_long {
            self.back::<D>(fourth & opp)
        } else {
            0
        };
        (first | second | third | fourth | fifth) & own != 0
    }
}

/// A set of (square, direction): the squares of each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DirectedSet([Mask; 4]);

impl DirectedSet {
    /// The same squares in all directions.
    #[inline(always)]
    pub(super) const fn all(mask: Mask) -> Self {
        Self([mask; 4])
    }

    /// Squares that are in the set with any direction.
    #[inline(always)]
    pub(super) const fn any(self) -> Mask {
        let [up, down, left, right] = self.0;
        up | down | left | right
    }

    #[inline(always)]
    pub(super) const fn is_empty(self) -> bool {
        self.any() == 0
    }

    /// Whether the (square, direction) of this number, `square * 4 + direction`, is in
    /// the set.
    #[inline(always)]
    pub(super) const fn contains(self, number: u8) -> bool {
        self.0[(number & 3) as usize] >> (number >> 2) & 1 == 1
    }

    #[inline(always)]
    fn joined(self, other: Self, join: impl Fn(Mask, Mask) -> Mask) -> Self {
        Self(array::from_fn(|lane| join(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        self.joined(other, |one, other| one & other)
    }

    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        self.joined(other, |one, other| one & !other)
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        self.joined(other, |one, other| one | other)
    }

    /// The number of elements, and the XOR of their numbers `square * 4 + direction`.
    #[inline(always)]
    pub(crate) const fn count_and_xor(self) -> (u8, u8) {
        // Bit `k` of an XOR is the parity of the numbers that have it.
        const fn parity(mask: Mask) -> u8 {
            (mask.count_ones() & 1) as u8
        }
        let [up, down, left, right] = self.0;
        let squares = up ^ down ^ left ^ right;
        let xor = parity(down ^ right)
            | parity(left ^ right) << 1
            | parity(squares & 0xaaaa_aaaa_aaaa_aaaa) << 2
            | parity(squares & 0xcccc_cccc_cccc_cccc) << 3
            | parity(squares & 0xf0f0_f0f0_f0f0_f0f0) << 4
            | parity(squares & 0xff00_ff00_ff00_ff00) << 5
            | parity(squares & 0xffff_0000_ffff_0000) << 6
            | parity(squares >> 32) << 7;
        let count = up.count_ones() + down.count_ones() + left.count_ones() + right.count_ones();
        (count as u8, xor)
    }

    /// Visits all elements in one loop, and those beyond 32 squares in another.
    #[inline(always)]
    pub(super) fn each(self, mut visit: impl FnMut(Square, u8)) {
        let packed = |shift: u32| {
            let lanes = self.0.map(|lane| u128::from((lane >> shift) as u32));
            lanes[0] | lanes[1] << 32 | lanes[2] << 64 | lanes[3] << 96
        };
        for (first, mut rest) in [(0, packed(0)), (32, packed(32))] {
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                visit(first + (bit & 31) as Square, (bit >> 5) as u8);
            }
        }
    }
}

const _: () = assert!(Direction::Up as u8 == 0 && Direction::Down as u8 == 1);
const _: () = assert!(Direction::Left as u8 == 2 && Direction::Right as u8 == 3);

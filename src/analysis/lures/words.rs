//! What is known of a position to move in, in one word each; nothing is known if it is 0.

use super::ONE;
use super::chunk::NONE;

/// The mean of some chances: their sum, their number, and the mean of others that take their
/// place if the only one is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mean(u64);

impl Mean {
    /// Of some moves, and of those that take the place of the only one.
    pub fn new(moves: Sum, second: Sum) -> Self {
        Self(u64::from(moves.sum) | u64::from(moves.count) << 32 | u64::from(second.mean()) << 40)
    }

    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub const fn bits(self) -> u64 {
        self.0
    }

    const fn sum(self) -> u32 {
        (self.0 & 0xffff_ffff) as u32
    }

    const fn count(self) -> u32 {
        (self.0 >> 32 & 0xff) as u32
    }

    /// The mean of all; 0 of none.
    #[inline]
    pub fn mean(self) -> u32 {
        self.sum().checked_div(self.count()).unwrap_or(0)
    }

    /// The mean without one of them, which is `chance`.
    #[inline]
    pub fn without(self, chance: u32) -> u32 {
        match self.count() {
            0 | 1 => (self.0 >> 40) as u32,
            count => (self.sum() - chance) / (count - 1),
        }
    }
}

/// Chances of some moves added up.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    sum: u32,
    count: u8,
}

impl Sum {
    /// Of losing moves alone.
    pub fn losing(count: u8) -> Self {
        Self {
            sum: u32::from(count) * ONE,
            count,
        }
    }

    #[inline]
    pub const fn add(&mut self, chance: u32) {
        self.sum += chance;
        self.count += 1;
    }

    fn mean(self) -> u32 {
        self.sum.checked_div(self.count.into()).unwrap_or(0)
    }
}

/// The lurer to move: the best chance, the best without the move `number`, and that move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lurer(u64);

impl Lurer {
    pub const NOTHING: Self = Self(0);

    pub const fn new(best: u32, second: u32, number: u8) -> Self {
        Self(best as u64 | (second as u64) << 24 | (!number as u64) << 48)
    }

    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub const fn bits(self) -> u64 {
        self.0
    }

    pub const fn best(self) -> u32 {
        (self.0 & 0xff_ffff) as u32
    }

    pub const fn second(self) -> u32 {
        (self.0 >> 24 & 0xff_ffff) as u32
    }

    pub const fn number(self) -> u8 {
        !((self.0 >> 48 & 0xff) as u8)
    }

    /// The chance if a move is forbidden.
    #[inline]
    pub const fn without(self, forbidden: u8) -> u32 {
        if forbidden == self.number() {
            self.second()
        } else {
            self.best()
        }
    }

    /// Whether the opponent goes wrong in any case, whatever is forbidden.
    #[inline]
    pub const fn is_certain(self) -> bool {
        self.best() == ONE && self.second() == ONE
    }

    /// Takes another move into account. Of equal moves the one of number `favourite` stays the
    /// best, otherwise the first: once a chance is [`ONE`], the best move does not change.
    #[inline]
    pub const fn offer(&mut self, chance: u32, number: u8, favourite: u8) {
        let (best, second) = (self.best(), self.second());
        let none = self.number() == NONE;
        if none || chance > best || (chance == best && number == favourite) {
            *self = Self::new(chance, best, number);
        } else if chance > second {
            *self = Self::new(best, chance, self.number());
        }
    }
}

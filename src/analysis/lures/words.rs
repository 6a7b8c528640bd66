//! What is known of a position to move in, in one word each.

use super::ONE;
use super::chunk::NONE;

/// The opponent to move: the sum over the moves that they like, the number of these, and the
/// mean if the only one is forbidden.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Opponent(u64);

impl Opponent {
    pub const fn new(sum: u32, liked: u8, second: u32) -> Self {
        Self(sum as u64 | (liked as u64) << 32 | (second as u64) << 40)
    }

    pub const fn sum(self) -> u32 {
        (self.0 & 0xffff_ffff) as u32
    }

    pub const fn liked(self) -> u32 {
        (self.0 >> 32 & 0xff) as u32
    }

    pub const fn second(self) -> u32 {
        (self.0 >> 40) as u32
    }

    /// The mean over all moves that they like.
    pub fn mean(self) -> u32 {
        self.sum().checked_div(self.liked()).unwrap_or(0)
    }

    /// The mean without a move that they like, which is worth `chance`.
    pub fn without(self, chance: u32) -> u32 {
        match self.liked() {
            0 | 1 => self.second(),
            liked => (self.sum() - chance) / (liked - 1),
        }
    }
}

/// The lurer to move: the best chance, the best without the move `number`, and that move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lurer(u64);

impl Lurer {
    pub const NOTHING: Self = Self::new(0, 0, NONE);

    pub const fn new(best: u32, second: u32, number: u8) -> Self {
        Self(best as u64 | (second as u64) << 24 | (number as u64) << 48)
    }

    pub const fn best(self) -> u32 {
        (self.0 & 0xff_ffff) as u32
    }

    pub const fn second(self) -> u32 {
        (self.0 >> 24 & 0xff_ffff) as u32
    }

    pub const fn number(self) -> u8 {
        (self.0 >> 48 & 0xff) as u8
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

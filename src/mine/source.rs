//! Games that can be mined, and how their states can arise.

use crate::game::{Features, Playable, Repetition, Retrograde, Symmetric};

/// The forbidden moves with which a position can arise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ArrivalSet {
    free: bool,
    bans: u128,
}

impl ArrivalSet {
    /// The states of the position of a slot that a move can lead to.
    pub(super) fn of<G: Retrograde>(game: &G, slot: u64) -> Self {
        let mut set = Self::default();
        if let Some(cursor) = game.cursor(slot) {
            game.arrivals(cursor, |forbidden| match forbidden {
                None => set.free = true,
                Some(number) => set.bans |= 1 << number,
            });
        }
        set
    }

    /// Whether the state with this forbidden move, or with none, can arise.
    pub(super) const fn contains(self, forbidden: Option<u8>) -> bool {
        match forbidden {
            None => self.free,
            Some(number) => number < 128 && self.bans >> number & 1 == 1,
        }
    }

    /// The number of forbidden moves it can arise with.
    pub(super) const fn bans(self) -> usize {
        self.bans.count_ones() as usize
    }

    pub(super) fn numbers(self) -> impl Iterator<Item = u8> {
        (0..128).filter(move |number| self.bans >> number & 1 == 1)
    }

    /// Whether the state of the position of a slot with this forbidden move, or with none, is
    /// one of these.
    pub(super) fn has<G: Retrograde>(self, game: &G, slot: u64, forbidden: Option<u8>) -> bool {
        if self.contains(forbidden) || game.repetition() == Repetition::Exact {
            return self.contains(forbidden);
        }
        // Up to symmetry, one of several moves that lead back stands for all of them.
        let (Some(number), Some(cursor)) = (forbidden, game.cursor(slot)) else {
            return false;
        };
        let back = game.follow(cursor, number);
        self.numbers().any(|ban| game.follow(cursor, ban) == back)
    }
}

/// Games that can be mined.
pub trait Minable: Retrograde + Features + Playable + Symmetric {}

impl<G> Minable for G where G: Retrograde + Features + Playable + Symmetric {}

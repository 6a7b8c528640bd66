//! Values of positions to players who look a few plies ahead, as far as they were found.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::base::value::Outcome;

/// The side to move wins, as far as the player sees.
pub const WON: i8 = 7;

/// The side to move loses, as far as the player sees.
pub const LOST: i8 = -7;

/// Positions that are remembered at most: about 100 megabytes.
const MOST_KNOWN: usize = 3_000_000;

/// Bounds of values that [`Retrograde::look_ahead`](super::Retrograde::look_ahead) found, by
/// slot and depth: a value is at least the first and at most the second.
#[derive(Debug, Default)]
pub struct Seen(HashMap<(u64, u8), (i8, i8), FixedState>);

impl Seen {
    pub(super) fn bounds(&self, slot: u64, depth: u8) -> (i8, i8) {
        let known = self.0.get(&(slot, depth));
        known.copied().unwrap_or((LOST, WON))
    }

    pub(super) fn remember(&mut self, slot: u64, depth: u8, bounds: (i8, i8)) {
        if self.0.len() >= MOST_KNOWN {
            self.0.clear();
        }
        self.0.insert((slot, depth), bounds);
    }
}

/// What a move that ends the game is worth.
pub(crate) const fn of_end(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => WON,
        Outcome::Draw => 0,
        Outcome::Loss => LOST,
    }
}

//! The values of all moves of many states at once.

use crate::base::value::Value;

/// A move with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// The kinds of the move, as [`Moves::kinds_of`](crate::game::Moves::kinds_of)
    /// has them.
    pub kinds: u32,
    /// The value for the mover.
    pub value: Value,
    /// The value if no reply were forbidden.
    pub free: Value,
}

/// The rated moves of some states, in the game's move order.
#[derive(Debug, Default)]
pub struct Ratings {
    ends: Vec<usize>,
    rates: Vec<Rate>,
}

impl Ratings {
    /// The moves of state number `place`.
    pub(super) fn of(&self, place: usize) -> &[Rate] {
        let from = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rates[from..self.ends[place]]
    }

    /// How many moves there are, of all states.
    pub(super) const fn moves(&self) -> usize {
        self.rates.len()
    }

    /// A move by its place among those of all states.
    pub(super) fn rate_mut(&mut self, place: usize) -> &mut Rate {
        &mut self.rates[place]
    }

    /// Adds a move to the state that comes next.
    pub(super) fn push(&mut self, rate: Rate) {
        self.rates.push(rate);
    }

    /// Marks the end of that state's moves.
    pub(super) fn end_state(&mut self) {
        self.ends.push(self.rates.len());
    }
}

/// Which moves of which states to rate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// Kinds of moves, as [`MovesBySlot::moves_by_slot`](crate::game::MovesBySlot::moves_by_slot) has them.
    pub kinds: u32,
    /// The filters, a bit each, that ask: a state that they all refused has no moves.
    pub filters: u64,
}

impl Asked {
    /// All moves of all states.
    pub const ALL: Self = Self {
        kinds: u32::MAX,
        filters: u64::MAX,
    };

    /// Whether moves of a state for which these filters are alive are asked for. A
    /// state of no filter's is there to be measured.
    pub const fn of(self, alive: u64) -> bool {
        self.filters == u64::MAX || self.filters & alive != 0
    }
}

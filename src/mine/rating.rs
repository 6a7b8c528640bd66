//! The values of all moves of many states at once.

use crate::base::value::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// The kinds of the move, as given by
    /// [`Moves::kinds_of`](crate::game::Moves::kinds_of).
    pub kinds: u32,
    pub value: Value,
    /// The value if no reply were forbidden.
    pub free: Value,
    /// The slot of the position that the move leads to; `None` if it ends the game, or if
    /// positions are not asked for.
    pub to: Option<u64>,
}

/// The rated moves of some states, in the game's move order.
#[derive(Debug, Default)]
pub(crate) struct Ratings {
    ends: Vec<usize>,
    rates: Vec<Rate>,
}

impl Ratings {
    /// The moves of the state with this index.
    pub(super) fn of(&self, place: usize) -> &[Rate] {
        let from = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rates[from..self.ends[place]]
    }

    /// The number of moves of all states.
    pub(super) const fn moves(&self) -> usize {
        self.rates.len()
    }

    /// A move by its index among those of all states.
    pub(super) fn rate_mut(&mut self, place: usize) -> &mut Rate {
        &mut self.rates[place]
    }

    pub(super) fn push(&mut self, rate: Rate) {
        self.rates.push(rate);
    }

    pub(super) fn end_state(&mut self) {
        self.ends.push(self.rates.len());
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RatingRequest {
    /// Kinds of moves, as in [`Retrograde`](crate::game::Retrograde).
    pub kinds: u32,
    /// The kinds that are looked at. Whether a move is of another kind may be left out.
    pub looked_at: u32,
    /// Whether the positions after the moves are looked at.
    pub positions: bool,
    /// The filters that ask, one bit each. A state that all of them refused gets no moves.
    pub filters: u64,
}

impl RatingRequest {
    /// All moves of the states that some filters have not refused; these kinds, and perhaps the
    /// positions after the moves, are looked at.
    pub(super) const fn all(looked_at: u32, positions: bool, filters: u64) -> Self {
        Self {
            kinds: u32::MAX,
            looked_at,
            positions,
            filters,
        }
    }

    /// The moves of these kinds of the states that some filters have not refused.
    pub(super) const fn of_kinds(kinds: u32, filters: u64) -> Self {
        Self {
            kinds,
            looked_at: kinds,
            positions: false,
            filters,
        }
    }

    pub(super) const fn has(self, kinds: u32) -> bool {
        self.kinds == u32::MAX || kinds & self.kinds != 0
    }

    /// Whether the moves of a state are asked for, if these filters have not refused it.
    pub(super) const fn of(self, alive: u64) -> bool {
        is_asked_for(self.filters, alive)
    }
}

/// Whether some filters ask for columns of a state that `alive` have not refused, a bit each.
/// States that belong to no filter are always measured.
pub(super) const fn is_asked_for(filters: u64, alive: u64) -> bool {
    filters == u64::MAX || filters & alive != 0
}

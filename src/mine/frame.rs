//! The states that a stage of a scan works on, column by column, how they can arise, and the values
//! of all moves of many of them at once.

use crate::base::subsets::NumberSet;
use crate::base::value::{Record, Value};
use crate::game::{FeatureValue, Features, Playable, Repetition, Retrograde, Symmetric};

/// A batch of states with the values computed so far.
#[derive(Debug, Clone)]
pub(super) struct Frame<S> {
    pub states: Vec<Entrant<S>>,
    /// The values of each needed column; empty if not computed yet.
    pub columns: Vec<Vec<FeatureValue>>,
}

#[derive(Debug, Clone)]
pub(super) struct Entrant<S> {
    pub slot: u64,
    pub state: S,
    /// The number of the forbidden move in the stored position.
    pub forbidden: Option<u8>,
    pub stored: Record,
    /// The filters that have not refused it yet, one bit each; all bits if there are none.
    pub alive: u64,
}

impl<S> Entrant<S> {
    /// The state's record: that of the position, or, if a move is forbidden, the state's
    /// value twice.
    pub(super) fn record(&self) -> Record {
        if self.forbidden.is_none() {
            return self.stored;
        }
        let value = self.stored.without(self.forbidden);
        Record::new(value, value, Record::NO_MOVE)
    }

    pub(super) fn value(&self) -> Value {
        self.record().best()
    }
}

impl<S> Frame<S> {
    pub(super) fn new(states: Vec<Entrant<S>>, columns: usize) -> Self {
        Self {
            states,
            columns: vec![Vec::new(); columns],
        }
    }

    /// Stores values, given row by row, in `width` columns from `first` on.
    pub(super) fn store(&mut self, first: usize, width: usize, values: &[FeatureValue]) {
        for (place, column) in self.columns[first..first + width].iter_mut().enumerate() {
            *column = values.iter().skip(place).step_by(width).copied().collect();
        }
    }

    /// Removes the states that all filters have refused.
    pub(super) fn sweep(&mut self) {
        let keep: Vec<bool> = self.states.iter().map(|state| state.alive != 0).collect();
        if keep.iter().all(|&keep| keep) {
            return;
        }
        for column in &mut self.columns {
            let mut kept = keep.iter();
            column.retain(|_| kept.next().copied().unwrap_or(false));
        }
        self.states.retain(|state| state.alive != 0);
    }
}

/// The forbidden moves with which a position can arise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ArrivalSet {
    free: bool,
    /// The numbers of the forbidden moves.
    pub bans: NumberSet,
}

impl ArrivalSet {
    /// The states of the position of a slot that a move can lead to.
    pub(super) fn of<G: Retrograde>(game: &G, slot: u64) -> Self {
        let mut set = Self::default();
        if let Some(cursor) = game.cursor(slot) {
            game.arrivals(cursor, |forbidden| match forbidden {
                None => set.free = true,
                Some(number) => set.bans.insert(number),
            });
        }
        set
    }

    /// Whether the state with this forbidden move, or with none, can arise.
    pub(super) const fn contains(self, forbidden: Option<u8>) -> bool {
        match forbidden {
            None => self.free,
            Some(number) => self.bans.contains(number),
        }
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
        self.bans.iter().any(|ban| game.follow(cursor, ban) == back)
    }
}

/// Games that can be mined.
pub trait Minable: Retrograde + Features + Playable + Symmetric {}

impl<G> Minable for G where G: Retrograde + Features + Playable + Symmetric {}

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
    /// Those of all states, one state after the other.
    pub rates: Vec<Rate>,
}

impl Ratings {
    /// The moves of the state with this index.
    pub(super) fn of(&self, place: usize) -> &[Rate] {
        let from = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rates[from..self.ends[place]]
    }

    pub(super) fn end_state(&mut self) {
        self.ends.push(self.rates.len());
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RatingRequest {
    /// Kinds of moves, as in [`Retrograde`](crate::game::Retrograde); all bits for all moves.
    pub kinds: u32,
    /// The kinds that are looked at. Whether a move is of another kind may be left out.
    pub looked_at: u32,
    /// Whether the positions after the moves are looked at.
    pub positions: bool,
    /// The filters that ask, one bit each. A state that all of them refused gets no moves.
    pub filters: u64,
}

//! The states that a stage of a scan works on, column by column.

use crate::base::value::{Record, Value};
use crate::game::{FeatureValue, Ranked};
use crate::table::{Table, TableError};

/// A batch of states with the values computed so far.
#[derive(Debug, Clone)]
pub(super) struct Frame<S> {
    states: Vec<Entrant<S>>,
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
    /// The filters that have not refused it yet, one bit each.
    pub alive: u64,
}

impl<S: Clone> Entrant<S> {
    /// A state with its record in a table, which no filter has looked at.
    pub(super) fn of<G: Ranked<State = S>>(
        game: &G,
        table: &Table,
        state: &S,
    ) -> Result<Self, TableError> {
        let slot = game.slot(state);
        Ok(Self {
            slot: slot.index,
            state: state.clone(),
            forbidden: slot.forbidden,
            stored: table.record(slot.index)?,
            alive: 0,
        })
    }
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

    pub(super) const fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn states(&self) -> &[Entrant<S>] {
        &self.states
    }

    /// Stores values, given row by row, in `width` columns from `first` on.
    pub(super) fn store(&mut self, first: usize, width: usize, values: &[FeatureValue]) {
        for (place, column) in self.columns[first..first + width].iter_mut().enumerate() {
            *column = values.iter().skip(place).step_by(width).copied().collect();
        }
    }

    pub(super) fn refuse(&mut self, place: usize, filter: usize) {
        self.states[place].alive &= !(1 << filter);
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

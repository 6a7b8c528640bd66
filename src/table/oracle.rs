//! The values of all states of a game, one by one.

use super::error::{Result, TableError};
use super::loaded::Loaded;
use super::read::Table;
use crate::base::value::{Record, Value};
use crate::game::{Next, Oracle, Ranked, Repetition, Slot, Valued};

/// The values of all states of a game, read from its table, or from memory if that is loaded.
#[derive(Debug, Clone, Copy)]
pub struct TableOracle<'t> {
    pub(crate) table: &'t Table,
    loaded: Option<&'t Loaded>,
}

impl<'t> TableOracle<'t> {
    /// Creates an oracle from a table of `game`.
    ///
    /// # Errors
    /// If the table belongs to another game.
    pub fn new<G: Ranked>(table: &'t Table, game: &G) -> Result<Self> {
        table.expect_game(game)?;
        Ok(Self::of(table, None))
    }

    pub(crate) const fn of(table: &'t Table, loaded: Option<&'t Loaded>) -> Self {
        Self { table, loaded }
    }

    #[inline]
    pub(crate) fn prefetch(self, slot: u64) {
        match self.loaded {
            Some(loaded) => loaded.prefetch(slot),
            None => self.table.prefetch(slot),
        }
    }

    #[inline]
    pub(crate) fn best(self, slot: u64) -> Result<Value> {
        match self.loaded {
            Some(loaded) => Ok(loaded.best(slot)),
            None => self.table.best(slot),
        }
    }

    /// The value of a state. A record in a table that is mapped is in three places, and the
    /// best value is in one.
    #[inline]
    pub(crate) fn value_at(self, state: Slot) -> Result<Value> {
        match state.forbidden {
            None => self.best(state.index),
            forbidden => Ok(self.record(state.index)?.without(forbidden)),
        }
    }

    #[inline]
    pub(crate) fn record(self, slot: u64) -> Result<Record> {
        match self.loaded {
            Some(loaded) => Ok(loaded.record(slot)),
            None => self.table.record(slot),
        }
    }
}

impl<G: Ranked> Oracle<G> for TableOracle<'_> {
    type Error = TableError;

    fn value(&self, game: &G, state: &G::State) -> Result<Value> {
        self.value_at(game.slot(state))
    }

    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>> {
        let slots: Vec<_> = states.iter().map(|state| game.slot(state)).collect();
        for slot in &slots {
            self.prefetch(slot.index);
        }
        slots.into_iter().map(|slot| self.value_at(slot)).collect()
    }

    fn children(&self, game: &G, state: &G::State) -> Result<Valued<G::Move>> {
        let children = game.children(state);
        for (_, next) in &children {
            if let Next::State(slot) = next {
                self.prefetch(slot.index);
            }
        }
        let mut valued = Vec::with_capacity(children.len());
        for (mv, next) in children {
            let next = match next {
                Next::Over(outcome) => Next::Over(outcome),
                Next::State(slot) => Next::State(self.value_at(slot)?),
            };
            valued.push((mv, next));
        }
        Ok(valued)
    }

    fn has_one_best_move(&self, game: &G, state: &G::State) -> Result<bool> {
        // The images of a move that are forbidden with it count as one in the record.
        if game.repetition() == Repetition::AllImages {
            return Ok(false);
        }
        let slot = game.slot(state);
        let only = self.record(slot.index)?.only_move();
        Ok(only.is_some() && only != slot.forbidden)
    }

    fn contradiction(&self, game: &G, state: &G::State) -> TableError {
        self.table.contradiction(game, state)
    }
}

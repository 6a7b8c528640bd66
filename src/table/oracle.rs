//! A table as an [`Oracle`].

use super::{Table, TableError};
use crate::base::value::Value;
use crate::game::{Game, Oracle, Ranked};

/// The values of all states of a game, read from its table.
#[derive(Debug, Clone, Copy)]
pub struct TableOracle<'t>(&'t Table);

impl<'t> TableOracle<'t> {
    /// Creates an oracle from a table of `game`.
    ///
    /// # Errors
    /// If the table belongs to another game.
    pub fn new<G: Ranked>(table: &'t Table, game: &G) -> Result<Self, TableError> {
        table.expect_game(game)?;
        Ok(Self(table))
    }
}

impl<G: Ranked> Oracle<G> for TableOracle<'_> {
    type Error = TableError;

    fn value(&self, game: &G, state: &G::State) -> Result<Value, TableError> {
        self.0.value(game.slot(state))
    }

    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>, TableError> {
        let slots: Vec<_> = states.iter().map(|state| game.slot(state)).collect();
        for slot in &slots {
            self.0.prefetch(slot.index);
        }
        slots.into_iter().map(|slot| self.0.value(slot)).collect()
    }

    fn contradiction(&self, game: &G, state: &G::State) -> TableError {
        self.0.contradiction(game, state)
    }
}

impl Table {
    /// The error for a state whose value is not that of its best move.
    pub(crate) fn contradiction<G: Game>(&self, game: &G, state: &G::State) -> TableError {
        let position = game.format_state(state);
        let what = format!(
            "the value of {position} is not that of its best move (run 'tesuji verify' to find all such records)"
        );
        let path = self.path().to_owned();
        TableError::Invalid { path, what }
    }
}

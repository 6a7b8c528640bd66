//! All moves of a state with where they lead in a table.

use crate::base::value::{Outcome, Value};
use crate::game::{Moves, Next, Ranked, Slot};
use crate::table::{Table, TableError};

/// A move with where it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableMove<M> {
    /// The move.
    pub mv: M,
    /// Its kinds, as given by [`Moves::kinds_of`].
    pub kinds: u32,
    /// Its value for the mover; plies include the move itself.
    pub value: Value,
    /// The place of the state after it; `None` if it ends the game.
    pub child: Option<Slot>,
}

/// All legal moves with their values, in the game's order of moves. The table must be the
/// game's.
///
/// # Errors
/// If the table cannot be read.
pub fn table_moves<G: Moves + Ranked>(
    game: &G,
    table: &Table,
    state: &G::State,
) -> Result<Vec<TableMove<G::Move>>, TableError> {
    // What all moves lead to is fetched from memory together.
    let lead = |mv| match game.play(state, mv) {
        Next::Over(outcome) => (mv, Err(outcome)),
        Next::State(next) => {
            let slot = game.slot(&next);
            table.prefetch(slot.index);
            (mv, Ok(slot))
        }
    };
    let leads: Vec<_> = game.moves(state).into_iter().map(lead).collect();
    let of = |(mv, leads)| {
        let (value, child) = match leads {
            Err(outcome) => (ending(outcome), None),
            Ok(slot) => {
                let value = game.through_move(table.value(slot)?);
                // A distance too long for one more ply cannot come from a table.
                (value.unwrap_or(Value::DRAW), Some(slot))
            }
        };
        Ok(TableMove {
            mv,
            kinds: game.kinds_of(state, mv),
            value,
            child,
        })
    };
    leads.into_iter().map(of).collect()
}

/// The value of a move that ends the game.
pub(super) const fn ending(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Win => Value::CHECKMATE,
        Outcome::Loss => Value::SELF_MATE,
        Outcome::Draw => Value::DRAW,
    }
}

//! What a dense table stores of a position.

use crate::base::value::{Outcome, Record, Value};
use crate::game::Retrograde;

/// What a dense table says of a slot: enough to derive its record from those of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) enum Leaf {
    /// No position.
    Vacant,
    /// The side to move wins at once.
    Mate,
    /// Any other position.
    Open {
        /// The best value; `None` if it is a win, which is derived.
        best: Option<Value>,
        /// The only best move and the value without it, where that is no win, and some move to
        /// this position forbids the move.
        bound: Option<Bound>,
    },
}

/// The only best move of a position, and the value without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Bound {
    /// The number of the move.
    pub only: u8,
    /// The value without it: no win.
    pub second: Value,
}

impl Leaf {
    /// What is stored of the position of `slot` that has `record`.
    pub fn of<G: Retrograde>(game: &G, slot: u64, record: Record) -> Self {
        if record.is_vacant() {
            return Self::Vacant;
        }
        if record.best() == Value::CHECKMATE {
            return Self::Mate;
        }
        let no_win = |value: &Value| value.outcome() != Outcome::Win;
        let second = Some(record.second()).filter(no_win);
        let bound = record.only_move().zip(second);
        let bound = bound.map(|(only, second)| Bound { only, second });
        Self::Open {
            best: Some(record.best()).filter(no_win),
            bound: bound.filter(|bound| is_forbidden(game, slot, bound.only)),
        }
    }
}

/// Whether some move to the position of a slot forbids the move `only`.
pub(super) fn is_forbidden<G: Retrograde>(game: &G, slot: u64, only: u8) -> bool {
    let cursor = game.cursor(slot);
    cursor.is_some_and(|cursor| forbidden_moves(game, cursor).contains(&only))
}

/// The moves of a position that some move to it forbids, in increasing order.
pub(super) fn forbidden_moves<G: Retrograde>(game: &G, cursor: G::Cursor) -> Vec<u8> {
    let mut numbers = Vec::new();
    game.arrivals(cursor, |number| numbers.extend(number));
    numbers
}

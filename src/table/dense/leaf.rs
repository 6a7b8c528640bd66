//! What a dense table stores of a position.

use crate::base::value::Wide;
use crate::base::value::{Outcome, Record, Value};
use crate::game::{ByRows, Retrograde};
use crate::solve::ValueOrder;

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
        /// The only best move and the value without it, where a move to this position is worth
        /// more because of them.
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
    /// What is stored of the position of `slot` that has `record`. `record_of` gives the
    /// records of the other positions of its group.
    pub fn of<G: ByRows>(
        game: &G,
        order: &ValueOrder<Wide>,
        slot: u64,
        record: Record,
        record_of: impl Fn(u64) -> Record,
    ) -> Self {
        if record.is_vacant() {
            return Self::Vacant;
        }
        if record.best() == Value::CHECKMATE {
            return Self::Mate;
        }
        let best = Some(record.best()).filter(|best| best.outcome() != Outcome::Win);
        let bound = record
            .only_move()
            .filter(|_| record.second().outcome() != Outcome::Win)
            .filter(|&only| matters(game, order, slot, only, record.second(), record_of))
            .map(|only| Bound {
                only,
                second: record.second(),
            });
        Self::Open { best, bound }
    }
}

/// Whether some move to the position of `slot` forbids the move `only`, and is among the best
/// two of its position if `second` is the value after it.
fn matters<G: ByRows>(
    game: &G,
    order: &ValueOrder<Wide>,
    slot: u64,
    only: u8,
    second: Value,
    record_of: impl Fn(u64) -> Record,
) -> bool {
    let Some(cursor) = game.cursor(slot) else {
        return false;
    };
    // Playing the forbidden move leads back to the position before.
    let before = game.follow(cursor, only);
    if before == u64::MAX {
        return false;
    }
    let worth = order.through_move(second.code());
    worth >= order.ordinal(record_of(before).second()) && arrives(game, cursor, only)
}

/// Whether some move to the position forbids the move `only`.
fn arrives<G: Retrograde>(game: &G, cursor: G::Cursor, only: u8) -> bool {
    forbidden_moves(game, cursor).contains(&only)
}

/// The moves of a position that some move to it forbids, in increasing order.
pub(super) fn forbidden_moves<G: Retrograde>(game: &G, cursor: G::Cursor) -> Vec<u8> {
    let mut numbers = Vec::new();
    game.arrivals(cursor, |number| numbers.extend(number));
    numbers
}

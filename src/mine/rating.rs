//! The values of all moves of many states at once.

use super::frame::Frame;
use super::source::Solved;
use crate::base::value::{Outcome, Value};
use crate::game::{Leads, Placed, Repetition, Survey};
use crate::table::TableError;

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

    /// Adds the moves of the next state.
    pub(super) fn push(&mut self, rates: impl IntoIterator<Item = Rate>) {
        self.rates.extend(rates);
        self.ends.push(self.rates.len());
    }
}

/// Which moves of which states to rate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// Kinds of moves, as [`Survey::survey`] has them.
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
    const fn of(self, alive: u64) -> bool {
        self.filters == u64::MAX || self.filters & alive != 0
    }
}

/// States whose children are looked up together, so that their records come from
/// memory side by side.
const TOGETHER: usize = 32;

/// A move whose child is on its way from memory.
struct Pending<U> {
    /// The move's place among the ratings.
    place: usize,
    parent: u64,
    child: U,
    undo: bool,
    placed: Option<Placed>,
}

/// Rates the moves asked for of the states of a frame from a table.
///
/// # Errors
/// If a block of the table is damaged.
pub(super) fn rate<G: Survey>(
    game: &G,
    source: &Solved<'_>,
    frame: &Frame<G::State>,
    asked: Asked,
    ratings: &mut Ratings,
) -> Result<(), TableError> {
    let mut pending: Vec<Pending<G::Unplaced>> = Vec::new();
    for states in frame.states().chunks(TOGETHER) {
        for entrant in states {
            let cursor = game.cursor(entrant.slot);
            let Some(cursor) = cursor.filter(|_| asked.of(entrant.alive)) else {
                ratings.push([]);
                continue;
            };
            game.survey(cursor, asked.kinds, |surveyed| {
                if Some(surveyed.number) == entrant.forbidden {
                    return;
                }
                let value = match surveyed.leads {
                    Leads::Over(Outcome::Win) => Value::CHECKMATE,
                    Leads::Over(Outcome::Loss) => Value::SELF_MATE,
                    Leads::Over(Outcome::Draw) => Value::DRAW,
                    Leads::To { child, undo } => {
                        pending.push(Pending {
                            place: ratings.rates.len(),
                            parent: entrant.slot,
                            child,
                            undo,
                            placed: None,
                        });
                        Value::DRAW
                    }
                };
                ratings.rates.push(Rate {
                    kinds: surveyed.kinds,
                    value,
                    free: value,
                });
            });
            ratings.ends.push(ratings.rates.len());
        }
        for move_ in &mut pending {
            let placed = game.place(move_.child);
            source.prefetch(placed.slot);
            move_.placed = Some(placed);
        }
        for move_ in pending.drain(..) {
            let Some(placed) = move_.placed else {
                continue;
            };
            let rate = &mut ratings.rates[move_.place];
            // A distance too long for one more ply cannot come from a table.
            let through = |value: Value| value.through_move().unwrap_or(Value::DRAW);
            let best = source.best(placed.slot)?;
            rate.free = through(best);
            rate.value = rate.free;
            if !move_.undo && game.repetition() == Repetition::Exact {
                continue;
            }
            let record = source.record(placed.slot)?;
            if let Some(only) = record.only_move() {
                // Up to symmetry another move than the reverse one may lead back.
                let takes_back = (move_.undo && placed.number == only)
                    || (game.repetition() == Repetition::UpToSymmetry
                        && game
                            .cursor(placed.slot)
                            .is_some_and(|cursor| game.follow(cursor, only) == move_.parent));
                if takes_back {
                    rate.value = through(record.second());
                }
            }
        }
    }
    Ok(())
}

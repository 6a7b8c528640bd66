//! A solved table as a source of values.

use std::sync::{Arc, OnceLock};

use super::columns::DEEPEST;
use super::frame::{Frame, Rate, RatingRequest, Ratings};
use crate::analysis::lures::{DrawnGraph, LureError, Lures};
use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::game::{Next, Placed, Ranked, Repetition, Retrograde};
use crate::table::{Encoding, Loaded, Table, TableError, TableOracle};

/// A solved table of a game as a source.
#[derive(Debug)]
pub struct Solved<'t> {
    /// The table.
    pub table: &'t Table,
    /// The whole table, once it is in memory.
    pub(super) loaded: OnceLock<Loaded>,
    /// By depth, from 1 on.
    lures: [OnceLock<Lures>; DEEPEST as usize],
}

impl<'t> Solved<'t> {
    /// Creates a source from a table of `game`.
    ///
    /// # Errors
    /// If it is a table of another game.
    pub fn new<G: Ranked>(table: &'t Table, game: &G) -> Result<Self, TableError> {
        table.expect_game(game)?;
        Ok(Self {
            table,
            loaded: OnceLock::new(),
            lures: Default::default(),
        })
    }

    /// Whether records are read where the table is mapped into memory.
    pub(crate) fn is_mapped(&self) -> bool {
        self.table.description.encoding == Encoding::Raw
    }

    /// Loads the whole table into memory, for random access, unless it is already loaded or
    /// takes more than `most` bytes. Returns whether it is loaded.
    ///
    /// # Errors
    /// If a block is damaged or memory is short.
    pub(crate) fn load(&self, most: u64, progress: &dyn Progress) -> Result<bool, TableError> {
        if self.loaded.get().is_none() && Loaded::bytes(self.table) <= most {
            let loaded = Loaded::new(self.table, progress)?;
            self.loaded.get_or_init(|| loaded);
        }
        Ok(self.loaded.get().is_some())
    }

    /// Finds lures against players who look some numbers of plies ahead, in rising order, unless
    /// they are known. Columns about them need that.
    pub(crate) fn find_lures<G: Retrograde>(
        &self,
        game: &G,
        depths: &[u8],
        progress: &dyn Progress,
    ) -> Result<(), LureError> {
        let place = |depth: u8| self.lures.get(usize::from(depth).wrapping_sub(1));
        let unknown = |depth: &u8| place(*depth).is_some_and(|known| known.get().is_none());
        let unknown: Vec<u8> = depths.iter().copied().filter(unknown).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let graph = Arc::new(DrawnGraph::new(game, self.table, progress)?);
        Lures::each(game, &graph, &unknown, 1, None, progress, &mut |found| {
            if let Some(known) = place(found.depth) {
                known.get_or_init(|| found);
            }
            Ok(())
        })
    }

    /// The lures against a player who looks `depth` plies ahead, from 1 to 6; they must
    /// have been found before.
    pub(super) fn lures(&self, depth: u8) -> &Lures {
        let known = self.lures.get(usize::from(depth).wrapping_sub(1));
        let lures = known.and_then(OnceLock::get);
        lures.expect("lures are found before columns about them are measured")
    }

    /// The values of all states.
    pub fn oracle(&self) -> TableOracle<'_> {
        TableOracle::of(self.table, self.loaded.get())
    }
}

/// States whose children are looked up together, so that their memory accesses overlap.
const TOGETHER: usize = 32;

/// A move whose child is being fetched from memory.
struct Pending<U> {
    /// The move's index among the ratings.
    place: usize,
    parent: u64,
    child: U,
    undo: bool,
}

pub(super) fn rate<G: Retrograde>(
    game: &G,
    source: &Solved<'_>,
    frame: &Frame<G::State>,
    asked: RatingRequest,
    ratings: &mut Ratings,
) -> Result<(), TableError> {
    let oracle = source.oracle();
    let mut pending: Vec<Pending<G::Unplaced>> = Vec::new();
    let mut children: Vec<Placed> = Vec::new();
    for states in frame.states.chunks(TOGETHER) {
        for entrant in states {
            let cursor = game.cursor(entrant.slot);
            let Some(cursor) = cursor.filter(|_| asked.filters & entrant.alive != 0) else {
                ratings.end_state();
                continue;
            };
            game.moves_by_slot(cursor, asked.kinds, |listed| {
                let forbids = |forbidden| game.forbids(cursor, forbidden, listed.number);
                if entrant.forbidden.is_some_and(forbids) {
                    return;
                }
                let value = match listed.leads {
                    Next::Over(outcome) => Value::of_end(outcome),
                    Next::State((child, undo)) => {
                        pending.push(Pending {
                            place: ratings.rates.len(),
                            parent: entrant.slot,
                            child,
                            undo,
                        });
                        Value::DRAW
                    }
                };
                ratings.rates.push(Rate {
                    kinds: listed.kinds,
                    value,
                    free: value,
                    to: None,
                });
            });
            ratings.end_state();
        }
        children.clear();
        for move_ in &pending {
            let placed = game.place(move_.child);
            oracle.prefetch(placed.slot);
            children.push(placed);
        }
        for (move_, placed) in pending.drain(..).zip(&children) {
            let rate = &mut ratings.rates[move_.place];
            // A distance too long for one more ply cannot come from a table.
            let through = |value: Value| value.through_move().unwrap_or(Value::DRAW);
            rate.free = through(oracle.best(placed.slot)?);
            rate.to = Some(placed.slot);
            rate.value = rate.free;
            if !move_.undo && game.repetition() == Repetition::Exact {
                continue;
            }
            let record = oracle.record(placed.slot)?;
            if let Some(only) = record.only_move() {
                // Up to symmetry, a move other than the reverse one may lead back.
                let another_leads_back = || {
                    let cursor = game.cursor(placed.slot);
                    cursor.is_some_and(|cursor| game.follow(cursor, only) == move_.parent)
                };
                let takes_back = move_.undo && placed.number == only
                    || game.repetition() != Repetition::Exact && another_leads_back();
                if takes_back {
                    rate.value = through(record.second());
                }
            }
        }
    }
    Ok(())
}

//! What a scan goes over: states with values, from a solved table.

use super::frame::Frame;
use super::rating::{Asked, Ratings, rate};
use crate::base::value::{Record, Value};
use crate::base::watch::Watch;
use crate::game::{Game, Oracle, Passing, Ranked, Repetition, Survey};
use crate::table::{Loaded, Table, TableError};

/// Values of states, moves and neighbours, as the columns need them.
pub trait Source<G: Game>: Sync {
    /// The value of a state.
    ///
    /// # Errors
    /// If it cannot be read.
    fn value(&self, game: &G, state: &G::State) -> Result<Value, TableError>;

    /// What to say where the value of a state is not that of its best move.
    fn contradiction(&self, game: &G, state: &G::State) -> TableError;

    /// The value for the side to move if it passes, the pass counted as a ply; `None` if
    /// it cannot.
    ///
    /// # Errors
    /// If it cannot be read.
    fn passed(&self, game: &G, state: &G::State) -> Result<Option<Value>, TableError>;

    /// The states of a position that some move leads to.
    fn arrivals(&self, game: &G, slot: u64) -> ArrivalSet;

    /// Whether the state of a position with this forbidden move, or with none, is one
    /// of its `arrivals`.
    fn arises(&self, game: &G, slot: u64, forbidden: Option<u8>, arrivals: ArrivalSet) -> bool;

    /// Rates the moves asked for of the states of a frame.
    ///
    /// # Errors
    /// If a value cannot be read.
    #[expect(private_interfaces, reason = "only scans have frames, and call this")]
    fn rate(
        &self,
        game: &G,
        frame: &Frame<G::State>,
        asked: Asked,
        ratings: &mut Ratings,
    ) -> Result<(), TableError>;
}

/// With which forbidden moves, if any, a position can arise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ArrivalSet {
    free: bool,
    bans: u128,
}

impl ArrivalSet {
    /// Whether the state with this forbidden move, or with none, can arise.
    #[must_use]
    pub const fn contains(self, forbidden: Option<u8>) -> bool {
        match forbidden {
            None => self.free,
            Some(number) => number < 128 && self.bans >> number & 1 == 1,
        }
    }

    /// How many forbidden moves it can arise with.
    #[must_use]
    pub const fn bans(self) -> usize {
        self.bans.count_ones() as usize
    }

    /// The numbers of those moves.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (0..128).filter(move |number| self.bans >> number & 1 == 1)
    }
}

/// A solved table of a game, as a source.
#[derive(Debug)]
pub struct Solved<'t> {
    table: &'t Table,
    loaded: Option<Loaded>,
}

impl<'t> Solved<'t> {
    /// A table, which must be one of `game`.
    ///
    /// # Errors
    /// If it is another game's.
    pub fn new<G: Ranked>(table: &'t Table, game: &G) -> Result<Self, TableError> {
        table.expect_game(game)?;
        Ok(Self {
            table,
            loaded: None,
        })
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> &'t Table {
        self.table
    }

    /// Loads the whole table into memory, for work that reads it at random, unless
    /// it is there or would take more than `most` bytes.
    ///
    /// # Errors
    /// If a block is damaged or the system gives no memory.
    pub fn load(&mut self, most: u64, watch: &impl Watch) -> Result<(), TableError> {
        if self.loaded.is_none() && Loaded::bytes(self.table) <= most {
            self.loaded = Some(Loaded::new(self.table, watch)?);
        }
        Ok(())
    }

    /// Asks for the record of a slot.
    #[inline]
    pub(super) fn prefetch(&self, slot: u64) {
        if let Some(loaded) = &self.loaded {
            loaded.prefetch(slot);
        }
    }

    /// The best value of a slot.
    #[inline]
    pub(super) fn best(&self, slot: u64) -> Result<Value, TableError> {
        match &self.loaded {
            Some(loaded) => Ok(loaded.best(slot)),
            None => Ok(self.table.record(slot)?.best()),
        }
    }

    /// The record of a slot.
    #[inline]
    pub(super) fn record(&self, slot: u64) -> Result<Record, TableError> {
        match &self.loaded {
            Some(loaded) => Ok(loaded.record(slot)),
            None => self.table.record(slot),
        }
    }
}

impl<G: Survey + Passing> Source<G> for Solved<'_> {
    fn value(&self, game: &G, state: &G::State) -> Result<Value, TableError> {
        let slot = game.slot(state);
        Ok(self.record(slot.index)?.without(slot.forbidden))
    }

    fn contradiction(&self, game: &G, state: &G::State) -> TableError {
        self.table.contradiction(game, state)
    }

    fn passed(&self, game: &G, state: &G::State) -> Result<Option<Value>, TableError> {
        let Some(passed) = game.passed(state) else {
            return Ok(None);
        };
        let value = self.value(game, &passed)?;
        Ok(Some(value.through_move().unwrap_or(Value::DRAW)))
    }

    fn arrivals(&self, game: &G, slot: u64) -> ArrivalSet {
        let mut set = ArrivalSet::default();
        if let Some(cursor) = game.cursor(slot) {
            game.arrivals(cursor, |forbidden| match forbidden {
                None => set.free = true,
                Some(number) => set.bans |= 1 << number,
            });
        }
        set
    }

    fn arises(&self, game: &G, slot: u64, forbidden: Option<u8>, arrivals: ArrivalSet) -> bool {
        if arrivals.contains(forbidden) || game.repetition() == Repetition::Exact {
            return arrivals.contains(forbidden);
        }
        // Up to symmetry, one of several moves that lead back stands for all of them.
        let (Some(number), Some(cursor)) = (forbidden, game.cursor(slot)) else {
            return false;
        };
        let back = game.follow(cursor, number);
        let mut bans = arrivals.numbers();
        bans.any(|ban| game.follow(cursor, ban) == back)
    }

    #[expect(private_interfaces, reason = "only scans have frames, and call this")]
    fn rate(
        &self,
        game: &G,
        frame: &Frame<G::State>,
        asked: Asked,
        ratings: &mut Ratings,
    ) -> Result<(), TableError> {
        rate(game, self, frame, asked, ratings)
    }
}

/// A source's values as an oracle.
pub(super) struct Values<'s, S>(pub &'s S);

impl<G: Game, S: Source<G>> Oracle<G> for Values<'_, S> {
    type Error = TableError;

    fn value(&self, game: &G, state: &G::State) -> Result<Value, TableError> {
        self.0.value(game, state)
    }

    fn contradiction(&self, game: &G, state: &G::State) -> TableError {
        self.0.contradiction(game, state)
    }
}

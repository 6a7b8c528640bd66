//! Sources of values, from which columns are computed.

use super::frame::Frame;
use super::rating::{Asked, Ratings};
use crate::analysis::lures::Lures;
use crate::base::value::Value;
use crate::game::{Features, Game, Next, Oracle, Playable, Retrograde, Symmetric};
use crate::table::TableError;

/// Values of states and moves.
pub trait Source<G: Game>: Sync {
    /// The value of a state.
    ///
    /// # Errors
    /// If it cannot be read.
    fn value(&self, game: &G, state: &G::State) -> Result<Value, TableError>;

    /// The values of several states, in their order.
    ///
    /// # Errors
    /// If one cannot be read.
    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>, TableError>;

    /// All legal moves of a state in the game's order, with the values of the states that they
    /// lead to.
    ///
    /// # Errors
    /// If a value cannot be read.
    fn children(
        &self,
        game: &G,
        state: &G::State,
    ) -> Result<Vec<(G::Move, Next<Value>)>, TableError>;

    /// Whether it is known that one move of a state is better than all others.
    ///
    /// # Errors
    /// If what is known cannot be read.
    fn has_one_best_move(&self, game: &G, state: &G::State) -> Result<bool, TableError>;

    /// Whether the main line of the position of a slot as it is stored, which is won, is free of
    /// duals; `None` if that is not known without following the line.
    ///
    /// # Errors
    /// If what is known cannot be read.
    fn is_dual_free(&self, slot: u64) -> Result<Option<bool>, TableError> {
        let _ = slot;
        Ok(None)
    }

    /// What is known of lures against a player who looks `depth` plies ahead, from 1 to 6.
    ///
    /// # Panics
    /// If they were not found before.
    fn lures(&self, depth: u8) -> &Lures;

    /// The error for a state whose value is not that of its best move.
    fn contradiction(&self, game: &G, state: &G::State) -> TableError;

    /// The value for the side to move of a state, whose position has this slot, if it passes,
    /// which counts as a ply; `None` if it cannot pass.
    ///
    /// # Errors
    /// If it cannot be read.
    fn passed(&self, game: &G, slot: u64, state: &G::State) -> Result<Option<Value>, TableError>;

    /// The states of a position that a move can lead to.
    fn arrivals(&self, game: &G, slot: u64) -> ArrivalSet;

    /// Whether the state of a position with this forbidden move, or with none, is one of
    /// its `arrivals`.
    fn arises(&self, game: &G, slot: u64, forbidden: Option<u8>, arrivals: ArrivalSet) -> bool;

    /// Rates the requested moves of the states in a frame.
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

/// The forbidden moves with which a position can arise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ArrivalSet {
    pub(super) free: bool,
    pub(super) bans: u128,
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

    /// The number of forbidden moves it can arise with.
    #[must_use]
    pub const fn bans(self) -> usize {
        self.bans.count_ones() as usize
    }

    /// The numbers of those moves.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (0..128).filter(move |number| self.bans >> number & 1 == 1)
    }
}

/// A source's values as an oracle.
pub(super) struct Values<'s, S>(pub &'s S);

impl<G: Game, S: Source<G>> Oracle<G> for Values<'_, S> {
    type Error = TableError;

    fn value(&self, game: &G, state: &G::State) -> Result<Value, TableError> {
        self.0.value(game, state)
    }

    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>, TableError> {
        self.0.values(game, states)
    }

    fn children(
        &self,
        game: &G,
        state: &G::State,
    ) -> Result<Vec<(G::Move, Next<Value>)>, TableError> {
        self.0.children(game, state)
    }

    fn has_one_best_move(&self, game: &G, state: &G::State) -> Result<bool, TableError> {
        self.0.has_one_best_move(game, state)
    }

    fn contradiction(&self, game: &G, state: &G::State) -> TableError {
        self.0.contradiction(game, state)
    }
}

/// Games that can be mined.
pub trait Minable: Retrograde + Features + Playable + Symmetric {}

impl<G> Minable for G where G: Retrograde + Features + Playable + Symmetric {}

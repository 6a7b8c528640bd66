//! Tables for any finite game. Its positions are listed once, from the initial one, and the
//! list provides everything that solving, mining and drawing need.
//!
//! A game implements [`Game`] and [`Moves`], then as much of [`FiniteGame`] as it likes,
//! and is wrapped: `Listed::of(game)`. This works for up to some tens of millions of
//! positions. A larger game must number its positions itself (see
//! [`Ranked`](super::Ranked)).

mod finite;
mod list;
mod picture;
mod positions;
mod tables;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

pub use finite::FiniteGame;
pub use list::ListError;

use super::NotationError;
use super::{
    Effort, Encoded, Game, Impartial, Judged, Left, MoveKind, Moves, Next, Nimber, NimberError,
};
use crate::base::progress::{NoProgress, Progress};
use crate::base::value::Value;
use list::List;

/// A game whose positions are listed when they are first needed.
///
/// If the list cannot be made, [`slots`](super::Ranked::slots) is one more than the
/// positions allowed, and every slot is vacant; call [`list`](Self::list) first for the
/// error.
pub struct Listed<G: FiniteGame> {
    game: G,
    most: u32,
    list: OnceLock<Result<List<G::State>, ListError>>,
}

impl<G: FiniteGame> Listed<G> {
    /// The default limit: 33,554,432 positions.
    pub const MOST: u32 = 1 << 25;

    /// A game with at most [`MOST`](Self::MOST) positions.
    pub const fn of(game: G) -> Self {
        Self::with_limit(game, Self::MOST)
    }

    /// A game with at most `most` positions.
    pub const fn with_limit(game: G, most: u32) -> Self {
        Self {
            game,
            most,
            list: OnceLock::new(),
        }
    }

    /// The wrapped game.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The most positions.
    pub const fn limit(&self) -> u32 {
        self.most
    }

    /// Lists the positions, if this has not been done before.
    ///
    /// # Errors
    /// If there are too many, if the game breaks a rule of [`FiniteGame`], or if the
    /// progress asks to stop.
    pub fn list(&self, progress: &dyn Progress) -> Result<(), ListError> {
        if self.list.get().is_none() {
            let list = List::new(&self.game, self.most, progress);
            if matches!(list, Err(ListError::Cancelled)) {
                return Err(ListError::Cancelled);
            }
            // Another thread may have been faster; its list is the same.
            let _ = self.list.set(list);
        }
        let list = self
            .list
            .get()
            .map_or(Ok(()), |list| list.as_ref().map(|_| ()));
        list.map_err(Clone::clone)
    }

    /// Every reachable state in order, including symmetric ones.
    pub fn states(&self) -> Vec<G::State> {
        let states = self.listed().into_iter().flat_map(List::states);
        let symmetries = 0..self.game.symmetries();
        let images = |state| (symmetries.clone()).map(move |turn| self.game.image(state, turn));
        let all: BTreeSet<G::State> = states.flat_map(images).collect();
        all.into_iter().collect()
    }

    /// The list, if it can be made.
    fn listed(&self) -> Option<&List<G::State>> {
        if self.list.get().is_none() {
            // `list` reports the error.
            let _ = self.list(&NoProgress);
        }
        self.list.get()?.as_ref().ok()
    }
}

impl<G: FiniteGame + Default> Default for Listed<G> {
    fn default() -> Self {
        Self::of(G::default())
    }
}

impl<G: FiniteGame> fmt::Debug for Listed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listed").field(&self.game.spec()).finish()
    }
}

impl<G: FiniteGame> Game for Listed<G> {
    type State = G::State;
    type Move = G::Move;

    fn spec(&self) -> String {
        self.game.spec()
    }

    fn rules_in_words(&self) -> Vec<super::RuleInWords> {
        self.game.rules_in_words()
    }

    fn family(&self) -> String {
        self.game.family()
    }

    fn initial(&self) -> G::State {
        self.game.initial()
    }

    fn format_state(&self, state: &G::State) -> String {
        self.game.format_state(state)
    }

    fn parse_state(&self, text: &str) -> Result<G::State, NotationError> {
        self.game.parse_state(text)
    }

    fn other_notations(&self, state: &G::State) -> Vec<(&'static str, String)> {
        self.game.other_notations(state)
    }

    fn format_move(&self, mv: G::Move) -> String {
        self.game.format_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, NotationError> {
        self.game.parse_move(text)
    }

    fn side_to_move(&self, state: &G::State) -> &'static str {
        self.game.side_to_move(state)
    }
}

impl<G: FiniteGame> Moves for Listed<G> {
    fn encoded(&self) -> Option<&dyn Encoded<State = G::State, Move = G::Move>> {
        self.game.encoded()
    }

    fn moves(&self, state: &G::State) -> Vec<G::Move> {
        self.game.moves(state)
    }

    fn play(&self, state: &G::State, mv: G::Move) -> Next<G::State> {
        self.game.play(state, mv)
    }

    fn through_move(&self, value: Value) -> Option<Value> {
        self.game.through_move(value)
    }

    fn plies_after_mate(&self) -> Option<u16> {
        self.game.plies_after_mate()
    }

    fn mate(&self, state: &G::State) -> Option<u16> {
        self.game.mate(state)
    }

    fn is_mated(&self, state: &G::State, plies: u16) -> bool {
        self.game.is_mated(state, plies)
    }

    fn kinds(&self) -> &'static [MoveKind] {
        self.game.kinds()
    }

    fn kinds_of(&self, state: &G::State, mv: G::Move) -> u32 {
        self.game.kinds_of(state, mv)
    }
}

impl<G: FiniteGame + Impartial> Impartial for Listed<G> {
    fn has_nimbers(&self) -> bool {
        self.game.has_nimbers()
    }

    fn summands(&self, state: &G::State) -> Vec<G::State> {
        self.game.summands(state)
    }

    fn nimber(&self, state: &G::State, progress: &dyn Progress) -> Result<Nimber, NimberError> {
        self.game.nimber(state, progress)
    }

    fn options(
        &self,
        state: &G::State,
        progress: &dyn Progress,
    ) -> Result<Vec<Left<G::Move>>, NimberError> {
        self.game.options(state, progress)
    }

    fn known(&self, state: &G::State) -> Option<Judged> {
        self.game.known(state)
    }

    fn outcome(&self, state: &G::State, progress: &dyn Progress) -> Result<Judged, NimberError> {
        self.game.outcome(state, progress)
    }

    fn effort(&self) -> Effort {
        self.game.effort()
    }
}

//! Tables for a game that numbers its positions itself, of which no list is made.

use std::collections::BTreeSet;

use super::finite::MOST_MOVES;
use super::{FiniteGame, Positions, moves_to};
use crate::base::value::Outcome;
use crate::game::moves::{Moves, Next};
use crate::game::notation::SizeError;
use crate::game::solving::{Layer, ListedMove, MostMoves, Placed, Ranked, Retrograde};

/// A game with the numbers of its positions. Within a layer they follow the
/// [classes](FiniteGame::class): by default, first come the positions of the side that begins.
///
/// Every position that a move leads to must have a number. If a position may have more than 63
/// moves within its group, or a move that stays in its group a number above 127,
/// [`most_moves`](Ranked::most_moves) must say so; no position may have more than 254.
/// [`laws`](crate::game::laws) checks this.
pub trait NumberedGame: FiniteGame<State: Copy> + Ranked {
    /// States among which are all that have a move to this one. Others may be there, even states
    /// without a number: each is tried.
    fn before(&self, state: &Self::State) -> Vec<Self::State>;
}

/// A game that numbers its positions itself. Unlike [`Listed`](super::Listed), it keeps no list in
/// memory; the rules are asked whenever a move is needed.
pub type Numbered<G> = Positions<G, ()>;

impl<G: NumberedGame> Numbered<G> {
    /// A game with its own numbers.
    pub const fn of(game: G) -> Self {
        Self { game, numbers: () }
    }

    fn group(&self, state: &G::State) -> Option<usize> {
        self.layer_at(self.rank(state)).map(|layer| layer.group)
    }
}

impl<G: NumberedGame> Ranked for Numbered<G> {
    hand_on! {
        fn rank(&self, state: &G::State) -> u64;
        fn unrank(&self, index: u64) -> Option<G::State>;
        fn check_size(&self) -> Result<(), SizeError>;
        fn layers(&self) -> &[Layer];
        fn most_moves(&self) -> MostMoves;
        fn static_value(&self, layer: usize) -> i8;
    }
}

impl<G: NumberedGame> Retrograde for Numbered<G> {
    type Cursor = G::State;
    type Unplaced = (G::State, u8);

    hand_on! {
        fn criterion(&self) -> &'static str;
        fn classes(&self) -> Vec<String>;
    }

    fn class(&self, state: G::State) -> usize {
        self.game.class(&state)
    }

    fn cursor(&self, index: u64) -> Option<G::State> {
        self.unrank(index)
    }

    fn place(&self, (state, number): Self::Unplaced) -> Placed {
        Placed::new(self.rank(&state), number)
    }

    fn moves_by_slot(
        &self,
        state: G::State,
        wanted: u32,
        mut visit: impl FnMut(ListedMove<Self::Unplaced>),
    ) {
        let (group, moves) = (self.group(&state), self.moves(&state));
        assert!(
            moves.len() <= MOST_MOVES.into(),
            "a position has more than {MOST_MOVES} moves"
        );
        for (number, mv) in (0..).zip(moves) {
            let kinds = self.kinds_of(&state, mv);
            if wanted != u32::MAX && kinds & wanted == 0 {
                continue;
            }
            let (within, leads) = match self.play(&state, mv) {
                Next::Over(outcome) => (false, Next::Over(outcome)),
                Next::State(next) => {
                    let leads = Next::State(((next, 0), false));
                    (self.group(&next) == group, leads)
                }
            };
            visit(ListedMove {
                number,
                kinds,
                within,
                leads,
            });
        }
    }

    fn wins_at_once(&self, state: G::State) -> bool {
        let mut moves = self.moves(&state).into_iter();
        moves.any(|mv| self.play(&state, mv) == Next::Over(Outcome::Win))
    }

    /// By the moves of stored positions, which may lead to images of this one.
    fn unmoves(&self, state: G::State, mut visit: impl FnMut(Self::Unplaced)) {
        let (slot, before) = (self.rank(&state), self.game.before(&state));
        let before: BTreeSet<u64> = before.iter().map(|state| self.rank(state)).collect();
        for before in before.into_iter().filter_map(|slot| self.unrank(slot)) {
            self.edges(before, |number, (child, _)| {
                if self.rank(&child) == slot {
                    visit((before, number));
                }
            });
        }
    }

    fn predecessors(&self, state: &G::State) -> Vec<(G::State, G::Move)> {
        moves_to(self, state, self.game.before(state))
    }

    fn arrivals(&self, state: G::State, mut visit: impl FnMut(Option<u8>)) {
        if !self.predecessors(&state).is_empty() {
            visit(None);
        }
    }
}

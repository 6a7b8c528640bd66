//! Dobutsu shogi ("Let's catch the lion!"), a game of 2008 by Madoka Kitao.
//!
//! # Rules
//! The board has three files and four ranks. Each side has a lion in the middle of its home
//! rank, an elephant and a giraffe beside it, on the left and on the right, and a chick in
//! front of it.
//!
//! 1. Sente begins; the sides take turns and may not pass.
//! 2. A turn moves one own animal by one step, or drops one from the hand. The lion steps in
//!    all eight directions, the giraffe straight, the elephant diagonally, the chick forward,
//!    and the hen straight or diagonally forward.
//! 3. An animal that steps onto one of the other side takes it: it goes to the hand, a hen as
//!    a chick.
//! 4. A chick that steps onto the far rank becomes a hen, always. A chick that is dropped
//!    there does not.
//! 5. An animal is dropped on any empty square.
//! 6. A side that takes the lion wins. If it can, it does: such a position counts as decided,
//!    as in the published solution.
//! 7. A lion on the far rank wins (*try*). [`Try`] offers the two readings of when.
//! 8. A side that has no move loses. (This cannot happen in a game from the initial
//!    position.)
//!
//! Endless play is a draw; where a position may occur three times only, as in tournaments,
//! perfect play has the same values.
//!
//! Sources: T. Tanaka, *An analysis of a board game "Doubutsu Shogi"*, IPSJ SIG Notes
//! 2009-GI-22 no. 3 (2009), <http://id.nii.ac.jp/1001/00062415/>, which solved the game; the
//! rules and the notation of R. Clausecker's program, <https://github.com/clausecker/dobutsu>.
#![expect(
    clippy::inline_always,
    reason = "loops that run billions of times are fast only where everything is inlined"
)]

mod board;
mod features;
mod geometry;
mod index;
mod movegen;
mod notation;
mod other_notations;
mod retro;
mod setup;
mod state;
mod tsume;

use std::sync::OnceLock;

pub use retro::Cursor;
pub use setup::Try;
pub(crate) use state::{Animal, Side};
pub use state::{Move, State};

use crate::base::value::Outcome;
use crate::game::{Game, MoveKind, Moves, Next, NotationError, RuleInWords, Symmetric, kinds_in};
use geometry::{bit, squares_of};
use index::Index;
use movegen::Standing;
use setup::Rules;
use state::Position;

/// The game with its parameters, and the numbering of its positions.
#[derive(Debug)]
pub struct Dobutsu {
    rules: Rules,
    index: OnceLock<Index>,
}

impl Dobutsu {
    const fn new(rules: Rules) -> Self {
        Self {
            rules,
            index: OnceLock::new(),
        }
    }

    const fn rules(&self) -> Rules {
        self.rules
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self.rules))
    }

    /// Visits the moves of a state in order, each with the position after it from the view of
    /// the side that made it. A lion that is taken stays in that position.
    fn each_move(&self, state: &State, mut visit: impl FnMut(Move, &Position)) {
        let State { at, side } = *state;
        if Standing::of(&at) != Standing::Taking {
            return self
                .rules
                .steps(&at, |step| visit(Move::of(&step, side), &step.after));
        }
        let to = at.opp.lion;
        for from in squares_of(at.own.squares()) {
            let kind = at.own.kind_on(from);
            let steps = kind.map_or_else(|| geometry::around(from), |kind| kind.steps(from));
            if steps & bit(to) != 0 {
                visit(Move::taking_lion(kind, from, to, side), &at);
            }
        }
    }

    /// The result of a move for the side that makes it, if it ends the game; `after` is what
    /// [`each_move`](Self::each_move) gives with it.
    fn outcome_of(&self, state: &State, mv: Move, after: &Position) -> Option<Outcome> {
        match Standing::of(&state.at) {
            Standing::Taking => Some(Outcome::Win),
            Standing::Lost => Some(Outcome::Loss),
            Standing::Open => {
                let arrives = mv.animal == Animal::Lion && bit(after.own.lion) & geometry::FAR != 0;
                let wins = arrives && self.rules.try_rule == Try::Safe && !after.in_check();
                (wins || after.is_other_stuck()).then_some(Outcome::Win)
            }
        }
    }

    fn kinds_reached(state: &State, mv: Move, after: &Position) -> u32 {
        let decided = Standing::of(&state.at) == Standing::Taking;
        let check = !decided && after.takes_lion();
        let (drop, lion) = (mv.from.is_none(), mv.animal == Animal::Lion);
        kinds_in([check, mv.takes, drop, mv.promotes, lion])
    }

    /// The position after a move; `None` if the move is not legal in the state.
    fn reached(&self, state: &State, mv: Move) -> Option<Position> {
        let mut found = None;
        self.each_move(state, |other, after| {
            if other == mv {
                found = Some(*after);
            }
        });
        found
    }
}

impl Default for Dobutsu {
    fn default() -> Self {
        Self::new(Rules::PUBLISHED)
    }
}

impl Game for Dobutsu {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        setup::format_spec(self.rules)
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        setup::rules(self)
    }

    fn initial(&self) -> State {
        State {
            at: self.rules.initial(),
            side: Side::Sente,
        }
    }

    fn format_state(&self, state: &State) -> String {
        notation::format_state(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        other_notations::parse_state(self.rules, text)
            .unwrap_or_else(|| notation::parse_state(self.rules, text))
    }

    fn other_notations(&self, state: &State) -> Vec<(&'static str, String)> {
        other_notations::written(state)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(text)
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        state.side.name()
    }
}

impl Moves for Dobutsu {
    fn moves(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        self.each_move(state, |mv, _| moves.push(mv));
        moves
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        let Some(after) = self.reached(state, mv) else {
            // The caller must give a move of this state; otherwise, nothing happens.
            return Next::State(*state);
        };
        match self.outcome_of(state, mv, &after) {
            Some(outcome) => Next::Over(outcome),
            None => Next::State(State {
                at: after.turned(),
                side: state.side.other(),
            }),
        }
    }

    fn plies_after_mate(&self) -> Option<u16> {
        Some(tsume::AFTER)
    }

    fn mate(&self, state: &State) -> Option<u16> {
        tsume::shortest(self.rules, &state.at, tsume::LONGEST).map(u16::from)
    }

    fn is_mated(&self, state: &State, plies: u16) -> bool {
        u8::try_from(plies).is_ok_and(|plies| tsume::is_mated(self.rules, &state.at, plies))
    }

    #[rustfmt::skip]
    fn kinds(&self) -> &'static [MoveKind] {
        const { &[
            MoveKind::new("check", true, "attacks the lion"),
            MoveKind::new("capture", true, "takes an animal"),
            MoveKind::new("drop", false, "brings an animal from the hand onto the board"),
            MoveKind::new("promotion", true, "makes a chick a hen"),
            MoveKind::new("lion", false, "moves the lion"),
        ] }
    }

    fn kinds_of(&self, state: &State, mv: Move) -> u32 {
        let after = self.reached(state, mv);
        after.map_or(0, |after| Self::kinds_reached(state, mv, &after))
    }
}

impl Symmetric for Dobutsu {
    fn canonical(&self, state: &State) -> State {
        State {
            at: state.at.min(state.at.mirrored()),
            // The sides are only names: exchanging them gives the same state.
            side: Side::Sente,
        }
    }

    fn symmetries_kept(&self, state: &State) -> u32 {
        1 + u32::from(state.at.mirrored() == state.at)
    }

    fn canonical_line(&self, line: &[Move]) -> Vec<Move> {
        let image: Vec<Move> = line.iter().map(|mv| mv.mirrored()).collect();
        image.min(line.to_vec())
    }
}

//! Line-up games: equal men on a small board, and a row or a square of them wins.
//!
//! # Rules
//! The sides take turns. Where the game begins with an empty board, a turn puts a man on a
//! free square until both sides have all men on the board; then, or from the first turn on,
//! a turn moves one man: to a free neighbour, as far as it can go in the direction of a
//! neighbour, or to any free square. A side whose men, after its turn, contain a *goal*, a
//! row or the corners of a square, wins. A side without a move gets what the rules say.
//! Endless play is a draw.
//!
//! Which of these hold is said by a file of [`Rules`] (see [`mod@file`]), of which
//! [some](file::names) ship.

mod board;
mod features;
pub mod file;
mod geometry;
mod index;
mod notation;
mod retro;
pub mod rules;
mod state;

use std::sync::OnceLock;

pub use retro::Cursor;
pub use rules::Rules;
pub(crate) use state::Side;
pub use state::{Move, State};

use crate::base::subsets::bits;
use crate::base::value::Outcome;
use crate::game::{Board, Game, MoveKind, Moves, Next, NotationError, RuleInWords, Symmetric};
use geometry::Geometry;
use index::Index;
use rules::{NoMoves, Start};

/// A line-up game, and the numbering of its positions.
#[derive(Debug)]
pub struct LineUp {
    spec: String,
    rules: Rules,
    geometry: Geometry,
    index: OnceLock<Index>,
}

impl LineUp {
    /// A game with these rules, which must have passed their checks; they see to it that
    /// positions can be numbered.
    fn new(spec: String, rules: Rules) -> Self {
        Self {
            geometry: Geometry::new(&rules),
            index: OnceLock::new(),
            spec,
            rules,
        }
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board.
    pub const fn board(&self) -> Board {
        self.geometry.board
    }

    /// The number of symmetries of the rules, the identity included.
    pub const fn symmetries(&self) -> usize {
        self.geometry.turns.len()
    }

    /// The sets of squares that win.
    pub fn goals(&self) -> &[u64] {
        &self.geometry.goals
    }

    const fn drops(&self) -> bool {
        matches!(self.rules.start, Start::Drop { .. })
    }

    fn men(&self) -> u32 {
        self.rules.men.into()
    }

    fn index(&self) -> &Index {
        let make = || Index::new(&self.geometry, self.rules.men, self.drops());
        self.index.get_or_init(make)
    }

    /// Whether a side with these men on the board puts another there.
    fn is_dropping(&self, own: u64) -> bool {
        own.count_ones() < self.men()
    }

    /// The squares to which a man can be put.
    fn drop_squares(&self, state: &State) -> u64 {
        let free = self.geometry.all & !state.taken();
        match self.rules.start {
            Start::Drop { not_first } if state.taken() == 0 => free & !not_first,
            _ => free,
        }
    }

    /// Whether the side to move has no move.
    fn is_stuck(&self, own: u64, other: u64) -> bool {
        !self.is_dropping(own) && self.geometry.is_stuck(own, own | other)
    }

    /// What the side that moved gets if the other side is stuck.
    const fn after_no_moves(&self) -> Outcome {
        match self.rules.no_moves {
            NoMoves::Lose => Outcome::Win,
            NoMoves::Draw => Outcome::Draw,
            NoMoves::Win => Outcome::Loss,
        }
    }

    /// The result of a move for its side, which has these men then, if it ends the game.
    fn outcome_after(&self, men: u64, mv: Move, other: u64) -> Option<Outcome> {
        if self.geometry.wins_at(men, mv.to) {
            Some(Outcome::Win)
        } else {
            self.is_stuck(other, men).then(|| self.after_no_moves())
        }
    }

    /// The image of a state under the symmetry with a number.
    fn image(&self, state: &State, turn: u8) -> State {
        State {
            own: self.geometry.image(turn, state.own),
            other: self.geometry.image(turn, state.other),
            side: state.side,
        }
    }

    fn images<'a>(&'a self, state: &'a State) -> impl Iterator<Item = State> + 'a {
        let turns = self.geometry.symmetries();
        turns.map(|turn| self.image(state, turn))
    }

    /// The side to move as the numbers of men tell it; `None` if either may be.
    fn known_side(&self, own: u32, other: u32) -> Option<Side> {
        if own == self.men() && other == self.men() {
            return None;
        }
        Some(if own == other {
            Side::Black
        } else {
            Side::White
        })
    }
}

impl Game for LineUp {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        rules::rules(&self.rules)
    }

    /// All line-up games have the same columns.
    fn family(&self) -> String {
        "lineup".to_owned()
    }

    fn initial(&self) -> State {
        let (own, other) = match self.rules.start {
            Start::Drop { .. } => (0, 0),
            Start::Placed { black, white } => (black, white),
        };
        State {
            own,
            other,
            side: Side::Black,
        }
    }

    fn format_state(&self, state: &State) -> String {
        notation::format_state(self, state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        notation::parse_state(self, text)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self, text)
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        state.side.name()
    }
}

impl Moves for LineUp {
    fn moves(&self, state: &State) -> Vec<Move> {
        if self.is_dropping(state.own) {
            return bits(self.drop_squares(state)).map(Move::drop).collect();
        }
        let taken = state.taken();
        let of = |from| {
            let targets = bits(self.geometry.targets(from, taken));
            targets.map(move |to| Move { from, to })
        };
        bits(state.own).flat_map(of).collect()
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        let (own, other) = (state.other, mv.play(state.own));
        let next = State {
            own,
            other,
            side: state.side.other(),
        };
        let over = self.outcome_after(other, mv, own);
        over.map_or(Next::State(next), Next::Over)
    }

    fn kinds(&self) -> &'static [MoveKind] {
        &features::KINDS
    }

    fn kinds_of(&self, state: &State, mv: Move) -> u32 {
        let before = self.both_threats(state.own, state.other);
        self.kinds_of_move(state.own, state.other, before, mv)
    }
}

impl Symmetric for LineUp {
    fn canonical(&self, state: &State) -> State {
        let least = self.images(state).min().unwrap_or(*state);
        // Colours are only names: exchanging them gives the same state.
        let side = self.known_side(state.own.count_ones(), state.other.count_ones());
        State {
            side: side.unwrap_or(Side::Black),
            ..least
        }
    }

    fn symmetries_kept(&self, state: &State) -> u32 {
        let kept = self.images(state).filter(|image| image == state);
        u32::try_from(kept.count()).unwrap_or(1)
    }

    fn canonical_line(&self, line: &[Move]) -> Vec<Move> {
        let image = |turn| {
            let square = |square| self.geometry.square(turn, square);
            let moves = line.iter().map(|mv| Move {
                from: square(mv.from),
                to: square(mv.to),
            });
            moves.collect::<Vec<_>>()
        };
        let images = self.geometry.symmetries().map(image);
        images.min().unwrap_or_default()
    }
}

//! Games of pieces that a file of rules describes: chess endings, small chess and shogi
//! variants, line-up games, and games of a reader's own.
//!
//! # Positions
//! A position is stored as the side to move sees it, with its home rank at the lower end. The
//! sides are images of each other, so what is known of one holds for the other.

mod board;
mod rules;
mod state;
mod words;

pub use rules::Rules;
pub(crate) use state::Side;
pub use state::{Move, State};

use rules::Squares;
use state::Position;

/// A game of pieces.
#[derive(Debug)]
pub struct Pieces {
    spec: String,
    rules: Rules,
}

impl Pieces {
    /// The rules.
    pub(super) const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether a royal man of the side to move can be taken at once if it stays.
    pub(super) fn in_check(&self, at: &Position) -> bool {
        todo!()
    }

    /// The men of a side, 0 for the side to move, that could take a man of the other side on a
    /// square, all as the side to move sees it.
    pub(super) fn attackers(&self, at: &Position, side: usize, square: u8) -> Squares {
        todo!()
    }

    /// The number of squares to which a man of this kind of the side to move goes or takes from a
    /// square of an empty board.
    pub(super) fn reach_on_empty_board(&self, kind: usize, square: u8) -> u32 {
        todo!()
    }

    /// Why a position does not occur in an unfinished game, in words that say what to change;
    /// `None` if it does.
    pub(super) fn fault_of(&self, state: &State) -> Option<String> {
        todo!()
    }
}

// What follows stands in for what is written elsewhere, so that this compiles; it is to be dropped.

impl Pieces {
    /// The symmetries of the board that keep the rules.
    pub(super) fn symmetries(&self) -> &[usize] {
        todo!()
    }
}

impl Position {
    pub(super) fn after(&self, _rules: &Rules, _mv: Move) -> Self {
        todo!()
    }

    pub(super) fn takes_in_passing(&self, _rules: &Rules, _mv: Move) -> bool {
        todo!()
    }
}

impl State {
    pub(super) fn seen_by_mover(&self, _rules: &Rules, _mv: Move) -> Move {
        todo!()
    }
}

mod notation {
    use super::rules::{Kind, KindNumber, Rules};

    pub(super) fn written_kinds(rules: &Rules) -> impl Iterator<Item = (KindNumber, &Kind)> {
        let kinds = rules.kinds.iter().enumerate();
        kinds.filter(|(_, kind)| kind.passing_of.is_none())
    }

    pub(super) fn has_hands(_rules: &Rules) -> bool {
        todo!()
    }

    pub(super) fn can_be_in_hand(_rules: &Rules, _kind: KindNumber) -> bool {
        todo!()
    }
}

impl crate::game::Game for Pieces {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        todo!()
    }

    fn rules_in_words(&self) -> Vec<crate::game::RuleInWords> {
        words::rules(self)
    }

    fn initial(&self) -> State {
        todo!()
    }

    fn format_state(&self, _state: &State) -> String {
        todo!()
    }

    fn parse_state(&self, _text: &str) -> Result<State, crate::game::NotationError> {
        todo!()
    }

    fn format_move(&self, _mv: Move) -> String {
        todo!()
    }

    fn parse_move(&self, _text: &str) -> Result<Move, crate::game::NotationError> {
        todo!()
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        state.side.name(self.rules.names)
    }
}

impl crate::game::Moves for Pieces {
    fn moves(&self, _state: &State) -> Vec<Move> {
        todo!()
    }

    fn play(&self, _state: &State, _mv: Move) -> crate::game::Next<State> {
        todo!()
    }
}

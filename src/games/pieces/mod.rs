//! Games of pieces that a file of rules describes: chess endings, small chess and shogi
//! variants, line-up games, and games of a reader's own.
//!
//! # Positions
//! A position is stored as the side to move sees it, with its home rank at the lower end. The
//! sides are images of each other, so what is known of one holds for the other.

mod betza;
mod file;
mod rules;
mod state;

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

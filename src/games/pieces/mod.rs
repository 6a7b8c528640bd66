//! Games of pieces that a file of rules describes: chess endings, small chess and shogi
//! variants, line-up games, and games of a reader's own.
//!
//! # Positions
//! A position is stored as the side to move sees it, with its home rank at the lower end. The
//! sides are images of each other, so what is known of one holds for the other.

mod rules;
mod state;

pub use rules::Rules;
pub(crate) use state::Side;
pub use state::{Move, State};

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
}

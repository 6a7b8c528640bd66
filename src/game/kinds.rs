//! Kinds of games: which capabilities go together, so that everything that can be done
//! with a game is written once for all games of its kind.

use thiserror::Error;

use super::{
    Backward, Classified, Drawable, Editable, Features, Forward, Game, Generator, Happened, Hidden,
    Impartial, MoveEffects, Moves, MovesBySlot, Passing, Patterned, Playable, Solitaire, Standing,
    Symmetric,
};
use crate::draw::Diagram;

/// The board is too large for the operation. The message names the game and says what to
/// do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SizeError(String);

impl SizeError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// Declares a trait and implements it for every game with these capabilities.
macro_rules! kind {
    ($(#[$doc:meta])* $name:ident: $($capabilities:tt)+) => {
        $(#[$doc])*
        pub trait $name: $($capabilities)+ {}

        impl<G: $($capabilities)+> $name for G {}
    };
}

kind! {
    /// Games of two players who see everything, solved into a table.
    TableGame: Backward + Classified + Editable + Features + Forward + MoveEffects + MovesBySlot
        + Passing + Patterned + Playable + Symmetric + 'static
}

kind! {
    /// Impartial games, which have nimbers, and tables where the board is small.
    NimberGame: Impartial + TableGame
}

kind! {
    /// Puzzles of one player, solved into a table of distances.
    OnePlayerGame: Drawable + Moves + Solitaire + Symmetric + 'static
}

kind! {
    /// Problems with hidden information, solved one by one.
    HiddenGame: Drawable + Features + Generator + HiddenBoard + 'static
}

/// The board of a game with hidden information, as a book shows it.
pub trait HiddenBoard: Hidden {
    /// Columns and rows of the board.
    fn size(&self) -> (u8, u8);

    /// Everything on the board.
    fn on_board(&self, state: &<Self as Game>::State) -> Vec<Standing>;

    /// The board in letters on lines of its own, with what the attacker has besides. Unless
    /// `whole`, only what the attacker sees is shown.
    fn in_letters(&self, state: &<Self as Game>::State, whole: bool) -> String;

    /// A diagram of what the attacker sees: of a state, without the men of the other side.
    fn seen(&self, state: &<Self as Game>::State) -> Diagram;

    /// The name of the side that sees everything, e.g. `White`.
    fn defender(&self) -> &'static str;

    /// A line from a state, as a file that other programs for the game read, with a title in
    /// words; `None` if there is no such format.
    fn record(
        &self,
        _state: &<Self as Game>::State,
        _line: &[Happened<<Self as Game>::Move, <Self as Game>::State>],
        _title: &str,
    ) -> Option<String> {
        None
    }

    /// What the notation of announcements means, a paragraph each.
    fn legend(&self) -> Vec<String> {
        Vec::new()
    }
}

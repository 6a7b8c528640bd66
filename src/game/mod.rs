//! What a game can do, in small capabilities.
//!
//! A game implements only the traits that it supports. Asking the retrograde solver to
//! solve a game without un-moves is a compile error, not a run-time flag. Games know
//! nothing of files, tables or mining.
//!
//! | trait | what it says | who needs it |
//! |---|---|---|
//! | [`Game`], [`Moves`], [`Symmetric`] | names, notation, moves, images | every game |
//! | [`Ranked`], [`Retrograde`] | numbers of positions, moves and un-moves by number | games that are solved into tables |
//! | [`Features`], [`Drawable`], [`Playable`] | columns, diagrams, boards | games that are mined, drawn and played |
//! | [`FiniteGame`] | what [`Listed`] derives all of these from | games with few positions |
//! | [`NumberedGame`] | what [`Numbered`] derives them from, without a list | games that number their positions |
//! | [`ByRows`], [`Impartial`], [`Solitaire`], [`Hidden`], [`Generator`], [`HiddenBoard`], [`Encoded`] | | games of their kinds |

/// Hands methods on to the field `game`, or another one, which has the same ones.
macro_rules! hand_on {
    (to $field:ident: $(fn $name:ident(&self $(, $given:ident: $of:ty)*) -> $result:ty;)+) => {
        $(fn $name(&self $(, $given: $of)*) -> $result {
            self.$field.$name($($given),*)
        })+
    };
    ($($all:tt)+) => {
        hand_on! { to game: $($all)+ }
    };
}

pub(crate) use hand_on;

mod board;
mod features;
mod hidden;
mod impartial;
pub(crate) mod kif;
pub mod laws;
mod listed;
mod looking;
mod moves;
mod notation;
mod playing;
mod program;
mod rows;
mod solving;

pub use board::Board;
pub use features::{Feature, FeatureKind, FeatureValue, Features};
pub use hidden::{Answer, Generator, Happened, Hidden, HiddenBoard, Reply};
pub(crate) use impartial::outcome_of;
pub use impartial::{Effort, Impartial, Judged, Left, Nimber, NimberError};
pub use listed::{
    ByList, Expanded, Expander, FiniteGame, List, ListError, Listed, Numbered, NumberedGame,
    Positions,
};
pub(crate) use looking::of_end;
pub use looking::{LOST, Seen, WON};
pub use moves::{
    Encoded, Game, MoveKind, Moves, Next, Oracle, RuleExample, RuleInWords, Symmetric, Valued,
};
pub(crate) use moves::{asks_for, kinds_in, least_line, same_game};
pub use notation::{NotationError, SizeError};
pub(crate) use notation::{fen_row, words};
pub(crate) use playing::{Arrangement, drawn, fits_picture, marked, slid, write_arrangement};
pub use playing::{Drawable, Leaving, MoveEffect, PaletteItem, Pattern, Playable, Standing};
pub use program::{Digit, Helper, Language};
pub(crate) use rows::Squares;
pub use rows::{Condition, Row, RowExit, RowExitTo, RowImages, RowLayer, RowMove, Transposed};
pub use solving::{
    ByRows, Examined, Held, Layer, ListedMove, MostMoves, MoveSummary, Placed, Ranked, Repetition,
    Retrograde, RowVisitor, Slot, Solitaire,
};

/// Games of two players who see everything, solved into a table.
pub trait TableGame: Retrograde + Features + Drawable + Playable + Symmetric + 'static {}

impl<G: Retrograde + Features + Drawable + Playable + Symmetric + 'static> TableGame for G {}

/// Impartial games, which have nimbers, and tables where the board is small.
pub trait NimberGame: Impartial + TableGame {}

impl<G: Impartial + TableGame> NimberGame for G {}

/// Puzzles of one player, solved into a table of distances.
pub trait OnePlayerGame: Drawable + Playable + Solitaire + Symmetric + 'static {}

impl<G: Drawable + Playable + Solitaire + Symmetric + 'static> OnePlayerGame for G {}

/// Problems with hidden information, solved one by one.
pub trait HiddenGame: Clone + Drawable + Features + Generator + HiddenBoard + 'static {}

impl<G: Clone + Drawable + Features + Generator + HiddenBoard + 'static> HiddenGame for G {}

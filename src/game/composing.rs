//! Capabilities that mining, composing and drawing need: features, moves told in
//! detail, changes to a position, diagrams.

use super::{Game, Moves, NotationError, Retrograde, SizeError, Symmetric};
use crate::base::value::Outcome;
use crate::draw::{Diagram, Slide, Tone};

/// The value of a feature column: a number, a flag, a word, or nothing (SQL NULL).
/// Its column's [`Feature`] says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeatureValue(i32);

impl FeatureValue {
    /// The column says nothing of this state.
    pub const NONE: Self = Self(i32::MIN);

    /// A whole number.
    #[must_use]
    pub const fn number(number: i32) -> Self {
        Self(number)
    }

    /// A number of things.
    #[must_use]
    pub fn count(count: usize) -> Self {
        Self(i32::try_from(count).unwrap_or(i32::MAX))
    }

    /// A yes or no.
    #[must_use]
    pub const fn flag(flag: bool) -> Self {
        Self(flag as i32)
    }

    /// The word at this place among the feature's words.
    #[must_use]
    pub fn word(place: usize) -> Self {
        Self::count(place)
    }

    /// The number, 1 or 0 for yes or no, or a word's place; `None` if nothing.
    #[must_use]
    pub const fn get(self) -> Option<i32> {
        if self.0 == i32::MIN {
            None
        } else {
            Some(self.0)
        }
    }
}

/// The type of a feature column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureKind {
    /// Yes or no.
    Flag,
    /// A whole number.
    Number,
    /// One of these words, in the order in which they sort.
    Word(Vec<String>),
}

/// A documented feature of a state that filters may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Column name in SQL, snake case.
    pub name: String,
    /// Type of its values.
    pub kind: FeatureKind,
    /// What it says, with unit and range.
    pub meaning: String,
}

impl Feature {
    /// A column of numbers.
    #[must_use]
    pub fn number(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: FeatureKind::Number,
            meaning: meaning.into(),
        }
    }

    /// A column of yes and no.
    #[must_use]
    pub fn flag(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: FeatureKind::Flag,
            meaning: meaning.into(),
        }
    }

    /// A column of words, given in the order in which they sort.
    #[must_use]
    pub fn word(
        name: impl Into<String>,
        words: impl IntoIterator<Item = impl Into<String>>,
        meaning: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            kind: FeatureKind::Word(words.into_iter().map(Into::into).collect()),
            meaning: meaning.into(),
        }
    }
}

/// Features that can be read off the board without knowing any values.
pub trait Features: Game {
    /// The columns, always the same ones in the same order.
    fn features(&self) -> Vec<Feature>;

    /// Appends to `values` the values of one state in the columns `wanted`, places
    /// among [`features`](Self::features).
    fn measure(&self, state: &Self::State, wanted: &[usize], values: &mut Vec<FeatureValue>);
}

/// A move of a position as [`MovesBySlot`] lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedMove<U> {
    /// The move's number.
    pub number: u8,
    /// Its kinds, as [`Moves::kinds_of`] has them.
    pub kinds: u32,
    /// Where it leads.
    pub leads: Leads<U>,
}

/// Where a listed move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads<U> {
    /// The game is over, with this result for the mover.
    Over(Outcome),
    /// To a position; the move there that comes with it takes this one back if
    /// `undo`.
    To {
        /// The position.
        child: U,
        /// Whether the reply that comes with it takes the move back.
        undo: bool,
    },
}

/// Games whose moves can be listed by slot, with their kinds: what a scan of
/// billions of positions needs. The twin of [`Moves`], which tests compare.
pub trait MovesBySlot: Moves + Retrograde {
    /// Visits the moves of a position that are of at least one of these kinds (bits as
    /// in [`ListedMove::kinds`]; `u32::MAX` stands for all moves, of any kind or none),
    /// in the game's fixed order.
    fn moves_by_slot(
        &self,
        cursor: Self::Cursor,
        kinds: u32,
        visit: impl FnMut(ListedMove<Self::Unplaced>),
    );
}

/// Games in which one may ask what the other side would do if it were to move.
pub trait Passing: Game {
    /// The position with the other side to move and nothing forbidden; `None` if that is
    /// no position of the game.
    fn passed(&self, state: &Self::State) -> Option<Self::State>;
}

/// What a move does on the board, square by square: what themes are told from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveEffect {
    /// The square that the moving thing leaves.
    pub from: u8,
    /// Everything that changes squares and stays on the board, the moving thing
    /// first if it stays: from, to.
    pub moved: Vec<(u8, u8)>,
    /// What leaves the board, if anything does.
    pub removed: Option<Leaving>,
    /// The moving thing belongs to neither side.
    pub neutral: bool,
}

/// A piece leaving the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaving {
    /// Where it stood.
    pub from: u8,
    /// It belongs to the side that moves.
    pub own: bool,
    /// It falls into a hole of the board, not over its edge.
    pub inside: bool,
}

/// Games whose moves can be told square by square.
pub trait MoveEffects: Moves {
    /// What a legal move does.
    fn move_effect(&self, state: &Self::State, mv: Self::Move) -> MoveEffect;

    /// The squares of the pieces of the side to move, and those of the other side.
    fn pieces_of(&self, state: &Self::State) -> (Vec<u8>, Vec<u8>);
}

/// Games whose positions a composer may change by hand.
pub trait Editable: Game {
    /// Everything on the board: its square, and what it is in words.
    fn things(&self, state: &Self::State) -> Vec<(u8, String)>;

    /// The position without the piece on a square, nothing forbidden; `None` if
    /// there is no piece, or the game would be over.
    fn without(&self, state: &Self::State, square: u8) -> Option<Self::State>;

    /// Every position in which one thing stands on another, empty square, nothing
    /// forbidden, with the squares it left and came to.
    fn neighbours(&self, state: &Self::State) -> Vec<(u8, u8, Self::State)>;

    /// The name of a square.
    fn name_of(&self, square: u8) -> String;
}

/// Games in which a position can be described in part.
pub trait Patterned: Symmetric {
    /// What may stand on each square.
    type Pattern: Send + Sync;

    /// Reads a partial diagram in the notation that the game documents.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn parse_pattern(&self, text: &str) -> Result<Self::Pattern, NotationError>;

    /// A state symmetric to this one that fits the pattern, if there is one.
    fn fit(&self, pattern: &Self::Pattern, state: &Self::State) -> Option<Self::State>;
}

/// States that can be drawn.
pub trait Drawable: Game {
    /// Checks that the board is small enough for a diagram.
    ///
    /// # Errors
    /// If it has too many rows or columns.
    fn check_picture(&self) -> Result<(), SizeError> {
        Ok(())
    }

    /// The tone in which the pieces of the side to move are drawn.
    fn side_tone(&self, state: &Self::State) -> Tone;

    /// The board with everything on it, the side to move, what the rules forbid,
    /// and the position in words.
    fn diagram(&self, state: &Self::State) -> Diagram;

    /// Adds a move of the state to its diagram: an arrow, and a cross where a
    /// piece vanishes.
    fn with_move(&self, diagram: Diagram, state: &Self::State, mv: Self::Move) -> Diagram;

    /// Everything that changes its place in a move of the state, and what vanishes.
    fn slides(&self, state: &Self::State, mv: Self::Move) -> Vec<Slide>;
}

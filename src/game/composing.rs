//! Capabilities for mining, composing and drawing: features, the effects of moves, changes
//! to a position, diagrams.

use super::{Game, Moves, NotationError, Retrograde, SizeError, Symmetric};
use crate::base::value::Outcome;
use crate::draw::{Diagram, Slide, Tone};

/// The value of a feature: a number, a flag, a word, or nothing (SQL NULL). The [`Feature`]
/// has the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeatureValue(i32);

impl FeatureValue {
    /// No value.
    pub const NONE: Self = Self(i32::MIN);

    /// A whole number.
    #[must_use]
    pub const fn number(number: i32) -> Self {
        Self(number)
    }

    /// A count; at most `i32::MAX`.
    #[must_use]
    pub fn count(count: usize) -> Self {
        Self(i32::try_from(count).unwrap_or(i32::MAX))
    }

    /// A flag.
    #[must_use]
    pub const fn flag(flag: bool) -> Self {
        Self(flag as i32)
    }

    /// A word, by its index in the feature's list of words.
    #[must_use]
    pub fn word(place: usize) -> Self {
        Self::count(place)
    }

    /// The number, 1 or 0 for a flag, or the index of the word; `None` if there is no
    /// value.
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
    /// True or false.
    Flag,
    /// A whole number.
    Number,
    /// One of these words, in sorting order.
    Word(Vec<String>),
}

/// A documented property of a state that filters may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Column name in SQL, in snake case.
    pub name: String,
    /// Type of the values.
    pub kind: FeatureKind,
    /// Description, with unit and range.
    pub meaning: String,
    /// What the numbers count, e.g. `plies`; empty if they count nothing or it was not said.
    pub unit: &'static str,
    /// Whether values may be missing (SQL NULL).
    pub nullable: bool,
}

impl Feature {
    fn new(name: impl Into<String>, kind: FeatureKind, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind,
            meaning: meaning.into(),
            unit: "",
            nullable: true,
        }
    }

    /// The feature, with what its numbers count.
    #[must_use]
    pub fn counts(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The feature, with a value in every state: it is never NULL.
    #[must_use]
    pub fn always(self) -> Self {
        Self {
            nullable: false,
            ..self
        }
    }

    /// A feature with numbers.
    #[must_use]
    pub fn number(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self::new(name, FeatureKind::Number, meaning)
    }

    /// A feature with flags.
    #[must_use]
    pub fn flag(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self::new(name, FeatureKind::Flag, meaning)
    }

    /// A feature with words, given in sorting order.
    #[must_use]
    pub fn word(
        name: impl Into<String>,
        words: impl IntoIterator<Item = impl Into<String>>,
        meaning: impl Into<String>,
    ) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        Self::new(name, FeatureKind::Word(words), meaning)
    }
}

/// Features that depend on the board alone, not on the values of positions.
pub trait Features: Game {
    /// The features, always the same in the same order.
    fn features(&self) -> Vec<Feature>;

    /// Appends the values of one state to `values`, for the features in `wanted`, which are
    /// indices into [`features`](Self::features).
    fn measure(&self, state: &Self::State, wanted: &[usize], values: &mut Vec<FeatureValue>);

    /// The features that are the same in all positions of a [layer](super::Layer), such as
    /// numbers of pieces, as indices into [`features`](Self::features) in rising order. A scan
    /// leaves a layer out if a filter refuses it by them.
    fn features_of_layers(&self) -> Vec<usize> {
        Vec::new()
    }
}

/// A move of a position as [`MovesBySlot`] lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedMove<U> {
    /// The move's number.
    pub number: u8,
    /// Its kinds, as given by [`Moves::kinds_of`].
    pub kinds: u32,
    /// Where it leads.
    pub leads: Leads<U>,
}

/// Where a listed move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads<U> {
    /// The end of the game, with this result for the mover.
    Over(Outcome),
    /// A position, with a move of it.
    To {
        /// The position.
        child: U,
        /// Whether that move takes the listed move back.
        undo: bool,
    },
}

/// Games whose moves can be listed by slot, with their kinds, for scans of billions of
/// positions. Tests compare it with [`Moves`].
pub trait MovesBySlot: Moves + Retrograde {
    /// Visits the moves of a position that are of at least one of these kinds, in the
    /// game's fixed order. Kinds are bits as in [`ListedMove::kinds`]; `u32::MAX` stands
    /// for all moves, even those of no kind.
    fn moves_by_slot(
        &self,
        cursor: Self::Cursor,
        kinds: u32,
        visit: impl FnMut(ListedMove<Self::Unplaced>),
    );
}

/// Games in which a side may pass, hypothetically.
pub trait Passing: Game {
    /// The position with the other side to move and nothing forbidden; `None` if the game
    /// has no such position.
    fn passed(&self, state: &Self::State) -> Option<Self::State>;
}

/// What a move does on the board, square by square. Themes are recognized by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveEffect {
    /// The square that the moving piece leaves.
    pub from: u8,
    /// The old and the new square of every piece that changes squares and stays on the
    /// board, the moving piece first if it stays.
    pub moved: Vec<(u8, u8)>,
    /// The piece that leaves the board, if any.
    pub removed: Option<Leaving>,
    /// Whether the moving piece belongs to neither side.
    pub neutral: bool,
}

/// A piece leaving the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaving {
    /// Where it stood.
    pub from: u8,
    /// Whether it belongs to the side that moves.
    pub own: bool,
    /// Whether it falls into a hole in the board, not over the edge.
    pub inside: bool,
}

/// Games whose moves can be described square by square.
pub trait MoveEffects: Moves {
    /// The effect of a legal move.
    fn move_effect(&self, state: &Self::State, mv: Self::Move) -> MoveEffect;

    /// The squares of the pieces of the side to move, and those of the other side.
    fn pieces_of(&self, state: &Self::State) -> (Vec<u8>, Vec<u8>);
}

/// Games whose positions can be changed piece by piece.
pub trait Editable: Game {
    /// Everything on the board: its square, and its description.
    fn things(&self, state: &Self::State) -> Vec<(u8, String)>;

    /// The position without the piece on a square, nothing forbidden; `None` if
    /// there is no piece, or the game would be over.
    fn without(&self, state: &Self::State, square: u8) -> Option<Self::State>;

    /// Every position in which one thing has gone to an empty square and nothing is
    /// forbidden, with the square it left and the square it went to.
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

    /// A state symmetric to this one that matches the pattern, if there is one.
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

    /// The tone of the pieces of the side to move.
    fn side_tone(&self, state: &Self::State) -> Tone;

    /// A diagram of the board with everything on it, the side to move, the forbidden move,
    /// and a description in words.
    fn diagram(&self, state: &Self::State) -> Diagram;

    /// Adds a move to the diagram of the state: an arrow, and a cross where a piece
    /// vanishes.
    fn with_move(&self, diagram: Diagram, state: &Self::State, mv: Self::Move) -> Diagram;

    /// Adds what the state does not record: what earlier moves left on the board. `written` is
    /// the notation from which the line began, and `moves` have been made since.
    fn with_past(&self, diagram: Diagram, _written: &str, _moves: &[Self::Move]) -> Diagram {
        diagram
    }

    /// Everything that changes its place or vanishes in a move of the state.
    fn slides(&self, state: &Self::State, mv: Self::Move) -> Vec<Slide>;
}

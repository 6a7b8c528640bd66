//! What a game provides to have its positions listed.

use thiserror::Error;

use crate::draw::{Diagram, Glyph};
use crate::game::features::{Feature, FeatureValue};
use crate::game::notation::SizeError;
use crate::game::playing::{Playable, Standing, fits_picture};

/// The most moves of a position: the solver counts and numbers them in bytes, and in records 255
/// stands for no move.
pub(super) const MOST_MOVES: u8 = 254;
/// The most moves to a position.
pub(super) const MOST_UNMOVES: u32 = 1 << 15;

/// A game of two players with finitely many positions, which may repeat. A position may have up to
/// 254 moves.
///
/// Only [`Game`](crate::game::Game) and [`Moves`](crate::game::Moves) are required; every
/// method here and of [`Playable`] has a default. [`Listed`](super::Listed) turns the game into one that can be solved into a
/// table, mined, drawn and played. States and moves are ordered so that results are
/// reproducible.
pub trait FiniteGame: Playable<State: Ord, Move: Ord> {
    /// The error for a game whose positions cannot be listed.
    fn too_large(&self, error: &ListError) -> SizeError {
        SizeError::new(error.to_string())
    }

    /// A number of positions, up to symmetry, that the game surely has, if it is quickly found:
    /// if there are more than may be listed, none is.
    fn fewest_positions(&self) -> u64 {
        0
    }

    /// Checks that the board is small enough for a diagram.
    ///
    /// # Errors
    /// If it has too many rows or columns.
    fn check_picture(&self) -> Result<(), SizeError> {
        fits_picture(self)
    }

    /// The number of symmetries of the rules, including the identity, which is number 0.
    fn symmetries(&self) -> usize {
        1
    }

    /// The image of a state under a symmetry.
    fn image(&self, state: &Self::State, _symmetry: usize) -> Self::State {
        state.clone()
    }

    /// The image of a move under a symmetry.
    fn image_of_move(&self, mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }

    /// The representative of all images of a state.
    fn canonical(&self, state: &Self::State) -> Self::State {
        let images = (0..self.symmetries()).map(|symmetry| self.image(state, symmetry));
        images.min().unwrap_or_else(|| state.clone())
    }

    /// A number that no move decreases, such as the number of stones where stones are only
    /// added. Each stage is a layer of the table and is solved after all higher ones. With
    /// only one stage, the game is solved in one piece.
    fn stage(&self, _state: &Self::State) -> u32 {
        0
    }

    /// The name of a stage.
    fn stage_name(&self, stage: u32) -> String {
        stage.to_string()
    }

    /// The names of the two sides, the one that begins first; the same one twice if both have it.
    fn sides(&self) -> [&'static str; 2] {
        let initial = self.initial();
        let mut moves = self.moves(&initial).into_iter();
        let next = moves.find_map(|mv| self.play(&initial, mv).state());
        let first = self.side_to_move(&initial);
        [
            first,
            next.map_or("the other side", |next| self.side_to_move(&next)),
        ]
    }

    /// What the classes are by.
    fn criterion(&self) -> &'static str {
        "side"
    }

    /// The names of the classes in which positions are counted.
    fn classes(&self) -> Vec<String> {
        let mut sides = self.sides().to_vec();
        sides.dedup();
        sides.into_iter().map(str::to_lowercase).collect()
    }

    /// The class of a position, an index into [`classes`](Self::classes).
    fn class(&self, state: &Self::State) -> usize {
        usize::from(self.side_to_move(state) != self.side_to_move(&self.initial()))
    }

    /// The columns that filters may use, always the same ones in the same order.
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }

    /// The value of a state in the column with this index in [`features`](Self::features).
    fn measure(&self, _state: &Self::State, _place: usize) -> FeatureValue {
        FeatureValue::NONE
    }

    /// Adds everything else to the diagram of the board, such as its title and description.
    fn annotate(&self, diagram: Diagram, state: &Self::State) -> Diagram {
        let (text, side) = (self.format_state(state), self.side_to_move(state));
        let toned = |thing: &Standing| matches!(thing.glyph, Glyph::Piece(_));
        let diagram = diagram
            .title(format!("{} position", self.title()))
            .desc(format!("{text}. {side} to move."));
        if self.standing(state).iter().any(toned) {
            diagram.to_move(self.side_tone(state))
        } else {
            diagram
        }
    }

    /// Adds what earlier moves left on the board to a diagram; see
    /// [`Drawable::with_past`](super::super::Drawable::with_past).
    fn with_past(&self, diagram: Diagram, _written: &str, _moves: &[Self::Move]) -> Diagram {
        diagram
    }
}

/// An error while listing the positions of a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ListError {
    /// There are more positions than allowed.
    #[error(
        "{spec} has more than {most} positions up to symmetry, which take about {} MiB of memory; choose a smaller game or allow more positions", .bytes >> 20
    )]
    TooMany {
        /// The game.
        spec: String,
        /// The most positions.
        most: u32,
        /// Bytes that these positions take, with their moves.
        bytes: u64,
    },
    /// An unfinished position has no moves.
    #[error(
        "the position {0} has no moves; let the move that leads there end the game, or add a move that passes"
    )]
    NoMoves(String),
    /// A position has more moves than a table can number.
    #[error("the position {state} has {moves} moves; at most {MOST_MOVES} can be solved")]
    Moves {
        /// The position.
        state: String,
        /// The number of its moves.
        moves: usize,
    },
    /// Too many moves lead to one position.
    #[error("more than {MOST_UNMOVES} moves lead to the position {0}, too many to be solved")]
    Unmoves(String),
    /// A move makes the stage smaller.
    #[error(
        "the move {mv} in the position {state} leads from stage {from} to stage {to}; no move may lead to a smaller stage"
    )]
    Stage {
        /// The position.
        state: String,
        /// The move.
        mv: String,
        /// The stage of the position.
        from: u32,
        /// The stage that the move leads to.
        to: u32,
    },
    /// The work was cancelled.
    #[error("stopped on request")]
    Cancelled,
}

//! Boards that can be played on by someone, or something, that knows no rules.

use super::{Banning, Board, Drawable};
use crate::draw::{BoardSquare, Glyph, Point};

/// Something on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Where it stands.
    pub cell: BoardSquare,
    /// How it is drawn.
    pub glyph: Glyph,
    /// What it is, such as `black piece`.
    pub words: &'static str,
}

impl Standing {
    /// The same thing on each square of a set.
    pub fn on(
        board: Board,
        set: u64,
        glyph: Glyph,
        words: &'static str,
    ) -> impl Iterator<Item = Self> {
        Board::squares_in(set).map(move |square| Self {
            cell: board.cell(square),
            glyph: glyph.clone(),
            words,
        })
    }
}

/// Games that can be played by showing a piece and where it goes.
pub trait Playable: Drawable + Banning {
    /// Columns and rows of the board.
    fn size(&self) -> (u8, u8);

    /// Everything on the board.
    fn standing(&self, state: &Self::State) -> Vec<Standing>;

    /// The cell that a move begins on, and the point that it is aimed at. No two
    /// legal moves of a state share both.
    fn aim(&self, mv: Self::Move) -> (BoardSquare, Point);

    /// What a move of the state brings onto the board.
    fn appearing(&self, _state: &Self::State, _mv: Self::Move) -> Vec<Standing> {
        Vec::new()
    }
}

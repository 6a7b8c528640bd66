//! Boards for players and programs that do not know the rules.

use super::{Banning, Board, Drawable};
use crate::draw::{BoardSquare, Glyph, Point};

/// A thing on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The cell it stands on.
    pub cell: BoardSquare,
    /// How it is drawn.
    pub glyph: Glyph,
    /// A description, such as `black piece`.
    pub words: &'static str,
}

impl Standing {
    /// Places the same thing on each square of a set.
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

/// A kind of thing that can be put on the board by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteItem {
    /// How it is drawn.
    pub glyph: Glyph,
    /// What [`Standing::words`] says of it.
    pub words: &'static str,
}

impl PaletteItem {
    /// A kind of thing.
    #[must_use]
    pub const fn new(glyph: Glyph, words: &'static str) -> Self {
        Self { glyph, words }
    }
}

/// Things on the squares of a board: the cell of each, and its place in the palette. The
/// place after the last one stands for anything, in partial diagrams.
pub type Arrangement = [(BoardSquare, usize)];

/// Writes an arrangement row by row from the top, with `/` between the rows: a letter of
/// `letters` for each thing, and `empty` for the other squares.
pub(crate) fn write_arrangement(
    (columns, rows): (u8, u8),
    things: &Arrangement,
    letters: &[char],
    empty: impl Fn(BoardSquare) -> char,
) -> String {
    let letter = |cell| {
        let thing = things.iter().rev().find(|(at, _)| *at == cell);
        thing.map_or_else(
            || empty(cell),
            |&(_, place)| letters.get(place).copied().unwrap_or('?'),
        )
    };
    let row = |row| {
        (0..columns)
            .map(|column| letter(BoardSquare::new(column, row)))
            .collect::<String>()
    };
    (0..rows).rev().map(row).collect::<Vec<_>>().join("/")
}

/// Games whose moves can be entered by pointing at a piece and at its target.
pub trait Playable: Drawable + Banning {
    /// The numbers of columns and rows of the board.
    fn size(&self) -> (u8, u8);

    /// Everything on the board.
    fn standing(&self, state: &Self::State) -> Vec<Standing>;

    /// The cell on which a move of the state begins, and the point at which it is aimed. No
    /// two legal moves of a state share both.
    fn aim(&self, state: &Self::State, mv: Self::Move) -> (BoardSquare, Point);

    /// One thing and where it stands, such as `black piece on a1`, the lower left square.
    fn placed_words(&self, thing: &Standing) -> String {
        let BoardSquare { column, row } = thing.cell;
        let file = char::from(b'a'.saturating_add(column));
        format!("{} on {file}{}", thing.words, u16::from(row) + 1)
    }

    /// The things that a move of the state brings onto the board.
    fn appearing(&self, _state: &Self::State, _mv: Self::Move) -> Vec<Standing> {
        Vec::new()
    }

    /// What can be put on the board by hand; empty if positions cannot be set up thing by
    /// thing.
    fn palette(&self) -> Vec<PaletteItem> {
        Vec::new()
    }

    /// An arrangement in the notation of positions, with the side to move that begins the
    /// game or the other one. It need not be a position: `parse_state` says why it is none.
    fn arranged(&self, _things: &Arrangement, _second: bool) -> String {
        String::new()
    }
}

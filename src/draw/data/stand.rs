//! What a diagram may have beside its board and on its lines. Most games need none of
//! it.

use std::collections::BTreeSet;

use super::graph::DrawnGraph;
use super::point::BoardSquare;
use super::symbol::Symbol;

/// The left or the right of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flank {
    /// On the left.
    Left,
    /// On the right.
    Right,
}

/// A column of symbols beside a board, such as the pieces in a player's hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PieceStand {
    /// The symbol above the caption, such as the sign of a player.
    pub head: Option<Symbol>,
    /// What it is, in a few short words; nothing is written if it is blank.
    pub caption: String,
    /// The symbols from top to bottom, each with its number, which is written beside
    /// it unless it is 1.
    pub held: Vec<(Symbol, u32)>,
}

impl PieceStand {
    /// An empty stand with a caption, which may be blank.
    #[must_use]
    pub fn new(caption: impl Into<String>) -> Self {
        Self {
            head: None,
            caption: caption.into(),
            held: Vec::new(),
        }
    }

    /// Puts a symbol above the caption.
    #[must_use]
    pub fn head(mut self, symbol: Symbol) -> Self {
        self.head = Some(symbol);
        self
    }

    /// Adds `count` of a symbol below those already there; a count of 0 adds nothing.
    #[must_use]
    pub fn held(mut self, symbol: Symbol, count: u32) -> Self {
        if count > 0 {
            self.held.push((symbol, count));
        }
        self
    }
}

/// What a plain diagram does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Around {
    pub files_above: bool,
    pub ranks_right: bool,
    /// Squares whose lower left corners have dots.
    pub stars: BTreeSet<BoardSquare>,
    pub left: Option<PieceStand>,
    pub right: Option<PieceStand>,
    /// What is drawn instead of squares.
    pub graph: Option<DrawnGraph>,
    /// Whether the board has been turned by an odd number of quarters.
    pub sideways: bool,
}

impl Around {
    /// Turns the board, which has this number of columns, a quarter clockwise. Labels
    /// keep their edges; the stands change places every second time, when the board is
    /// upside down.
    pub fn turn(&mut self, columns: u8) {
        let stars = self.stars.iter();
        let stars = stars.map(|star| BoardSquare::new(star.row, columns - star.column));
        self.stars = stars.collect();
        self.graph = self.graph.take().map(|graph| {
            graph.moved(|at| BoardSquare::new(at.row, columns.saturating_sub(at.column + 1)))
        });
        if self.sideways {
            std::mem::swap(&mut self.left, &mut self.right);
        }
        self.sideways = !self.sideways;
    }
}

//! What a diagram has on its lines and beside its board: data that most games do
//! without.

use std::collections::BTreeSet;

use super::diagram::Diagram;
use super::parts::{Cell, DiagramError};
use super::symbol::Symbol;

/// The left or the right of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flank {
    /// On the left.
    Left,
    /// On the right.
    Right,
}

/// What is kept beside a board, such as the pieces in a player's hand, in a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stand {
    head: Option<Symbol>,
    caption: String,
    held: Vec<(Symbol, u32)>,
}

impl Stand {
    /// An empty stand. The caption says what it is, in a few short words; it may be
    /// blank.
    #[must_use]
    pub fn new(caption: impl Into<String>) -> Self {
        Self {
            head: None,
            caption: caption.into(),
            held: Vec::new(),
        }
    }

    /// Puts a symbol above the caption, such as the sign of a player.
    #[must_use]
    pub fn head(mut self, symbol: Symbol) -> Self {
        self.head = Some(symbol);
        self
    }

    /// Adds so many of a symbol below those that are already there; none adds
    /// nothing. The number is written beside the symbol unless it is 1.
    #[must_use]
    pub fn held(mut self, symbol: Symbol, count: u32) -> Self {
        if count > 0 {
            self.held.push((symbol, count));
        }
        self
    }
}

/// Reading, for the code that draws.
impl Stand {
    pub(crate) const fn sign(&self) -> Option<&Symbol> {
        self.head.as_ref()
    }

    pub(crate) fn words(&self) -> &str {
        &self.caption
    }

    pub(crate) fn symbols(&self) -> &[(Symbol, u32)] {
        &self.held
    }
}

/// What a plain diagram does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Around {
    files_above: bool,
    ranks_right: bool,
    stars: BTreeSet<Cell>,
    left: Option<Stand>,
    right: Option<Stand>,
    /// Whether the board has been turned by an odd number of quarters.
    sideways: bool,
}

impl Around {
    /// All this beside the board turned clockwise by a quarter. Labels keep their
    /// edges; what stands beside the board changes its place once the board is
    /// upside down.
    pub(super) fn turned(&mut self, columns: u8) {
        let stars = self.stars.iter();
        let stars = stars.map(|star| Cell::new(star.row, columns - star.column));
        self.stars = stars.collect();
        if self.sideways {
            std::mem::swap(&mut self.left, &mut self.right);
        }
        self.sideways = !self.sideways;
    }
}

/// Building.
impl Diagram {
    /// Puts the names of files above the board instead of below it.
    #[must_use]
    pub fn files_above(mut self) -> Self {
        self.around.files_above = true;
        self
    }

    /// Puts the names of ranks on this side of the board; without this they stand on
    /// the left.
    #[must_use]
    pub fn ranks_at(mut self, flank: Flank) -> Self {
        self.around.ranks_right = flank == Flank::Right;
        self
    }

    /// Puts a dot where lines cross: at the lower left corner of the cell.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`] if the corner lies on the edge of the board or
    /// beyond it.
    pub fn star(mut self, cell: Cell) -> Result<Self, DiagramError> {
        let inside = self.cell(cell.into()).is_some();
        if !inside || cell.column == 0 || cell.row == 0 {
            return Err(DiagramError::OffBoard(cell));
        }
        self.around.stars.insert(cell);
        Ok(self)
    }

    /// Puts a stand beside the board, in place of the one that was there.
    #[must_use]
    pub fn stand(mut self, flank: Flank, stand: Stand) -> Self {
        match flank {
            Flank::Left => self.around.left = Some(stand),
            Flank::Right => self.around.right = Some(stand),
        }
        self
    }
}

/// Reading, for the code that draws.
impl Diagram {
    pub(crate) const fn has_files_above(&self) -> bool {
        self.around.files_above
    }

    pub(crate) const fn flank_of_ranks(&self) -> Flank {
        if self.around.ranks_right {
            Flank::Right
        } else {
            Flank::Left
        }
    }

    /// The cells whose lower left corners have dots.
    pub(crate) fn stars(&self) -> impl Iterator<Item = Cell> {
        self.around.stars.iter().copied()
    }

    pub(crate) const fn stand_at(&self, flank: Flank) -> Option<&Stand> {
        match flank {
            Flank::Left => self.around.left.as_ref(),
            Flank::Right => self.around.right.as_ref(),
        }
    }
}

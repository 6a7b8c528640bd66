//! Boards of placement games as diagrams.

use super::notation::SetupError;
use super::{Move, PlacementRules, Rules, State};
use crate::draw::{self, Diagram, Glyph, MAX_SIDE};
use crate::game::Standing;

impl PlacementRules {
    /// Checks that the board is small enough for a diagram.
    ///
    /// # Errors
    /// [`SetupError::TooWide`] if it has too many rows or columns.
    pub fn pictured(&self) -> Result<(), SetupError> {
        if self.rows.max(self.columns) > MAX_SIDE.into() {
            return Err(SetupError::TooWide {
                spec: self.spec.clone(),
                most: MAX_SIDE,
            });
        }
        Ok(())
    }

    /// The length of a side, limited to what can be drawn.
    pub(super) fn side(count: usize) -> u8 {
        u8::try_from(count).unwrap_or(u8::MAX).min(MAX_SIDE)
    }

    /// The cell of a square. On boards that are too large to draw, several squares share a
    /// cell.
    pub(super) fn cell(&self, square: usize) -> draw::BoardSquare {
        let side = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        draw::BoardSquare::new(side(square % self.columns), side(square / self.columns))
    }

    /// The squares that are not free.
    fn walls(&self, state: &State) -> impl Iterator<Item = (usize, Glyph)> {
        let squares = (0..self.squares()).filter(|&square| !state.free.contains(square));
        squares.map(|square| {
            let glyph = if self.board.contains(square) {
                Glyph::Filled
            } else {
                Glyph::Absent
            };
            (square, glyph)
        })
    }

    fn wall(&self, square: usize, glyph: Glyph) -> Standing {
        Standing {
            cell: self.cell(square),
            glyph,
            words: "no free square",
        }
    }

    fn title(&self) -> &'static str {
        match self.rules {
            Rules::Kings => "Kings placement position",
            Rules::Regio => "Regio position",
            Rules::Graph(_) => "Graph position",
        }
    }

    pub(super) fn all_walls(&self, state: &State) -> Vec<Standing> {
        let walls = self.walls(state);
        let walls = walls.map(|(square, glyph)| self.wall(square, glyph));
        walls.collect()
    }

    /// The square that a move takes, and its neighbours, which are no longer free.
    pub(super) fn new_walls(&self, state: &State, mv: Move) -> Vec<Standing> {
        let mut appearing = Vec::new();
        self.around(mv.square(), |near| {
            if state.free.contains(near) {
                appearing.push(self.wall(near, Glyph::Filled));
            }
        });
        appearing
    }

    /// Adds to a diagram what its walls do not show.
    pub(super) fn in_words(&self, mut diagram: Diagram, state: &State) -> Diagram {
        if let Rules::Graph(graph) = &self.rules {
            let names = (0..self.columns).map(|vertex| graph.name(vertex).to_owned());
            diagram = diagram.clone().file_labels(names).unwrap_or(diagram);
        }
        let names: Vec<_> = state
            .free
            .iter()
            .map(|square| self.name_of_square(square))
            .collect();
        diagram
            .title(self.title())
            .desc(format!("Free squares: {}.", names.join(", ")))
    }
}

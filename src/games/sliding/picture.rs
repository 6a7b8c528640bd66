//! Arrangements as diagrams.

use super::{Move, Sliding, State};
use crate::draw::{BoardSquare, Diagram, Glyph, Mark, Point, Slide};
use crate::game::Drawable;

impl Sliding {
    fn cell(&self, square: usize) -> BoardSquare {
        let side = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let row = self.rows - 1 - square / self.columns;
        BoardSquare::new(side(square % self.columns), side(row))
    }

    /// The old and the new place of the tile that a move slides.
    fn slide(&self, state: State, mv: Move) -> Option<(BoardSquare, Point)> {
        let blank = state.blank();
        let from = self.target(blank, mv)?;
        Some((self.cell(from), self.cell(blank).into()))
    }
}

impl Drawable for Sliding {
    fn diagram(&self, state: &State) -> Diagram {
        let side = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let (columns, rows) = (side(self.columns), side(self.rows));
        let empty = Diagram::new(columns, rows).expect("boards have at most 16 squares");
        let tiles = (0..self.squares()).filter(|&square| state.tile(square) != 0);
        let diagram = tiles.fold(empty, |diagram, square| {
            let glyph = Glyph::Text(state.tile(square).to_string());
            let placed = diagram.clone().place(self.cell(square), glyph);
            placed.unwrap_or(diagram)
        });
        diagram
            .title("Sliding puzzle")
            .desc(format!("Rows from the top: {}.", self.written(*state)))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        let Some((from, to)) = self.slide(*state, mv) else {
            return diagram;
        };
        let marked = diagram.clone().mark(Mark::Arrow { from, to });
        marked.unwrap_or(diagram)
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        let slide = self.slide(*state, mv);
        let slide = slide.map(|(from, to)| Slide {
            from,
            to,
            lost: false,
        });
        slide.into_iter().collect()
    }
}

//! Boards of placement games as diagrams.

use super::notation::SetupError;
use super::{Move, Placement, Rules, State};
use crate::draw::{self, Diagram, Glyph, MAX_SIDE, Mark, Point, Slide, Tone};
use crate::game::{Drawable, Playable, SizeError, Standing};

impl Placement {
    /// Makes sure that there is a diagram of the board.
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

    fn side(count: usize) -> u8 {
        u8::try_from(count).unwrap_or(u8::MAX).min(MAX_SIDE)
    }

    /// The cell of a square; those of boards too large to draw have none of their own.
    fn cell(&self, square: usize) -> draw::BoardSquare {
        let side = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        draw::BoardSquare::new(side(square % self.columns), side(square / self.columns))
    }

    /// Everything that is no free square.
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
}

impl Drawable for Placement {
    fn check_picture(&self) -> Result<(), SizeError> {
        self.pictured()
            .map_err(|error| SizeError::new(error.to_string()))
    }

    fn side_tone(&self, _state: &State) -> Tone {
        Tone::Dark
    }

    fn diagram(&self, state: &State) -> Diagram {
        let (columns, rows) = (Self::side(self.columns), Self::side(self.rows));
        let mut diagram = Diagram::new(columns, rows).expect("sides are cut to what fits");
        for (square, glyph) in self.walls(state) {
            // What lies beyond the largest board that can be drawn is left out.
            diagram = diagram
                .clone()
                .place(self.cell(square), glyph)
                .unwrap_or(diagram);
        }
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

    fn with_move(&self, diagram: Diagram, _state: &State, mv: Move) -> Diagram {
        let mark = Mark::Highlight(self.cell(mv.square()));
        diagram.clone().mark(mark).unwrap_or(diagram)
    }

    fn slides(&self, _state: &State, _mv: Move) -> Vec<Slide> {
        Vec::new()
    }
}

impl Playable for Placement {
    fn size(&self) -> (u8, u8) {
        (Self::side(self.columns), Self::side(self.rows))
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let walls = self.walls(state);
        walls
            .map(|(square, glyph)| self.wall(square, glyph))
            .collect()
    }

    /// The square and its neighbours are free no more.
    fn appearing(&self, state: &State, mv: Move) -> Vec<Standing> {
        let mut appearing = Vec::new();
        self.around(mv.square(), |near| {
            if state.free.contains(near) {
                appearing.push(self.wall(near, Glyph::Filled));
            }
        });
        appearing
    }

    /// A move is made by pointing at its square.
    fn aim(&self, mv: Move) -> (draw::BoardSquare, Point) {
        let cell = self.cell(mv.square());
        (cell, cell.into())
    }

    fn banned(&self, _state: &State) -> Option<Move> {
        None
    }
}

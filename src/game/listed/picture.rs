//! Diagrams, and boards to play on.

use super::super::{Arrangement, Drawable, Next, PaletteItem, Playable, SizeError, Standing};
use super::{FiniteGame, Listed};
use crate::draw::{BoardSquare, Diagram, MAX_SIDE, Mark, Point, Slide, Tone};

impl<G: FiniteGame> Listed<G> {
    /// The cells from which a move removes a piece.
    fn vanishing(&self, state: &G::State, mv: G::Move) -> Vec<BoardSquare> {
        let (from, to) = self.game.aim(mv);
        if Point::from(from) == to {
            return Vec::new();
        }
        let after = match self.game.play(state, mv) {
            Next::State(next) => Some(self.game.standing(&next)),
            Next::Over(_) => None,
        };
        let gone = |cell: BoardSquare| {
            let left = |after: &Vec<Standing>| after.iter().all(|thing| thing.cell != cell);
            cell != from && (Point::from(cell) == to || after.as_ref().is_some_and(left))
        };
        let cells = self
            .game
            .standing(state)
            .into_iter()
            .map(|thing| thing.cell);
        cells.filter(|&cell| gone(cell)).collect()
    }
}

impl<G: FiniteGame> Drawable for Listed<G> {
    fn check_picture(&self) -> Result<(), SizeError> {
        self.game.check_picture()
    }

    fn side_tone(&self, state: &G::State) -> Tone {
        self.game.side_tone(state)
    }

    fn diagram(&self, state: &G::State) -> Diagram {
        let (columns, rows) = self.size();
        let [columns, rows] = [columns, rows].map(|side| side.min(MAX_SIDE));
        let empty = Diagram::new(columns, rows).expect("sides are cut to what fits");
        let things = self.game.standing(state).into_iter();
        let diagram = things.fold(empty, |diagram, thing| {
            // Anything beyond the largest board that can be drawn is left out.
            let placed = diagram.clone().place(thing.cell, thing.glyph);
            placed.unwrap_or(diagram)
        });
        self.game.annotate(diagram, state)
    }

    fn with_move(&self, diagram: Diagram, state: &G::State, mv: G::Move) -> Diagram {
        let (from, to) = self.game.aim(mv);
        let mark = if Point::from(from) == to {
            Mark::Highlight(from)
        } else {
            Mark::Arrow { from, to }
        };
        let gone = self.vanishing(state, mv).into_iter();
        let marks = std::iter::once(mark).chain(gone.map(|cell| Mark::Removed(cell.into())));
        marks.fold(diagram, |diagram, mark| {
            diagram.clone().mark(mark).unwrap_or(diagram)
        })
    }

    fn with_past(&self, diagram: Diagram, written: &str, moves: &[G::Move]) -> Diagram {
        self.game.with_past(diagram, written, moves)
    }

    fn slides(&self, state: &G::State, mv: G::Move) -> Vec<Slide> {
        let (from, to) = self.game.aim(mv);
        if Point::from(from) == to {
            return Vec::new();
        }
        let goes = Slide {
            from,
            to,
            lost: false,
        };
        let gone = self.vanishing(state, mv).into_iter().map(|cell| Slide {
            from: cell,
            to: cell.into(),
            lost: true,
        });
        std::iter::once(goes).chain(gone).collect()
    }
}

impl<G: FiniteGame> Playable for Listed<G> {
    fn size(&self) -> (u8, u8) {
        self.game.board().size()
    }

    fn standing(&self, state: &G::State) -> Vec<Standing> {
        self.game.standing(state)
    }

    fn aim(&self, _state: &G::State, mv: G::Move) -> (BoardSquare, Point) {
        self.game.aim(mv)
    }

    fn appearing(&self, state: &G::State, mv: G::Move) -> Vec<Standing> {
        self.game.appearing(state, mv)
    }

    fn palette(&self) -> Vec<PaletteItem> {
        self.game.palette()
    }

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        self.game.arranged(things, second)
    }
}

//! Ostle boards as diagrams.

use super::{Move, Ostle, Side, State};
use crate::draw::{BoardSquare, Diagram, Glyph, Mark, Point, Slide, Tone};
use crate::game::{Drawable, Game, MoveEffects};
use crate::games::ostle::grid::{Direction, Mask, Square, squares_of};

const FITS: &str = "squares of the board and their neighbours are in the diagram";

pub(super) const fn tone(side: Side) -> Tone {
    match side {
        Side::Black => Tone::Dark,
        Side::White => Tone::Light,
    }
}

/// The point one step further, which may be just off the board.
pub(super) const fn beside(point: Point, direction: Direction) -> Point {
    let Point { column, row } = point;
    match direction {
        Direction::Up => Point::new(column, row + 1),
        Direction::Down => Point::new(column, row - 1),
        Direction::Left => Point::new(column - 1, row),
        Direction::Right => Point::new(column + 1, row),
    }
}

impl Ostle {
    pub(super) fn cell(&self, square: Square) -> BoardSquare {
        BoardSquare::new(self.grid.file(square), self.grid.rank(square))
    }

    /// A square and the point that a move from it leads to.
    pub(super) fn arrow(&self, mv: Move) -> (BoardSquare, Point) {
        let from = self.cell(mv.from());
        (from, beside(from.into(), mv.direction()))
    }

    /// A description of the position.
    fn words(&self, state: &State) -> String {
        let list = |mask: Mask| {
            let names: Vec<_> = squares_of(mask).map(|s| self.grid.square_name(s)).collect();
            names.join(", ")
        };
        let (black, white) = match state.side {
            Side::Black => (state.own(), state.opponent()),
            Side::White => (state.opponent(), state.own()),
        };
        let hole = self.grid.square_name(state.hole());
        let mut words = format!(
            "Black: {}. White: {}. Hole: {hole}. {} to move.",
            list(black),
            list(white),
            state.side.name()
        );
        if let Some(mv) = state.forbidden {
            words += " Forbidden: ";
            words += &self.format_move(mv);
            words += ".";
        }
        words
    }
}

impl Drawable for Ostle {
    fn side_tone(&self, state: &State) -> Tone {
        tone(state.side)
    }

    fn diagram(&self, state: &State) -> Diagram {
        let mut diagram = Diagram::new(self.grid.width(), self.grid.height())
            .expect("boards have 3 to 5 files and ranks");
        let own = squares_of(state.own()).map(|s| (s, Glyph::Piece(tone(state.side))));
        let other =
            squares_of(state.opponent()).map(|s| (s, Glyph::Piece(tone(state.side.other()))));
        let hole = std::iter::once((state.hole(), Glyph::Hole));
        for (square, glyph) in own.chain(other).chain(hole) {
            diagram = diagram.place(self.cell(square), glyph).expect(FITS);
        }
        if let Some(mv) = state.forbidden {
            let (from, to) = self.arrow(mv);
            diagram = diagram.mark(Mark::Forbidden { from, to }).expect(FITS);
        }
        diagram
            .to_move(tone(state.side))
            .home(tone(Side::Black))
            .title(format!("Ostle position, {} to move", state.side.name()))
            .desc(self.words(state))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        let Some(effect) = self.effect(state, mv) else {
            return diagram;
        };
        let (from, to) = self.arrow(mv);
        let mut marks = vec![Mark::Arrow { from, to }];
        if let Some(removal) = effect.removed() {
            let last = self.cell(removal.from).into();
            marks.push(Mark::Removed(beside(last, mv.direction())));
        }
        // A diagram of another size has no room for them and is left unchanged.
        marks.into_iter().fold(diagram, |diagram, mark| {
            diagram.clone().mark(mark).unwrap_or(diagram)
        })
    }
    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        let effect = self.move_effect(state, mv);
        let slide = |from: Square, lost| {
            let from = self.cell(from);
            let to = beside(from.into(), mv.direction());
            Slide { from, to, lost }
        };
        let stays = effect.moved.iter().map(|&(from, _)| slide(from, false));
        let leaves = effect.removed.map(|leaving| slide(leaving.from, true));
        stays.chain(leaves).collect()
    }
}

//! Playing Ostle on a picture of its board.

use super::picture::tone;
use super::{Move, Ostle, Side, State};
use crate::draw::{BoardSquare, Glyph, Point};
use crate::game::{Playable, Standing};
use crate::games::ostle::grid::{Mask, squares_of};

const fn piece(side: Side) -> &'static str {
    match side {
        Side::Black => "black piece",
        Side::White => "white piece",
    }
}

impl Playable for Ostle {
    fn size(&self) -> (u8, u8) {
        (self.grid.width(), self.grid.height())
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let pieces = |mask: Mask, side: Side| {
            squares_of(mask).map(move |square| Standing {
                cell: self.cell(square),
                glyph: Glyph::Piece(tone(side)),
                words: piece(side),
            })
        };
        let hole = Standing {
            cell: self.cell(state.hole()),
            glyph: Glyph::Hole,
            words: "hole",
        };
        pieces(state.own(), state.side)
            .chain(pieces(state.opponent(), state.side.other()))
            .chain([hole])
            .collect()
    }

    fn aim(&self, _state: &State, mv: Move) -> (BoardSquare, Point) {
        self.arrow(mv)
    }
}

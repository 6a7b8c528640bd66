//! Playing Ostle on a picture of its board.

use super::picture::tone;
use super::{Move, Ostle, Side, State};
use crate::draw::{BoardSquare, Glyph, Point};
use crate::game::{Arrangement, PaletteItem, Playable, Standing, write_arrangement};
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

    fn palette(&self) -> Vec<PaletteItem> {
        let of = |side| PaletteItem::new(Glyph::Piece(tone(side)), piece(side));
        let hole = PaletteItem::new(Glyph::Hole, "hole");
        vec![of(Side::Black), of(Side::White), hole]
    }

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        let board = write_arrangement(self.size(), things, &['b', 'w', 'o'], |_| '1');
        format!("{board} {}", if second { 'w' } else { 'b' })
    }
}

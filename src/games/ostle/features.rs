//! What a filter may ask of an Ostle board.

use super::{Ostle, State};
use crate::game::{Cell, CellKind, Feature, Features, Symmetric};
use crate::grid::{Mask, Square, squares_of};

impl Ostle {
    fn distances(&self, pieces: Mask, hole: Square) -> (i32, i32) {
        let grid = &self.grid;
        squares_of(pieces).fold((0, i32::MAX), |(edge, nearest), square| {
            let files = grid.file(square).abs_diff(grid.file(hole));
            let ranks = grid.rank(square).abs_diff(grid.rank(hole));
            (
                edge + i32::from(grid.edge_distance(square) == 0),
                nearest.min(i32::from(files + ranks)),
            )
        })
    }
}

fn number(name: &str, meaning: &str) -> Feature {
    Feature {
        name: name.to_owned(),
        kind: CellKind::Number,
        meaning: meaning.to_owned(),
    }
}

impl Features for Ostle {
    fn features(&self) -> Vec<Feature> {
        vec![
            number("own_pieces", "pieces of the side to move"),
            number("opp_pieces", "pieces of the other side"),
            Feature {
                name: "hole_square".to_owned(),
                kind: CellKind::Word,
                meaning: "the hole's square, turned so that it is the least of its symmetric ones (a1 a2 a3 b2 b3 c3 on 5x5)".to_owned(),
            },
            number("hole_edge_distance", "steps from the hole to the nearest edge; 0 = on the rim"),
            number("own_on_edge", "pieces of the side to move that stand on the rim"),
            number("opp_on_edge", "pieces of the other side that stand on the rim"),
            number("own_hole_distance", "steps (no diagonals) from the hole to the nearest piece of the side to move"),
            number("opp_hole_distance", "steps (no diagonals) from the hole to the nearest piece of the other side"),
            number("symmetries", "symmetries of the board that keep the position, 1 (none but the identity) to 8"),
        ]
    }

    fn measure(&self, state: &State) -> Vec<Cell> {
        let placement = self.canonical(state).placement;
        let (own_edge, own_hole) = self.distances(placement.own, placement.hole);
        let (opp_edge, opp_hole) = self.distances(placement.opp, placement.hole);
        let count =
            |pieces: Mask| Cell::Number(i32::try_from(pieces.count_ones()).unwrap_or(i32::MAX));
        vec![
            count(placement.own),
            count(placement.opp),
            Cell::Word(self.grid.square_name(placement.hole)),
            Cell::Number(self.grid.edge_distance(placement.hole).into()),
            Cell::Number(own_edge),
            Cell::Number(opp_edge),
            Cell::Number(own_hole),
            Cell::Number(opp_hole),
            Cell::Number(i32::try_from(self.symmetries_kept(state)).unwrap_or(i32::MAX)),
        ]
    }
}

//! A dense numbering of Ostle positions up to symmetry, without a list of them.
//!
//! Positions are split into layers by (mover's pieces, opponent's pieces). Within
//! a layer a position is turned so that the hole stands on the least square of its
//! orbit (a1 a2 a3 b2 b3 c3 on the 5x5 board) and, among the symmetries that keep
//! the hole there, the mover's pieces have the least colexicographic rank. That
//! pair (hole, mover's pieces) is a *row*; within it the opponent's pieces are
//! numbered by the colexicographic rank of their places among the free squares.
//! Rows that keep a symmetry of their own (about one in a hundred) hold each
//! position at the least of its ranks; their other slots are vacant.

use crate::bits::{self, Ranker};
use crate::grid::{Grid, Mask, Square, squares_of};

/// Pieces and hole of a position, seen by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Placement {
    pub own: Mask,
    pub opp: Mask,
    pub hole: Square,
}

/// Where a placement stands, and how it was turned to stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub slot: u64,
    /// Number of the symmetry that takes the placement to the stored one.
    pub turn: u8,
    /// Whether the placement has a symmetry of its own.
    pub symmetric: bool,
}

/// A row: the hole and the mover's pieces.
#[derive(Debug, Clone, Copy)]
struct Row {
    own: Mask,
    /// Squares that neither the mover nor the hole occupies.
    free: Mask,
    hole: Square,
    /// Symmetries, as a bit set, that keep hole and mover's pieces.
    kept: u8,
}

const ROW_BITS: u32 = 24;
const ROW_MASK: u32 = (1 << ROW_BITS) - 1;
const SELF_SYMMETRIC: u32 = 1 << 31;

/// Rows of all layers in which the mover has a given number of pieces.
#[derive(Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "rows consist of rows and what finds them"
)]
struct Rows {
    ranker: Ranker,
    /// `[orbit of the hole][rank of the mover's pieces]`: row, symmetry, mark.
    classes: Vec<u32>,
    per_orbit: usize,
    rows: Vec<Row>,
    /// `free` of every row, close together: this is what the inner loops read.
    free: Vec<Mask>,
}

/// One layer's part of the numbering.
#[derive(Debug)]
pub(super) struct LayerIndex {
    rows: usize,
    /// Pieces of the mover and of the opponent.
    pub own: u8,
    pub opp: u8,
    ranker: Ranker,
    patterns: Vec<Mask>,
    row_length: u64,
    start: u64,
    end: u64,
}

impl LayerIndex {
    pub const fn slots(&self) -> std::ops::Range<u64> {
        self.start..self.end
    }
}

/// The numbering of all layers of a game.
#[derive(Debug)]
pub(super) struct Index {
    grid: Grid,
    rows: Vec<Rows>,
    layers: Vec<LayerIndex>,
    /// For each square: symmetry that takes it to its orbit's least square, and
    /// that orbit's number.
    to_orbit: Vec<(u8, u8)>,
    /// `composed[a][b]`: first `a`, then `b`.
    composed: Vec<[u8; 8]>,
    /// `numbers[symmetry][move number]`: the turned move's number.
    numbers: Vec<[u8; 128]>,
    fewest: u8,
    span: u8,
}

impl Index {
    /// The numbering for all piece counts `fewest..=most` of either side, laid
    /// out in the given order of (mover's, opponent's) counts.
    pub fn new(grid: &Grid, fewest: u8, most: u8, order: &[(u8, u8)]) -> Self {
        let symmetries = grid.symmetries();
        let to_orbit = orbits(grid);
        let composed = symmetries
            .iter()
            .map(|a| {
                let mut row = [0; 8];
                for (entry, b) in row.iter_mut().zip(symmetries) {
                    let both = symmetries.iter().position(|c| {
                        (0..grid.squares()).all(|s| c.square(s) == b.square(a.square(s)))
                    });
                    *entry =
                        u8::try_from(both.expect("symmetries are a group")).expect("at most 8");
                }
                row
            })
            .collect();
        let numbers = symmetries
            .iter()
            .map(|symmetry| {
                std::array::from_fn(|number| {
                    let number = u8::try_from(number).expect("below 128");
                    let square = number >> 2;
                    if square >= grid.squares() {
                        return number;
                    }
                    let direction = crate::grid::Direction::from_index(number);
                    symmetry.square(square) << 2 | symmetry.direction(direction) as u8
                })
            })
            .collect();
        let rows: Vec<_> = (fewest..=most)
            .map(|own| Rows::new(grid, &to_orbit, own))
            .collect();
        let mut start = 0;
        let mut layers: Vec<_> = order
            .iter()
            .map(|&(own, opp)| {
                let free = grid.squares() - 1 - own;
                let table = usize::from(own - fewest);
                let ranker = Ranker::new(free.into(), opp.into());
                let row_length = ranker.count();
                let end = start + rows[table].rows.len() as u64 * row_length;
                let layer = LayerIndex {
                    rows: table,
                    own,
                    opp,
                    patterns: ranker.patterns(),
                    ranker,
                    row_length,
                    start,
                    end,
                };
                start = end;
                layer
            })
            .collect();
        // The order in which `layer_of` finds them.
        layers.sort_by_key(|layer: &LayerIndex| (layer.own, layer.opp));
        Self {
            grid: grid.clone(),
            rows,
            layers,
            to_orbit,
            composed,
            numbers,
            fewest,
            span: most - fewest + 1,
        }
    }

    #[inline]
    pub fn layer_of(&self, own: Mask, opp: Mask) -> &LayerIndex {
        let own = own.count_ones() as usize - self.fewest as usize;
        let opp = opp.count_ones() as usize - self.fewest as usize;
        &self.layers[own * self.span as usize + opp]
    }

    /// The number of a move after a turn of the board.
    #[inline]
    pub fn turned(&self, turn: u8, number: u8) -> u8 {
        self.numbers[turn as usize & 7][number as usize & 127]
    }

    /// The place of any placement.
    #[inline]
    pub fn place(&self, layer: &LayerIndex, placement: Placement) -> Place {
        let (turn, orbit) = self.to_orbit[placement.hole as usize];
        if turn == 0 {
            return self.place_turned(layer, placement, orbit);
        }
        let symmetry = &self.grid.symmetries()[turn as usize];
        let turned = Placement {
            own: symmetry.mask(placement.own),
            opp: symmetry.mask(placement.opp),
            hole: symmetry.square(placement.hole),
        };
        let place = self.place_turned(layer, turned, orbit);
        Place {
            turn: self.composed[turn as usize][place.turn as usize],
            ..place
        }
    }

    /// The place of a placement whose hole is on the least square of orbit number
    /// `orbit`.
    #[inline]
    fn place_turned(&self, layer: &LayerIndex, placement: Placement, orbit: u8) -> Place {
        let rows = &self.rows[layer.rows];
        let squeezed = bits::without_bit(placement.own, placement.hole);
        let class =
            rows.classes[orbit as usize * rows.per_orbit + rows.ranker.rank(squeezed) as usize];
        let turn = (class >> ROW_BITS & 7) as u8;
        let number = class & ROW_MASK;
        let opp = self.grid.symmetries()[turn as usize].mask(placement.opp);
        let base = layer.start + u64::from(number) * layer.row_length;
        if class & SELF_SYMMETRIC != 0 {
            return self.place_symmetric(layer, &rows.rows[number as usize], base, opp, turn);
        }
        let rank = layer
            .ranker
            .rank(bits::extract(opp, rows.free[number as usize]));
        Place {
            slot: base + u64::from(rank),
            turn,
            symmetric: false,
        }
    }

    #[cold]
    fn place_symmetric(
        &self,
        layer: &LayerIndex,
        row: &Row,
        base: u64,
        opp: Mask,
        turn: u8,
    ) -> Place {
        let mut best = (u32::MAX, 0);
        let mut fixed = 0;
        for kept in squares_of(row.kept.into()) {
            let image = self.grid.symmetries()[usize::from(kept)].mask(opp);
            fixed += u32::from(image == opp);
            best = best.min((layer.ranker.rank(bits::extract(image, row.free)), kept));
        }
        Place {
            slot: base + u64::from(best.0),
            turn: self.composed[usize::from(turn)][usize::from(best.1)],
            symmetric: fixed > 1,
        }
    }

    /// The placement of a slot and whether it has a symmetry of its own; `None` if
    /// the slot is vacant or past the end.
    #[inline]
    pub fn placement(&self, slot: u64) -> Option<(Placement, bool)> {
        let layer = self
            .layers
            .iter()
            .find(|layer| layer.slots().contains(&slot))?;
        self.placement_in(layer, slot)
    }

    /// As [`placement`](Self::placement), for a slot known to be in a layer.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rows and ranks fit 32 bits by construction"
    )]
    pub fn placement_in(&self, layer: &LayerIndex, slot: u64) -> Option<(Placement, bool)> {
        let within = slot - layer.start;
        let row = &self.rows[layer.rows].rows[(within / layer.row_length) as usize];
        let rank = (within % layer.row_length) as u32;
        let opp = bits::deposit(layer.patterns[rank as usize], row.free);
        let mut symmetric = false;
        if row.kept != 1 {
            for kept in squares_of(u32::from(row.kept) & !1) {
                let image = self.grid.symmetries()[usize::from(kept)].mask(opp);
                symmetric |= image == opp;
                if layer.ranker.rank(bits::extract(image, row.free)) < rank {
                    return None;
                }
            }
        }
        let placement = Placement {
            own: row.own,
            opp,
            hole: row.hole,
        };
        Some((placement, symmetric))
    }
}

impl Rows {
    fn new(grid: &Grid, to_orbit: &[(u8, u8)], own: u8) -> Self {
        let ranker = Ranker::new((grid.squares() - 1).into(), own.into());
        let patterns = ranker.patterns();
        let per_orbit = patterns.len();
        let holes = least_squares(to_orbit);
        let mut classes = vec![0; holes.len() * per_orbit];
        let mut rows = Vec::new();
        for (orbit, &hole) in holes.iter().enumerate() {
            let stabiliser: Vec<u8> = (0u8..)
                .zip(grid.symmetries())
                .filter(|(_, symmetry)| symmetry.square(hole) == hole)
                .map(|(number, _)| number)
                .collect();
            for (rank, &pattern) in patterns.iter().enumerate() {
                let mask = bits::with_bit(pattern, hole);
                let images = stabiliser.iter().map(|&number| {
                    let image = grid.symmetries()[usize::from(number)].mask(mask);
                    (ranker.rank(bits::without_bit(image, hole)) as usize, number)
                });
                let (least, turn) = images.clone().min().expect("the identity is a symmetry");
                let kept = images
                    .filter(|&(image, _)| image == rank)
                    .fold(0u8, |set, (_, number)| set | 1 << number);
                if least == rank {
                    let row = u32::try_from(rows.len()).expect("at most 6 * C(24, 12) rows");
                    rows.push(Row {
                        own: mask,
                        free: grid.all() & !mask & !(1 << hole),
                        hole,
                        kept,
                    });
                    classes[orbit * per_orbit + rank] = row;
                } else {
                    // Ranks are visited in increasing order, so the least is known.
                    classes[orbit * per_orbit + rank] =
                        classes[orbit * per_orbit + least] & ROW_MASK | u32::from(turn) << ROW_BITS;
                }
                if kept != 1 {
                    classes[orbit * per_orbit + rank] |= SELF_SYMMETRIC;
                }
            }
        }
        Self {
            ranker,
            classes,
            per_orbit,
            free: rows.iter().map(|row: &Row| row.free).collect(),
            rows,
        }
    }
}

/// The least square of every orbit, by orbit number.
fn least_squares(to_orbit: &[(u8, u8)]) -> Vec<Square> {
    let mut squares: Vec<Square> = Vec::new();
    for (square, &(_, orbit)) in (0..).zip(to_orbit) {
        if usize::from(orbit) == squares.len() {
            squares.push(square);
        }
    }
    squares
}

fn orbits(grid: &Grid) -> Vec<(u8, u8)> {
    let mut leasts: Vec<Square> = Vec::new();
    (0..grid.squares())
        .map(|square| {
            let (least, symmetry) = (0u8..)
                .zip(grid.symmetries())
                .map(|(number, symmetry)| (symmetry.square(square), number))
                .min()
                .expect("the identity is a symmetry");
            if least == square {
                leasts.push(square);
            }
            let orbit = leasts.iter().position(|&other| other == least);
            let orbit = orbit.expect("squares are visited in increasing order");
            (symmetry, u8::try_from(orbit).expect("at most 25 orbits"))
        })
        .collect()
}

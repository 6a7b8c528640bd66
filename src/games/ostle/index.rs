//! A numbering of Ostle positions up to symmetry, without a list of them.
//!
//! Positions are divided into layers by the numbers of the mover's and the opponent's
//! pieces. Within a layer, a position is turned so that the hole is on the least square of
//! its orbit (a1 a2 a3 b2 b3 c3 on the 5x5 board) and, among the symmetries that keep the
//! hole there, the mover's pieces have the least colexicographic rank. The pair (hole,
//! mover's pieces) is a *row*. Within a row, the opponent's pieces are numbered by the
//! colexicographic rank of their places among the free squares. Rows that have a symmetry
//! of their own (about one in a hundred, see [`row_index`](super::row_index)) store each
//! position at the least of its ranks; their other slots are vacant.

#![expect(
    clippy::cast_possible_truncation,
    reason = "fields of packed words are cut out on purpose"
)]

use std::array;

use super::row_index::{Class, Row, Rows, Sets, orbits};
use super::setup::layer_order;
use super::state::{Move, Placement};
use crate::base::cpu::extract;
use crate::base::subsets::without_bit;
use crate::base::turn::Turn;
use crate::games::ostle::grid::{Grid, Mask, Square, squares_of};

/// A placement whose hole is on the least square of its orbit, and a move of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unplaced {
    pub(super) own: Mask,
    pub(super) opp: Mask,
    pub(super) hole: Square,
    pub(super) orbit: u8,
    pub(super) number: u8,
    pub(super) layer: u8,
}

impl Unplaced {
    #[inline(always)]
    pub(super) const fn new(at: Placement, orbit: u8, number: u8, layer: u8) -> Self {
        Self {
            own: at.own,
            opp: at.opp,
            hole: at.hole,
            orbit,
            number,
            layer,
        }
    }

    pub(super) const fn placement(&self) -> Placement {
        Placement {
            own: self.own,
            opp: self.opp,
            hole: self.hole,
        }
    }
}

/// The slot of a placement, and how it was turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub slot: u64,
    /// Number of the symmetry that takes the placement to the stored one.
    pub turn: u8,
    /// Whether the placement has a symmetry of its own.
    pub symmetric: bool,
}

#[derive(Debug)]
pub(super) struct LayerIndex {
    pub(super) rows: usize,
    /// Pieces of the mover and of the opponent.
    own: u8,
    opp: u8,
    pub(super) sets: Sets,
    row_length: u64,
    start: u64,
    end: u64,
}

#[derive(Debug)]
pub(super) struct Index {
    pub(super) grid: Grid,
    pub(super) rows: Vec<Rows>,
    pub(super) layers: Vec<LayerIndex>,
    /// For each square: symmetry that takes it to its orbit's least square, and
    /// that orbit's number.
    pub(super) to_orbit: Vec<(u8, u8)>,
    /// `composed[a][b]`: first `a`, then `b`.
    pub(super) composed: Vec<[u8; 8]>,
    /// `numbers[symmetry][move number]`: the number of the turned move.
    numbers: Vec<[u8; 256]>,
    /// Pieces of the mover and of the opponent, by the game's number of the layer.
    pub(super) order: Vec<(u8, u8)>,
    pub(super) fewest: u8,
    span: u8,
}

impl Index {
    /// Creates the numbering for `fewest..=most` pieces of either side and the squares where the
    /// hole can be.
    pub(super) fn new(grid: &Grid, holes: Mask, (fewest, most): (u8, u8)) -> Self {
        let order = layer_order(fewest, most);
        let symmetries = &grid.symmetries;
        let holes: Vec<_> = grid.least_of(holes).collect();
        let to_orbit = orbits(grid, &holes);
        let turns = Turn::of_board(grid.width.into(), grid.height.into());
        let composed = turns
            .map(|first| array::from_fn(|then| first.then(Turn(then as u8)).0))
            .collect();
        let numbers = symmetries
            .iter()
            .map(|symmetry| {
                array::from_fn(|number| {
                    let number = u8::try_from(number).expect("below 256");
                    let mv = Move::from_number(number);
                    if mv.from >= grid.squares() {
                        return number;
                    }
                    mv.image(symmetry).number()
                })
            })
            .collect();
        let rows: Vec<_> = (fewest..=most)
            .map(|own| Rows::new(grid, &holes, own))
            .collect();
        let mut start = 0;
        let mut layers: Vec<_> = order
            .iter()
            .map(|&(own, opp)| {
                let free = grid.squares() - 1 - own;
                let table = usize::from(own - fewest);
                let sets = Sets::new(grid, free, opp);
                let row_length = sets.count();
                let end = start + rows[table].rows.len() as u64 * row_length;
                let layer = LayerIndex {
                    rows: table,
                    own,
                    opp,
                    sets,
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
            order,
            fewest,
            span: most - fewest + 1,
        }
    }

    #[inline(always)]
    pub(crate) fn layer_number(&self, own: Mask, opp: Mask) -> u8 {
        self.piece_layer(own.count_ones() as u8, opp.count_ones() as u8)
    }

    /// The number of the layer in which mover and opponent have these numbers of pieces.
    #[inline(always)]
    pub(crate) const fn piece_layer(&self, own: u8, opp: u8) -> u8 {
        (own - self.fewest) * self.span + (opp - self.fewest)
    }

    #[inline]
    pub(super) fn turned(&self, turn: u8, number: u8) -> u8 {
        self.numbers[turn as usize & 7][usize::from(number)]
    }

    /// A placement and a move of it, turned so that the hole is on the least square
    /// of its orbit.
    #[inline(always)]
    pub(super) fn settled(&self, layer: u8, placement: Placement, number: u8) -> Unplaced {
        let (turn, orbit) = self.to_orbit[placement.hole as usize];
        if turn == 0 {
            return Unplaced::new(placement, orbit, number, layer);
        }
        let image = placement.image(&self.grid.symmetries[turn as usize]);
        Unplaced::new(image, orbit, self.turned(turn, number), layer)
    }

    /// The orbit of a hole on the least square of its orbit, as in every stored position.
    #[inline(always)]
    pub(super) fn orbit(&self, hole: Square) -> u8 {
        self.to_orbit[hole as usize].1
    }

    #[inline(always)]
    pub(super) fn place(&self, placement: Unplaced) -> Place {
        self.place_by(extract, placement)
    }

    /// The place of a placement, found by [extracting bits](crate::base::cpu::Cpu::extract) in
    /// this way.
    #[inline(always)]
    pub(crate) fn place_by(&self, extract: impl Fn(u32, u32) -> u32, placement: Unplaced) -> Place {
        let layer = &self.layers[usize::from(placement.layer)];
        let rows = &self.rows[layer.rows];
        let others = !(1 << placement.hole);
        let rank = rows.sets.rank_by(&extract, placement.own, others) as usize;
        let class = rows.classes[usize::from(placement.orbit) * rows.per_orbit + rank];
        let turn = class.turn();
        let opp = self.grid.symmetries[turn as usize].mask(placement.opp);
        let base = layer.start + u64::from(class.row()) * layer.row_length;
        if class.is_symmetric() {
            let row = &rows.rows[class.row() as usize];
            return self.place_symmetric(layer, row, base, opp, turn);
        }
        let rank = layer.sets.rank_by(&extract, opp, class.free());
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
            let image = self.grid.symmetries[usize::from(kept)].mask(opp);
            fixed += u32::from(image == opp);
            best = best.min((layer.sets.rank(image, row.free), kept));
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
    pub(super) fn placement(&self, slot: u64) -> Option<(Placement, bool)> {
        let layer = self
            .layers
            .iter()
            .find(|layer| (layer.start..layer.end).contains(&slot))?;
        let within = slot - layer.start;
        let row = &self.rows[layer.rows].rows[(within / layer.row_length) as usize];
        let rank = (within % layer.row_length) as u32;
        let opp = layer.sets.set(rank, row.free);
        let mut symmetric = false;
        if row.kept != 1 {
            for kept in squares_of(Mask::from(row.kept) & !1) {
                let image = self.grid.symmetries[usize::from(kept)].mask(opp);
                symmetric |= image == opp;
                if layer.sets.rank(image, row.free) < rank {
                    return None;
                }
            }
        }
        let placement = Placement {
            opp,
            ..row.placement()
        };
        Some((placement, symmetric))
    }
}

/// Layers have the game's numbers here.
impl Index {
    pub(super) fn pieces(&self, layer: usize) -> (u8, u8) {
        self.order[layer]
    }

    pub(crate) fn layer_of_pieces(&self, own: u8, opp: u8) -> usize {
        let found = self.order.iter().position(|&pieces| pieces == (own, opp));
        found.expect("every layer that a move leads to is numbered")
    }

    /// A row in which the mover has `own` pieces.
    #[inline(always)]
    pub(super) fn row(&self, own: u8, row: usize) -> &Row {
        &self.rows[usize::from(own - self.fewest)].rows[row]
    }

    /// The row of `count` pieces on `own` with this hole, and how it is turned to get
    /// there.
    #[inline(always)]
    pub(crate) fn row_class(&self, count: u8, own: Mask, hole: Square) -> Class {
        let (first, orbit) = self.to_orbit[usize::from(hole)];
        let symmetry = &self.grid.symmetries[usize::from(first)];
        let (own, hole) = if first == 0 {
            (own, hole)
        } else {
            (symmetry.mask(own), symmetry.square(hole))
        };
        let rows = &self.rows[usize::from(count - self.fewest)];
        let squeezed = |own, _| without_bit(own, hole);
        let rank = rows.sets.rank_by(squeezed, own, !(1 << hole)) as usize;
        let class = rows.classes[usize::from(orbit) * rows.per_orbit + rank];
        class.with_turn(self.composed[usize::from(first)][usize::from(class.turn())])
    }
}

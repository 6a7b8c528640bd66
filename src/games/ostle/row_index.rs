//! The rows of the numbering: for every hole and set of the mover's pieces, the row it
//! belongs to, and how it is turned.
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields of packed words are cut out on purpose"
)]

use super::grid::{Grid, Mask, Square};
use super::state::Placement;
use crate::base::cpu::deposit;
use crate::base::subsets::{Ranker, without_bit};

/// A row: the hole and the mover's pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub own: Mask,
    /// Squares that neither the mover nor the hole occupies.
    pub free: Mask,
    pub hole: Square,
    /// The symmetries that keep the hole and the mover's pieces, one bit each.
    pub kept: u8,
}

impl Row {
    /// The hole and the mover's pieces; the opponent has none.
    #[inline(always)]
    pub(super) const fn placement(&self) -> Placement {
        Placement {
            own: self.own,
            opp: 0,
            hole: self.hole,
        }
    }
}

/// What the inner loops need about a set of the mover's pieces, in one word: the free
/// squares of its row (30 bits), the symmetry that takes it there (3), whether the row has
/// a symmetry of its own (1), and the number of the row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class(u64);

impl Class {
    const TURN: u32 = 30;
    const SYMMETRIC: u64 = 1 << 33;
    const ROW: u32 = 34;

    fn new(row: u32, free: Mask, turn: u8, symmetric: bool) -> Self {
        let mark = if symmetric { Self::SYMMETRIC } else { 0 };
        Self(u64::from(row) << Self::ROW | mark | u64::from(turn) << Self::TURN | u64::from(free))
    }

    /// The same with another symmetry.
    #[inline(always)]
    pub(crate) fn with_turn(self, turn: u8) -> Self {
        Self(self.0 & !(7 << Self::TURN) | u64::from(turn & 7) << Self::TURN)
    }

    #[inline(always)]
    pub(crate) const fn row(self) -> u32 {
        (self.0 >> Self::ROW) as u32
    }

    #[inline(always)]
    pub(crate) const fn free(self) -> Mask {
        self.0 as Mask & 0x3fff_ffff
    }

    #[inline(always)]
    pub(crate) const fn turn(self) -> u8 {
        (self.0 >> Self::TURN & 7) as u8
    }

    #[inline(always)]
    pub(crate) const fn is_symmetric(self) -> bool {
        self.0 & Self::SYMMETRIC != 0
    }
}

/// Rows of all layers in which the mover has a given number of pieces.
#[derive(Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "rows consist of rows and what finds them"
)]
pub(super) struct Rows {
    pub ranker: Ranker,
    /// `[orbit of the hole][rank of the mover's pieces]`.
    pub classes: Vec<Class>,
    pub per_orbit: usize,
    pub rows: Vec<Row>,
}

impl Rows {
    /// With the least square of every orbit, by its number.
    pub(super) fn new(grid: &Grid, holes: &[Square], own: u8) -> Self {
        let ranker = Ranker::new((grid.squares() - 1).into(), own.into());
        let patterns = ranker.patterns();
        let per_orbit = patterns.len();
        let mut classes = vec![Class(0); holes.len() * per_orbit];
        let mut rows = Vec::new();
        for (orbit, &hole) in holes.iter().enumerate() {
            let stabiliser: Vec<u8> = (0u8..)
                .zip(&grid.symmetries)
                .filter(|(_, symmetry)| symmetry.square(hole) == hole)
                .map(|(number, _)| number)
                .collect();
            for (rank, &pattern) in patterns.iter().enumerate() {
                let mask = deposit(pattern, !(1 << hole));
                let images = stabiliser.iter().map(|&number| {
                    let image = grid.symmetries[usize::from(number)].mask(mask);
                    (ranker.rank(without_bit(image, hole)) as usize, number)
                });
                let (least, turn) = images.clone().min().expect("the identity is a symmetry");
                let kept = images
                    .filter(|&(image, _)| image == rank)
                    .fold(0u8, |set, (_, number)| set | 1 << number);
                classes[orbit * per_orbit + rank] = if least == rank {
                    let row = u32::try_from(rows.len())
                        .expect("at most 9 * C(29, 7) or 6 * C(24, 12) rows");
                    let free = grid.all() & !mask & !(1 << hole);
                    rows.push(Row {
                        own: mask,
                        free,
                        hole,
                        kept,
                    });
                    Class::new(row, free, 0, kept != 1)
                } else {
                    // Ranks are visited in increasing order, so the least is known.
                    let known = classes[orbit * per_orbit + least];
                    known.with_turn(turn)
                };
            }
        }
        Self {
            ranker,
            classes,
            per_orbit,
            rows,
        }
    }
}

/// The orbit of squares on which the hole cannot be.
const NOWHERE: u8 = u8::MAX;

/// For each square: the symmetry that takes it to the least square of its orbit, and the number of
/// the orbit among those of `holes`, their least squares, [`NOWHERE`] if it is none of these.
pub(super) fn orbits(grid: &Grid, holes: &[Square]) -> Vec<(u8, u8)> {
    (0..grid.squares())
        .map(|square| {
            let (least, symmetry) = grid.least(square);
            let orbit = holes.iter().position(|&other| other == least);
            let orbit = orbit.and_then(|orbit| u8::try_from(orbit).ok());
            (symmetry, orbit.unwrap_or(NOWHERE))
        })
        .collect()
}

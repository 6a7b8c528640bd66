//! The rows of the numbering: for every hole and set of the mover's pieces, the row it
//! belongs to, and how it is turned.
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields of packed words are cut out on purpose"
)]

use super::grid::{Grid, MOST_WITH_TABLES, Mask, Square, low};
use super::state::Placement;
use crate::base::cpu::{deposit, extract};
use crate::base::subsets::{Binomials, Ranker, binomials, rank, unrank};

/// Numbers the sets with a fixed number of some squares, in colexicographic order.
#[derive(Debug)]
pub(super) enum Sets {
    /// By tables, which smaller boards have; the sets are there, too.
    Tables(Ranker, Vec<u32>),
    /// Without tables: the number of squares to choose from, and of those in a set.
    Sums(Box<Binomials>, usize, usize),
}

impl Sets {
    /// Of `chosen` among `places` squares of a board.
    pub(super) fn new(grid: &Grid, places: u8, chosen: u8) -> Self {
        if grid.squares() <= MOST_WITH_TABLES {
            let ranker = Ranker::new(places.into(), chosen.into());
            let patterns = ranker.patterns();
            Self::Tables(ranker, patterns)
        } else {
            Self::Sums(binomials(), places.into(), chosen.into())
        }
    }

    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Tables(ranker, _) => ranker.count(),
            Self::Sums(binomials, places, chosen) => binomials[*places][*chosen],
        }
    }

    /// The ranker and the sets by rank, of a board that has tables.
    pub(super) fn tables(&self) -> Option<(&Ranker, &[u32])> {
        match self {
            Self::Tables(ranker, patterns) => Some((ranker, patterns)),
            Self::Sums(..) => None,
        }
    }

    /// The rank of a set among some squares.
    #[inline(always)]
    pub(super) fn rank(&self, set: Mask, among: Mask) -> u32 {
        self.rank_by(extract, set, among)
    }

    /// The same, by [extracting bits](crate::base::cpu::Cpu::extract) in this way.
    #[inline(always)]
    pub(super) fn rank_by(&self, extract: impl Fn(u32, u32) -> u32, set: Mask, among: Mask) -> u32 {
        match self {
            Self::Tables(ranker, _) => ranker.rank(extract(low(set), low(among))),
            Self::Sums(binomials, ..) => rank(binomials, set, among) as u32,
        }
    }

    /// The set of a rank, among some squares.
    #[inline(always)]
    pub(super) fn set(&self, rank: u32, among: Mask) -> Mask {
        match self {
            Self::Tables(_, patterns) => deposit(patterns[rank as usize], low(among)).into(),
            Self::Sums(binomials, _, chosen) => unrank(binomials, rank.into(), *chosen, among),
        }
    }
}

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
/// squares of its row (36 bits), the symmetry that takes it there (3), whether the row has
/// a symmetry of its own (1), and the number of the row (24).
#[derive(Debug, Clone, Copy)]
pub(super) struct Class(u64);

impl Class {
    const TURN: u32 = 36;
    const SYMMETRIC: u64 = 1 << 39;
    const ROW: u32 = 40;

    fn new(row: u32, free: Mask, turn: u8, symmetric: bool) -> Self {
        let mark = if symmetric { Self::SYMMETRIC } else { 0 };
        Self(u64::from(row) << Self::ROW | mark | u64::from(turn) << Self::TURN | free)
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
        self.0 & ((1 << Self::TURN) - 1)
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
    pub sets: Sets,
    /// `[orbit of the hole][rank of the mover's pieces]`.
    pub classes: Vec<Class>,
    pub per_orbit: usize,
    pub rows: Vec<Row>,
}

impl Rows {
    /// With the least square of every orbit, by its number.
    pub(super) fn new(grid: &Grid, holes: &[Square], own: u8) -> Self {
        let sets = Sets::new(grid, grid.squares() - 1, own);
        let per_orbit = sets.count() as usize;
        let mut classes = vec![Class(0); holes.len() * per_orbit];
        let mut rows = Vec::new();
        for (orbit, &hole) in holes.iter().enumerate() {
            let stabiliser: Vec<u8> = (0u8..)
                .zip(&grid.symmetries)
                .filter(|(_, symmetry)| symmetry.square(hole) == hole)
                .map(|(number, _)| number)
                .collect();
            let others = grid.all() & !(1 << hole);
            for rank in 0..per_orbit {
                let mask = sets.set(rank as u32, others);
                let images = stabiliser.iter().map(|&number| {
                    let image = grid.symmetries[usize::from(number)].mask(mask);
                    (sets.rank(image, others) as usize, number)
                });
                let (least, turn) = images.clone().min().expect("the identity is a symmetry");
                let kept = images
                    .filter(|&(image, _)| image == rank)
                    .fold(0u8, |set, (_, number)| set | 1 << number);
                classes[orbit * per_orbit + rank] = if least == rank {
                    let row = u32::try_from(rows.len())
                        .expect("at most 6 * C(24, 12) rows, which is less than 2^24");
                    let free = others & !mask;
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
            sets,
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

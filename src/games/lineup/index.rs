//! A numbering of positions up to symmetry, without a list of them.
//!
//! Positions with the same numbers of men on the board are a layer. Within it, a position
//! is turned so that the men of the side to move have the least colexicographic rank of
//! their images; these men are its *row*. Within a row, the men of the other side are
//! numbered by the colexicographic rank of their places among the free squares. In rows with
//! a symmetry of their own, a position is stored at the least of its ranks, and the other
//! slots are vacant. Sets of men that contain a goal have no row.

#![expect(
    clippy::cast_possible_truncation,
    reason = "sizes are checked when the numbering is made, and checks would cost time in hot loops"
)]

use super::geometry::Geometry;
use crate::base::subsets::{bits, sets_of};
use crate::base::text::grouped;
use crate::game::{Layer, SizeError};

/// The most sets of men of one side: there is a word for each.
const MOST_SETS: u64 = 1 << 24;

/// The most slots: the solver's updates hold an index in 32 bits.
const MOST_SLOTS: u64 = u32::MAX as u64;

/// `n` choose `k` for `n` up to 64, at most `u64::MAX`.
pub(super) fn choose(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    let product = (1..=u128::from(k)).try_fold(1_u128, |product, i| {
        let product = product * (u128::from(n - k) + i) / i;
        (product <= u128::from(u64::MAX)).then_some(product)
    });
    product.map_or(u64::MAX, |product| product as u64)
}

/// The men of a side, up to symmetry: a row of the side to move, and how to get there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class(u32);

impl Class {
    /// The set contains a goal.
    const GOAL: Self = Self(u32::MAX);
    const NONE: Self = Self(u32::MAX - 1);

    const fn new(row: u32, turn: u8, symmetric: bool) -> Self {
        Self(row << 4 | (turn as u32) << 1 | symmetric as u32)
    }

    const fn row(self) -> u32 {
        self.0 >> 4
    }

    /// The symmetry that takes the set to its row.
    const fn turn(self) -> u8 {
        (self.0 >> 1 & 7) as u8
    }

    const fn is_symmetric(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The sets of one number of men.
#[derive(Debug)]
struct Sets {
    /// By rank.
    classes: Vec<Class>,
    rows: Vec<Row>,
}

/// A row: men of the side to move with the least rank of their images.
#[derive(Debug, Clone, Copy)]
struct Row {
    men: u64,
    /// The symmetries that keep them, one bit each.
    kept: u8,
}

/// The part of the numbering in which the sides have these numbers of men on the board.
#[derive(Debug)]
struct Part {
    own: u8,
    other: u8,
    first: u64,
    length: u64,
    /// The places of the other side's men, by rank.
    places: Vec<u64>,
}

/// The numbering of all positions.
#[derive(Debug)]
pub(super) struct Index {
    men: u8,
    sets: Vec<Sets>,
    parts: Vec<Part>,
    layers: Vec<Layer>,
    /// `binomials[i][n]`: `n` choose `i + 1`.
    binomials: Vec<[u32; 64]>,
}

/// A position of the numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub own: u64,
    pub other: u64,
    /// The number of its layer.
    pub layer: u8,
    /// Whether it has a symmetry of its own.
    pub symmetric: bool,
    /// The class of the other side's men.
    pub other_class: Class,
}

/// Where a position stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub slot: u64,
    pub symmetric: bool,
    /// The men of the side to move in the stored position.
    pub own: u64,
    /// The symmetries that take the position there: first, then second.
    pub turns: [u8; 2],
}

/// The numbers of men on the board of the side to move and of the other side, layer by
/// layer: a side has as many as the other, or the side to move has one fewer.
fn counts(men: u8, drop: bool) -> Vec<(u8, u8)> {
    let mut counts = vec![(men, men)];
    if drop {
        let fewer = (0..men).rev().flat_map(|own| [(own, own + 1), (own, own)]);
        counts.extend(fewer);
    }
    counts
}

/// Checks that positions of a game can be numbered: `squares`, men of each side, whether
/// they are dropped.
pub(super) fn check_size(squares: u32, men: u8, drop: bool, turns: usize) -> Result<(), SizeError> {
    let sets = choose(squares, men.into());
    let raw = counts(men, drop).into_iter().map(|(own, other)| {
        let other = choose(squares - u32::from(own), other.into());
        u128::from(choose(squares, own.into())) * u128::from(other)
    });
    // Up to symmetry, a little more than the sum over the number of symmetries.
    let slots = raw.sum::<u128>() / turns.max(1) as u128;
    if sets > MOST_SETS || slots * 21 / 20 > u128::from(MOST_SLOTS) {
        return Err(SizeError::new(format!(
            "{men} men a side on {squares} squares have about {} positions up to symmetry; at most {} can be solved, with at most {} ways to place the men of one side: take fewer men or squares",
            grouped(u64::try_from(slots).unwrap_or(u64::MAX)),
            grouped(MOST_SLOTS),
            grouped(MOST_SETS)
        )));
    }
    Ok(())
}

impl Index {
    /// The numbering of a game whose size was [checked](check_size).
    pub(super) fn new(geometry: &Geometry, men: u8, drop: bool) -> Self {
        let squares = u32::from(geometry.board.squares());
        let fewest = if drop { 0 } else { men };
        let binomials = (1..=u32::from(men)).map(|i| {
            std::array::from_fn(|n| u32::try_from(choose(n as u32, i)).unwrap_or(u32::MAX))
        });
        let binomials: Vec<_> = binomials.collect();
        let mut index = Self {
            men,
            sets: Vec::new(),
            parts: Vec::new(),
            layers: Vec::new(),
            binomials,
        };
        let sets = (fewest..=men).map(|count| index.sets(geometry, count));
        index.sets = sets.collect();
        let mut first = 0;
        for (group, (own, other)) in counts(men, drop).into_iter().enumerate() {
            let places = subsets(squares - u32::from(own), other.into());
            let rows = index.sets[usize::from(own - fewest)].rows.len() as u64;
            let part = Part {
                own,
                other,
                first,
                length: places.len() as u64,
                places,
            };
            let end = first + rows * part.length;
            index.layers.push(Layer {
                name: format!("{own}-{other}"),
                slots: first..end,
                group,
            });
            index.parts.push(part);
            first = end;
        }
        index
    }

    fn sets(&self, geometry: &Geometry, count: u8) -> Sets {
        let all = subsets(geometry.board.squares().into(), count.into());
        let mut classes = vec![Class::NONE; all.len()];
        let mut rows = Vec::new();
        for (rank, &men) in all.iter().enumerate() {
            if classes[rank] != Class::NONE {
                continue;
            }
            if geometry.wins(men) {
                classes[rank] = Class::GOAL;
                continue;
            }
            let images = geometry.symmetries().map(|turn| geometry.image(turn, men));
            let images: Vec<u64> = images.collect();
            let kept = (0..).zip(&images).filter(|&(_, &image)| image == men);
            let kept = kept.fold(0, |set, (turn, _)| set | 1_u8 << turn);
            for (turn, &image) in images.iter().enumerate() {
                let class = &mut classes[self.rank(image, 0) as usize];
                if *class == Class::NONE {
                    *class = Class::new(rows.len() as u32, geometry.inverse[turn], kept != 1);
                }
            }
            rows.push(Row { men, kept });
        }
        Sets { classes, rows }
    }

    /// The colexicographic rank of a set among those of its size, over the squares that are
    /// not taken.
    #[inline]
    fn rank(&self, set: u64, taken: u64) -> u32 {
        let places = bits(set).zip(&self.binomials);
        places.fold(0, |rank, (square, binomials)| {
            let below = (taken & ((1 << square) - 1)).count_ones();
            rank + binomials[usize::from(square) - below as usize & 63]
        })
    }

    pub(super) fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The sets of a number of men.
    #[inline]
    fn of(&self, count: u8) -> &Sets {
        let fewest = self.men as usize + 1 - self.sets.len();
        &self.sets[usize::from(count) - fewest]
    }

    /// The number of the layer in which the sides have so many men on the board, the side to
    /// move first.
    pub(super) fn layer(&self, own: u32, other: u32) -> Option<u8> {
        let is = |part: &Part| (u32::from(part.own), u32::from(part.other)) == (own, other);
        let place = self.parts.iter().position(is)?;
        u8::try_from(place).ok()
    }

    /// The class of the men of the side to move; `None` if they contain a goal.
    #[inline]
    pub(super) fn class(&self, men: u64) -> Option<Class> {
        let sets = self.of(men.count_ones() as u8);
        let class = sets.classes[self.rank(men, 0) as usize];
        (class != Class::GOAL).then_some(class)
    }

    /// The place of the position of a layer in which the men of the side to move have a
    /// class, and the other side has these.
    #[inline]
    pub(super) fn place(&self, geometry: &Geometry, layer: u8, class: Class, other: u64) -> Place {
        let part = &self.parts[usize::from(layer)];
        let row = &self.of(part.own).rows[class.row() as usize];
        let first = part.first + u64::from(class.row()) * part.length;
        let turned = geometry.image(class.turn(), other);
        let mut place = Place {
            slot: 0,
            symmetric: false,
            own: row.men,
            turns: [class.turn(), 0],
        };
        let mut least = self.rank(turned, row.men);
        if class.is_symmetric() {
            for turn in bits(u64::from(row.kept) & !1) {
                let image = geometry.image(turn, turned);
                place.symmetric |= image == turned;
                let rank = self.rank(image, row.men);
                if rank < least {
                    least = rank;
                    place.turns[1] = turn;
                }
            }
        }
        place.slot = first + u64::from(least);
        place
    }

    /// The position of a slot; `None` if it is vacant or past the end. The other side has no
    /// goal.
    #[inline]
    pub(super) fn position(&self, geometry: &Geometry, slot: u64) -> Option<Found> {
        let layer = self
            .layers
            .iter()
            .position(|layer| slot < layer.slots.end)?;
        let part = &self.parts[layer];
        let within = slot - part.first;
        let row = &self.of(part.own).rows[(within / part.length) as usize];
        let rank = (within % part.length) as u32;
        // Opens a gap at each square of the row.
        let other = bits(row.men).fold(part.places[rank as usize], |set, square| {
            let low = set & ((1 << square) - 1);
            low | (set ^ low) << 1
        });
        let other_class = self.class(other)?;
        let mut symmetric = false;
        if row.kept != 1 {
            for turn in bits(u64::from(row.kept) & !1) {
                let image = geometry.image(turn, other);
                symmetric |= image == other;
                if self.rank(image, row.men) < rank {
                    return None;
                }
            }
        }
        Some(Found {
            own: row.men,
            other,
            layer: layer as u8,
            symmetric,
            other_class,
        })
    }
}

/// The sets of `count` of the first `places` squares, in the order of their ranks.
fn subsets(places: u32, count: u32) -> Vec<u64> {
    sets_of(count, choose(places, count)).collect()
}

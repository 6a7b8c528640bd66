//! Connected parts of boards and graphs, for the search for nimbers.
//!
//! A shape on a board is a bit set, row by row, with a fixed number of bits in each row, so
//! that shapes can be shifted to the corner, rotated and reflected to recognize equal ones.
#![expect(
    clippy::cast_possible_truncation,
    reason = "a shape has at most 128 squares"
)]

use std::sync::LazyLock;

use super::Rules;
use crate::base::subsets::wide_bits as bits;
use crate::game::Nimber;
use crate::solve::nimbers::{Octal, Periodic, Shapes};

pub(super) const MOST: usize = 128;
/// The longest rows for which tables reflect and rotate shapes.
const LONGEST: u32 = 16;

/// The nimbers of rows, on which the game is Dawson's chess.
pub(super) static ROW: LazyLock<Periodic> = LazyLock::new(|| {
    let row = Octal::dawsons_chess().periodic(1 << 12);
    row.expect("its nimbers have the period 34")
});

/// A set of squares or vertices, one bit each.
pub(super) type Mask = u128;

/// Splits a set into connected parts; `grown` returns a set with all its neighbours. Every
/// part must have a square among the `seeds`, which lie in the set: a part that has all that
/// are left is the last one, and need not be followed to its end.
fn split(mut rest: Mask, mut seeds: Mask, parts: &mut Vec<Mask>, grown: impl Fn(Mask) -> Mask) {
    while seeds != 0 {
        let mut part = seeds & seeds.wrapping_neg();
        loop {
            if seeds & !part == 0 {
                parts.push(rest);
                return;
            }
            let more = grown(part) & rest;
            if more == part {
                break;
            }
            part = more;
        }
        rest &= !part;
        seeds &= !part;
        parts.push(part);
    }
}

/// Visits the results of all moves on a shape, split into parts. Moves with the same result
/// are visited once. `around` has each square with its neighbours.
fn options(
    shape: Mask,
    around: &[Mask],
    grown: impl Fn(Mask) -> Mask,
    visit: &mut dyn FnMut(&[Mask]),
) {
    let mut left: Vec<(Mask, u32)> = bits(shape)
        .map(|square| (shape & !around[square as usize], square))
        .collect();
    left.sort_unstable();
    left.dedup_by_key(|(rest, _)| *rest);
    let mut parts = Vec::new();
    for (rest, square) in left {
        parts.clear();
        // The shape was connected, so each part has a square next to those that the move takes.
        let seeds = grown(around[square as usize] & shape) & rest;
        split(rest, seeds, &mut parts, &grown);
        visit(&parts);
    }
}

#[derive(Debug)]
pub(super) struct BoardShapes {
    kings: bool,
    rows: u32,
    /// The number of bits in a row.
    stride: u32,
    /// Whether a shape with rows and columns exchanged still fits.
    turns: bool,
    /// The squares of each column, as far as the bits of a row go.
    columns: Vec<Mask>,
    /// Each square with its neighbours, possibly with squares beside the board.
    pub around: Vec<Mask>,
    /// The bits of each row, spread over the first column.
    spread: Vec<Mask>,
}

impl BoardShapes {
    /// The shapes of a board; `None` if it has too many squares.
    pub(super) fn new(rules: &Rules, rows: u32, columns: u32) -> Option<Self> {
        // Rows are the shorter side, so that they have few bits.
        let (rows, columns) = (rows.max(columns), rows.min(columns));
        if columns > LONGEST || u64::from(rows) * u64::from(columns) > MOST as u64 {
            return None;
        }
        let turns = rows * rows <= MOST as u32 && rows <= LONGEST;
        let stride = if turns { rows } else { columns };
        let column =
            |file: u32| (0..rows).fold(0, |mask: Mask, rank| mask | 1 << (rank * stride + file));
        let patterns = 1_usize << stride;
        let spread = |bits: usize| {
            let set = (0..stride).filter(|bit| turns && bits >> bit & 1 == 1);
            set.fold(0, |mask: Mask, bit| mask | 1 << (bit * stride))
        };
        let mut shapes = Self {
            kings: matches!(rules, Rules::Kings),
            rows,
            stride,
            turns,
            columns: (0..stride).map(column).collect(),
            around: Vec::new(),
            spread: (0..patterns).map(spread).collect(),
        };
        shapes.around = (0..rows * stride)
            .map(|bit| shapes.grown(1 << bit))
            .collect();
        Some(shapes)
    }

    pub(super) const fn bit(&self, row: u32, column: u32) -> u32 {
        row * self.stride + column
    }

    pub(super) fn parts(&self, squares: Mask) -> Vec<Mask> {
        let mut parts = Vec::new();
        split(squares, squares, &mut parts, |part| self.grown(part));
        parts
    }

    /// A set with all its neighbours, possibly with squares beside the board.
    fn grown(&self, set: Mask) -> Mask {
        let (first, last) = (self.columns[0], self.columns[self.stride as usize - 1]);
        let sideways = set | (set & !last) << 1 | (set & !first) >> 1;
        let along = if self.kings { sideways } else { set };
        sideways | along << self.stride | along >> self.stride
    }

    /// The columns in which a shape has squares, as one row.
    fn shadow(&self, shape: Mask) -> usize {
        let (mut shadow, mut rows) = (shape, 1);
        while rows < self.rows {
            shadow |= shadow >> (rows * self.stride);
            rows *= 2;
        }
        self.row(shadow, 0)
    }

    const fn row(&self, shape: Mask, row: u32) -> usize {
        (shape >> (row * self.stride)) as usize & ((1 << self.stride) - 1)
    }

    /// The shape shifted into the corner, with its numbers of rows and columns.
    fn moved_to_corner(&self, shape: Mask) -> (Mask, u32, u32) {
        let shape = shape >> (shape.trailing_zeros() / self.stride * self.stride);
        let rows = (Mask::BITS - shape.leading_zeros()).div_ceil(self.stride);
        let shadow = self.shadow(shape);
        let first = shadow.trailing_zeros();
        let columns = usize::BITS - shadow.leading_zeros() - first;
        (shape >> first, rows, columns)
    }

    /// The least of a shape in the corner and its three mirror images.
    fn least_mirrored(&self, shape: Mask, rows: u32, columns: u32) -> Mask {
        let column = |column: u32| self.columns[column as usize];
        let middle = if columns % 2 == 1 {
            shape & column(columns / 2)
        } else {
            0
        };
        let mirrored = (0..columns / 2).fold(middle, |image, left| {
            let distance = columns - 1 - 2 * left;
            image | (shape & column(left)) << distance | shape >> distance & column(left)
        });
        let beyond = Mask::BITS - (rows - 1) * self.stride - columns;
        let half_turned = |shape: Mask| shape.reverse_bits() >> beyond;
        let upright = shape.min(mirrored);
        upright.min(half_turned(shape)).min(half_turned(mirrored))
    }

    fn turned(&self, shape: Mask, rows: u32) -> Mask {
        (0..rows).fold(0, |turned, row| {
            turned | self.spread[self.row(shape, row)] << row
        })
    }
}

impl Shapes for BoardShapes {
    type Shape = Mask;

    fn options(&self, shape: Mask, visit: &mut dyn FnMut(&[Mask])) {
        options(shape, &self.around, |set| self.grown(set), visit);
    }

    fn canonical(&self, shape: Mask) -> Mask {
        let (shape, rows, columns) = self.moved_to_corner(shape);
        if !self.turns || rows < columns {
            return self.least_mirrored(shape, rows, columns);
        }
        let turned = self.least_mirrored(self.turned(shape, rows), columns, rows);
        if rows == columns {
            turned.min(self.least_mirrored(shape, rows, columns))
        } else {
            turned
        }
    }

    fn size(&self, shape: Mask) -> u32 {
        shape.count_ones()
    }

    fn known(&self, shape: Mask) -> Option<Nimber> {
        // The shape stands in the corner.
        let rows = (Mask::BITS - shape.leading_zeros()).div_ceil(self.stride);
        let columns = usize::BITS - self.shadow(shape).leading_zeros();
        if shape.count_ones() != rows * columns {
            return None;
        }
        let (short, long) = (rows.min(columns), rows.max(columns));
        match short {
            1 => Some(ROW.nimber(long as usize)),
            // The two squares of a column have the same neighbours.
            2 if self.kings => Some(ROW.nimber(long as usize)),
            // Each move is answered two rows further in the same column; together they
            // clear a stretch of all four rows.
            4 if self.kings => Some(0),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct GraphShapes {
    /// Each vertex with its neighbours.
    around: Vec<Mask>,
    /// Symmetries of the graph other than the identity: the image of each vertex.
    symmetries: Vec<Vec<u32>>,
}

/// The most symmetries that are used: more would take longer than they save.
const MOST_SYMMETRIES: usize = 16;

impl GraphShapes {
    /// The shapes of a graph, given by each vertex with its neighbours, and by symmetries of
    /// the graph, the identity first.
    pub(super) fn new(around: Vec<Mask>, symmetries: Vec<Vec<usize>>) -> Self {
        let images =
            |symmetry: Vec<usize>| symmetry.into_iter().map(|image| image as u32).collect();
        let others = symmetries.into_iter().take(MOST_SYMMETRIES).skip(1);
        Self {
            around,
            symmetries: others.map(images).collect(),
        }
    }

    pub(super) fn parts(&self, vertices: Mask) -> Vec<Mask> {
        let mut parts = Vec::new();
        split(vertices, vertices, &mut parts, |part| self.grown(part));
        parts
    }

    fn grown(&self, set: Mask) -> Mask {
        bits(set).fold(0, |grown, vertex| grown | self.around[vertex as usize])
    }
}

impl Shapes for GraphShapes {
    type Shape = Mask;

    fn options(&self, shape: Mask, visit: &mut dyn FnMut(&[Mask])) {
        options(shape, &self.around, |set| self.grown(set), visit);
    }

    /// Of vertices with the same neighbours, only the first matters, because a move on one
    /// takes them all. Of symmetric shapes, the least stands for all.
    fn canonical(&self, shape: Mask) -> Mask {
        let mut kept = shape;
        for vertex in bits(shape) {
            let around = self.around[vertex as usize] & shape;
            let twin = bits(around & (Mask::MAX << vertex << 1))
                .filter(|&other| self.around[other as usize] & shape == around);
            kept = twin.fold(kept, |kept, other| kept & !(1 << other));
        }
        let image = |symmetry: &Vec<u32>| {
            bits(kept).fold(0, |image: Mask, vertex| {
                image | 1 << symmetry[vertex as usize]
            })
        };
        let images = self.symmetries.iter().map(image);
        images.fold(kept, Mask::min)
    }

    fn size(&self, shape: Mask) -> u32 {
        shape.count_ones()
    }

    fn known(&self, shape: Mask) -> Option<Nimber> {
        let degrees =
            bits(shape).map(|vertex| (self.around[vertex as usize] & shape).count_ones() - 1);
        let (mut ends, mut sum) = (0, 0);
        for degree in degrees {
            if degree > 2 {
                return None;
            }
            ends += u32::from(degree < 2);
            sum += degree;
        }
        let vertices = shape.count_ones();
        // A path has one edge fewer than vertices; no connected graph has fewer.
        (sum == 2 * (vertices - 1) && ends > 0).then(|| ROW.nimber(vertices as usize))
    }
}

#[cfg(test)]
mod tests;

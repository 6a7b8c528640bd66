//! Problems that are nearly the same: one piece apart, with the same key.

use std::collections::HashMap;

use super::data::{BoardSize, Book, Problem};
use super::play::Act;
use crate::draw::{Glyph, Point};

/// What the boards of near-twins have in common: the place of the key, and all things but at
/// most one, as they stand after a turn or a reflection of the board.
type Common<'b> = ((Point, Point), Vec<(Point, &'b Glyph)>);

/// A turn or a reflection of the board: whether columns and rows are exchanged, and whether
/// columns, then rows, are counted from the other end.
type Symmetry = [bool; 3];

impl Book {
    /// The book without problems that differ from one before in no more than one thing on the
    /// board, which stands elsewhere or is missing, and have the same key, up to turns and
    /// reflections of the board; and which they are, each with the problem that it is nearly the
    /// same as, by their numbers from zero. Problems without a line to play are all kept.
    #[must_use]
    pub fn without_near_twins(mut self) -> (Self, Vec<(usize, usize)>) {
        let twins = near_twins(&self.problems, &self.board);
        let mut left_out = twins.iter().map(|&(place, _)| place).peekable();
        let mut kept = Vec::new();
        // How many problems before each are kept.
        let mut before = Vec::new();
        for (place, problem) in std::mem::take(&mut self.problems).into_iter().enumerate() {
            before.push(kept.len());
            if left_out.next_if_eq(&place).is_none() {
                kept.push(problem);
            }
        }
        let end = kept.len();
        self.problems = kept;
        for (_, first) in &mut self.chapters {
            *first = before.get(*first).copied().unwrap_or(end);
        }
        let starts: Vec<usize> = self.chapters.iter().map(|(_, first)| *first).collect();
        let mut ends = starts.iter().skip(1).copied().chain([end]);
        let chapters = std::mem::take(&mut self.chapters).into_iter();
        // A chapter of which nothing is left has no heading.
        self.chapters = chapters
            .filter(|(_, first)| ends.next().is_some_and(|end| *first < end))
            .collect();
        (self, twins)
    }
}

/// The problems that are nearly the same as one before that is kept, with that one.
fn near_twins(problems: &[Problem], board: &BoardSize) -> Vec<(usize, usize)> {
    let mut known: HashMap<Common<'_>, usize> = HashMap::new();
    let mut twins = Vec::new();
    for (place, problem) in problems.iter().enumerate() {
        let Some(key) = problem.play.line.first() else {
            continue;
        };
        let as_it_is = commons(problem, key, board, [false; 3]);
        if let Some(&twin) = as_it_is.iter().find_map(|common| known.get(common)) {
            twins.push((place, twin));
            continue;
        }
        for symmetry in symmetries(board) {
            for common in commons(problem, key, board, symmetry) {
                known.entry(common).or_insert(place);
            }
        }
    }
    twins
}

/// The board of a problem as it is, and without each thing but the one that the key moves, all
/// turned.
fn commons<'p>(
    problem: &'p Problem,
    key: &Act,
    board: &BoardSize,
    symmetry: Symmetry,
) -> Vec<Common<'p>> {
    let things = &problem.play.turns[0].board;
    let turned = |point| turned(point, board, symmetry);
    let mut all: Vec<_> = things
        .iter()
        .map(|thing| (thing.cell, turned(thing.cell.into()), &thing.glyph))
        .collect();
    all.sort_by_key(|(_, point, _)| (point.row, point.column));
    let key_points = (turned(key.from.into()), turned(key.to));
    let without = |left_out: Option<usize>| {
        let left = all.iter().enumerate();
        let left = left.filter(|(place, _)| Some(*place) != left_out);
        let left = left.map(|(_, &(_, point, glyph))| (point, glyph));
        (key_points, left.collect())
    };
    let idle = (0..all.len()).filter(|&place| all[place].0 != key.from);
    idle.map(Some).chain([None]).map(without).collect()
}

/// The symmetries of a board: those of a square, or of a rectangle.
fn symmetries(board: &BoardSize) -> impl Iterator<Item = Symmetry> + use<> {
    let square = board.columns == board.rows;
    (0..8)
        .map(|number| [number & 4 != 0, number & 2 != 0, number & 1 != 0])
        .filter(move |[exchanged, ..]| square || !exchanged)
}

/// Where a point comes to.
fn turned(point: Point, board: &BoardSize, [exchanged, columns, rows]: Symmetry) -> Point {
    let flipped = |at: i8, side: u8, flip: bool| {
        if flip {
            i8::try_from(side).unwrap_or(i8::MAX) - 1 - at
        } else {
            at
        }
    };
    let column = flipped(point.column, board.columns, columns);
    let row = flipped(point.row, board.rows, rows);
    if exchanged {
        Point::new(row, column)
    } else {
        Point::new(column, row)
    }
}

//! Where the squares of a board lie in its searches: on a line, for boards that are
//! equivalent to rows, and otherwise in the frame of their own connected board.

use super::shapes::{BoardShapes, Mask};
use super::squares::Squares;
use super::{PlacementRules, Rules};

#[derive(Debug, Clone, Copy)]
enum FrameSquare {
    /// A gap.
    Nowhere,
    /// On the line.
    Line(usize),
    /// In the frame of a connected board: its number, and the longer and the shorter
    /// coordinate.
    Frame(usize, u32, u32),
}

#[derive(Debug)]
pub(super) struct Frames {
    places: Vec<FrameSquare>,
    /// The length of the line: rows one after another, with gaps between.
    length: usize,
    /// The number of connected boards that are not rows. If there is none, the board is equivalent
    /// to rows: it has one row or column, or two rows of kings, where the two squares of a column
    /// have the same neighbours.
    pub boards: usize,
    /// The longest and the second side that any of these has.
    pub sides: (u32, u32),
}

pub(super) fn side(squares: usize) -> u32 {
    u32::try_from(squares).unwrap_or(u32::MAX)
}

/// Consecutive free places of the line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    first: usize,
    pub length: usize,
}

impl Frames {
    /// The frames of a board of one colour, not of a graph.
    pub(super) fn new(game: &PlacementRules) -> Self {
        let mut frames = Self {
            places: vec![FrameSquare::Nowhere; game.squares()],
            length: 0,
            boards: 0,
            sides: (1, 1),
        };
        let at = |square: usize| (square / game.columns, square % game.columns);
        for part in game.parts(&game.board) {
            let (rows, columns) = (part.iter().map(|&s| at(s).0), part.iter().map(|&s| at(s).1));
            let bounds = |least: Option<usize>, most: Option<usize>| {
                let least = least.unwrap_or(0);
                (least, most.unwrap_or(0) - least + 1)
            };
            let (row, height) = bounds(rows.clone().min(), rows.max());
            let (column, width) = bounds(columns.clone().min(), columns.max());
            let (long, short) = (height.max(width), height.min(width));
            let is_row = short == 1 || short == 2 && matches!(game.rules, Rules::Kings);
            for &square in &part {
                let (down, across) = (at(square).0 - row, at(square).1 - column);
                // The coordinates along the longer and the shorter side.
                let (along, across) = if height >= width {
                    (down, across)
                } else {
                    (across, down)
                };
                frames.places[square] = if is_row {
                    FrameSquare::Line(frames.length + along)
                } else {
                    FrameSquare::Frame(frames.boards, side(along), side(across))
                };
            }
            if is_row {
                frames.length += long + 1;
            } else {
                frames.boards += 1;
                frames.sides.0 = frames.sides.0.max(side(long));
                frames.sides.1 = frames.sides.1.max(side(short));
            }
        }
        frames
    }

    /// The runs of free places of the line, in order.
    pub(super) fn runs(&self, free: &Squares) -> Vec<Run> {
        let on_line = free.iter().filter_map(|square| match self.places[square] {
            FrameSquare::Line(place) => Some(place),
            _ => None,
        });
        let mut places: Vec<usize> = on_line.collect();
        // On two rows of kings, two squares share a place.
        places.sort_unstable();
        places.dedup();
        let runs = places.chunk_by(|place, next| place + 1 == *next);
        let runs = runs.map(|run| Run {
            first: run[0],
            length: run.len(),
        });
        runs.collect()
    }

    /// The run in which a free square lies, with the numbers of places before and behind
    /// it; `None` if the square is not on the line.
    pub(crate) fn run_of(&self, square: usize, runs: &[Run]) -> Option<(Run, usize, usize)> {
        let FrameSquare::Line(place) = self.places[square] else {
            return None;
        };
        let run = runs[runs.partition_point(|run| run.first <= place) - 1];
        let before = place - run.first;
        Some((run, before, run.length - 1 - before))
    }

    /// The connected parts of the free squares that are not on the line.
    pub(super) fn parts(&self, shapes: &BoardShapes, free: &Squares) -> Vec<Mask> {
        let mut masks: Vec<Mask> = vec![0; self.boards];
        for square in free.iter() {
            if let FrameSquare::Frame(board, along, across) = self.places[square] {
                masks[board] |= 1 << shapes.bit(along, across);
            }
        }
        let parts = masks.into_iter().flat_map(|mask| shapes.parts(mask));
        parts.collect()
    }

    /// The connected parts of the free squares, those on the line too, for searches without
    /// theorems.
    pub(crate) fn all_parts(&self, shapes: &BoardShapes, free: &Squares) -> Vec<Mask> {
        let mut parts = self.parts(shapes, free);
        for run in self.runs(free) {
            let squares = 0..side(run.length);
            parts.push(squares.fold(0, |mask: Mask, row| mask | 1 << shapes.bit(row, 0)));
        }
        parts
    }

    /// Rows and columns that hold each connected board, and each row as one of breadth 1.
    pub(crate) fn all_sides(&self) -> (u32, u32) {
        let longest = side(self.length.saturating_sub(1));
        (self.sides.0.max(longest), self.sides.1)
    }
}

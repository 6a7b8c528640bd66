//! Reading and turning a diagram.

use super::Diagram;
use crate::draw::data::graph::DrawnGraph;
use crate::draw::data::parts::{Glyph, Mark};
use crate::draw::data::point::{BoardSquare, Point};
use crate::draw::data::stand::{Flank, PieceStand};

impl Diagram {
    /// The numbers of columns and rows, as the point just past the last square.
    #[must_use]
    pub fn size(&self) -> Point {
        BoardSquare::new(self.columns, self.rows).into()
    }

    /// The square at a point; `None` beyond the edge.
    #[must_use]
    pub fn square(&self, point: Point) -> Option<BoardSquare> {
        let column = u8::try_from(point.column).ok()?;
        let row = u8::try_from(point.row).ok()?;
        let square = BoardSquare::new(column, row);
        self.check_square(square).is_ok().then_some(square)
    }

    /// What stands on a point; nothing does beyond the edge.
    #[must_use]
    pub fn glyph_at(&self, point: Point) -> Option<&Glyph> {
        self.glyphs.get(&self.square(point)?)
    }

    /// Whether a point is a square of the board, or a vertex where a graph is drawn, and not
    /// [`Glyph::Absent`].
    #[must_use]
    pub fn has(&self, point: Point) -> bool {
        let graph = self.drawn_graph();
        let vertex = |square| graph.is_none_or(|graph| graph.has(square));
        self.square(point).is_some_and(vertex) && self.glyph_at(point) != Some(&Glyph::Absent)
    }

    /// The graph that is drawn instead of squares.
    #[must_use]
    pub const fn drawn_graph(&self) -> Option<&DrawnGraph> {
        self.around.graph.as_ref()
    }

    /// All glyphs with their squares, file by file from the left, each from the bottom
    /// up.
    pub fn glyphs(&self) -> impl Iterator<Item = (BoardSquare, &Glyph)> {
        self.glyphs.iter().map(|(&square, glyph)| (square, glyph))
    }

    /// The marks in the order in which they are drawn.
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The labels of files from the left, and of ranks from the bottom.
    #[must_use]
    pub fn labels(&self) -> (&[String], &[String]) {
        (&self.file_labels, &self.rank_labels)
    }

    /// The title and the description as they are read aloud; `None` if there is neither.
    #[must_use]
    pub fn spoken(&self) -> Option<String> {
        let words = [&self.title, &self.desc].into_iter().flatten();
        let words: Vec<&str> = words
            .map(|words| words.trim_end_matches('.'))
            .filter(|words| !words.trim().is_empty())
            .collect();
        (!words.is_empty()).then(|| words.join(". ") + ".")
    }

    /// Whether the labels of the files are above the board.
    #[must_use]
    pub const fn has_files_above(&self) -> bool {
        self.around.files_above
    }

    /// The side of the board on which the labels of the ranks are.
    #[must_use]
    pub const fn flank_of_ranks(&self) -> Flank {
        if self.around.ranks_right {
            Flank::Right
        } else {
            Flank::Left
        }
    }

    /// The squares whose lower left corners have dots.
    pub fn stars(&self) -> impl Iterator<Item = BoardSquare> {
        self.around.stars.iter().copied()
    }

    /// The stand on this side of the board.
    #[must_use]
    pub const fn stand_at(&self, flank: Flank) -> Option<&PieceStand> {
        match flank {
            Flank::Left => self.around.left.as_ref(),
            Flank::Right => self.around.right.as_ref(),
        }
    }

    /// The board after a quarter turn clockwise. Labels stay beside the squares that
    /// they name.
    #[must_use]
    pub fn turned(mut self) -> Self {
        let columns = self.columns;
        let size = self.size();
        let square =
            |square: BoardSquare| BoardSquare::new(square.row, columns - 1 - square.column);
        self.glyphs = self
            .glyphs
            .into_iter()
            .map(|(at, glyph)| {
                let glyph = match glyph {
                    Glyph::Symbol(symbol) => Glyph::Symbol(symbol.turned(1)),
                    other => other,
                };
                (square(at), glyph)
            })
            .collect();
        for mark in &mut self.marks {
            *mark = match *mark {
                Mark::Arrow { from, to } => Mark::Arrow {
                    from: square(from),
                    to: to.turned(size),
                },
                Mark::Forbidden { from, to } => Mark::Forbidden {
                    from: square(from),
                    to: to.turned(size),
                },
                Mark::Removed(point) => Mark::Removed(point.turned(size)),
                Mark::Highlight(at) => Mark::Highlight(square(at)),
            };
        }
        (self.columns, self.rows) = (self.rows, self.columns);
        self.around.turn(columns);
        self.file_labels.reverse();
        std::mem::swap(&mut self.file_labels, &mut self.rank_labels);
        self
    }
}

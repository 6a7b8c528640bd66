//! A board with all that is shown on and around it.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{BoardSquare, DiagramError, DrawnGraph, MAX_SIDE, Point};
use super::parts::{Flank, Glyph, Mark, PieceStand, Slide, Tone};

/// A board with everything that is drawn on and around it.
///
/// Every value of this type can be drawn: each square that it mentions lies on the
/// board, and each [`Point`] on the board or in the ring around it.
///
/// ```
/// use tesuji_draw::{BoardSquare, Diagram, Glyph, Mark, Point, Tone};
///
/// let from = BoardSquare::new(0, 3);
/// let diagram = Diagram::new(4, 4)?
///     .place(from, Glyph::Piece(Tone::Light))?
///     .mark(Mark::Arrow { from, to: Point::new(-1, 3) })?
///     .to_move(Tone::Light);
/// assert_eq!(diagram.glyphs().count(), 1);
/// assert!(diagram.clone().place(from, Glyph::Hole).is_err());
/// # Ok::<(), tesuji_draw::DiagramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub(super) columns: u8,
    rows: u8,
    pub(super) glyphs: BTreeMap<BoardSquare, Glyph>,
    pub(crate) marks: Vec<Mark>,
    file_labels: Vec<String>,
    rank_labels: Vec<String>,
    /// Whether the labels of the files are above the board instead of below it.
    pub files_above: bool,
    /// The side of the board on which the labels of the ranks are.
    pub ranks_at: Flank,
    /// The side to move, shown by a small disc beside the board.
    pub to_move: Option<Tone>,
    /// The side that begins at the bottom of the board. A style may turn the board for
    /// the other side.
    pub home: Option<Tone>,
    /// The number of the diagram, written above it.
    pub number: Option<u32>,
    /// What is asked, in the first line below the board.
    pub stipulation: Option<String>,
    /// Themes, named below the stipulation.
    pub themes: Vec<String>,
    /// Further lines below the board, each wrapped if it is too long.
    pub captions: Vec<String>,
    /// The accessible name: not drawn, but read aloud and shown as a tooltip.
    pub title: Option<String>,
    /// The accessible description: the position in words.
    pub desc: Option<String>,
    /// What stands below the board, before the captions, in a line of play: by default the
    /// number.
    pub label: Option<String>,
    /// The name of the move that the rules forbid, for styles that show it beside the board.
    pub forbidden: Option<String>,
    /// Squares that are darker than the others.
    shaded: BTreeSet<BoardSquare>,
    /// Squares whose lower left corners have dots.
    stars: BTreeSet<BoardSquare>,
    /// Those on the left and on the right.
    stands: [Option<PieceStand>; 2],
    /// What is drawn instead of squares.
    graph: Option<DrawnGraph>,
    /// Whether the board has been turned by an odd number of quarters.
    sideways: bool,
}

impl Diagram {
    /// An empty board, labelled `a`, `b`, … and `1`, `2`, ….
    ///
    /// # Errors
    /// [`DiagramError::Size`] unless both sides are in `1..=`[`MAX_SIDE`].
    pub fn new(columns: u8, rows: u8) -> Result<Self, DiagramError> {
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&columns) || !sides.contains(&rows) {
            return Err(DiagramError::Size { columns, rows });
        }
        Ok(Self {
            columns,
            rows,
            glyphs: BTreeMap::new(),
            marks: Vec::new(),
            file_labels: ('a'..='z').take(columns.into()).map(String::from).collect(),
            rank_labels: (1..=rows).map(|rank| rank.to_string()).collect(),
            files_above: false,
            ranks_at: Flank::Left,
            to_move: None,
            home: None,
            number: None,
            label: None,
            forbidden: None,
            stipulation: None,
            themes: Vec::new(),
            captions: Vec::new(),
            title: None,
            desc: None,
            shaded: BTreeSet::new(),
            stars: BTreeSet::new(),
            stands: [None, None],
            graph: None,
            sideways: false,
        })
    }

    /// Puts a glyph on a free square.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`] or [`DiagramError::Taken`].
    pub fn place(mut self, square: BoardSquare, glyph: Glyph) -> Result<Self, DiagramError> {
        self.check_square(square)?;
        if self.glyphs.insert(square, glyph).is_some() {
            return Err(DiagramError::Taken(square));
        }
        Ok(self)
    }

    /// Puts a glyph on a square in place of what is there.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`].
    pub fn replace(mut self, square: BoardSquare, glyph: Glyph) -> Result<Self, DiagramError> {
        self.check_square(square)?;
        self.glyphs.insert(square, glyph);
        Ok(self)
    }

    /// The board after a move: what slides is elsewhere or gone, then some things appear. It has no
    /// marks, no side to move and no description.
    pub fn moved(
        mut self,
        slides: &[Slide],
        appears: impl IntoIterator<Item = (BoardSquare, Glyph)>,
    ) -> Self {
        let remove = |slide: &Slide| self.glyphs.remove(&slide.from);
        let gone: Vec<_> = slides.iter().map(remove).collect();
        for (slide, glyph) in slides.iter().zip(gone) {
            let to = self.square(slide.to).filter(|_| !slide.lost);
            self.glyphs.extend(to.zip(glyph));
        }
        self.glyphs.extend(appears);
        self.marks.clear();
        (self.to_move, self.desc) = (None, None);
        self
    }

    /// Adds a mark; later marks cover earlier ones.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`], [`DiagramError::TooFar`], or
    /// [`DiagramError::Standstill`] for an arrow without length.
    pub fn mark(mut self, mark: Mark) -> Result<Self, DiagramError> {
        match mark {
            Mark::Arrow { from, to } | Mark::Forbidden { from, to } => {
                self.check_square(from)?;
                self.check_point(to)?;
                if Point::from(from) == to {
                    return Err(DiagramError::Standstill(from));
                }
            }
            Mark::Removed(point) => self.check_point(point)?,
            Mark::Highlight(square) => self.check_square(square)?,
        }
        self.marks.push(mark);
        Ok(self)
    }

    /// Replaces the labels of the files, from left to right, and of the ranks, from the bottom up.
    ///
    /// # Errors
    /// [`DiagramError::Labels`] unless there is one label for each column and each row.
    pub fn labelled(
        mut self,
        files: impl IntoIterator<Item: Into<String>>,
        ranks: impl IntoIterator<Item: Into<String>>,
    ) -> Result<Self, DiagramError> {
        self.file_labels = exactly(self.columns, files)?;
        self.rank_labels = exactly(self.rows, ranks)?;
        Ok(self)
    }

    /// Sets [`to_move`](Self::to_move).
    pub fn to_move(mut self, tone: Tone) -> Self {
        self.to_move = Some(tone);
        self
    }

    /// Sets [`home`](Self::home).
    pub fn home(mut self, tone: Tone) -> Self {
        self.home = Some(tone);
        self
    }

    /// Sets [`number`](Self::number).
    pub fn number(mut self, number: u32) -> Self {
        self.number = Some(number);
        self
    }

    /// Sets [`label`](Self::label).
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// Sets [`forbidden`](Self::forbidden).
    pub fn forbidden(mut self, name: impl Into<String>) -> Self {
        self.forbidden = Some(name.into());
        self
    }

    /// Sets [`stipulation`](Self::stipulation).
    pub fn stipulation(mut self, text: impl Into<String>) -> Self {
        self.stipulation = Some(text.into());
        self
    }

    /// Adds one of the [`captions`](Self::captions).
    pub fn caption(mut self, line: impl Into<String>) -> Self {
        self.captions.push(line.into());
        self
    }

    /// Sets [`title`](Self::title).
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets [`desc`](Self::desc).
    pub fn desc(mut self, desc: impl Into<String>) -> Self {
        self.desc = Some(desc.into());
        self
    }

    /// Puts a dot where lines cross: at the lower left corner of the square.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`] if the corner lies on the edge of the board or beyond
    /// it.
    pub fn star(mut self, square: BoardSquare) -> Result<Self, DiagramError> {
        self.check_square(square)?;
        if square.column == 0 || square.row == 0 {
            return Err(DiagramError::OffBoard(square));
        }
        self.stars.insert(square);
        Ok(self)
    }

    /// Makes every second square darker, beginning with the lower left one, as on a chessboard.
    #[must_use]
    pub fn checkered(mut self) -> Self {
        let (columns, rows) = (self.columns, self.rows);
        let row = |row| (0..columns).map(move |column| BoardSquare::new(column, row));
        let dark = |square: &BoardSquare| (square.column + square.row).is_multiple_of(2);
        self.shaded = (0..rows).flat_map(row).filter(dark).collect();
        self
    }

    /// Draws a graph instead of the squares of the board, which has no labels then. What is
    /// placed on the squares of vertices stands on them; all other squares are no part of the
    /// board.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`] if a vertex lies beyond the edge.
    pub fn graph(mut self, graph: DrawnGraph) -> Result<Self, DiagramError> {
        for (square, _) in graph.vertices() {
            self.check_square(square)?;
        }
        for label in self.file_labels.iter_mut().chain(&mut self.rank_labels) {
            label.clear();
        }
        self.graph = Some(graph);
        Ok(self)
    }

    /// Puts a stand beside the board, in place of one that was there.
    pub fn stand(mut self, flank: Flank, stand: PieceStand) -> Self {
        self.stands[flank as usize] = Some(stand);
        self
    }

    pub(super) fn check_square(&self, square: BoardSquare) -> Result<(), DiagramError> {
        if square.column < self.columns && square.row < self.rows {
            Ok(())
        } else {
            Err(DiagramError::OffBoard(square))
        }
    }

    /// Refuses a point that is neither on the board nor in the ring around it.
    ///
    /// # Errors
    /// [`DiagramError::TooFar`].
    pub fn check_point(&self, point: Point) -> Result<(), DiagramError> {
        let near = |value: i8, side: u8| (-1..=i16::from(side)).contains(&i16::from(value));
        if near(point.column, self.columns) && near(point.row, self.rows) {
            Ok(())
        } else {
            Err(DiagramError::TooFar(point))
        }
    }
}

fn exactly(
    expected: u8,
    labels: impl IntoIterator<Item: Into<String>>,
) -> Result<Vec<String>, DiagramError> {
    let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
    if labels.len() == usize::from(expected) {
        Ok(labels)
    } else {
        Err(DiagramError::Labels {
            expected,
            found: labels.len(),
        })
    }
}

impl Diagram {
    /// The numbers of columns and rows, as the point just past the last square.
    pub fn size(&self) -> Point {
        BoardSquare::new(self.columns, self.rows).into()
    }

    /// The square at a point; `None` beyond the edge.
    pub fn square(&self, point: Point) -> Option<BoardSquare> {
        let column = u8::try_from(point.column).ok()?;
        let row = u8::try_from(point.row).ok()?;
        let square = BoardSquare::new(column, row);
        self.check_square(square).is_ok().then_some(square)
    }

    /// What stands on a point; nothing does beyond the edge.
    pub fn glyph_at(&self, point: Point) -> Option<&Glyph> {
        self.glyphs.get(&self.square(point)?)
    }

    /// Whether a point is a square of the board, or a vertex where a graph is drawn, and not
    /// [`Glyph::Absent`].
    pub fn has(&self, point: Point) -> bool {
        let graph = self.drawn_graph();
        let vertex = |square| graph.is_none_or(|graph| graph.has(square));
        self.square(point).is_some_and(vertex) && self.glyph_at(point) != Some(&Glyph::Absent)
    }

    /// The graph that is drawn instead of squares.
    pub const fn drawn_graph(&self) -> Option<&DrawnGraph> {
        self.graph.as_ref()
    }

    /// All glyphs with their squares, file by file from the left, each from the bottom
    /// up.
    pub fn glyphs(&self) -> impl Iterator<Item = (BoardSquare, &Glyph)> {
        self.glyphs.iter().map(|(&square, glyph)| (square, glyph))
    }

    /// The labels of files from the left, and of ranks from the bottom.
    pub fn labels(&self) -> (&[String], &[String]) {
        (&self.file_labels, &self.rank_labels)
    }

    /// The title and the description as they are read aloud; `None` if there is neither.
    pub fn spoken(&self) -> Option<String> {
        let words = [&self.title, &self.desc].into_iter().flatten();
        let words = words.map(|words| words.trim_end_matches('.'));
        let words: Vec<&str> = words.filter(|words| !words.trim().is_empty()).collect();
        (!words.is_empty()).then(|| words.join(". ") + ".")
    }

    /// The squares that are darker than the others.
    pub fn shaded(&self) -> impl Iterator<Item = BoardSquare> {
        self.shaded.iter().copied()
    }

    /// The squares whose lower left corners have dots.
    pub fn stars(&self) -> impl Iterator<Item = BoardSquare> {
        self.stars.iter().copied()
    }

    /// The stand on this side of the board.
    pub const fn stand_at(&self, flank: Flank) -> Option<&PieceStand> {
        self.stands[flank as usize].as_ref()
    }

    /// The board after a quarter turn clockwise. Labels stay beside the squares that
    /// they name, on the edges where they are; the stands change places every second time, when
    /// the board is upside down.
    pub(crate) fn turned(mut self) -> Self {
        let columns = self.columns;
        let size = self.size();
        let square = |square: BoardSquare| square.turned(columns);
        let glyphs = self.glyphs.into_iter();
        let glyphs = glyphs.map(|(at, glyph)| (square(at), glyph.turned()));
        self.glyphs = glyphs.collect();
        for mark in &mut self.marks {
            match mark {
                Mark::Arrow { from, to } | Mark::Forbidden { from, to } => {
                    (*from, *to) = (square(*from), to.turned(size));
                }
                Mark::Removed(point) => *point = point.turned(size),
                Mark::Highlight(at) => *at = square(*at),
            }
        }
        (self.columns, self.rows) = (self.rows, self.columns);
        let stars = self.stars.iter();
        let stars = stars.map(|star| BoardSquare::new(star.row, columns - star.column));
        self.stars = stars.collect();
        self.shaded = self.shaded.iter().copied().map(square).collect();
        self.graph = self.graph.take().map(|graph| graph.moved(square));
        if self.sideways {
            self.stands.reverse();
        }
        self.sideways = !self.sideways;
        self.file_labels.reverse();
        std::mem::swap(&mut self.file_labels, &mut self.rank_labels);
        self
    }
}

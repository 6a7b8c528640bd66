//! What a diagram shows, as inert data.

use std::collections::BTreeMap;

use thiserror::Error;

/// The largest number of columns or rows: the files end at `z`.
pub const MAX_SIDE: u8 = 26;

/// A square of the board. Column 0 is file a, row 0 is the bottom rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Counted from the left, from 0.
    pub column: u8,
    /// Counted from the bottom, from 0.
    pub row: u8,
}

impl Cell {
    /// The square in this column and row, both counted from 0.
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Self {
        Self { column, row }
    }
}

/// A square of the board or of the ring of squares around it: the column may
/// be anything from −1 to the number of columns, the row likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Counted from the left, 0 being file a.
    pub column: i8,
    /// Counted from the bottom, 0 being the first rank.
    pub row: i8,
}

impl Point {
    /// The point in this column and row.
    #[must_use]
    pub const fn new(column: i8, row: i8) -> Self {
        Self { column, row }
    }
}

impl From<Cell> for Point {
    /// A cell too far away for an `i8` lies on no board; it saturates, and the
    /// diagram refuses it.
    fn from(cell: Cell) -> Self {
        let index = |value: u8| i8::try_from(value).unwrap_or(i8::MAX);
        Self::new(index(cell.column), index(cell.row))
    }
}

/// One of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// The side whose pieces print solid.
    Dark,
    /// The side whose pieces print as outlines.
    Light,
}

/// What stands on a cell, or what the cell is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A piece of one of the two sides.
    Piece(Tone),
    /// A hole in the board, into which pieces may fall.
    Hole,
    /// A short text, such as the number of a tile; shrunk to fit the cell.
    Text(String),
    /// The cell is not part of the board.
    Absent,
    /// A cell filled solid, such as a wall.
    Filled,
}

/// What happens on the board, or what the reader should look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A move; it may end off the board.
    Arrow {
        /// Where the piece stands.
        from: Cell,
        /// Where it goes.
        to: Point,
    },
    /// A cross where a piece vanished: on a cell or just outside the edge.
    Removed(Point),
    /// A move that the rules forbid: a dashed arrow, barred.
    Forbidden {
        /// Where the piece stands.
        from: Cell,
        /// Where it may not go.
        to: Point,
    },
    /// A cell to look at.
    Highlight(Cell),
}

/// What cannot be put into a diagram.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiagramError {
    /// A board without cells, or with more than [`MAX_SIDE`] files or ranks.
    #[error("a board needs 1 to {MAX_SIDE} columns and rows, not {columns} by {rows}")]
    Size {
        /// The columns asked for.
        columns: u8,
        /// The rows asked for.
        rows: u8,
    },
    /// A cell that the board does not have.
    #[error("column {}, row {} (from 0) is not on the board", .0.column, .0.row)]
    OffBoard(Cell),
    /// A point more than one cell beyond the edge.
    #[error("column {}, row {} (from 0) is more than one cell off the board", .0.column, .0.row)]
    TooFar(Point),
    /// Two things on one cell.
    #[error("column {}, row {} (from 0) is already taken", .0.column, .0.row)]
    Taken(Cell),
    /// An arrow that ends where it begins.
    #[error("an arrow from column {}, row {} (from 0) leads nowhere", .0.column, .0.row)]
    Standstill(Cell),
    /// A list of labels whose length is not the number of columns or rows.
    #[error("{expected} labels are needed, not {found}")]
    Labels {
        /// One for each column or row.
        expected: u8,
        /// The number given.
        found: usize,
    },
}

/// A board with everything that is drawn on and around it.
///
/// A value of this type can always be drawn: every cell and point it mentions
/// lies on the board or in the ring around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    columns: u8,
    rows: u8,
    glyphs: BTreeMap<Cell, Glyph>,
    marks: Vec<Mark>,
    file_labels: Vec<String>,
    rank_labels: Vec<String>,
    to_move: Option<Tone>,
    number: Option<u32>,
    captions: Vec<String>,
    title: Option<String>,
    desc: Option<String>,
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
            to_move: None,
            number: None,
            captions: Vec::new(),
            title: None,
            desc: None,
        })
    }

    /// Puts something on a free cell.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`] or [`DiagramError::Taken`].
    pub fn place(mut self, cell: Cell, glyph: Glyph) -> Result<Self, DiagramError> {
        self.check_cell(cell)?;
        if self.glyphs.insert(cell, glyph).is_some() {
            return Err(DiagramError::Taken(cell));
        }
        Ok(self)
    }

    /// Adds a mark; later marks cover earlier ones.
    ///
    /// # Errors
    /// [`DiagramError::OffBoard`], [`DiagramError::TooFar`], or
    /// [`DiagramError::Standstill`] for an arrow without length.
    pub fn mark(mut self, mark: Mark) -> Result<Self, DiagramError> {
        match mark {
            Mark::Arrow { from, to } | Mark::Forbidden { from, to } => {
                self.check_cell(from)?;
                self.check_point(to)?;
                if Point::from(from) == to {
                    return Err(DiagramError::Standstill(from));
                }
            }
            Mark::Removed(point) => self.check_point(point)?,
            Mark::Highlight(cell) => self.check_cell(cell)?,
        }
        self.marks.push(mark);
        Ok(self)
    }

    /// Replaces the labels under the files, from left to right.
    ///
    /// # Errors
    /// [`DiagramError::Labels`] unless there is one for each column.
    pub fn file_labels<L>(mut self, labels: L) -> Result<Self, DiagramError>
    where
        L: IntoIterator<Item: Into<String>>,
    {
        self.file_labels = exactly(self.columns, labels)?;
        Ok(self)
    }

    /// Replaces the labels beside the ranks, from the bottom up.
    ///
    /// # Errors
    /// [`DiagramError::Labels`] unless there is one for each row.
    pub fn rank_labels<L>(mut self, labels: L) -> Result<Self, DiagramError>
    where
        L: IntoIterator<Item: Into<String>>,
    {
        self.rank_labels = exactly(self.rows, labels)?;
        Ok(self)
    }

    /// Shows which side is to move, as a small disc beside the board.
    #[must_use]
    pub fn to_move(mut self, tone: Tone) -> Self {
        self.to_move = Some(tone);
        self
    }

    /// Numbers the diagram.
    #[must_use]
    pub fn number(mut self, number: u32) -> Self {
        self.number = Some(number);
        self
    }

    /// Adds a line below the board, wrapped if it is too long.
    #[must_use]
    pub fn caption(mut self, line: impl Into<String>) -> Self {
        self.captions.push(line.into());
        self
    }

    /// The accessible name: not drawn, but read aloud and shown as a tooltip.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The accessible description: the position in words.
    #[must_use]
    pub fn desc(mut self, desc: impl Into<String>) -> Self {
        self.desc = Some(desc.into());
        self
    }

    fn check_cell(&self, cell: Cell) -> Result<(), DiagramError> {
        if cell.column < self.columns && cell.row < self.rows {
            Ok(())
        } else {
            Err(DiagramError::OffBoard(cell))
        }
    }

    fn check_point(&self, point: Point) -> Result<(), DiagramError> {
        let near = |value: i8, side: u8| (-1..=i16::from(side)).contains(&i16::from(value));
        if near(point.column, self.columns) && near(point.row, self.rows) {
            Ok(())
        } else {
            Err(DiagramError::TooFar(point))
        }
    }
}

/// Reading, for the code that draws.
impl Diagram {
    /// The numbers of columns and rows, as the point just past the last cell.
    pub(super) fn size(&self) -> Point {
        Cell::new(self.columns, self.rows).into()
    }

    /// What stands on this point; nothing does beyond the edge.
    pub(super) fn glyph_at(&self, point: Point) -> Option<&Glyph> {
        let column = u8::try_from(point.column).ok()?;
        let row = u8::try_from(point.row).ok()?;
        self.glyphs.get(&Cell::new(column, row))
    }

    /// Whether the point is a cell of the board.
    pub(super) fn has(&self, point: Point) -> bool {
        let within = |value: i8, side: u8| u8::try_from(value).is_ok_and(|value| value < side);
        within(point.column, self.columns)
            && within(point.row, self.rows)
            && self.glyph_at(point) != Some(&Glyph::Absent)
    }

    pub(super) fn glyphs(&self) -> impl Iterator<Item = (Cell, &Glyph)> {
        self.glyphs.iter().map(|(&cell, glyph)| (cell, glyph))
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    pub(super) fn labels(&self) -> (&[String], &[String]) {
        (&self.file_labels, &self.rank_labels)
    }

    pub(super) fn side_to_move(&self) -> Option<Tone> {
        self.to_move
    }

    pub(super) fn own_number(&self) -> Option<u32> {
        self.number
    }

    pub(super) fn captions(&self) -> &[String] {
        &self.captions
    }

    /// Title and description.
    pub(super) fn words(&self) -> (Option<&str>, Option<&str>) {
        (self.title.as_deref(), self.desc.as_deref())
    }
}

fn exactly<L>(expected: u8, labels: L) -> Result<Vec<String>, DiagramError>
where
    L: IntoIterator<Item: Into<String>>,
{
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

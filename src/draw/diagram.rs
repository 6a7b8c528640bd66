//! What a diagram shows, as inert data.

use std::collections::BTreeMap;
use std::fmt;

use super::around::Around;
use super::parts::{Cell, DiagramError, Glyph, MAX_SIDE, Mark, Point, Tone};

/// A board with everything that is drawn on and around it.
///
/// A value of this type can always be drawn: every cell and point it mentions
/// lies on the board or in the ring around it.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagram {
    columns: u8,
    rows: u8,
    glyphs: BTreeMap<Cell, Glyph>,
    marks: Vec<Mark>,
    file_labels: Vec<String>,
    rank_labels: Vec<String>,
    to_move: Option<Tone>,
    home: Option<Tone>,
    number: Option<u32>,
    stipulation: Option<String>,
    themes: Vec<String>,
    captions: Vec<String>,
    title: Option<String>,
    desc: Option<String>,
    pub(super) around: Around,
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
            home: None,
            number: None,
            stipulation: None,
            themes: Vec::new(),
            captions: Vec::new(),
            title: None,
            desc: None,
            around: Around::default(),
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

    /// Says which side begins at the bottom of the board, so that a style can turn
    /// the board for the other one.
    #[must_use]
    pub fn home(mut self, tone: Tone) -> Self {
        self.home = Some(tone);
        self
    }

    /// Numbers the diagram.
    #[must_use]
    pub fn number(mut self, number: u32) -> Self {
        self.number = Some(number);
        self
    }

    /// Says what is asked, in the first line below the board.
    #[must_use]
    pub fn stipulation(mut self, what: impl Into<String>) -> Self {
        self.stipulation = Some(what.into());
        self
    }

    /// Adds a theme to those named below the stipulation.
    #[must_use]
    pub fn theme(mut self, name: impl Into<String>) -> Self {
        self.themes.push(name.into());
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

    pub(super) fn check_point(&self, point: Point) -> Result<(), DiagramError> {
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

    /// The cell at this point, unless it lies beyond the edge.
    pub(super) fn cell(&self, point: Point) -> Option<Cell> {
        let column = u8::try_from(point.column).ok()?;
        let row = u8::try_from(point.row).ok()?;
        let cell = Cell::new(column, row);
        self.check_cell(cell).is_ok().then_some(cell)
    }

    /// What stands on this point; nothing does beyond the edge.
    pub(super) fn glyph_at(&self, point: Point) -> Option<&Glyph> {
        self.glyphs.get(&self.cell(point)?)
    }

    /// Whether the point is a cell of the board.
    pub(super) fn has(&self, point: Point) -> bool {
        self.cell(point).is_some() && self.glyph_at(point) != Some(&Glyph::Absent)
    }

    pub(super) fn glyphs(&self) -> impl Iterator<Item = (Cell, &Glyph)> {
        self.glyphs.iter().map(|(&cell, glyph)| (cell, glyph))
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The names of files and of ranks.
    pub(crate) fn labels(&self) -> (&[String], &[String]) {
        (&self.file_labels, &self.rank_labels)
    }

    pub(super) fn side_to_move(&self) -> Option<Tone> {
        self.to_move
    }

    pub(super) fn side_below(&self) -> Option<Tone> {
        self.home
    }

    pub(super) fn own_number(&self) -> Option<u32> {
        self.number
    }

    pub(super) fn asked(&self) -> Option<&str> {
        self.stipulation.as_deref()
    }

    pub(super) fn named_themes(&self) -> &[String] {
        &self.themes
    }

    pub(super) fn captions(&self) -> &[String] {
        &self.captions
    }

    /// Title and description as they are read aloud; `None` if there is neither.
    pub(crate) fn spoken(&self) -> Option<String> {
        let words = [&self.title, &self.desc].into_iter().flatten();
        let words: Vec<&str> = words
            .map(|words| words.trim_end_matches('.'))
            .filter(|words| !words.trim().is_empty())
            .collect();
        (!words.is_empty()).then(|| words.join(". ") + ".")
    }

    /// Title and description.
    pub(super) fn words(&self) -> (Option<&str>, Option<&str>) {
        (self.title.as_deref(), self.desc.as_deref())
    }
}

/// Turning.
impl Diagram {
    /// The board a quarter turn clockwise. The names of files and ranks stay beside
    /// the squares that they name.
    pub(super) fn turned(mut self) -> Self {
        let columns = self.columns;
        let size = self.size();
        let cell = |cell: Cell| Cell::new(cell.row, columns - 1 - cell.column);
        self.glyphs = self
            .glyphs
            .into_iter()
            .map(|(at, glyph)| {
                let glyph = match glyph {
                    Glyph::Symbol(symbol) => Glyph::Symbol(symbol.turned(1)),
                    other => other,
                };
                (cell(at), glyph)
            })
            .collect();
        for mark in &mut self.marks {
            *mark = match *mark {
                Mark::Arrow { from, to } => Mark::Arrow {
                    from: cell(from),
                    to: to.turned(size),
                },
                Mark::Forbidden { from, to } => Mark::Forbidden {
                    from: cell(from),
                    to: to.turned(size),
                },
                Mark::Removed(point) => Mark::Removed(point.turned(size)),
                Mark::Highlight(at) => Mark::Highlight(cell(at)),
            };
        }
        (self.columns, self.rows) = (self.rows, self.columns);
        self.around.turned(columns);
        self.file_labels.reverse();
        std::mem::swap(&mut self.file_labels, &mut self.rank_labels);
        self
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

/// Says nothing of what a plain board lacks, so that names made of these words last.
impl fmt::Debug for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            columns,
            rows,
            glyphs,
            marks,
            file_labels,
            rank_labels,
            to_move,
            home,
            number,
            stipulation,
            themes,
            captions,
            title,
            desc,
            around,
        } = self;
        let mut words = f.debug_struct("Diagram");
        words
            .field("columns", columns)
            .field("rows", rows)
            .field("glyphs", glyphs)
            .field("marks", marks)
            .field("file_labels", file_labels)
            .field("rank_labels", rank_labels)
            .field("to_move", to_move)
            .field("home", home)
            .field("number", number)
            .field("stipulation", stipulation)
            .field("themes", themes)
            .field("captions", captions)
            .field("title", title)
            .field("desc", desc);
        if *around != Around::default() {
            words.field("around", around);
        }
        words.finish()
    }
}

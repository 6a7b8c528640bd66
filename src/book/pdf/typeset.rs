//! Paragraphs and columns.

use krilla::tagging::ArtifactType;

use super::font::{self, Run};
use super::setting::PdfError;
use super::sheet::{Element, Role, Sheets};
use crate::draw::typeset::{Cut, Wrapped, balanced, wrap};

/// From one baseline to the next, as a part of the type size.
pub(super) const LEADING: f32 = 1.28;

/// The same between the lines of titles.
pub(super) const TIGHT: f32 = 1.15;

/// A stretch of text: its face, the element it belongs to, and what it says.
pub(super) type Piece = ((Cut, Element), String);

/// A line, shaped.
pub(super) type Runs = Vec<(Element, Run)>;

/// A piece of text in a face. Control characters count as spaces.
pub(super) fn piece(cut: Cut, element: Element, text: impl AsRef<str>) -> Piece {
    ((cut, element), text.as_ref().replace(char::is_control, " "))
}

/// Breaks a paragraph into lines, the first and the others of the given widths.
pub(super) fn lines(
    pieces: &[Piece],
    size: f32,
    first: f32,
    others: f32,
) -> Result<Vec<Runs>, PdfError> {
    let (first, others) = (f64::from(first / size), f64::from(others / size));
    shaped(wrap(pieces, first, others, width))
}

/// Breaks a paragraph into lines of about the same length, none wider than `room`.
pub(super) fn even_lines(pieces: &[Piece], size: f32, room: f32) -> Result<Vec<Runs>, PdfError> {
    shaped(balanced(pieces, f64::from(room / size), width))
}

/// A text, or if it is too long for `fits`, as much of its beginning as can be, with an ellipsis.
pub(super) fn shortened(text: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let begun = |end: usize| format!("{}\u{2026}", text[..end].trim_end());
    let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).collect();
    let fitting = ends.partition_point(|&end| fits(&begun(end)));
    begun(ends[fitting.saturating_sub(1)])
}

/// Breaks a title into lines that are not higher than `height`: in smaller type if need be, and
/// shortened if even that is too large. Returns the type size too.
pub(super) fn fitted(
    ((cut, element), text): &Piece,
    size: f32,
    room: f32,
    height: f32,
) -> Result<(f32, Vec<Runs>), PdfError> {
    let pieces = |text: &str| [piece(*cut, *element, text)];
    let fits = |size: f32, text: &str| {
        let room = f64::from(room / size);
        wrap(&pieces(text), room, room, width).len() as f32 * TIGHT * size <= height
    };
    let mut smaller = size;
    while !fits(smaller, text) && smaller > 0.45 * size {
        smaller *= 0.95;
    }
    let text = shortened(text, |text| fits(smaller, text));
    Ok((smaller, even_lines(&pieces(&text), smaller, room)?))
}

/// The width of a run in parts of the type size.
fn width((cut, _): (Cut, Element), text: &str) -> f64 {
    font::width(cut, text)
}

fn shaped(lines: Vec<Wrapped<(Cut, Element)>>) -> Result<Vec<Runs>, PdfError> {
    let lines = lines.into_iter().map(|mut line| {
        // Whoever copies or hears the text gets the space between the words.
        if line.spaced
            && let Some((_, last)) = line.runs.last_mut()
        {
            last.push(' ');
        }
        let runs = line.runs.into_iter();
        runs.map(|((cut, element), text)| Ok((element, Run::new(cut, text)?)))
            .collect()
    });
    lines.collect()
}

/// The edges of the part of a page that is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub left: f32,
    pub right: f32,
    pub top: f32,
    pub bottom: f32,
}

impl Area {
    pub(super) const fn width(self) -> f32 {
        self.right - self.left
    }

    pub(super) const fn middle(self) -> f32 {
        f32::midpoint(self.left, self.right)
    }
}

/// Text that flows through columns and pages.
pub(super) struct Flow {
    area: Area,
    /// The left edges of the columns.
    lefts: Vec<f32>,
    pub width: f32,
    top: f32,
    column: usize,
    /// The page and the height that the text has come to.
    pub page: usize,
    pub y: f32,
    /// What stands at the foot of every page.
    running: String,
    /// The last of the pages kept free for this text, which it goes on to before it begins new ones.
    pub kept: usize,
    /// A page whose columns end higher up, and where.
    pub last: Option<(usize, f32)>,
}

/// How a paragraph stands in its column.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// How far the first line is indented.
    pub indent: f32,
    /// How far the others are.
    pub hang: f32,
    /// How many lines must follow in the same column.
    pub keep: u8,
}

impl Flow {
    /// Begins on a page, below `below`.
    pub(super) fn new(area: Area, columns: u8, page: usize, below: f32, running: &str) -> Self {
        let gap = 20.0;
        let count = f32::from(columns.max(1));
        let width = (area.width() - (count - 1.0) * gap) / count;
        let lefts = (0..columns.max(1)).map(|column| area.left + f32::from(column) * (width + gap));
        Self {
            area,
            lefts: lefts.collect(),
            width,
            top: below,
            column: 0,
            page,
            y: below,
            running: running.to_owned(),
            kept: page,
            last: None,
        }
    }

    pub(super) fn left(&self) -> f32 {
        self.lefts[self.column]
    }

    /// Leaves some room, unless at the top of a column.
    pub(super) fn skip(&mut self, room: f32) {
        if self.y > self.top {
            self.y += room;
        }
    }

    /// Makes room for so much; goes on in the next column or on the next page if
    /// there is none.
    fn room(&mut self, sheets: &mut Sheets, height: f32) -> Result<(), PdfError> {
        loop {
            let bottom = match self.last {
                Some((page, bottom)) if page == self.page => bottom,
                _ => self.area.bottom,
            };
            // What is too high for a whole column stands at its top; those that end higher up are left empty.
            let at_top = self.y <= self.top && bottom >= self.area.bottom;
            if self.y + height <= bottom || at_top {
                return Ok(());
            }
            self.column += 1;
            if self.column >= self.lefts.len() {
                self.column = 0;
                self.page = if self.page < self.kept {
                    self.page + 1
                } else {
                    sheets.begin()
                };
                self.top = self.area.top;
                sheets.foot(self.page, self.area, &self.running)?;
            }
            self.y = self.top;
        }
    }

    /// Sets a paragraph; returns page, left and upper edge of its first line, and how wide the
    /// last is.
    pub(crate) fn paragraph(
        &mut self,
        sheets: &mut Sheets,
        pieces: &[Piece],
        size: f32,
        shape: Shape,
    ) -> Result<(usize, [f32; 3]), PdfError> {
        let (first, others) = (self.width - shape.indent, self.width - shape.hang);
        let lines = lines(pieces, size, first, others)?;
        let leading = LEADING * size;
        let mut first = None;
        let count = lines.len();
        for (place, line) in lines.into_iter().enumerate() {
            // No single line of several at the foot, none of the last at the top, and the last with
            // those that must follow.
            let together = match (place, count) {
                (0, 1) => 1 + shape.keep,
                (0, 3) if shape.keep > 0 => 3 + shape.keep,
                (0, _) => 2 + shape.keep,
                (place, count) if place + 2 == count && count > 3 => 2 + shape.keep,
                _ => 1,
            };
            self.room(sheets, f32::from(together) * leading)?;
            let (_, [.., end]) = first.get_or_insert((self.page, [self.left(), self.y, 0.0]));
            *end = line.iter().map(|(_, run)| run.width() * size).sum();
            let inset = if place == 0 { shape.indent } else { shape.hang };
            self.y += leading;
            let at = (self.left() + inset, self.y - 0.3 * size);
            sheets.line_from(self.page, at, size, line);
        }
        Ok(first.unwrap_or((self.page, [self.left(), self.y, 0.0])))
    }
}

impl Sheets {
    /// Sets a line with its baseline beginning at a point.
    pub(super) fn line_from(&mut self, page: usize, at: (f32, f32), size: f32, line: Runs) {
        let (mut x, y) = at;
        for (element, run) in line {
            let width = run.width() * size;
            self.run(page, Role::Part(element), (x, y), size, run);
            x += width;
        }
    }

    /// Sets a line with its middle at a point.
    pub(super) fn line_around(&mut self, page: usize, (x, y): (f32, f32), size: f32, line: Runs) {
        let width: f32 = line.iter().map(|(_, run)| run.width() * size).sum();
        self.line_from(page, (x - width / 2.0, y), size, line);
    }

    /// Sets the foot of a page: what runs through the part, and the page's number.
    pub(super) fn foot(&mut self, page: usize, area: Area, running: &str) -> Result<(), PdfError> {
        let y = area.bottom + 30.0;
        let role = Role::Artifact(ArtifactType::Footer);
        let number = Run::new(Cut::Regular, (page + 1).to_string())?;
        let x = area.middle() - number.width() * 9.0 / 2.0;
        self.run(page, role, (x, y), 9.0, number);
        let room = f64::from((x - area.left - 6.0) / 8.5);
        let running = shortened(running, |text| font::width(Cut::Italic, text) <= room);
        let running = Run::new(Cut::Italic, running)?;
        self.run(page, role, (area.left, y), 8.5, running);
        Ok(())
    }
}

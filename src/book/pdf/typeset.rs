//! Paragraphs and columns.

use super::PdfError;
use super::font::{Font, Fonts};
use super::sheet::Sheets;

/// From one baseline to the next, as a part of the type size.
pub(super) const LEADING: f32 = 1.28;

/// A stretch of text in one face.
pub(super) type Piece = (Font, String);

/// A piece of text in a face.
pub(super) fn piece(font: Font, text: impl Into<String>) -> Piece {
    (font, text.into())
}

/// Breaks a paragraph into lines, the first and the others of the given widths, at
/// spaces where it can. A line holds at least one character.
pub(super) fn lines(
    fonts: &mut Fonts,
    pieces: &[Piece],
    size: f32,
    (first, others): (f32, f32),
) -> Result<Vec<Vec<Piece>>, PdfError> {
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut left = first;
    for (font, text) in pieces {
        let space = fonts.shape(*font, " ")?.width() * size;
        for word in text.split_whitespace() {
            let width = fonts.shape(*font, word)?.width() * size;
            let begun = lines.last().is_some_and(|line| !line.is_empty());
            if begun && space + width > left {
                lines.push(Vec::new());
                left = others;
            } else if begun {
                left -= space;
                append(&mut lines, *font, " ");
            }
            if width <= left {
                left -= width;
                append(&mut lines, *font, word);
                continue;
            }
            for letter in word.chars() {
                let mut buffer = [0; 4];
                let letter = letter.encode_utf8(&mut buffer);
                let width = fonts.shape(*font, letter)?.width() * size;
                if width > left && lines.last().is_some_and(|line| !line.is_empty()) {
                    lines.push(Vec::new());
                    left = others;
                }
                left -= width;
                append(&mut lines, *font, letter);
            }
        }
    }
    Ok(lines)
}

/// Adds text to the last line, to its last piece if the face is the same.
fn append(lines: &mut [Vec<Piece>], font: Font, text: &str) {
    let Some(line) = lines.last_mut() else {
        return;
    };
    match line.last_mut() {
        Some((last, said)) if *last == font => said.push_str(text),
        _ => line.push(piece(font, text)),
    }
}

/// Text that flows through columns and pages.
pub(super) struct Flow {
    /// The left edges of the columns.
    lefts: Vec<f32>,
    pub width: f32,
    top: f32,
    bottom: f32,
    column: usize,
    pub page: usize,
    pub y: f32,
    /// What stands at the foot of every page.
    running: String,
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

/// The edges of the part of a page that is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub left: f32,
    pub right: f32,
    pub top: f32,
    pub bottom: f32,
}

impl Area {
    pub const fn width(self) -> f32 {
        self.right - self.left
    }
}

impl Flow {
    /// Begins at the top of a page, below `below`.
    pub fn new(area: Area, columns: u8, page: usize, below: f32, running: &str) -> Self {
        let gap = 20.0;
        let count = f32::from(columns.max(1));
        let width = (area.width() - (count - 1.0) * gap) / count;
        let lefts = (0..columns.max(1)).map(|column| area.left + f32::from(column) * (width + gap));
        Self {
            lefts: lefts.collect(),
            width,
            top: below,
            bottom: area.bottom,
            column: 0,
            page,
            y: below,
            running: running.to_owned(),
        }
    }

    pub fn left(&self) -> f32 {
        self.lefts[self.column]
    }

    /// Leaves some room, unless at the top of a column.
    pub fn skip(&mut self, room: f32) {
        if self.y > self.top {
            self.y += room;
        }
    }

    /// Makes room for so much; goes on in the next column or on the next page if
    /// there is none. `area_top` is where the text of further pages begins.
    fn room(&mut self, sheets: &mut Sheets, height: f32, area: Area) {
        if self.y + height <= self.bottom || self.y <= self.top {
            return;
        }
        self.column += 1;
        if self.column >= self.lefts.len() {
            self.column = 0;
            self.page = sheets.begin();
            self.top = area.top;
            let running = self.running.clone();
            // A running foot was set on another page before, so its letters exist.
            let _ = foot(sheets, self.page, area, &running);
        }
        self.y = self.top;
    }

    /// Sets a paragraph; returns page and upper edge of its first line.
    pub fn paragraph(
        &mut self,
        sheets: &mut Sheets,
        area: Area,
        pieces: &[Piece],
        size: f32,
        shape: Shape,
    ) -> Result<(usize, f32), PdfError> {
        let widths = (self.width - shape.indent, self.width - shape.hang);
        let lines = lines(&mut sheets.fonts, pieces, size, widths)?;
        let leading = LEADING * size;
        let mut first = None;
        let count = lines.len();
        for (place, line) in lines.into_iter().enumerate() {
            // No single line of several at the foot, none of the last at the top.
            let together = match (place, count) {
                (0, 1) => 1 + shape.keep,
                (0, _) => 2 + shape.keep,
                (place, count) if place + 2 == count && count > 3 => 2,
                _ => 1,
            };
            self.room(sheets, f32::from(together) * leading, area);
            first.get_or_insert((self.page, self.y));
            let inset = if place == 0 { shape.indent } else { shape.hang };
            let mut x = self.left() + inset;
            self.y += leading;
            for (font, text) in line {
                x += sheets.text(self.page, (x, self.y - 0.3 * size), size, font, &text)?;
            }
        }
        Ok(first.unwrap_or((self.page, self.y)))
    }
}

/// Sets the foot of a page: what runs through the part, and the page's number.
pub(super) fn foot(
    sheets: &mut Sheets,
    page: usize,
    area: Area,
    running: &str,
) -> Result<(), PdfError> {
    let y = area.bottom + 30.0;
    let number = (page + 1).to_string();
    let middle = f32::midpoint(area.left, area.right);
    sheets.centred(page, (middle, y), 9.0, Font::Regular, &number)?;
    sheets.text(page, (area.left, y), 8.5, Font::Italic, running)?;
    Ok(())
}

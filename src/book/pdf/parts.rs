//! A booklet from title page to last index; the parts themselves are in `sections`.

use super::font::Font;
use super::sheet::{Place, Sheets};
use super::typeset::{Area, Flow, Piece, Shape, foot, lines, piece};
use super::{Paper, PdfError, Setting};
use crate::book::Book;
use crate::draw::render;

/// What a part of the book is set with.
pub(super) struct Press<'a> {
    pub book: &'a Book,
    pub setting: &'a Setting,
    pub area: Area,
    /// The type size of running text.
    pub size: f32,
    /// Columns of running text.
    pub columns: u8,
    /// Parts begun so far: title and page, for the contents.
    parts: Vec<(String, usize)>,
}

/// Sets the whole book.
pub(super) fn lay_out(book: &Book, setting: &Setting, sheets: &mut Sheets) -> Result<(), PdfError> {
    let small = setting.paper == Paper::A5;
    let (side, head, feet) = if small {
        (40.0, 44.0, 62.0)
    } else {
        (58.0, 60.0, 76.0)
    };
    let area = Area {
        left: side,
        right: sheets.width - side,
        top: head,
        bottom: sheets.height - feet,
    };
    let mut press = Press {
        book,
        setting,
        area,
        size: if small { 9.2 } else { 9.8 },
        columns: if small { 1 } else { 2 },
        parts: Vec::new(),
    };
    press.title(sheets)?;
    // The contents are set when the pages of the parts are known.
    let contents = sheets.begin();
    press.problems(sheets)?;
    press.hints(sheets)?;
    press.solutions(sheets)?;
    press.themes(sheets)?;
    press.lengths(sheets)?;
    press.contents(sheets, contents)
}

impl Press<'_> {
    fn middle(&self) -> f32 {
        f32::midpoint(self.area.left, self.area.right)
    }

    fn centred_lines(
        &self,
        sheets: &mut Sheets,
        page: usize,
        mut y: f32,
        size: f32,
        text: Piece,
    ) -> Result<f32, PdfError> {
        let width = self.area.width();
        for line in lines(&mut sheets.fonts, &[text], size, (width, width))? {
            for (font, text) in line {
                y += 1.15 * size;
                sheets.centred(page, (self.middle(), y), size, font, &text)?;
            }
        }
        Ok(y)
    }

    fn title(&self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let page = sheets.begin();
        let front = &self.book.front;
        let scale = sheets.width / 595.28;
        sheets.bookmark(front.title.clone(), false, page, 0.0);
        let mut y = 0.13 * sheets.height;
        if !front.author.trim().is_empty() {
            y = self.centred_lines(
                sheets,
                page,
                y,
                13.0 * scale,
                piece(Font::Regular, &front.author),
            )?;
        }
        y += 26.0 * scale;
        y = self.centred_lines(
            sheets,
            page,
            y,
            34.0 * scale,
            piece(Font::Regular, &front.title),
        )?;
        if !front.subtitle.trim().is_empty() {
            y += 10.0 * scale;
            y = self.centred_lines(
                sheets,
                page,
                y,
                15.0 * scale,
                piece(Font::Italic, &front.subtitle),
            )?;
        }
        // The first problem as a frontispiece, as large as there is room.
        let picture =
            sheets.add_picture(&render(&self.book.problems[0].diagram, &self.setting.style))?;
        let (width, height) = (
            sheets.pictures[picture].width,
            sheets.pictures[picture].height,
        );
        let foot = self.area.bottom - 20.0;
        let room = foot - y - 60.0 * scale;
        if room > 60.0 {
            let zoom = (0.62 * self.area.width() / width).min(room / height);
            let at = (
                self.middle() - zoom * width / 2.0,
                y + 30.0 * scale + (room - zoom * height) / 2.0,
            );
            sheets.picture(page, at, zoom, picture);
        }
        let line = format!("{}, solved completely with tesuji", front.game);
        self.centred_lines(sheets, page, foot, 10.0 * scale, piece(Font::Regular, line))?;
        Ok(())
    }

    /// Begins a part on a new page, and returns the page and where its text begins.
    pub fn begin(&mut self, sheets: &mut Sheets, title: &str) -> Result<(usize, f32), PdfError> {
        let page = sheets.begin();
        let y = self.area.top;
        sheets.bookmark(title, false, page, y);
        sheets.mark(Place::Section(self.parts.len()), page, y);
        self.parts.push((title.to_owned(), page));
        sheets.text(page, (self.area.left, y + 16.0), 20.0, Font::Regular, title)?;
        sheets.rule(page, (self.area.left, self.area.right), y + 26.0);
        foot(sheets, page, self.area, title)?;
        Ok((page, y + 36.0))
    }

    fn contents(&self, sheets: &mut Sheets, page: usize) -> Result<(), PdfError> {
        let area = self.area;
        let size = self.size + 1.2;
        sheets.text(
            page,
            (area.left, area.top + 16.0),
            20.0,
            Font::Regular,
            "Contents",
        )?;
        sheets.rule(page, (area.left, area.right), area.top + 26.0);
        let mut y = area.top + 50.0;
        for (place, (title, at)) in self.parts.iter().enumerate() {
            let width = sheets.text(page, (area.left, y), size, Font::Regular, title)?;
            let number = sheets.fonts.shape(Font::Regular, &(at + 1).to_string())?;
            let right = area.right - number.width() * size;
            sheets.run(page, (right, y), size, &number);
            let dot = sheets.fonts.shape(Font::Regular, ".")?;
            let mut x = (area.left + width + 8.0).max(area.left);
            x += (right - x).rem_euclid(6.0);
            while x < right - 8.0 {
                sheets.run(page, (x, y), size, &dot);
                x += 6.0;
            }
            let link = [area.left, y - size, area.right, y + 0.3 * size];
            sheets.link(page, link, Place::Section(place));
            y += 1.7 * size;
        }
        y += 14.0;
        let mut flow = Flow::new(area, 1, page, y, "");
        for text in [
            "A problem says who is to move and what is asked. Plies count the moves of both sides, the last one of the game included: a win in 7 is won with the winner's fourth move.",
            "In solutions ! marks the key, ? a try, which fails to the one reply after it. Variations are indented; moves in brackets are duals, which do as well. Set play is what would happen if the other side were to move.",
            "The number of a problem leads to its solution, the number of a solution back to the problem.",
        ] {
            flow.paragraph(
                sheets,
                area,
                &[piece(Font::Regular, text)],
                self.size,
                Shape::default(),
            )?;
            flow.skip(0.5 * self.size);
        }
        Ok(())
    }
}

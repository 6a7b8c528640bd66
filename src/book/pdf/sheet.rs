//! Pages, as they are filled: text, rules, pictures, links and bookmarks. Points,
//! from the upper left corner.

use std::collections::HashMap;

use pdf_writer::{Content, Name, Str};

use super::font::{Font, Fonts, Run};
use super::picture::{Picture, rounded};
use super::{Paper, PdfError};

/// Something that a link can lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Problem(usize),
    Solution(usize),
    Section(usize),
}

/// An entry of the bookmarks.
pub(super) struct Bookmark {
    pub title: String,
    /// Whether it is below the last one that is not.
    pub inner: bool,
    pub page: usize,
    pub y: f32,
}

/// A page.
pub(super) struct Sheet {
    pub content: Content,
    /// Left, top, right, bottom, and where to.
    pub links: Vec<([f32; 4], Place)>,
    /// The pictures on it, by number.
    pub pictures: Vec<usize>,
}

/// The pages of a book.
pub(super) struct Sheets {
    pub width: f32,
    pub height: f32,
    pub fonts: Fonts,
    pub pages: Vec<Sheet>,
    pub pictures: Vec<Picture>,
    pub places: HashMap<Place, (usize, f32)>,
    pub bookmarks: Vec<Bookmark>,
}

/// The names of fonts in pages' resources.
pub(super) const FONT_NAMES: [&[u8]; 3] = [b"F0", b"F1", b"F2"];

impl Sheets {
    pub fn new(paper: Paper) -> Result<Self, PdfError> {
        let (width, height) = paper.points();
        Ok(Self {
            width,
            height,
            fonts: Fonts::new()?,
            pages: Vec::new(),
            pictures: Vec::new(),
            places: HashMap::new(),
            bookmarks: Vec::new(),
        })
    }

    /// Begins a new page, and tells its place.
    pub fn begin(&mut self) -> usize {
        self.pages.push(Sheet {
            content: Content::new(),
            links: Vec::new(),
            pictures: Vec::new(),
        });
        self.pages.len() - 1
    }

    /// Makes a point of a page something that links can lead to.
    pub fn mark(&mut self, place: Place, page: usize, y: f32) {
        self.places.insert(place, (page, y));
    }

    pub fn bookmark(&mut self, title: impl Into<String>, inner: bool, page: usize, y: f32) {
        self.bookmarks.push(Bookmark {
            title: title.into(),
            inner,
            page,
            y,
        });
    }

    /// Sets a shaped run with its baseline at a point.
    pub fn run(&mut self, page: usize, (x, y): (f32, f32), size: f32, run: &Run) {
        let y = self.height - y;
        let content = &mut self.pages[page].content;
        content.begin_text();
        content.set_font(Name(FONT_NAMES[run.font as usize]), size);
        content.set_text_matrix([1.0, 0.0, 0.0, 1.0, rounded(x), rounded(y)]);
        let mut positioned = content.show_positioned();
        let mut items = positioned.items();
        let mut pending: Vec<u8> = Vec::new();
        for glyph in &run.glyphs {
            if glyph.offset.abs() > 1e-4 {
                items.show(Str(&std::mem::take(&mut pending)));
                items.adjust(rounded(-1000.0 * glyph.offset));
            }
            pending.extend(glyph.id.to_be_bytes());
            let gap = glyph.width + glyph.offset - glyph.advance;
            if gap.abs() > 1e-4 {
                items.show(Str(&std::mem::take(&mut pending)));
                items.adjust(rounded(1000.0 * gap));
            }
        }
        if !pending.is_empty() {
            items.show(Str(&pending));
        }
        drop(items);
        drop(positioned);
        content.end_text();
    }

    /// Sets a text at a point and returns its width.
    pub fn text(
        &mut self,
        page: usize,
        at: (f32, f32),
        size: f32,
        font: Font,
        text: &str,
    ) -> Result<f32, PdfError> {
        let run = self.fonts.shape(font, text)?;
        self.run(page, at, size, &run);
        Ok(run.width() * size)
    }

    /// Sets a text with its middle at a point.
    pub fn centred(
        &mut self,
        page: usize,
        (x, y): (f32, f32),
        size: f32,
        font: Font,
        text: &str,
    ) -> Result<(), PdfError> {
        let run = self.fonts.shape(font, text)?;
        self.run(page, (x - run.width() * size / 2.0, y), size, &run);
        Ok(())
    }

    /// A thin line between two points at one height.
    pub fn rule(&mut self, page: usize, (from, to): (f32, f32), y: f32) {
        let y = rounded(self.height - y);
        let content = &mut self.pages[page].content;
        content.set_line_width(0.4);
        content.move_to(rounded(from), y);
        content.line_to(rounded(to), y);
        content.stroke();
    }

    pub fn link(&mut self, page: usize, area: [f32; 4], place: Place) {
        self.pages[page].links.push((area, place));
    }

    /// Puts a picture with its upper left corner at a point.
    pub fn picture(&mut self, page: usize, (x, y): (f32, f32), scale: f32, picture: usize) {
        let (x, y) = (rounded(x), rounded(self.height - y));
        let sheet = &mut self.pages[page];
        sheet.pictures.push(picture);
        sheet.content.save_state();
        sheet.content.transform([scale, 0.0, 0.0, -scale, x, y]);
        sheet
            .content
            .x_object(Name(picture_name(picture).as_bytes()));
        sheet.content.restore_state();
    }

    pub fn add_picture(&mut self, svg: &str) -> Result<usize, PdfError> {
        self.pictures.push(Picture::new(svg)?);
        Ok(self.pictures.len() - 1)
    }
}

pub(super) fn picture_name(picture: usize) -> String {
    format!("P{picture}")
}

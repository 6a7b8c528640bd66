//! The pages as a PDF file.

use std::collections::HashMap;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{
    ActionType, AnnotationType, CidFontType, FontFlags, PageMode, SystemInfo, UnicodeCmap,
};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use sha2::{Digest, Sha256};

use super::PdfError;
use super::font::{Face, Font};
use super::sheet::{Bookmark, FONT_NAMES, Place, Sheet, Sheets, picture_name};
use crate::book::Front;

/// The best that Deflate can do in reasonable time.
const LEVEL: u8 = 9;

/// Numbers for objects, one after the other.
struct Numbers(i32);

impl Numbers {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }

    fn several(&mut self, count: usize) -> Vec<Ref> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// The file as far as it is written, with the numbers of what can be referred to.
struct Writer {
    pdf: Pdf,
    numbers: Numbers,
    /// Of everything drawn: what the file's identifier is made of.
    digest: Sha256,
    height: f32,
    tree: Ref,
    pages: Vec<Ref>,
    pictures: Vec<Ref>,
    fonts: Vec<Ref>,
}

/// Writes the file.
pub(super) fn write(sheets: Sheets, front: &Front) -> Result<Vec<u8>, PdfError> {
    let mut numbers = Numbers(0);
    let (catalog, info, outline) = (numbers.next(), numbers.next(), numbers.next());
    let mut writer = Writer {
        pdf: Pdf::new(),
        digest: Sha256::new(),
        height: sheets.height,
        tree: numbers.next(),
        pages: numbers.several(sheets.pages.len()),
        pictures: numbers.several(sheets.pictures.len()),
        fonts: numbers.several(sheets.fonts.0.len()),
        numbers,
    };
    writer.catalog(catalog, outline);
    writer.about(info, front);
    let media = Rect::new(0.0, 0.0, sheets.width, sheets.height);
    for (place, sheet) in sheets.pages.into_iter().enumerate() {
        writer.page(place, sheet, media, &sheets.places);
    }
    for (picture, id) in sheets.pictures.iter().zip(writer.pictures.clone()) {
        writer.digest.update(&picture.content);
        let packed = compress_to_vec_zlib(&picture.content, LEVEL);
        let mut form = writer.pdf.form_xobject(id, &packed);
        form.filter(Filter::FlateDecode);
        form.bbox(Rect::new(0.0, 0.0, picture.width, picture.height));
        form.resources();
    }
    let kinds = [Font::Regular, Font::Bold, Font::Italic];
    for ((face, id), kind) in sheets.fonts.0.iter().zip(writer.fonts.clone()).zip(kinds) {
        embed(&mut writer.pdf, &mut writer.numbers, id, face, kind)?;
    }
    writer.outline(outline, &sheets.bookmarks);
    let id = writer.digest.finalize()[..16].to_vec();
    writer.pdf.set_file_id((id.clone(), id));
    Ok(writer.pdf.finish())
}

impl Writer {
    fn catalog(&mut self, id: Ref, outline: Ref) {
        let mut root = self.pdf.catalog(id);
        root.pages(self.tree).outlines(outline);
        root.page_mode(PageMode::UseOutlines);
        root.lang(TextStr("en-GB"));
        root.viewer_preferences().display_doc_title(true);
        root.finish();
        let count = i32::try_from(self.pages.len()).unwrap_or(i32::MAX);
        let kids = self.pages.iter().copied();
        self.pdf.pages(self.tree).kids(kids).count(count);
    }

    fn about(&mut self, id: Ref, front: &Front) {
        let mut about = self.pdf.document_info(id);
        about.title(TextStr(&front.title));
        if !front.author.trim().is_empty() {
            about.author(TextStr(&front.author));
        }
        about.subject(TextStr(&front.subtitle));
        about.creator(TextStr(concat!("tesuji ", env!("CARGO_PKG_VERSION"))));
    }

    fn page(
        &mut self,
        place: usize,
        sheet: Sheet,
        media: Rect,
        places: &HashMap<Place, (usize, f32)>,
    ) {
        let content = sheet.content.finish();
        self.digest.update(content.as_slice());
        let stream = self.numbers.next();
        let packed = compress_to_vec_zlib(content.as_slice(), LEVEL);
        self.pdf.stream(stream, &packed).filter(Filter::FlateDecode);
        let mut links = Vec::new();
        for ([left, top, right, bottom], to) in sheet.links {
            let Some(&(page, y)) = places.get(&to) else {
                continue;
            };
            let (page, y) = (self.pages[page], self.above(y));
            let link = self.numbers.next();
            links.push(link);
            let mut annotation = self.pdf.annotation(link);
            annotation.subtype(AnnotationType::Link);
            annotation.rect(Rect::new(
                left,
                self.height - bottom,
                right,
                self.height - top,
            ));
            annotation.border(0.0, 0.0, 0.0, None);
            let mut action = annotation.action();
            action.action_type(ActionType::GoTo);
            action.destination().page(page).xyz(0.0, y, None);
        }
        let mut page = self.pdf.page(self.pages[place]);
        page.parent(self.tree).contents(stream).media_box(media);
        if !links.is_empty() {
            page.annotations(links);
        }
        let mut resources = page.resources();
        let mut named = resources.fonts();
        for (name, font) in FONT_NAMES.iter().zip(&self.fonts) {
            named.pair(Name(name), *font);
        }
        named.finish();
        if !sheet.pictures.is_empty() {
            let mut named = resources.x_objects();
            for &picture in &sheet.pictures {
                let name = picture_name(picture);
                named.pair(Name(name.as_bytes()), self.pictures[picture]);
            }
        }
    }

    /// A height a little above a point of a page, from below.
    fn above(&self, y: f32) -> f32 {
        (self.height - y + 12.0).min(self.height)
    }

    /// The bookmarks: entries of the first level, each with those below it.
    fn outline(&mut self, id: Ref, bookmarks: &[Bookmark]) {
        let entries = self.numbers.several(bookmarks.len());
        let outer: Vec<usize> = (0..bookmarks.len())
            .filter(|&place| !bookmarks[place].inner)
            .collect();
        // Where the entries below an outer one end.
        let end_of = |rank: usize| outer.get(rank + 1).copied().unwrap_or(bookmarks.len());
        let signed = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        if let (Some(&first), Some(&last)) = (outer.first(), outer.last()) {
            let mut root = self.pdf.outline(id);
            root.first(entries[first]).last(entries[last]);
            root.count(signed(outer.len()));
        }
        for (rank, &place) in outer.iter().enumerate() {
            let inner: Vec<usize> = (place + 1..end_of(rank)).collect();
            for (at, &place) in inner.iter().enumerate() {
                let family = (entries[outer[rank]], &inner[..], at);
                self.entry(&entries, &bookmarks[place], family, &[]);
            }
            self.entry(&entries, &bookmarks[place], (id, &outer, rank), &inner);
        }
    }

    /// One bookmark: below a parent, at a place among its siblings, with those
    /// below it.
    fn entry(
        &mut self,
        entries: &[Ref],
        bookmark: &Bookmark,
        (parent, siblings, at): (Ref, &[usize], usize),
        inner: &[usize],
    ) {
        let (page, y) = (self.pages[bookmark.page], self.above(bookmark.y));
        let mut item = self.pdf.outline_item(entries[siblings[at]]);
        item.title(TextStr(&bookmark.title)).parent(parent);
        if at > 0 {
            item.prev(entries[siblings[at - 1]]);
        }
        if let Some(&next) = siblings.get(at + 1) {
            item.next(entries[next]);
        }
        if let (Some(&first), Some(&last)) = (inner.first(), inner.last()) {
            item.first(entries[first]).last(entries[last]);
            // Negative: closed until the reader opens it.
            item.count(-i32::try_from(inner.len()).unwrap_or(i32::MAX));
        }
        item.dest().page(page).xyz(0.0, y, None);
    }
}

/// Writes a face with the glyphs used; text can be copied out of the file.
fn embed(
    pdf: &mut Pdf,
    numbers: &mut Numbers,
    id: Ref,
    face: &Face,
    kind: Font,
) -> Result<(), PdfError> {
    let (cid, descriptor, map, file) = (
        numbers.next(),
        numbers.next(),
        numbers.next(),
        numbers.next(),
    );
    let info = SystemInfo {
        registry: Str(b"Adobe"),
        ordering: Str(b"Identity"),
        supplement: 0,
    };
    // A subset's name begins with six letters of its own.
    let tag = ["TSJREG", "TSJBLD", "TSJITA"][kind as usize];
    let name = format!("{tag}+{}", face.name);
    let name = Name(name.as_bytes());
    let outlines = compress_to_vec_zlib(&face.outlines()?, LEVEL);

    pdf.type0_font(id)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid)
        .to_unicode(map);
    let mut font = pdf.cid_font(cid);
    font.subtype(CidFontType::Type0)
        .base_font(name)
        .system_info(info)
        .font_descriptor(descriptor)
        .default_width(0.0);
    let mut widths = font.widths();
    for (&glyph, (width, _)) in &face.glyphs {
        widths.consecutive(glyph, [width * 1000.0]);
    }
    widths.finish();
    font.finish();

    let metrics = face.metrics();
    let [left, bottom, right, top] = metrics.bounds;
    let mut flags = FontFlags::SYMBOLIC | FontFlags::SERIF;
    flags.set(FontFlags::ITALIC, kind == Font::Italic);
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(flags)
        .bbox(Rect::new(left, bottom, right, top))
        .italic_angle(if kind == Font::Italic { -12.0 } else { 0.0 })
        .ascent(metrics.ascent)
        .descent(metrics.descent)
        .cap_height(metrics.cap_height)
        .stem_v(if kind == Font::Bold { 130.0 } else { 80.0 })
        .font_file3(file);

    let mut unicode = UnicodeCmap::new(Name(b"Text"), info);
    for (&glyph, (_, text)) in &face.glyphs {
        if !text.is_empty() {
            unicode.pair_with_multiple(glyph, text.chars());
        }
    }
    let unicode = unicode.finish();
    let packed = compress_to_vec_zlib(unicode.as_slice(), LEVEL);
    pdf.cmap(map, &packed).filter(Filter::FlateDecode);
    pdf.stream(file, &outlines)
        .filter(Filter::FlateDecode)
        .pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
    Ok(())
}

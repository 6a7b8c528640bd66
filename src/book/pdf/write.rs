//! The pages as a PDF file.

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{
    ActionType, AnnotationType, CidFontType, FontFlags, PageMode, SystemInfo, UnicodeCmap,
};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use sha2::{Digest, Sha256};

use super::PdfError;
use super::font::{Face, Font};
use super::sheet::{FONT_NAMES, Sheets, picture_name};
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

/// Writes the file.
pub(super) fn write(sheets: Sheets, front: &Front) -> Result<Vec<u8>, PdfError> {
    let Sheets {
        width,
        height,
        fonts,
        pages,
        pictures,
        places,
        bookmarks,
    } = sheets;
    let mut pdf = Pdf::new();
    let mut digest = Sha256::new();
    let mut numbers = Numbers(0);
    let (catalog, tree, info, outline) = (
        numbers.next(),
        numbers.next(),
        numbers.next(),
        numbers.next(),
    );
    let page_refs = numbers.several(pages.len());
    let picture_refs = numbers.several(pictures.len());
    let font_refs = numbers.several(fonts.0.len());
    let entries = numbers.several(bookmarks.len());

    {
        let mut root = pdf.catalog(catalog);
        root.pages(tree).outlines(outline);
        root.page_mode(PageMode::UseOutlines);
        root.lang(TextStr("en-GB"));
        root.viewer_preferences().display_doc_title(true);
    }
    {
        let mut about = pdf.document_info(info);
        about.title(TextStr(&front.title));
        if !front.author.trim().is_empty() {
            about.author(TextStr(&front.author));
        }
        about.subject(TextStr(&front.subtitle));
        about.creator(TextStr(concat!("tesuji ", env!("CARGO_PKG_VERSION"))));
    }
    let count = i32::try_from(pages.len()).unwrap_or(i32::MAX);
    pdf.pages(tree).kids(page_refs.iter().copied()).count(count);

    for (sheet, &id) in pages.into_iter().zip(&page_refs) {
        let content = sheet.content.finish();
        digest.update(content.as_slice());
        let stream = numbers.next();
        let packed = compress_to_vec_zlib(content.as_slice(), LEVEL);
        pdf.stream(stream, &packed).filter(Filter::FlateDecode);
        let mut links = Vec::new();
        for ([left, top, right, bottom], place) in sheet.links {
            let Some(&(page, y)) = places.get(&place) else {
                continue;
            };
            let link = numbers.next();
            links.push(link);
            let mut annotation = pdf.annotation(link);
            annotation.subtype(AnnotationType::Link);
            annotation.rect(Rect::new(left, height - bottom, right, height - top));
            annotation.border(0.0, 0.0, 0.0, None);
            let mut action = annotation.action();
            action.action_type(ActionType::GoTo);
            let to = action.destination();
            to.page(page_refs[page])
                .xyz(0.0, (height - y + 12.0).min(height), None);
        }
        let mut page = pdf.page(id);
        page.parent(tree).contents(stream);
        page.media_box(Rect::new(0.0, 0.0, width, height));
        if !links.is_empty() {
            page.annotations(links);
        }
        let mut resources = page.resources();
        let mut named = resources.fonts();
        for (name, font) in FONT_NAMES.iter().zip(&font_refs) {
            named.pair(Name(name), *font);
        }
        named.finish();
        if !sheet.pictures.is_empty() {
            let mut named = resources.x_objects();
            for &picture in &sheet.pictures {
                let name = picture_name(picture);
                named.pair(Name(name.as_bytes()), picture_refs[picture]);
            }
        }
    }
    for (picture, &id) in pictures.iter().zip(&picture_refs) {
        digest.update(&picture.content);
        let packed = compress_to_vec_zlib(&picture.content, LEVEL);
        let mut form = pdf.form_xobject(id, &packed);
        form.filter(Filter::FlateDecode);
        form.bbox(Rect::new(0.0, 0.0, picture.width, picture.height));
        form.resources();
    }
    for ((face, &id), kind) in fonts
        .0
        .iter()
        .zip(&font_refs)
        .zip([Font::Regular, Font::Bold, Font::Italic])
    {
        embed(&mut pdf, &mut numbers, id, face, kind)?;
    }

    // The outline: entries of the first level, with those below the last of them.
    let outer: Vec<usize> = (0..bookmarks.len())
        .filter(|&place| !bookmarks[place].inner)
        .collect();
    if let (Some(&first), Some(&last)) = (outer.first(), outer.last()) {
        let mut root = pdf.outline(outline);
        root.first(entries[first]).last(entries[last]);
        root.count(i32::try_from(outer.len()).unwrap_or(i32::MAX));
    }
    for (place, bookmark) in bookmarks.iter().enumerate() {
        let same = |other: &&usize| bookmarks[**other].inner == bookmark.inner;
        let parent = outer.iter().rev().find(|&&at| at < place).copied();
        let siblings: Vec<usize> = if bookmark.inner {
            let end = outer.iter().find(|&&at| at > place).copied();
            (parent.map_or(0, |at| at + 1)..end.unwrap_or(bookmarks.len())).collect()
        } else {
            outer.clone()
        };
        let at = siblings.iter().position(|&other| other == place).unwrap_or(0);
        let mut item = pdf.outline_item(entries[place]);
        item.title(TextStr(&bookmark.title));
        item.parent(match parent {
            Some(parent) if bookmark.inner => entries[parent],
            _ => outline,
        });
        if let Some(previous) = at.checked_sub(1).map(|at| &siblings[at]).filter(same) {
            item.prev(entries[*previous]);
        }
        if let Some(next) = siblings.get(at + 1).filter(same) {
            item.next(entries[*next]);
        }
        if !bookmark.inner {
            let end = outer.get(at + 1).copied().unwrap_or(bookmarks.len());
            let children = place + 1..end;
            if !children.is_empty() {
                item.first(entries[children.start]).last(entries[children.end - 1]);
                // Negative: closed until the reader opens it.
                item.count(-i32::try_from(children.len()).unwrap_or(i32::MAX));
            }
        }
        let to = item.dest();
        to.page(page_refs[bookmark.page])
            .xyz(0.0, (height - bookmark.y + 12.0).min(height), None);
    }

    let id = digest.finalize()[..16].to_vec();
    pdf.set_file_id((id.clone(), id));
    Ok(pdf.finish())
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

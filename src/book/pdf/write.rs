//! Writing the file: a booklet, or pictures one a page.

use krilla::action::LinkAction;
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::error::KrillaError;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag, TagGroup, TagTree};
use krilla::{Document, SerializeSettings};

use super::font::Fonts;
use super::picture::Picture;
use super::setting::PdfError;
use super::sheet::{Bookmark, Ink, LinkTarget, MARKS, Role, Sheets, figure};
use crate::book::data::Front;

/// What a book without a title is called in the file's description.
const UNTITLED: &str = "Puzzles";

/// Writes the file.
pub(super) fn write(
    mut sheets: Sheets,
    front: &Front,
    language: &str,
) -> Result<Vec<u8>, PdfError> {
    let mut document = document()?;
    let games = front.games.join("; ");
    let mut titles = [&*front.title, &games, UNTITLED].into_iter();
    let title = titles.find(|title| !title.trim().is_empty());
    let author = Some(front.author.clone()).filter(|author| !author.trim().is_empty());
    let about = about(title.unwrap_or_default(), language)
        .authors(author.into_iter().collect())
        .description(front.subtitle.clone());
    document.set_metadata(about);
    let fonts = Fonts::new()?;
    let mut structure = std::mem::take(&mut sheets.structure);
    for (number, sheet) in std::mem::take(&mut sheets.pages).into_iter().enumerate() {
        let mut page = document.start_page_with(page_settings(&sheets));
        let mut surface = page.surface();
        crop_marks(&mut surface, &sheets);
        let shift = sheets.shift(number);
        if shift != (0.0, 0.0) {
            surface.push_transform(&Transform::from_translate(shift.0, shift.1));
        }
        for (role, ink) in sheet.ink {
            let tag = match (role, &ink) {
                (Role::Artifact(kind), _) => ContentTag::Artifact(Artifact::with_kind(kind)),
                (Role::Part(_), Ink::Text(..)) => ContentTag::Span(SpanTag::empty()),
                (Role::Part(_), _) => ContentTag::Other,
            };
            let content = surface.start_tagged(tag);
            draw(&mut surface, &ink, &fonts, &sheets.pictures);
            surface.end_tagged();
            if let Role::Part(element) = role {
                structure.fill(element, content);
            }
        }
        if shift != (0.0, 0.0) {
            surface.pop();
        }
        surface.finish();
        for link in sheet.links {
            let target = match link.to {
                LinkTarget::Address(address) => {
                    Some(Target::Action(LinkAction::new(address).into()))
                }
                to => {
                    let place = sheets.places.get(&to);
                    place.map(|&place| Target::Destination(destination(place).into()))
                }
            };
            if let Some(target) = target {
                let annotation = LinkAnnotation::new(link.area, target);
                let annotation = Annotation::new_link(annotation, Some(link.words));
                structure.fill(link.element, page.add_tagged_annotation(annotation));
            }
        }
        page.finish();
    }
    document.set_outline(outline(&sheets.bookmarks));
    document.set_tag_tree(structure.finish());
    checked(document)
}

/// An empty document, which is to conform to PDF/UA-1.
fn document() -> Result<Document, PdfError> {
    let builder = ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1);
    let configuration = builder.finish();
    Ok(Document::new_with(SerializeSettings {
        configuration: configuration.map_err(|error| PdfError::File(format!("{error:?}")))?,
        ..SerializeSettings::default()
    }))
}

/// What the catalog says, though it is so by default; Poppler takes it for an error.
const SUSPECTS: &[u8] = b"/Suspects false";

/// The bytes of a document, after a check against its configuration.
fn checked(document: Document) -> Result<Vec<u8>, PdfError> {
    let mut bytes = document.finish().map_err(|error| match error {
        KrillaError::Font(_, fault) => PdfError::Font(fault),
        KrillaError::Validation(faults) => PdfError::File(format!("{faults:?}")),
        error => PdfError::File(error.to_string()),
    })?;
    // The catalog is the last object. Blanks keep the places of all others.
    let mut ends = bytes.windows(SUSPECTS.len());
    if let Some(at) = ends.rposition(|part| part == SUSPECTS) {
        bytes[at..at + SUSPECTS.len()].fill(b' ');
    }
    Ok(bytes)
}

fn about(title: &str, language: &str) -> Metadata {
    Metadata::new()
        .title(title.to_owned())
        .creator(concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned())
        .language(language.to_owned())
}

fn draw(surface: &mut Surface<'_>, ink: &Ink, fonts: &Fonts, pictures: &[Picture]) {
    match *ink {
        Ink::Text((x, y), size, ref run) => {
            surface.set_fill(Some(Fill::default()));
            run.draw(surface, Point::from_xy(x, y), size, fonts);
        }
        Ink::Rule((from, to), y) => thin(surface, (from, y), (to, y)),
        Ink::Picture((x, y), scale, picture) => {
            surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, x, y));
            pictures[picture].draw(surface);
            surface.pop();
        }
    }
}

fn thin(surface: &mut Surface<'_>, from: (f32, f32), to: (f32, f32)) {
    let mut line = PathBuilder::new();
    line.move_to(from.0, from.1);
    line.line_to(to.0, to.1);
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke {
        width: 0.4,
        ..Stroke::default()
    }));
    if let Some(line) = line.finish() {
        surface.draw_path(&line);
    }
    surface.set_stroke(None);
}

/// The size of the paper and, if something is cut off, what is left.
fn page_settings(sheets: &Sheets) -> PageSettings {
    let (cut, bleed) = (sheets.cut(), sheets.bleed);
    let (width, height) = (sheets.width, sheets.height);
    let size = PageSettings::from_wh(width + 2.0 * cut, height + 2.0 * cut).unwrap_or_default();
    if bleed <= 0.0 {
        return size;
    }
    let grown = |by: f32| Rect::from_xywh(cut - by, cut - by, width + 2.0 * by, height + 2.0 * by);
    size.with_trim_box(grown(0.0)).with_bleed_box(grown(bleed))
}

/// Lines beyond the bleed that say where the paper is cut.
fn crop_marks(surface: &mut Surface<'_>, sheets: &Sheets) {
    let cut = sheets.cut();
    if cut <= 0.0 {
        return;
    }
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(
        ArtifactType::Page,
    )));
    let (wide, high) = (sheets.width + 2.0 * cut, sheets.height + 2.0 * cut);
    let long = MARKS - 4.0;
    for x in [cut, wide - cut] {
        thin(surface, (x, 0.0), (x, long));
        thin(surface, (x, high - long), (x, high));
    }
    for y in [cut, high - cut] {
        thin(surface, (0.0, y), (long, y));
        thin(surface, (wide - long, y), (wide, y));
    }
    surface.end_tagged();
}

/// A point a little above a place of a page.
fn destination((page, y): (usize, f32)) -> XyzDestination {
    XyzDestination::new(page, Point::from_xy(0.0, (y - 12.0).max(0.0)))
}

/// The bookmarks: entries of the first level, each with those below it.
fn outline(bookmarks: &[Bookmark]) -> Outline {
    let node = |entry: &Bookmark| OutlineNode::new(entry.title.clone(), destination(entry.place));
    let mut outline = Outline::new();
    for entries in bookmarks.chunk_by(|_, next| next.inner) {
        let mut outer = node(&entries[0]);
        for inner in &entries[1..] {
            outer.push_child(node(inner));
        }
        outline.push_child(outer);
    }
    outline
}

/// SVG documents as a PDF with a page for each, as large as the picture, for inclusion in
/// other documents. Letters must be outlines; shades of grey are printed with black ink
/// alone. `words` say what the pictures show.
///
/// ```
/// use tesuji::book::pictures;
/// use tesuji::draw::{Diagram, Style, render};
///
/// let svg = render(&Diagram::new(5, 5)?, &Style::print());
/// assert!(pictures(&[svg], "An empty board")?.starts_with(b"%PDF"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PdfError::Picture`] if a document has text, images or anything but flat shapes.
pub fn pictures(svgs: &[String], words: &str) -> Result<Vec<u8>, PdfError> {
    let words = if words.trim().is_empty() {
        "A diagram"
    } else {
        words
    };
    let mut document = document()?;
    let title = words.lines().next().unwrap_or_default().to_owned();
    document.set_metadata(about(&title, "en"));
    let mut tree = TagTree::new();
    for (number, svg) in svgs.iter().enumerate() {
        let picture = Picture::new(svg, "it")?;
        let (width, height) = picture.size;
        let size = PageSettings::from_wh(width, height);
        let mut page = document.start_page_with(size.unwrap_or_default());
        let mut surface = page.surface();
        let content = surface.start_tagged(ContentTag::Other);
        picture.draw(&mut surface);
        surface.end_tagged();
        surface.finish();
        page.finish();
        let bounds = Rect::from_xywh(0.0, 0.0, width, height);
        let mut figure = TagGroup::new(figure(words.to_owned(), number, bounds));
        figure.push(content);
        tree.push(figure);
    }
    document.set_tag_tree(tree);
    let mut outline = Outline::new();
    let start = XyzDestination::new(0, Point::from_xy(0.0, 0.0));
    outline.push_child(OutlineNode::new(title, start));
    document.set_outline(outline);
    checked(document)
}

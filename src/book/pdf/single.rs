//! A single picture as a PDF, to be included in other documents.

use krilla::destination::XyzDestination;
use krilla::geom::{Point, Rect};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::tagging::{BBox, ContentTag, Placement, Tag, TagGroup, TagTree};
use krilla::{Document, SerializeSettings};

use super::PdfError;
use super::picture::Picture;
use super::write::{checked, configuration};

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
    let mut document = Document::new_with(SerializeSettings {
        configuration: configuration()?,
        ..SerializeSettings::default()
    });
    let title = words.lines().next().unwrap_or_default().to_owned();
    let about = Metadata::new()
        .title(title.clone())
        .creator(concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned())
        .language("en".to_owned());
    document.set_metadata(about);
    let mut tree = TagTree::new();
    for (number, svg) in svgs.iter().enumerate() {
        if svg.contains("<text") {
            let why = "it has letters that its typeface lacks".to_owned();
            return Err(PdfError::Picture(why));
        }
        let picture = Picture::new(svg)?;
        let size = PageSettings::from_wh(picture.width, picture.height);
        let mut page = document.start_page_with(size.unwrap_or_default());
        let mut surface = page.surface();
        let content = surface.start_tagged(ContentTag::Other);
        picture.draw(&mut surface);
        surface.end_tagged();
        surface.finish();
        page.finish();
        let bounds = Rect::from_xywh(0.0, 0.0, picture.width, picture.height);
        let tag = Tag::Figure(Some(words.to_owned()))
            .with_placement(Some(Placement::Block))
            .with_bbox(bounds.map(|bounds| BBox::new(number, bounds)));
        let mut figure = TagGroup::new(tag);
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

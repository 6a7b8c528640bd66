//! Diagrams as PDF drawings. They come as SVG, are read by `usvg`, and everything
//! in them, letters too, is drawn as flat paths.

use std::sync::{Arc, LazyLock};

use pdf_writer::Content;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg::{
    Color, FillRule, Group, LineCap, LineJoin, Node, Options, Paint, Path, Tree, fontdb,
};

use super::PdfError;
use super::font;

/// Points in a CSS pixel, the unit of a read SVG.
const PIXEL: f32 = 72.0 / 96.0;

/// Only the book's own fonts, so that it looks the same everywhere.
static LETTERS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut letters = fontdb::Database::new();
    for bytes in font::files() {
        letters.load_font_data(bytes.to_vec());
    }
    letters.set_serif_family("Libertinus Serif");
    letters.set_sans_serif_family("Libertinus Serif");
    letters.set_monospace_family("Libertinus Serif");
    Arc::new(letters)
});

/// A drawing with its size in points; y grows downward.
pub(super) struct Picture {
    pub width: f32,
    pub height: f32,
    pub content: Vec<u8>,
}

impl Picture {
    pub fn new(svg: &str) -> Result<Self, PdfError> {
        let options = Options {
            fontdb: Arc::clone(&LETTERS),
            font_family: "Libertinus Serif".to_owned(),
            ..Options::default()
        };
        let tree =
            Tree::from_str(svg, &options).map_err(|error| PdfError::Picture(error.to_string()))?;
        let mut content = Content::new();
        group(&mut content, tree.root())?;
        Ok(Self {
            width: tree.size().width() * PIXEL,
            height: tree.size().height() * PIXEL,
            content: content.finish().into_vec(),
        })
    }
}

fn group(content: &mut Content, group: &Group) -> Result<(), PdfError> {
    if group.should_isolate() {
        return Err(PdfError::Picture("it has layers".to_owned()));
    }
    for node in group.children() {
        match node {
            Node::Group(inner) => self::group(content, inner)?,
            Node::Path(shape) if shape.is_visible() => path(content, shape)?,
            Node::Path(_) => {}
            Node::Text(text) => self::group(content, text.flattened())?,
            Node::Image(_) => return Err(PdfError::Picture("it has an image".to_owned())),
        }
    }
    Ok(())
}

fn flat(paint: &Paint) -> Result<[f32; 3], PdfError> {
    match paint {
        Paint::Color(Color { red, green, blue }) => {
            Ok([red, green, blue].map(|&part| f32::from(part) / 255.0))
        }
        _ => Err(PdfError::Picture("it has a gradient or pattern".to_owned())),
    }
}

fn path(content: &mut Content, path: &Path) -> Result<(), PdfError> {
    let transform = path.abs_transform().post_scale(PIXEL, PIXEL);
    let fill = path.fill();
    if let Some(fill) = fill {
        let [red, green, blue] = flat(fill.paint())?;
        content.set_fill_rgb(red, green, blue);
    }
    if let Some(stroke) = path.stroke() {
        let [red, green, blue] = flat(stroke.paint())?;
        let scale = (transform.sx * transform.sy - transform.kx * transform.ky)
            .abs()
            .sqrt();
        content.set_stroke_rgb(red, green, blue);
        content.set_line_width(rounded(stroke.width().get() * scale));
        content.set_line_cap(match stroke.linecap() {
            LineCap::Butt => LineCapStyle::ButtCap,
            LineCap::Round => LineCapStyle::RoundCap,
            LineCap::Square => LineCapStyle::ProjectingSquareCap,
        });
        content.set_line_join(match stroke.linejoin() {
            LineJoin::Round => LineJoinStyle::RoundJoin,
            LineJoin::Bevel => LineJoinStyle::BevelJoin,
            LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
        });
        let dashes = stroke.dasharray().unwrap_or_default();
        let dashes = dashes.iter().map(|dash| rounded(dash * scale));
        content.set_dash_pattern(dashes, rounded(stroke.dashoffset() * scale));
    }
    outline(content, path, transform);
    match (fill.map(resvg::usvg::Fill::rule), path.stroke()) {
        (Some(FillRule::NonZero), None) => content.fill_nonzero(),
        (Some(FillRule::EvenOdd), None) => content.fill_even_odd(),
        (Some(FillRule::NonZero), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(FillRule::EvenOdd), Some(_)) => content.fill_even_odd_and_stroke(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
    Ok(())
}

fn outline(content: &mut Content, path: &Path, transform: Transform) {
    let at = |mut point: Point| {
        transform.map_point(&mut point);
        (rounded(point.x), rounded(point.y))
    };
    let mut last = Point::zero();
    for segment in path.data().segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                let (x, y) = at(to);
                content.move_to(x, y);
                last = to;
            }
            PathSegment::LineTo(to) => {
                let (x, y) = at(to);
                content.line_to(x, y);
                last = to;
            }
            PathSegment::QuadTo(by, to) => {
                // A cubic curve that is the same as the quadratic one.
                let toward = |end: Point| {
                    let part = |from: f32, to: f32| from + (to - from) * 2.0 / 3.0;
                    at(Point::from_xy(part(end.x, by.x), part(end.y, by.y)))
                };
                let ((x1, y1), (x2, y2), (x, y)) = (toward(last), toward(to), at(to));
                content.cubic_to(x1, y1, x2, y2, x, y);
                last = to;
            }
            PathSegment::CubicTo(a, b, to) => {
                let ((x1, y1), (x2, y2), (x, y)) = (at(a), at(b), at(to));
                content.cubic_to(x1, y1, x2, y2, x, y);
                last = to;
            }
            PathSegment::Close => {
                content.close_path();
            }
        }
    }
}

/// A thousandth of a point is finer than any printer.
pub(super) fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

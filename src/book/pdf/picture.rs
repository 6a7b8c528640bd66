//! Diagrams as drawings of a page. They come as SVG, are read by `usvg`, and everything
//! in them, letters too, is drawn as flat paths.

use krilla::color::{luma, rgb};
use krilla::geom::{Path, PathBuilder};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, Paint, Stroke, StrokeDash};
use krilla::surface::Surface;
use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg;

use super::setting::PdfError;
use crate::draw::letter_without_font;

/// Points in a CSS pixel, the unit of a read SVG.
const PIXEL: f32 = 72.0 / 96.0;

/// A drawing with its size in points; y grows downward.
pub(super) struct Picture {
    pub size: (f32, f32),
    shapes: Vec<Shape>,
}

/// An outline that is filled, stroked or both.
struct Shape {
    outline: Path,
    fill: Option<Fill>,
    stroke: Option<Stroke>,
}

impl Picture {
    /// Reads a picture; `it` names it in an error. Only letters that no font has are not drawn as
    /// outlines.
    pub(super) fn new(svg: &str, it: &str) -> Result<Self, PdfError> {
        if let Some(letter) = letter_without_font(svg) {
            return Err(PdfError::Picture(format!(
                "no font has the letter '{letter}' in {it}; add one with --font FILE"
            )));
        }
        let tree = usvg::Tree::from_str(svg, &usvg::Options::default())
            .map_err(|error| PdfError::Picture(error.to_string()))?;
        let mut shapes = Vec::new();
        group(&mut shapes, tree.root())?;
        Ok(Self {
            size: (tree.size().width() * PIXEL, tree.size().height() * PIXEL),
            shapes,
        })
    }

    /// Draws it with its upper left corner at the origin.
    pub(super) fn draw(&self, surface: &mut Surface<'_>) {
        for shape in &self.shapes {
            surface.set_fill(shape.fill.clone());
            surface.set_stroke(shape.stroke.clone());
            surface.draw_path(&shape.outline);
        }
        surface.set_fill(None);
        surface.set_stroke(None);
    }
}

fn group(shapes: &mut Vec<Shape>, group: &usvg::Group) -> Result<(), PdfError> {
    if group.should_isolate() {
        return Err(PdfError::Picture("it has layers".to_owned()));
    }
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => self::group(shapes, inner)?,
            usvg::Node::Path(path) if path.is_visible() => shapes.extend(shape(path)?),
            usvg::Node::Path(_) => {}
            usvg::Node::Text(_) | usvg::Node::Image(_) => {
                return Err(PdfError::Picture("it has an image".to_owned()));
            }
        }
    }
    Ok(())
}

/// A colour; shades of grey are printed with black ink alone.
fn flat(paint: &usvg::Paint) -> Result<Paint, PdfError> {
    match *paint {
        usvg::Paint::Color(usvg::Color { red, green, blue }) if red == green && green == blue => {
            Ok(luma::Color::new(red).into())
        }
        usvg::Paint::Color(usvg::Color { red, green, blue }) => {
            Ok(rgb::Color::new(red, green, blue).into())
        }
        _ => Err(PdfError::Picture("it has a gradient or pattern".to_owned())),
    }
}

fn opacity(opacity: usvg::Opacity) -> NormalizedF32 {
    NormalizedF32::new(opacity.get()).unwrap_or(NormalizedF32::ONE)
}

fn shape(path: &usvg::Path) -> Result<Option<Shape>, PdfError> {
    let transform = path.abs_transform().post_scale(PIXEL, PIXEL);
    let fill = path.fill().map(|fill| {
        Ok(Fill {
            paint: flat(fill.paint())?,
            opacity: opacity(fill.opacity()),
            rule: match fill.rule() {
                usvg::FillRule::NonZero => FillRule::NonZero,
                usvg::FillRule::EvenOdd => FillRule::EvenOdd,
            },
        })
    });
    let stroke = path.stroke().map(|line| stroke(line, transform));
    let (fill, stroke) = (fill.transpose()?, stroke.transpose()?);
    let outline = outline(path, transform).filter(|_| fill.is_some() || stroke.is_some());
    Ok(outline.map(|outline| Shape {
        outline,
        fill,
        stroke,
    }))
}

fn stroke(line: &usvg::Stroke, transform: Transform) -> Result<Stroke, PdfError> {
    let scale = (transform.sx * transform.sy - transform.kx * transform.ky)
        .abs()
        .sqrt();
    Ok(Stroke {
        paint: flat(line.paint())?,
        width: rounded(line.width().get() * scale),
        miter_limit: line.miterlimit().get(),
        line_cap: match line.linecap() {
            usvg::LineCap::Butt => LineCap::Butt,
            usvg::LineCap::Round => LineCap::Round,
            usvg::LineCap::Square => LineCap::Square,
        },
        line_join: match line.linejoin() {
            usvg::LineJoin::Round => LineJoin::Round,
            usvg::LineJoin::Bevel => LineJoin::Bevel,
            usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => LineJoin::Miter,
        },
        opacity: opacity(line.opacity()),
        dash: line.dasharray().map(|dashes| StrokeDash {
            array: dashes.iter().map(|dash| rounded(dash * scale)).collect(),
            offset: rounded(line.dashoffset() * scale),
        }),
    })
}

/// The outline in points; `None` if it is empty.
fn outline(path: &usvg::Path, transform: Transform) -> Option<Path> {
    let at = |mut point: Point| {
        transform.map_point(&mut point);
        (rounded(point.x), rounded(point.y))
    };
    let mut builder = PathBuilder::new();
    for segment in path.data().segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                let (x, y) = at(to);
                builder.move_to(x, y);
            }
            PathSegment::LineTo(to) => {
                let (x, y) = at(to);
                builder.line_to(x, y);
            }
            PathSegment::QuadTo(by, to) => {
                let ((x1, y1), (x, y)) = (at(by), at(to));
                builder.quad_to(x1, y1, x, y);
            }
            PathSegment::CubicTo(a, b, to) => {
                let ((x1, y1), (x2, y2), (x, y)) = (at(a), at(b), at(to));
                builder.cubic_to(x1, y1, x2, y2, x, y);
            }
            PathSegment::Close => builder.close(),
        }
    }
    builder.finish()
}

/// A thousandth of a point is finer than any printer.
pub(super) fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

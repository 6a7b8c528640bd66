//! Pictures as Encapsulated PostScript, for typesetters that take nothing else.

use std::fmt::Write as _;

use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg;
use thiserror::Error;

use super::svg::letter_without_font;

/// Points in a CSS pixel, the unit of a read SVG.
const POINTS: f32 = 72.0 / 96.0;

/// Why a picture cannot be written as EPS.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EpsError {
    /// The text is not an SVG document.
    #[error("invalid SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// There is no font for a letter.
    #[error("no font has the letter '{0}'; --font FILE adds one")]
    Letter(char),
    /// The picture has something that is not a flat shape.
    #[error("EPS has flat shapes only, and the picture has {0}; use SVG, PDF or PNG")]
    Beyond(&'static str),
}

/// Turns an SVG document whose letters are outlines into EPS of the same size on paper.
/// Shades of grey are printed with black ink alone.
///
/// ```
/// use tesuji_draw::{Diagram, Style, eps, render};
///
/// let text = eps(&render(&Diagram::new(5, 5)?, &Style::print()))?;
/// assert!(text.starts_with("%!PS-Adobe-3.0 EPSF-3.0\n"));
/// assert!(!text.contains("setrgbcolor"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `EpsError` if the text is not SVG, or has text, images, gradients or transparency.
pub fn eps(svg: &str) -> Result<String, EpsError> {
    if let Some(letter) = letter_without_font(svg) {
        return Err(EpsError::Letter(letter));
    }
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default())?;
    let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
    let mut text = format!(
        "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 {} {}\n%%HiResBoundingBox: 0 0 {} {}\n%%LanguageLevel: 2\n%%EndComments\n",
        width.ceil(),
        height.ceil(),
        number(width),
        number(height)
    );
    // PostScript counts upwards.
    let flip = Transform::from_row(POINTS, 0.0, 0.0, -POINTS, 0.0, height);
    text += "gsave\n";
    group(&mut text, tree.root(), flip)?;
    text += "grestore\n%%EOF\n";
    Ok(text)
}

fn group(text: &mut String, inner: &usvg::Group, flip: Transform) -> Result<(), EpsError> {
    if inner.should_isolate() {
        return Err(EpsError::Beyond("transparency"));
    }
    for node in inner.children() {
        match node {
            usvg::Node::Group(inner) => group(text, inner, flip)?,
            usvg::Node::Path(path) if path.is_visible() => shape(text, path, flip)?,
            usvg::Node::Path(_) => {}
            usvg::Node::Text(_) => return Err(EpsError::Beyond("text")),
            usvg::Node::Image(_) => return Err(EpsError::Beyond("an image")),
        }
    }
    Ok(())
}

fn shape(text: &mut String, path: &usvg::Path, flip: Transform) -> Result<(), EpsError> {
    let transform = path.abs_transform().post_concat(flip);
    outline(text, path, transform);
    if let Some(fill) = path.fill() {
        let operator = match fill.rule() {
            usvg::FillRule::NonZero => "fill",
            usvg::FillRule::EvenOdd => "eofill",
        };
        let colour = colour(fill.paint())?;
        let _ = writeln!(text, "gsave {colour} {operator} grestore");
    }
    if let Some(line) = path.stroke() {
        let scale = (transform.sx * transform.sy - transform.kx * transform.ky)
            .abs()
            .sqrt();
        let cap = match line.linecap() {
            usvg::LineCap::Butt => 0,
            usvg::LineCap::Round => 1,
            usvg::LineCap::Square => 2,
        };
        let join = match line.linejoin() {
            usvg::LineJoin::Round => 1,
            usvg::LineJoin::Bevel => 2,
            usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => 0,
        };
        let dashes = line.dasharray().unwrap_or_default().iter();
        let dashes: Vec<String> = dashes.map(|dash| number(dash * scale)).collect();
        let _ = writeln!(
            text,
            "gsave {} {} setlinewidth {cap} setlinecap {join} setlinejoin [{}] {} setdash stroke grestore",
            colour(line.paint())?,
            number(line.width().get() * scale),
            dashes.join(" "),
            number(line.dashoffset() * scale)
        );
    }
    text.push_str("newpath\n");
    Ok(())
}

/// Sets a colour; shades of grey have the operator that is printed with black ink alone.
fn colour(paint: &usvg::Paint) -> Result<String, EpsError> {
    let part = |part: u8| number(f32::from(part) / 255.0);
    match *paint {
        usvg::Paint::Color(usvg::Color { red, green, blue }) if red == green && green == blue => {
            Ok(format!("{} setgray", part(red)))
        }
        usvg::Paint::Color(usvg::Color { red, green, blue }) => {
            let [red, green, blue] = [red, green, blue].map(part);
            Ok(format!("{red} {green} {blue} setrgbcolor"))
        }
        _ => Err(EpsError::Beyond("a gradient or pattern")),
    }
}

fn outline(text: &mut String, path: &usvg::Path, transform: Transform) {
    let at = |mut point: Point| {
        transform.map_point(&mut point);
        point
    };
    let pair = |point: Point| format!("{} {}", number(point.x), number(point.y));
    let mut here = Point::zero();
    for segment in path.data().segments() {
        let _ = match segment {
            PathSegment::MoveTo(to) => {
                here = at(to);
                writeln!(text, "{} moveto", pair(here))
            }
            PathSegment::LineTo(to) => {
                here = at(to);
                writeln!(text, "{} lineto", pair(here))
            }
            PathSegment::QuadTo(by, to) => {
                // PostScript has cubic curves only.
                let (by, to) = (at(by), at(to));
                let third = |end: f32, by: f32| end + (by - end) * 2.0 / 3.0;
                let near = |end: Point| Point::from_xy(third(end.x, by.x), third(end.y, by.y));
                let (a, b) = (near(here), near(to));
                here = to;
                writeln!(text, "{} {} {} curveto", pair(a), pair(b), pair(to))
            }
            PathSegment::CubicTo(a, b, to) => {
                here = at(to);
                let (a, b, to) = (pair(at(a)), pair(at(b)), pair(here));
                writeln!(text, "{a} {b} {to} curveto")
            }
            PathSegment::Close => writeln!(text, "closepath"),
        };
    }
}

/// A number with three decimals at most: finer than any printer.
fn number(value: f32) -> String {
    ((value * 1000.0).round() / 1000.0 + 0.0).to_string()
}

//! Lines of text: their width, where they break, how they are drawn.

use svg::node::element::Element;
use svg::node::{Node, Text as Letters};

use super::canvas::{Canvas, Paint, legal, round};
use super::face::{Cut, Face};
use super::style::{Colour, Lettering, Style, Typeface};
use super::wrap::balanced;
use crate::data::Diagram;

/// The height of Helvetica's capitals and figures, in type sizes.
const CAP_HEIGHT: f64 = 0.72;

/// From one baseline to the next, in type sizes.
pub(super) const LEADING: f64 = 1.3;

/// Helvetica's widths of the printable ASCII characters, in 1/1000 of the size.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Which point of a line of text is at its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line of text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    /// The type size in mm.
    pub size: f64,
    pub cut: Cut,
    pub colour: Colour,
    lettering: Lettering,
    typeface: Typeface,
}

impl Type {
    /// Regular letters of this type size in mm.
    pub(super) fn new(size: f64, style: &Style) -> Self {
        Self {
            size,
            cut: Cut::Regular,
            colour: style.ink,
            lettering: style.lettering,
            typeface: style.typeface,
        }
    }

    pub(super) fn bold(mut self) -> Self {
        self.cut = Cut::Bold;
        self
    }

    pub(super) fn italic(mut self) -> Self {
        self.cut = Cut::Italic;
        self
    }

    pub(super) fn sized(self, size: f64) -> Self {
        Self { size, ..self }
    }

    /// The built-in font; `None` if the reader's fonts are used.
    fn face(self) -> Option<&'static Face> {
        (self.lettering != Lettering::Text).then(|| Face::of(self.typeface, self.cut))
    }

    /// The height of capitals and figures in mm.
    pub(super) fn cap_height(self) -> f64 {
        self.size * self.face().map_or(CAP_HEIGHT, |face| face.cap_height)
    }

    /// The width of a line in mm: exact for letters that the fonts have, and for ASCII
    /// in Helvetica; a generous estimate for anything else.
    pub(super) fn width(self, line: &str) -> f64 {
        if let Some(Ok(parts)) = self.face().map(|face| face.parts(line)) {
            let width: f64 = parts.iter().map(|(_, part)| part.width).sum();
            return width * self.size;
        }
        let per_mille: f64 = line.chars().map(char_width).sum();
        let weight = if self.cut == Cut::Bold { 1.08 } else { 1.0 };
        per_mille / 1000.0 * self.size * weight
    }

    /// Breaks a text into lines of about the same length, none wider than the limit in
    /// mm unless a single character is.
    pub(super) fn wrap(self, text: &str, limit: f64) -> Vec<String> {
        let lines = balanced(&[((), text)], limit, |(), run| self.width(run));
        let runs = lines.into_iter().flat_map(|line| line.runs);
        runs.map(|((), text)| text).collect()
    }
}

fn char_width(letter: char) -> f64 {
    match letter {
        ' '..='~' => f64::from(WIDTHS[letter as usize - 0x20]),
        ..'\u{0530}' => 700.0,
        _ => 1000.0,
    }
}

/// The greatest of lengths, 0 if there are none.
pub(super) fn greatest(lengths: impl Iterator<Item = f64>) -> f64 {
    lengths.fold(0.0, f64::max)
}

/// How captions are set.
pub(super) fn caption_type(style: &Style) -> Type {
    Type::new(style.text_mm.get(), style)
}

/// Lines of text, and how each is set.
pub(super) type Lines = Vec<(Type, String)>;

/// What stands below a board, wrapped to a width in mm: what is asked, the themes,
/// further captions, as the style has them.
pub(super) fn below(diagram: &Diagram, style: &Style, width: f64) -> Lines {
    let plain = caption_type(style);
    let themes = diagram.themes.join(", ");
    let asked = diagram.stipulation.iter().filter(|_| style.stipulation);
    let themes = Some(&themes).filter(|_| style.themes).into_iter();
    let captions = diagram.captions.iter().filter(|_| style.captions);
    let paragraphs = asked.map(|asked| (plain, asked));
    let paragraphs = paragraphs.chain(themes.map(|themes| (plain.italic(), themes)));
    let paragraphs = paragraphs.chain(captions.map(|caption| (plain, caption)));
    let lines = paragraphs.flat_map(|(kind, paragraph)| wrapped(kind, paragraph, width));
    lines.collect()
}

/// A paragraph in lines of at most this width in mm, and of about the same length.
pub(super) fn wrapped(kind: Type, paragraph: &str, width: f64) -> Lines {
    let lines = kind.wrap(paragraph, width).into_iter();
    lines.map(|line| (kind, line)).collect()
}

impl Canvas {
    /// Draws one line of text with its baseline at (x, y), in mm. All text of a picture is
    /// drawn here.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, kind: Type, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let words = legal(line);
        let outlined = kind.lettering == Lettering::Outlines;
        let face = kind.face().filter(|_| outlined);
        if let Some(Ok(parts)) = face.map(|face| face.parts(&words)) {
            let width = kind.width(&words);
            let mut x = match anchor {
                Anchor::Start => x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            let mut label = Some(words);
            for (face, part) in parts {
                let scale = (kind.size / face.units_per_em * 1e6).round() / 1e6;
                let place = format!("translate({} {})scale({scale})", round(x), round(y));
                let mut extra = vec![("transform", place)];
                extra.extend(label.take().map(|words| ("aria-label", words)));
                self.path(face.outline(&part), Paint::fill(kind.colour), &extra);
                x += part.width * kind.size;
            }
            return;
        }
        let mut element = Element::new("text");
        element.assign("x", round(x));
        element.assign("y", round(y));
        element.assign("font-size", round(kind.size));
        element.assign("fill", kind.colour.to_string());
        match kind.cut {
            Cut::Regular => {}
            Cut::Bold => element.assign("font-weight", "bold"),
            Cut::Italic => element.assign("font-style", "italic"),
        }
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => element.assign("text-anchor", "middle"),
            Anchor::End => element.assign("text-anchor", "end"),
        }
        element.append(Letters::new(words.clone()));
        self.push_text(element, kind.cut, &words);
    }

    /// Sets lines one below the other, the first on the given baseline, and returns the y
    /// to which the last of them reaches.
    pub(super) fn column_of_text(
        &mut self,
        (x, mut y): (f64, f64),
        anchor: Anchor,
        lines: &[(Type, String)],
    ) -> f64 {
        let mut descent = 0.0;
        for (index, (kind, line)) in lines.iter().enumerate() {
            if index > 0 {
                y += LEADING * kind.size;
            }
            self.text((x, y), anchor, *kind, line);
            descent = 0.24 * kind.size;
        }
        y + descent
    }
}

/// How far lines reach below the first baseline, in mm, as [`Canvas::column_of_text`] sets
/// them.
pub(super) fn depth_of_text(lines: &[(Type, String)]) -> f64 {
    let further = lines.iter().skip(1).map(|(kind, _)| LEADING * kind.size);
    further.sum::<f64>() + lines.last().map_or(0.0, |(kind, _)| 0.24 * kind.size)
}

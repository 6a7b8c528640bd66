//! Shapes in millimetres, collected into a document, and outlined symbols among them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use svg::Document;
use svg::node::Node;
use svg::node::element::{Description, Element, Style as Sheet, Title};

use super::face::{Cut, embed};
use super::style::{Colour, Lettering, Style};
use crate::data::{Symbol, Tone, commands};

/// A length or coordinate in mm, rounded to 1/100 mm; never a negative zero.
pub(super) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paint {
    pub fill: Option<Colour>,
    /// Colour and width in mm.
    pub stroke: Option<(Colour, f64)>,
}

impl Paint {
    pub(super) fn fill(colour: Colour) -> Self {
        Self {
            fill: Some(colour),
            stroke: None,
        }
    }

    pub(super) fn stroke(colour: Colour, width: f64) -> Self {
        Self::default().and_stroke(colour, width)
    }

    pub(super) fn and_stroke(mut self, colour: Colour, width: f64) -> Self {
        self.stroke = Some((colour, width));
        self
    }

    fn apply(self, element: &mut Element) {
        let fill = self.fill.map(|colour| colour.to_string());
        element.assign("fill", fill.unwrap_or_else(|| "none".to_owned()));
        if let Some((colour, width)) = self.stroke {
            element.assign("stroke", colour.to_string());
            element.assign("stroke-width", round(width));
        }
    }
}

/// The elements of a picture, from the back to the front.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    elements: Vec<Element>,
    /// The letters that are text, by the cut of their font.
    letters: BTreeMap<Cut, BTreeSet<char>>,
    /// What its style sheet says, but for fonts.
    pub rules: String,
}

impl Canvas {
    /// Adds an element that shows these letters as text.
    pub(super) fn push_text(&mut self, element: Element, cut: Cut, words: &str) {
        self.letters.entry(cut).or_default().extend(words.chars());
        self.elements.push(element);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    pub(super) fn append(&mut self, other: Self) {
        self.elements.extend(other.elements);
        for (cut, letters) in other.letters {
            self.letters.entry(cut).or_default().extend(letters);
        }
        self.rules.push_str(&other.rules);
    }

    /// Puts all of another canvas into one group with these attributes.
    pub(super) fn group(&mut self, mut other: Self, attributes: &[(&str, &str)]) {
        let inner = std::mem::take(&mut other.elements);
        self.append(other);
        if inner.is_empty() {
            return;
        }
        let mut group = Element::new("g");
        for &(name, value) in attributes {
            group.assign(name, value);
        }
        for element in inner {
            group.append(element);
        }
        self.elements.push(group);
    }

    /// Adds a shape with these measures in mm.
    fn shape(&mut self, name: &str, measures: &[(&str, f64)], paint: Paint) {
        let mut element = Element::new(name);
        for &(name, length) in measures {
            element.assign(name, round(length));
        }
        paint.apply(&mut element);
        self.elements.push(element);
    }

    /// A rectangle given by its top left corner, its size and the radius of
    /// its corners.
    pub(super) fn rect(&mut self, at: (f64, f64), size: (f64, f64), radius: f64, paint: Paint) {
        let (width, height) = size;
        let mut measures = vec![
            ("x", at.0),
            ("y", at.1),
            ("width", width),
            ("height", height),
        ];
        if radius > 0.0 {
            measures.push(("rx", radius));
        }
        self.shape("rect", &measures, paint);
    }

    pub(super) fn circle(&mut self, (x, y): (f64, f64), radius: f64, paint: Paint) {
        self.shape("circle", &[("cx", x), ("cy", y), ("r", radius)], paint);
    }

    /// A path with further attributes.
    pub(super) fn path(&mut self, data: &str, paint: Paint, extra: &[(&str, String)]) {
        let mut element = Element::new("path");
        element.assign("d", data);
        paint.apply(&mut element);
        for (name, value) in extra {
            element.assign(*name, value.as_str());
        }
        self.elements.push(element);
    }

    /// Unconnected lines, with further attributes; an empty list draws nothing.
    pub(super) fn lines(
        &mut self,
        segments: &[[(f64, f64); 2]],
        paint: Paint,
        extra: &[(&str, String)],
    ) {
        let data: String = segments.iter().map(|ends| polyline(ends)).collect();
        if !data.is_empty() {
            self.path(&data, paint, extra);
        }
    }

    /// A ring with a bar that crosses a line in this direction at an eighth of a turn.
    pub(super) fn barred_ring(
        &mut self,
        (x, y): (f64, f64),
        radius: f64,
        (along, down): (f64, f64),
        ring: Paint,
    ) {
        self.circle((x, y), radius, ring);
        let end = radius * std::f64::consts::FRAC_1_SQRT_2;
        let (dx, dy) = (end * (along - down), end * (down + along));
        self.lines(&[[(x - dx, y - dy), (x + dx, y + dy)]], ring, &[]);
    }

    /// Connected lines, not closed.
    pub(super) fn open(&mut self, points: &[(f64, f64)], paint: Paint) {
        self.path(&polyline(points), paint, &[]);
    }

    pub(super) fn polygon(&mut self, corners: &[(f64, f64)], paint: Paint) {
        self.path(&(polyline(corners) + "Z"), paint, &[round_joins()]);
    }

    /// Draws a symbol in a square with this upper left corner and side, in mm.
    pub(super) fn symbol(&mut self, symbol: &Symbol, at: (f64, f64), side: f64, style: &Style) {
        // Six places, as a unit is far less than a millimetre.
        let scale = (side / f64::from(Symbol::SIDE) * 1e6).round() / 1e6;
        let paint = match symbol.tone {
            Tone::Dark => Paint::fill(style.ink),
            Tone::Light => Paint::fill(style.board)
                .and_stroke(style.ink, 2.0 * style.line_mm.get() / scale.max(1e-6)),
        };
        // An odd quarter of the turn is in the outline already, so that whole units stay whole.
        let outline = match symbol.quarters() % 2 {
            1 => quarter(symbol.outline()),
            _ => symbol.outline().to_owned(),
        };
        let (x, y) = at;
        let (x, y, turn) = if symbol.quarters() >= 2 {
            (x + side, y + side, format!("scale(-{scale})"))
        } else {
            (x, y, format!("scale({scale})"))
        };
        let place = format!("translate({} {}){turn}", round(x), round(y));
        let mut extra = vec![("aria-label", legal(&symbol.name)), ("transform", place)];
        if symbol.tone == Tone::Light {
            extra.push(round_joins());
        }
        self.path(&outline, paint, &extra);
    }

    /// The picture as an SVG document of this size in mm, on the paper of the style.
    pub(super) fn document(
        self,
        (width, height): (f64, f64),
        title: Option<&str>,
        desc: Option<&str>,
        style: &Style,
    ) -> String {
        let (width, height) = (round(width), round(height));
        let mut document = Document::new()
            .set("width", format!("{width}mm"))
            .set("height", format!("{height}mm"))
            .set("viewBox", format!("0 0 {width} {height}"))
            .set("role", "img");
        let mut rules = self.rules;
        let mut family = style.family.0.clone();
        if style.lettering == Lettering::Embedded
            && let Some((own, faces)) = embed(style.typeface, &self.letters)
        {
            family = format!("{own}, {family}");
            rules.push_str(&faces);
        }
        if !self.letters.is_empty() {
            document.assign("font-family", family);
        }
        if let Some(title) = title {
            document.append(Title::new(legal(title)));
        }
        if let (None, Some(line)) = (title, desc.and_then(|desc| desc.lines().next())) {
            // The name of the picture for those who hear it.
            document.assign("aria-label", legal(line));
        }
        if let Some(desc) = desc {
            document.append(Description::new().add(svg::node::Text::new(legal(desc))));
        }
        if !rules.is_empty() {
            document.append(Sheet::new(rules));
        }
        let mut paper = Self::default();
        if !style.transparent {
            paper.rect((0.0, 0.0), (width, height), 0.0, Paint::fill(style.paper));
        }
        for element in paper.elements.into_iter().chain(self.elements) {
            document.append(element);
        }
        let mut text = document.to_string();
        text.push('\n');
        text
    }
}

pub(super) fn round_joins() -> (&'static str, String) {
    ("stroke-linejoin", "round".to_owned())
}

/// Path data through the points; horizontal and vertical lines are written shorter.
fn polyline(points: &[(f64, f64)]) -> String {
    let mut data = String::new();
    let mut last: Option<(f64, f64)> = None;
    for &(x, y) in points {
        let (x, y) = (round(x), round(y));
        // Writing to a string cannot fail.
        let _ = match last {
            None => write!(data, "M{x} {y}"),
            Some((_, before)) if before.to_bits() == y.to_bits() => write!(data, "H{x}"),
            Some((before, _)) if before.to_bits() == x.to_bits() => write!(data, "V{y}"),
            Some(_) => write!(data, "L{x} {y}"),
        };
        last = Some((x, y));
    }
    data
}

/// The text without the control characters that XML cannot hold even escaped.
pub(super) fn legal(text: &str) -> String {
    let forbidden = |letter: char| {
        (letter.is_control() && !matches!(letter, '\t' | '\n'))
            || matches!(letter, '\u{fffe}' | '\u{ffff}')
    };
    text.replace(forbidden, "\u{fffd}")
}

/// The path of a symbol turned a quarter clockwise, command by command; the numbers
/// after a command are points.
fn quarter(path: &str) -> String {
    let mut turned = String::new();
    for (command, numbers) in commands(path) {
        let numbers = numbers.unwrap_or_default();
        let pairs = numbers.chunks_exact(2);
        let pairs = pairs.map(|pair| format!("{} {}", Symbol::SIDE - pair[1], pair[0]));
        turned += command;
        turned += &pairs.collect::<Vec<_>>().join(" ");
    }
    turned
}

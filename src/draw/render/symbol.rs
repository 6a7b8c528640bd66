//! Drawing outlined symbols.

use std::borrow::Cow;

use svg::node::Node;
use svg::node::element::Element;

use super::canvas::{Canvas, Paint, legal, round};
use super::style::Style;
use crate::draw::data::{Symbol, Tone};

/// Draws a symbol in a square with this upper left corner and side, in mm.
pub(super) fn symbol(
    canvas: &mut Canvas,
    symbol: &Symbol,
    (x, y): (f64, f64),
    side: f64,
    style: &Style,
) {
    // Six places, as a unit is far less than a millimetre.
    let scale = (side / f64::from(Symbol::SIDE) * 1e6).round() / 1e6;
    let paint = match symbol.tone() {
        Tone::Dark => Paint::fill(style.ink),
        Tone::Light => {
            let width = 2.0 * style.line_mm.get() / scale.max(1e-6);
            Paint::fill(style.board).and_stroke(style.ink, width)
        }
    };
    let (outline, half) = half_or_upright(symbol);
    let (x, y, turn) = if half {
        (x + side, y + side, format!("scale(-{scale})"))
    } else {
        (x, y, format!("scale({scale})"))
    };
    let mut element = Element::new("path");
    element.assign("aria-label", legal(symbol.name()));
    element.assign("d", outline.into_owned());
    if symbol.tone() == Tone::Light {
        element.assign("stroke-linejoin", "round");
    }
    paint.apply(&mut element);
    element.assign(
        "transform",
        format!("translate({} {}){turn}", round(x), round(y)),
    );
    canvas.push(element);
}

/// The outline with an odd quarter of the turn already in it, and whether a half turn is
/// left to do. Whole units stay whole.
fn half_or_upright(symbol: &Symbol) -> (Cow<'_, str>, bool) {
    let outline = if symbol.quarters() % 2 == 1 {
        quarter(symbol.outline()).into()
    } else {
        symbol.outline().into()
    };
    (outline, symbol.quarters() >= 2)
}

/// The path of a symbol turned a quarter clockwise, command by command; the numbers
/// after a command are points.
fn quarter(path: &str) -> String {
    let mut turned = String::new();
    for part in path.split_inclusive(|letter: char| letter.is_ascii_alphabetic()) {
        let numbers = part.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let command = &part[numbers.len()..];
        let numbers = numbers.split_ascii_whitespace();
        let numbers: Vec<u16> = numbers.filter_map(|number| number.parse().ok()).collect();
        let pairs = numbers.chunks_exact(2);
        let pairs: Vec<String> = pairs
            .map(|pair| format!("{} {}", Symbol::SIDE - pair[1], pair[0]))
            .collect();
        turned += &pairs.join(" ");
        turned += command;
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::DiagramError;

    #[test]
    fn an_odd_quarter_is_in_the_outline() -> Result<(), DiagramError> {
        let symbol = Symbol::new("wedge", "M0 1000L500 0L1000 1000Z", Tone::Light)?;
        // It points to the right, and is still to be turned by half.
        let symbol = symbol.turned(3);
        let (outline, half) = half_or_upright(&symbol);
        assert_eq!((outline.as_ref(), half), ("M0 0L1000 500L0 1000Z", true));
        let around = (0..4).fold("M1 2Q3 4 5 6Z".to_owned(), |path, _| quarter(&path));
        assert_eq!(around, "M1 2Q3 4 5 6Z");
        Ok(())
    }
}

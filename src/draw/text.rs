//! Letters: how wide they are, where lines break, how they are drawn.

use svg::node::element::Element;
use svg::node::{Node, Text as Letters};

use super::canvas::{Canvas, round};
use super::style::Colour;

/// The fonts asked for. Arial and the free Liberation Sans have the widths of
/// Helvetica, so that [`width`] holds for all of them.
pub(super) const FAMILY: &str = "Helvetica, Arial, Liberation Sans, sans-serif";

/// The height of capitals and figures, as a part of the type size.
pub(super) const CAP_HEIGHT: f64 = 0.72;

/// From one baseline to the next, as a part of the type size.
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

/// Where the given x lies in a line of text.
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
    pub bold: bool,
    pub colour: Colour,
}

impl Type {
    /// The width of a line in mm: exact for plain ASCII in a Helvetica, a
    /// cautious guess for anything else.
    pub fn width(self, line: &str) -> f64 {
        let per_mille: f64 = line.chars().map(char_width).sum();
        let weight = if self.bold { 1.08 } else { 1.0 };
        per_mille / 1000.0 * self.size * weight
    }

    /// Breaks a text into lines no wider than the limit in mm, at spaces where
    /// it can. A line holds at least one character, however narrow the limit.
    pub fn wrap(self, text: &str, limit: f64) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            let joined = if line.is_empty() {
                word.to_owned()
            } else {
                format!("{line} {word}")
            };
            if self.width(&joined) <= limit {
                line = joined;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for letter in word.chars() {
                line.push(letter);
                if self.width(&line) > limit && line.chars().count() > 1 {
                    line.pop();
                    lines.push(std::mem::replace(&mut line, letter.into()));
                }
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }
}

fn char_width(letter: char) -> f64 {
    let index = u32::from(letter).checked_sub(0x20).map(usize::try_from);
    match index {
        Some(Ok(index)) if index < WIDTHS.len() => f64::from(WIDTHS[index]),
        _ if letter < '\u{0530}' => 700.0,
        _ => 1000.0,
    }
}

/// Draws one line of text: the only place where letters enter a picture.
pub(super) fn text(
    canvas: &mut Canvas,
    (x, y): (f64, f64),
    anchor: Anchor,
    kind: Type,
    line: &str,
) {
    if line.trim().is_empty() {
        return;
    }
    let mut element = Element::new("text");
    element.assign("x", round(x));
    element.assign("y", round(y));
    element.assign("font-size", round(kind.size));
    element.assign("fill", kind.colour.to_string());
    if kind.bold {
        element.assign("font-weight", "bold");
    }
    match anchor {
        Anchor::Start => {}
        Anchor::Middle => element.assign("text-anchor", "middle"),
        Anchor::End => element.assign("text-anchor", "end"),
    }
    element.append(Letters::new(legal(line)));
    canvas.push(element);
}

/// The text without the control characters that XML cannot hold even escaped.
pub(super) fn legal(text: &str) -> String {
    let forbidden = |letter: char| {
        (letter.is_control() && !matches!(letter, '\t' | '\n'))
            || matches!(letter, '\u{fffe}' | '\u{ffff}')
    };
    text.replace(forbidden, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Type = Type {
        size: 10.0,
        bold: false,
        colour: Colour::rgb(0),
    };

    #[test]
    fn widths_are_helvetica() {
        // W, i, ~ and the space, from the font's published metrics.
        for (letter, width) in [("W", 9.44), ("i", 2.22), ("~", 5.84), (" ", 2.78)] {
            assert!((PLAIN.width(letter) - width).abs() < 1e-9, "{letter}");
        }
    }

    #[test]
    fn lines_break_at_spaces() {
        // At this size "aaa" is 16.68 mm wide and "aaa aaa" 36.14 mm.
        assert_eq!(PLAIN.wrap("aaa  aaa aaa", 36.2), ["aaa aaa", "aaa"]);
        assert_eq!(PLAIN.wrap("aaa aaa aaa", 36.1), ["aaa", "aaa", "aaa"]);
        assert!(PLAIN.wrap(" \n ", 36.0).is_empty());
    }

    #[test]
    fn overlong_words_break_anywhere() {
        assert_eq!(PLAIN.wrap("bb aaaaa", 12.0), ["bb", "aa", "aa", "a"]);
        assert_eq!(PLAIN.wrap("aé", 1.0), ["a", "é"]);
    }
}

//! Outlined symbols: shapes that no font of the reader's has to have.

use std::borrow::Cow;

use super::parts::{DiagramError, Tone};

/// The side of the square in which the outlines of symbols are drawn.
pub(super) const SIDE: u16 = 1000;

/// A shape that stands for a piece: path data in a square, seen from one of the
/// four sides.
///
/// ```
/// use tesuji::draw::{Symbol, Tone};
///
/// let arrow = Symbol::new("arrow", "M500 100L900 900L500 700L100 900Z", Tone::Dark)?;
/// let theirs = arrow.clone().half_turned();
/// assert_ne!(arrow, theirs);
/// assert_eq!(arrow, theirs.half_turned());
/// # Ok::<(), tesuji::draw::DiagramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    name: Cow<'static, str>,
    outline: Cow<'static, str>,
    tone: Tone,
    quarters: u8,
}

impl Symbol {
    /// A symbol that stands upright. Its name is what is read aloud and found in a
    /// picture. The outline is SVG path data in a square whose side is 1000, y
    /// downwards: the absolute commands M, L, Q, C and Z with whole numbers, the
    /// first of them an M. [`Tone::Dark`] prints it solid, [`Tone::Light`] hollow.
    ///
    /// # Errors
    /// [`DiagramError::Outline`] for any other path.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        outline: impl Into<Cow<'static, str>>,
        tone: Tone,
    ) -> Result<Self, DiagramError> {
        let (name, outline) = (name.into(), outline.into());
        if !within_the_square(&outline) {
            return Err(DiagramError::Outline(name.into_owned()));
        }
        Ok(Self {
            name,
            outline,
            tone,
            quarters: 0,
        })
    }

    /// The symbol turned by half, as the other side's pieces stand.
    #[must_use]
    pub fn half_turned(self) -> Self {
        self.turned(2)
    }

    /// The symbol turned clockwise by so many quarters.
    pub(super) fn turned(mut self, quarters: u8) -> Self {
        self.quarters = (self.quarters + quarters % 4) % 4;
        self
    }
}

/// Reading, for the code that draws.
impl Symbol {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Path data in a square whose side is 1000. It has nothing but letters, digits
    /// and spaces.
    pub(crate) fn outline(&self) -> &str {
        &self.outline
    }

    /// The outline with an odd quarter of its turn in it: what is left is nothing, or
    /// a half. Whole units stay whole.
    pub(super) fn half_or_upright(&self) -> (Cow<'_, str>, bool) {
        let outline: Cow<'_, str> = if self.quarters % 2 == 1 {
            quarter(&self.outline).into()
        } else {
            self.outline.as_ref().into()
        };
        (outline, self.quarters >= 2)
    }

    pub(crate) const fn tone(&self) -> Tone {
        self.tone
    }

    /// How far it is turned clockwise, in quarters.
    pub(crate) const fn quarters(&self) -> u8 {
        self.quarters
    }
}

/// Whether the path is of the kind that symbols have, and its control points lie in
/// the square: then the shape does too.
fn within_the_square(path: &str) -> bool {
    let mut rest = path;
    let mut first = true;
    while let Some(command) = rest.chars().next() {
        let group = match command {
            'M' | 'L' => 2,
            'Q' => 4,
            'C' => 6,
            'Z' => 0,
            _ => return false,
        };
        if first && command != 'M' {
            return false;
        }
        first = false;
        rest = &rest[1..];
        let end = rest
            .find(|letter: char| letter != ' ' && !letter.is_ascii_digit())
            .unwrap_or(rest.len());
        let (numbers, after) = rest.split_at(end);
        rest = after;
        let mut count = 0_usize;
        for number in numbers.split_ascii_whitespace() {
            count += 1;
            if !number.parse::<u16>().is_ok_and(|number| number <= SIDE) {
                return false;
            }
        }
        let whole = match group {
            0 => count == 0,
            _ => count > 0 && count.is_multiple_of(group),
        };
        if !whole {
            return false;
        }
    }
    !first
}

/// A path in the square, turned clockwise by a quarter: a command at a time, as the
/// points that follow it come in pairs.
fn quarter(path: &str) -> String {
    let mut turned = String::new();
    for part in path.split_inclusive(|letter: char| letter.is_ascii_alphabetic()) {
        let numbers = part.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let command = &part[numbers.len()..];
        let numbers = numbers.split_ascii_whitespace();
        let numbers: Vec<u16> = numbers.filter_map(|number| number.parse().ok()).collect();
        let pairs = numbers.chunks_exact(2);
        let pairs: Vec<String> = pairs
            .map(|pair| format!("{} {}", SIDE - pair[1], pair[0]))
            .collect();
        turned += &pairs.join(" ");
        turned += command;
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_stay_in_their_square() {
        for good in ["M0 0L1000 1000Z", "M 1 2 3 4Q1 2 3 4C1 2 3 4 5 6ZM1 1L2 2Z"] {
            assert!(within_the_square(good), "{good}");
        }
        for bad in [
            "",
            " ",
            "L0 0",
            "M0 0L1001 0Z",
            "M0 0L-1 0Z",
            "M0 0l1 1Z",
            "M0 0L1",
            "M0 0Z1 1",
            "M0 0L",
            "M0 0\"/><script>",
            "M0 0é",
            "M0,0L1,1",
        ] {
            assert!(!within_the_square(bad), "{bad}");
        }
    }

    #[test]
    fn four_quarters_are_a_whole_turn() -> Result<(), DiagramError> {
        let symbol = Symbol::new("wedge", "M0 1000L500 0L1000 1000Z", Tone::Light)?;
        let turned = symbol.clone().turned(3);
        assert_eq!(turned.quarters(), 3);
        // It points to the right, and is still to be turned by half.
        let (outline, half) = turned.half_or_upright();
        assert_eq!((outline.as_ref(), half), ("M0 0L1000 500L0 1000Z", true));
        assert_eq!(turned.turned(1), symbol);
        let around = (0..4).fold("M1 2Q3 4 5 6Z".to_owned(), |path, _| quarter(&path));
        assert_eq!(around, "M1 2Q3 4 5 6Z");
        Ok(())
    }
}

//! How a diagram looks: sizes and colours.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a style cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StyleError {
    /// A length out of range.
    #[error(
        "a length must be from {min} to {max} mm, not {0}",
        min = Millimetres::MIN,
        max = Millimetres::MAX
    )]
    Length(f64),
    /// Something else than `#rgb` or `#rrggbb`.
    #[error("a colour is written #rgb or #rrggbb, not {0:?}")]
    Colour(String),
    /// A name that no preset has.
    #[error("no style is called {0:?}; there are print, screen and dark")]
    Preset(String),
}

/// A length in millimetres, from [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Millimetres(f64);

impl Millimetres {
    /// The shortest length: about the resolution of a good printer.
    pub const MIN: f64 = 0.05;
    /// The longest length.
    pub const MAX: f64 = 200.0;

    /// A length in millimetres.
    ///
    /// # Errors
    /// [`StyleError::Length`] if it is out of range.
    pub fn new(length: f64) -> Result<Self, StyleError> {
        if (Self::MIN..=Self::MAX).contains(&length) {
            Ok(Self(length))
        } else {
            Err(StyleError::Length(length))
        }
    }

    /// The number of millimetres.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Millimetres {
    type Error = StyleError;

    fn try_from(length: f64) -> Result<Self, StyleError> {
        Self::new(length)
    }
}

impl From<Millimetres> for f64 {
    fn from(length: Millimetres) -> Self {
        length.0
    }
}

/// An opaque colour, written `#rgb` or `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour(u32);

impl Colour {
    /// A colour from its 24 bits, `0xrrggbb`; higher bits are ignored.
    #[must_use]
    pub const fn rgb(bits: u32) -> Self {
        Self(bits & 0x00ff_ffff)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [_, red, green, blue] = self.0.to_be_bytes();
        if [red, green, blue]
            .iter()
            .all(|byte| byte >> 4 == byte & 0xf)
        {
            write!(f, "#{:x}{:x}{:x}", red & 0xf, green & 0xf, blue & 0xf)
        } else {
            write!(f, "#{:06x}", self.0)
        }
    }
}

impl TryFrom<String> for Colour {
    type Error = StyleError;

    fn try_from(text: String) -> Result<Self, StyleError> {
        let parse = |text: &str| {
            let digits = text.strip_prefix('#')?;
            if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            let full: String = match digits.len() {
                3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
                6 => digits.to_owned(),
                _ => return None,
            };
            u32::from_str_radix(&full, 16).ok()
        };
        parse(&text).map(Self).ok_or(StyleError::Colour(text))
    }
}

impl From<Colour> for String {
    fn from(colour: Colour) -> Self {
        colour.to_string()
    }
}

/// Sizes and colours of a diagram.
///
/// Read from a style sheet, whatever the sheet leaves out is as in
/// [`Style::print`], and an unknown name is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// The side of a cell.
    pub cell_mm: Millimetres,
    /// The width of the lines between cells; heavier lines are multiples.
    pub line_mm: Millimetres,
    /// The type size of captions; coordinates are set smaller.
    pub text_mm: Millimetres,
    /// Whether files and ranks are labelled.
    pub coordinates: bool,
    /// The background of the whole picture.
    pub paper: Colour,
    /// Text and lines.
    pub ink: Colour,
    /// The cells.
    pub board: Colour,
    /// Cells that are highlighted, within their corner brackets.
    pub highlight: Colour,
    /// Dark pieces.
    pub dark: Colour,
    /// Light pieces.
    pub light: Colour,
    /// The edge of dark pieces.
    pub dark_edge: Colour,
    /// The edge of light pieces.
    pub light_edge: Colour,
    /// The ground of the hole, under its hatching.
    pub hole: Colour,
    /// The ring and the hatching of the hole.
    pub hatch: Colour,
    /// Arrows, crosses and brackets.
    pub mark: Colour,
    /// The border that sets arrows and crosses off from what they cover.
    pub halo: Colour,
}

impl Style {
    /// Black on white, without any grey.
    #[must_use]
    pub const fn print() -> Self {
        let (black, white) = (Colour::rgb(0), Colour::rgb(0x00ff_ffff));
        Self {
            cell_mm: Millimetres(8.0),
            line_mm: Millimetres(0.18),
            text_mm: Millimetres(2.9),
            coordinates: true,
            paper: white,
            ink: black,
            board: white,
            highlight: white,
            dark: black,
            light: white,
            dark_edge: black,
            light_edge: black,
            hole: white,
            hatch: black,
            mark: black,
            halo: white,
        }
    }

    /// Muted colours on white, for web pages and slides.
    #[must_use]
    pub const fn screen() -> Self {
        Self {
            cell_mm: Millimetres(12.0),
            line_mm: Millimetres(0.25),
            text_mm: Millimetres(4.0),
            ink: Colour::rgb(0x003a_342c),
            board: Colour::rgb(0x00f3_e7cf),
            highlight: Colour::rgb(0x00ff_dd7a),
            dark: Colour::rgb(0x002b_3a4a),
            light: Colour::rgb(0x00ff_fdf8),
            dark_edge: Colour::rgb(0x0017_212b),
            light_edge: Colour::rgb(0x006b_5f4e),
            hole: Colour::rgb(0x008a_7a63),
            hatch: Colour::rgb(0x004a_4033),
            mark: Colour::rgb(0x00c2_2f2f),
            ..Self::print()
        }
    }

    /// Light lines on a dark ground.
    #[must_use]
    pub const fn dark() -> Self {
        Self {
            paper: Colour::rgb(0x0016_1b22),
            ink: Colour::rgb(0x00c9_d1d9),
            board: Colour::rgb(0x003a_4350),
            highlight: Colour::rgb(0x0060_5a35),
            dark: Colour::rgb(0x000d_1117),
            light: Colour::rgb(0x00f0_f3f6),
            dark_edge: Colour::rgb(0x008b_949e),
            light_edge: Colour::rgb(0x00f0_f3f6),
            hole: Colour::rgb(0x0016_1b22),
            hatch: Colour::rgb(0x006e_7a88),
            mark: Colour::rgb(0x00ff_b454),
            halo: Colour::rgb(0x0016_1b22),
            ..Self::screen()
        }
    }

    /// The preset of this name: `print`, `screen` or `dark`.
    ///
    /// # Errors
    /// [`StyleError::Preset`] for any other name.
    pub fn preset(name: &str) -> Result<Self, StyleError> {
        match name {
            "print" => Ok(Self::print()),
            "screen" => Ok(Self::screen()),
            "dark" => Ok(Self::dark()),
            _ => Err(StyleError::Preset(name.to_owned())),
        }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::print()
    }
}

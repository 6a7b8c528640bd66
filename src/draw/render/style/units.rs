//! The values of a style sheet that have a range, and why a style is refused.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a style, a style sheet or a value in it is refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StyleError {
    /// A value that a style cannot have; the message says which ones it can.
    #[error("{0}")]
    Value(String),
    /// No preset has this name.
    #[error("unknown style {0:?}: use print, screen or dark")]
    Preset(String),
    /// An error in a style sheet.
    #[error("{file}, line {line}, column {column}: {message}")]
    Sheet {
        /// The style sheet.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, in characters, from 1.
        column: usize,
        /// What is wrong, and what to do.
        message: String,
    },
}

/// A length in millimetres, from [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct Millimetres(f64);

impl Millimetres {
    /// The shortest length: about the resolution of a good printer.
    pub const MIN: f64 = 0.05;
    /// The longest length.
    pub const MAX: f64 = 1000.0;

    /// The number of millimetres.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Millimetres {
    type Error = StyleError;

    fn try_from(length: f64) -> Result<Self, StyleError> {
        within(length, (Self::MIN, Self::MAX), ["length", "mm"]).map(Self)
    }
}

/// A time in seconds, from 0.2, as faster moves cannot be followed, to 60.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(pub(in crate::render) f64);

impl TryFrom<f64> for Seconds {
    type Error = StyleError;

    fn try_from(time: f64) -> Result<Self, StyleError> {
        within(time, (0.2, 60.0), ["time", "seconds"]).map(Self)
    }
}

fn within(given: f64, (min, max): (f64, f64), [what, unit]: [&str; 2]) -> Result<f64, StyleError> {
    if (min..=max).contains(&given) {
        return Ok(given);
    }
    Err(StyleError::Value(format!(
        "a {what} must be from {min} to {max} {unit}, not {given}"
    )))
}

/// A rotation clockwise by whole quarters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Rotation(pub(in crate::render) u8);

impl TryFrom<i64> for Rotation {
    type Error = StyleError;

    /// A rotation by 0, 90, 180 or 270 degrees.
    fn try_from(degrees: i64) -> Result<Self, StyleError> {
        let mut quarters = (0..4).map(Self);
        let found = quarters.find(|&quarters| i64::from(quarters) == degrees);
        found.ok_or_else(|| {
            StyleError::Value(format!(
                "a rotation must be 0, 90, 180 or 270 degrees, not {degrees}"
            ))
        })
    }
}

impl From<Rotation> for i64 {
    fn from(rotation: Rotation) -> Self {
        90 * Self::from(rotation.0)
    }
}

/// Names of fonts in the order in which a viewer tries them, as in CSS.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Family(pub(in crate::render) String);

impl TryFrom<String> for Family {
    type Error = StyleError;

    /// A list of names, separated by commas, without characters that have a meaning in CSS or
    /// XML.
    fn try_from(names: String) -> Result<Self, StyleError> {
        let plain = |letter: char| letter.is_alphanumeric() || " ,-'".contains(letter);
        if names.trim().is_empty() || !names.chars().all(plain) {
            return Err(StyleError::Value(format!(
                "invalid font list {names:?}: separate names by commas, and use letters, digits, spaces, hyphens and single quotes only"
            )));
        }
        Ok(Self(names))
    }
}

/// An opaque colour, written `#rgb` or `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour(u32);

impl Colour {
    /// This colour with a sixth of another one.
    pub(in crate::render) fn tinted(self, by: Self) -> Self {
        let [own, other] = [self, by].map(|colour| colour.0.to_be_bytes());
        let byte = |place: usize| {
            let sum = 5 * u16::from(own[place]) + u16::from(other[place]);
            u8::try_from(sum / 6).unwrap_or(u8::MAX)
        };
        Self(u32::from_be_bytes([0, byte(1), byte(2), byte(3)]))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [_, red, green, blue] = self.0.to_be_bytes();
        // A byte of two equal digits.
        if [red, green, blue].iter().all(|it| it.is_multiple_of(0x11)) {
            write!(f, "#{:x}{:x}{:x}", red & 0xf, green & 0xf, blue & 0xf)
        } else {
            write!(f, "#{:06x}", self.0)
        }
    }
}

impl TryFrom<String> for Colour {
    type Error = StyleError;

    fn try_from(text: String) -> Result<Self, StyleError> {
        let digits = text.strip_prefix('#').unwrap_or_default();
        let full: String = match digits.len() {
            3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            6 => digits.to_owned(),
            _ => String::new(),
        };
        // Without the sign that a number may have.
        let plain = full.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = u32::from_str_radix(&full, 16).ok().filter(|_| plain);
        bits.map(Self).ok_or_else(|| {
            StyleError::Value(format!("invalid colour {text:?}: write #rgb or #rrggbb"))
        })
    }
}

impl From<Colour> for String {
    fn from(colour: Colour) -> Self {
        colour.to_string()
    }
}

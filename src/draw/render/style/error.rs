//! Why a style or a value in it is refused.

use thiserror::Error;

/// Why a style, a style sheet or a value in it is refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StyleError {
    /// A length out of range.
    #[error("a length must be from {min} to {max} mm, not {length}")]
    Length {
        /// The length in millimetres.
        length: f64,
        /// The least length allowed.
        min: f64,
        /// The greatest length allowed.
        max: f64,
    },
    /// A time out of range.
    #[error("a time must be from {min} to {max} seconds, not {time}")]
    Time {
        /// The time in seconds.
        time: f64,
        /// The least time allowed.
        min: f64,
        /// The greatest time allowed.
        max: f64,
    },
    /// A rotation other than by quarter turns, in degrees.
    #[error("a rotation must be 0, 90, 180 or 270 degrees, not {0}")]
    Rotation(i64),
    /// Not a list of font names.
    #[error(
        "invalid font list {0:?}: separate names by commas, and use letters, digits, spaces, hyphens and single quotes only"
    )]
    Family(String),
    /// Neither `#rgb` nor `#rrggbb`.
    #[error("invalid colour {0:?}: write #rgb or #rrggbb")]
    Colour(String),
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

//! How a booklet is set, and what keeps a book from being a PDF.

use thiserror::Error;

use crate::draw::Style;

/// What keeps a book from being a PDF.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PdfError {
    /// A letter that no font has.
    #[error(
        "no font has the letter '{letter}' (U+{:04X}), which is in '{text}'; add one that has it with --font FILE, or write it otherwise",
        u32::from(*.letter)
    )]
    Letter {
        /// The letter.
        letter: char,
        /// The text it is in.
        text: String,
    },
    /// A picture that is more than flat shapes.
    #[error("a diagram cannot be put into the PDF: {0}")]
    Picture(String),
    /// A font that cannot be read or made smaller.
    #[error("the booklet's font cannot be embedded: {0}")]
    Font(String),
    /// What the PDF format or PDF/UA does not allow.
    #[error("the booklet cannot be written as a PDF: {0}")]
    File(String),
}

/// A name that no paper size has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no paper is called '{0}'; there are a4, a5 and letter")]
pub struct PaperError(String);

/// A size of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// 210 by 297 mm.
    A4,
    /// 148 by 210 mm.
    A5,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// The paper of this name: `a4`, `a5` or `letter`.
    ///
    /// # Errors
    /// [`PaperError`] for any other name.
    pub fn named(name: &str) -> Result<Self, PaperError> {
        match name.to_ascii_lowercase().as_str() {
            "a4" => Ok(Self::A4),
            "a5" => Ok(Self::A5),
            "letter" => Ok(Self::Letter),
            _ => Err(PaperError(name.to_owned())),
        }
    }

    /// Width and height in mm.
    pub const fn millimetres(self) -> (f64, f64) {
        match self {
            Self::A4 => (210.0, 297.0),
            Self::A5 => (148.0, 210.0),
            Self::Letter => (215.9, 279.4),
        }
    }

    /// Width and height in points.
    pub(super) const fn points(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::A5 => (419.53, 595.28),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// How a booklet is set.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The paper.
    pub paper: Paper,
    /// Diagrams a page; 0 counts as 1, more than 12 as 12.
    pub per_page: u8,
    /// The style of the diagrams.
    pub style: Style,
    /// Parts that are left out.
    pub without: Vec<Part>,
}

/// A part of a booklet that may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Part {
    /// The title page.
    Cover,
    /// Hints.
    Hints,
    /// Themes: their index, and their names beside solutions.
    Themes,
    /// The index of lengths.
    Lengths,
    /// The rules of the game.
    Rules,
}

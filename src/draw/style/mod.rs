//! How a diagram looks: what is drawn, how large, in which letters and colours.

mod sheet;
mod units;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use units::{Colour, Family, Millimetres, Rotation, Seconds};

/// What a style cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StyleError {
    /// A length out of range.
    #[error(
        "a length must be from {min} to {max} mm, not {0}",
        min = Millimetres::MIN,
        max = Millimetres::MAX
    )]
    Length(f64),
    /// A time out of range.
    #[error(
        "a time must be from {min} to {max} seconds, not {0}",
        min = Seconds::MIN,
        max = Seconds::MAX
    )]
    Time(f64),
    /// A turn by something else than quarters.
    #[error("a board is turned by 0, 90, 180 or 270 degrees, not {0}")]
    Rotation(i64),
    /// Not a list of fonts.
    #[error(
        "fonts are named by letters, digits, spaces, hyphens and single quotes, and separated by commas, not {0:?}"
    )]
    Family(String),
    /// Something else than `#rgb` or `#rrggbb`.
    #[error("a colour is written #rgb or #rrggbb, not {0:?}")]
    Colour(String),
    /// A name that no preset has.
    #[error("no style is called {0:?}; there are print, screen and dark")]
    Preset(String),
    /// A style sheet with something wrong in it.
    #[error("{file}, line {line}, column {column}: {message}")]
    Sheet {
        /// The style sheet.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, in letters, from 1.
        column: usize,
        /// What is wrong, and what to do.
        message: String,
    },
}

/// How letters get into a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lettering {
    /// As shapes: the same everywhere, whatever fonts there are. What they say
    /// is in their labels.
    Outlines,
    /// As text, with the letters' part of the font in the picture: the same in
    /// browsers, and it can be searched and copied.
    Embedded,
    /// As text in a font of the reader's, [`Style::family`].
    Text,
}

/// The typefaces that come with the program, all of them open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Typeface {
    /// Libertinus Serif.
    LibertinusSerif,
    /// New Computer Modern, for company with LaTeX.
    NewComputerModern,
    /// `DejaVu` Sans Mono.
    DejavuSansMono,
}

/// Which way up a board lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Orientation {
    /// File a on the left, rank 1 below.
    Fixed,
    /// Turned by half if the side to move begins above.
    MoverBelow,
}

/// What is drawn, how large, in which letters and colours.
///
/// The presets are style sheets, which also explain what is in them; see
/// [`Style::sheet`]. A sheet of one's own is read by [`Style::parse`].
#[expect(
    clippy::struct_excessive_bools,
    reason = "each shows or hides one thing; there is no state that they encode together"
)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// The side of a cell.
    pub cell_mm: Millimetres,
    /// The width of the lines between cells; heavier lines are multiples.
    pub line_mm: Millimetres,
    /// The type size of captions; coordinates are set smaller.
    pub text_mm: Millimetres,
    /// The greatest width of grids and trees.
    pub page_mm: Millimetres,
    /// The greatest height of a page of a grid.
    pub page_height_mm: Millimetres,
    /// Whether files and ranks are labelled.
    pub coordinates: bool,
    /// Whether a disc shows the side to move.
    pub side_to_move: bool,
    /// Whether the diagram's number is shown.
    pub number: bool,
    /// Whether it is said what is asked.
    pub stipulation: bool,
    /// Whether themes are named.
    pub themes: bool,
    /// Whether further captions are shown.
    pub captions: bool,
    /// Whether moves are shown.
    pub arrows: bool,
    /// Whether it is marked where pieces vanish.
    pub removals: bool,
    /// Whether forbidden moves are shown.
    pub forbidden: bool,
    /// Whether squares are highlighted.
    pub highlights: bool,
    /// Whether the picture has no paper of its own.
    pub transparent: bool,
    /// Which way up the board lies.
    pub orientation: Orientation,
    /// How far it is turned beyond that.
    pub rotate: Rotation,
    /// How letters get into the picture.
    pub lettering: Lettering,
    /// The typeface of outlined and embedded letters.
    pub typeface: Typeface,
    /// Fonts of the reader's, for text and for letters that the typeface lacks.
    pub family: Family,
    /// The time that an animation takes for a move.
    pub move_seconds: Seconds,
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

/// A preset: its name, its sheet, and what that says.
type Preset = (&'static str, &'static str, LazyLock<Style>);

fn shipped(sheet: &str) -> Style {
    toml::from_str(sheet).expect("a shipped style sheet is complete")
}

static PRESETS: [Preset; 3] = [
    (
        "print",
        include_str!("print.toml"),
        LazyLock::new(|| shipped(PRESETS[0].1)),
    ),
    (
        "screen",
        include_str!("screen.toml"),
        LazyLock::new(|| shipped(PRESETS[1].1)),
    ),
    (
        "dark",
        include_str!("dark.toml"),
        LazyLock::new(|| shipped(PRESETS[2].1)),
    ),
];

impl Style {
    /// Black on white, without any grey.
    #[must_use]
    pub fn print() -> Self {
        PRESETS[0].2.clone()
    }

    /// Muted colours on white, for web pages and slides.
    #[must_use]
    pub fn screen() -> Self {
        PRESETS[1].2.clone()
    }

    /// Light lines on a dark ground.
    #[must_use]
    pub fn dark() -> Self {
        PRESETS[2].2.clone()
    }

    /// The preset of this name: `print`, `screen` or `dark`.
    ///
    /// # Errors
    /// [`StyleError::Preset`] for any other name.
    pub fn preset(name: &str) -> Result<Self, StyleError> {
        let (_, _, style) = find(name)?;
        Ok(LazyLock::force(style).clone())
    }

    /// The style sheet of a preset, with comments: what a sheet of one's own may
    /// begin with.
    ///
    /// # Errors
    /// [`StyleError::Preset`] if no preset has this name.
    pub fn sheet(name: &str) -> Result<&'static str, StyleError> {
        find(name).map(|(_, sheet, _)| *sheet)
    }

    /// The names of the presets.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, ..)| *name)
    }
}

fn find(name: &str) -> Result<&'static Preset, StyleError> {
    let mut presets = PRESETS.iter();
    let found = presets.find(|(known, ..)| *known == name);
    found.ok_or_else(|| StyleError::Preset(name.to_owned()))
}

impl Default for Style {
    fn default() -> Self {
        Self::print()
    }
}

//! How a diagram looks: what is drawn, how large, in which letters and colours.

use std::ops::Range;
use std::sync::LazyLock;
pub use units::{Colour, Family, Millimetres, Rotation, Seconds, StyleError};

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Table, Value};

mod units;

/// How letters get into a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lettering {
    /// As shapes, which look the same everywhere. The text is in their labels.
    Outlines,
    /// As text, with a font of these letters in the picture: the same in all browsers,
    /// and it can be searched and copied.
    Embedded,
    /// As text in one of the reader's fonts, [`Style::family`].
    Text,
}

/// The typefaces that come with the program, all of them open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Typeface {
    /// Libertinus Serif.
    LibertinusSerif,
    /// New Computer Modern, to match LaTeX documents.
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
    /// Turned upside down if the side to move begins at the top.
    MoverBelow,
}

/// What is drawn, how large, in which letters and colours.
///
/// The presets `print`, `screen` and `dark` are style sheets with comments; see
/// [`Style::sheet`]. [`Style::parse`] reads other sheets.
///
/// ```
/// use tesuji_draw::Style;
///
/// let style = Style::parse("base = \"screen\"\ncell_mm = 12.0", "journal.toml")?;
/// assert_eq!(style.cell_mm.get(), 12.0);
/// assert_eq!(style.ink, Style::screen().ink);
/// # Ok::<(), tesuji_draw::StyleError>(())
/// ```
#[expect(
    clippy::struct_excessive_bools,
    reason = "each shows or hides one thing; there is no state that they encode together"
)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// The side of a square.
    pub cell_mm: Millimetres,
    /// The width of the lines between squares; heavier lines are multiples of it.
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
    /// Whether the stipulation is shown.
    pub stipulation: bool,
    /// Whether themes are named.
    pub themes: bool,
    /// Whether further captions are shown.
    pub captions: bool,
    /// Whether moves are shown.
    pub arrows: bool,
    /// Whether removed pieces are marked.
    pub removals: bool,
    /// Whether forbidden moves are shown.
    pub forbidden: bool,
    /// Whether they are named beside the board, and not drawn on it. Animations draw them.
    pub forbidden_beside: bool,
    /// Whether squares are highlighted.
    pub highlights: bool,
    /// Whether the picture has no background.
    pub transparent: bool,
    /// Which way up the board lies.
    pub orientation: Orientation,
    /// How far the board is turned after that.
    pub rotate: Rotation,
    /// How letters get into the picture.
    pub lettering: Lettering,
    /// The typeface of outlined and embedded letters.
    pub typeface: Typeface,
    /// The reader's fonts for text and for letters that the typeface lacks.
    pub family: Family,
    /// How long a move takes in an animation.
    pub move_seconds: Seconds,
    /// The background of the whole picture.
    pub paper: Colour,
    /// Text and lines.
    pub ink: Colour,
    /// The squares.
    pub board: Colour,
    /// Highlighted squares, within their corner brackets.
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
    /// The arrow with a barred ring: a forbidden move.
    pub ban: Colour,
    /// The border that sets arrows and crosses off from what they cover.
    pub halo: Colour,
}

/// The presets by name.
const SHEETS: [(&str, &str); 3] = [
    ("print", include_str!("print.toml")),
    ("screen", include_str!("screen.toml")),
    ("dark", include_str!("dark.toml")),
];

/// What the sheets say, in the same order.
static PRESETS: LazyLock<[Style; 3]> = LazyLock::new(|| {
    SHEETS.map(|(_, sheet)| toml::from_str(sheet).expect("a shipped style sheet is complete"))
});

impl Style {
    /// Black on white, without any grey.
    pub fn print() -> Self {
        PRESETS[0].clone()
    }

    /// Muted colours on white, for web pages and slides.
    pub fn screen() -> Self {
        PRESETS[1].clone()
    }

    /// Light lines on a dark ground.
    pub fn dark() -> Self {
        PRESETS[2].clone()
    }

    /// The preset of this name: `print`, `screen` or `dark`.
    ///
    /// # Errors
    /// [`StyleError::Preset`] for any other name.
    pub fn preset(name: &str) -> Result<Self, StyleError> {
        Ok(PRESETS[find(name)?].clone())
    }

    /// The style sheet of a preset, with comments: a starting point for other sheets.
    ///
    /// # Errors
    /// [`StyleError::Preset`] if no preset has this name.
    pub fn sheet(name: &str) -> Result<&'static str, StyleError> {
        find(name).map(|place| SHEETS[place].1)
    }

    /// The names of the presets.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        SHEETS.iter().map(|(name, _)| *name)
    }
}

fn find(name: &str) -> Result<usize, StyleError> {
    let found = SHEETS.iter().position(|(known, _)| *known == name);
    found.ok_or_else(|| StyleError::Preset(name.to_owned()))
}

/// The key that names the preset on which a sheet is based.
const BASE: &str = "base";

/// The least similarity for which a name is suggested, 0 to 1 (equal).
const ALIKE: f64 = 0.6;

impl Style {
    /// Reads a style sheet. Keys that it leaves out keep the values of the preset named
    /// by its key `base`, `print` by default. `file` is the name for messages.
    ///
    /// # Errors
    /// [`StyleError::Sheet`] with line and column, if the text is not TOML, a key is
    /// unknown (the message suggests the nearest one), or a value has the wrong type or
    /// is out of range.
    pub fn parse(text: &str, file: &str) -> Result<Self, StyleError> {
        let wrong = |place: Range<usize>, message: String| {
            let before = text.get(..place.start).unwrap_or(text);
            let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
            StyleError::Sheet {
                file: file.to_owned(),
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                message,
            }
        };
        let refused = |error: toml::de::Error| {
            wrong(error.span().unwrap_or(0..0), error.message().to_owned())
        };
        let sheet = DeTable::parse(text).map_err(refused)?.into_inner();
        let base = match sheet.get(BASE) {
            None => Self::print(),
            Some(value) => base(value).map_err(|message| wrong(value.span(), message))?,
        };
        let mut table = Table::try_from(&base).map_err(|error| wrong(0..0, error.to_string()))?;
        let mut style = base;
        for (key, value) in &sheet {
            let name: &str = key.get_ref();
            if name == BASE {
                continue;
            }
            if !table.contains_key(name) {
                let keys = table.keys().map(String::as_str);
                return Err(wrong(key.span(), unknown("key", name, keys.chain([BASE]))));
            }
            // One at a time, so that an error is about this key.
            let refused = |error: toml::de::Error| {
                wrong(value.span(), format!("{name}: {}", error.message()))
            };
            let given = ValueDeserializer::from(value.clone());
            table.insert(name.to_owned(), Value::deserialize(given).map_err(refused)?);
            style = table.clone().try_into().map_err(refused)?;
        }
        Ok(style)
    }
}

fn base(value: &Spanned<DeValue>) -> Result<Style, String> {
    let DeValue::String(name) = value.get_ref() else {
        return Err(format!(
            "{BASE} must be the name of a preset in quotes: {}",
            Style::presets().collect::<Vec<_>>().join(", ")
        ));
    };
    Style::preset(name).map_err(|_| unknown("preset", name, Style::presets()))
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = known.collect();
    names.sort_unstable();
    let alike = |other: &str| strsim::jaro_winkler(name, other);
    let close = names.iter().rev().filter(|other| alike(other) >= ALIKE);
    match close.max_by(|one, other| alike(one).total_cmp(&alike(other))) {
        Some(nearest) => format!("unknown {what} {name:?}; did you mean {nearest:?}?"),
        None => format!("unknown {what} {name:?}; use one of {}", names.join(", ")),
    }
}

//! How a game is opened, and its kind.

use std::path::PathBuf;

use crate::base::text::{file_stem, named};
use crate::game::Repetition;

/// How a game is opened.
///
/// ```
/// let options = tesuji::session::Options::new();
/// let session = options.open("kings:3x3")?;
/// assert_eq!(session.spec(), "kings:3x3");
/// # Ok::<(), tesuji::session::SessionError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(super) repetition: Option<Repetition>,
    pub(super) table: Option<PathBuf>,
    pub(super) folder: Option<PathBuf>,
}

impl Options {
    /// The defaults: the game as its spec says, and no table file.
    pub fn new() -> Self {
        Self::default()
    }

    /// How the repetition rule is read, instead of what the spec says.
    pub const fn repetition(mut self, repetition: Option<Repetition>) -> Self {
        self.repetition = repetition;
        self
    }

    /// The file of the game's table. Without one, the table is [looked for](Self::tables_in) or a
    /// small game is solved in memory when a value is first needed.
    pub fn table(mut self, table: Option<PathBuf>) -> Self {
        self.table = table;
        self
    }

    /// A folder in which the table of a game is looked for if no file is given, under the name of
    /// [`table_name`]. A file there that is no table, or of other rules, is passed over with a note;
    /// a damaged block is an error. A position of a game with nimbers is evaluated without it.
    pub fn tables_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }
}

/// The name that the table of a game has unless another is given: `ostle-4x4-pieces-3.tsj`.
pub fn table_name(spec: &str) -> String {
    file_stem(spec) + ".tsj"
}

named! {
    /// How a game is solved, which decides what can be asked of it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum GameKind {
        /// Two players who see everything; solved into a table of values.
        Table = "game of two players",
        /// Impartial: solved by nimbers, and into a table where the board is small.
        Nimbers = "game with nimbers",
        /// One player; solved into a table of distances.
        OnePlayer = "puzzle of one player",
        /// One side does not see what the other has; solved problem by problem.
        Hidden = "game with hidden information",
    }
}

/// Reads a number of bytes: `9GiB`, `9GB`, `512MiB`, or plain bytes.
///
/// # Errors
/// If the text is no number of bytes.
#[cfg(feature = "cli")]
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => 0.0,
    };
    let number = digits.trim().parse::<f64>().ok();
    let bytes = number.map_or(0.0, |number| number * unit);
    if !bytes.is_finite() || bytes < 1.0 {
        return Err("give a number of bytes with a unit, such as 9GiB or 800MB".to_owned());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and saturating beyond all memory"
    )]
    Ok(bytes as u64)
}

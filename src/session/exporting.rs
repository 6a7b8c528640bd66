//! Data sets of all states.

use super::ScopeOptions;
use crate::export::Format;

/// What is exported, and how.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct ExportOptions {
    /// The format of the files.
    pub format: Format,
    /// The part of the table that is exported.
    pub scope: ScopeOptions,
    /// Also states with a forbidden move that can arise.
    pub restricted: bool,
    /// Also the columns that are read off the board.
    pub board: bool,
    /// Also the position in one-line notation.
    pub position: bool,
    /// Replace an existing data set.
    pub force: bool,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The game's spec.
    pub game: String,
    /// Fingerprint of the table.
    pub fingerprint: String,
    /// Rows written.
    pub rows: u64,
    /// Files written.
    pub files: u64,
    /// Bytes written.
    pub bytes: u64,
}

//! Data sets of all states, or of all moves.

use super::ScopeOptions;
use crate::export::Format;

/// The columns of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportColumns {
    /// Those of the table's record.
    Record,
    /// Those of the record, and those that are read off the board.
    Board,
    /// Those of the catalogue with these names, whatever they cost. `position` is the
    /// position; `slot`, the layer and the class are always there.
    Named(Vec<String>),
}

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportRows {
    /// A state.
    States {
        /// Its columns.
        columns: ExportColumns,
        /// Also states with a forbidden move that can arise.
        restricted: bool,
    },
    /// A move of a position in which nothing is forbidden.
    Moves,
}

impl ExportRows {
    /// Whether states with a forbidden move are among them.
    #[must_use]
    pub const fn restricted(&self) -> bool {
        matches!(
            self,
            Self::States {
                restricted: true,
                ..
            }
        )
    }
}

/// Which rows are wanted.
#[derive(Debug, Clone)]
pub struct RowOptions {
    /// The part of the table that is looked at.
    pub scope: ScopeOptions,
    /// What a row is.
    pub rows: ExportRows,
    /// Also the position in one-line notation.
    pub position: bool,
}

/// What is exported, and how.
#[derive(Debug, Clone)]
pub struct ExportOptions {
    /// The format of the files.
    pub format: Format,
    /// Which rows.
    pub wanted: RowOptions,
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
    /// Files of rows written.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

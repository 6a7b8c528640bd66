//! Table files: how they are made, and what comes of it.

use std::time::Duration;

use crate::table::Encoding;

/// How a game is solved into a file.
#[derive(Debug, Clone)]
pub struct SolveOptions {
    /// How the table is stored.
    pub encoding: Encoding,
    /// The compression level of a packed table, 1 (quick) to 19 (small).
    pub level: i32,
    /// Time between checkpoints within a layer.
    pub checkpoint_every: Duration,
    /// Begin anew even if there are checkpoints of an earlier run.
    pub restart: bool,
    /// The most bytes of memory; a game that needs more is refused.
    pub memory: Option<u64>,
    /// Replace an existing table.
    pub force: bool,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            encoding: Encoding::Packed,
            level: 3,
            checkpoint_every: Duration::from_mins(4),
            restart: false,
            memory: None,
            force: false,
        }
    }
}

/// A table that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTable {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its size in bytes.
    pub size: u64,
}

/// What verifying a table found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    /// The game's spec.
    pub game: String,
    /// Records that were checked.
    pub records: u64,
    /// The table's fingerprint.
    pub fingerprint: String,
    /// The fingerprint is that of the records.
    pub fingerprint_holds: bool,
    /// How many records do not follow from their children.
    pub wrong: u64,
    /// The first of them.
    pub examples: Vec<WrongRecord>,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn sound(&self) -> bool {
        self.wrong == 0 && self.fingerprint_holds
    }
}

/// A record that does not follow from its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongRecord {
    /// What is wrong with it.
    pub fault: String,
    /// Its position; `None` if the slot has none.
    pub position: Option<String>,
}

/// A table that was written again in another encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its fingerprint, which is that of the table it was made from.
    pub fingerprint: String,
    /// Its size in bytes.
    pub size: u64,
    /// The size of the table it was made from.
    pub size_before: u64,
}

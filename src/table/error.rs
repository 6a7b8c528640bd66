//! Errors of tables.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// An error of reading, writing or checking a table. Every variant names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// An operation of the operating system failed.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operation, e.g. `read`.
        action: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file was changed while it was in use.
    #[error("{} was changed while it was in use, so what was found may be wrong; restore the table and run the command again", .0.display())]
    Changed(PathBuf),
    /// There is no such file, or it cannot be used; the message names it and says what to do.
    #[error("{0}")]
    Refused(String),
    /// The file is not a table.
    #[error("{} is not a tesuji table; give a file written by 'tesuji solve'", .0.display())]
    NotATable(PathBuf),
    /// The length of the file is wrong.
    #[error("{}: the file has {found} bytes instead of {expected}: it was truncated or extended; copy it or solve the game again", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Expected length in bytes.
        expected: u64,
        /// Actual length in bytes.
        found: u64,
    },
    /// A checksum does not match.
    #[error("{}: {part} (bytes {from} to {to}) is damaged: its checksum is {found:016x} instead of {expected:016x}; copy the file or solve the game again", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// The part, e.g. `block 3`.
        part: String,
        /// Offset of the first byte of the part.
        from: u64,
        /// Offset of the byte after the part.
        to: u64,
        /// The stored checksum.
        expected: u64,
        /// The checksum of the content.
        found: u64,
    },
    /// The checksums match, but the content is invalid.
    #[error("{}: {what}; the file was not written by 'tesuji solve'", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The table belongs to another game.
    #[error("{} is a table of '{found}', not of '{expected}'; give that game, or another table", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The spec of the game that was expected.
        expected: String,
        /// The spec of the game in the file.
        found: String,
    },
    /// The table has no such slot.
    #[error(
        "{}: {}", path.display(),
        if *slot == u64::MAX { "the table does not contain this position, because play cannot lead to it".to_owned() }
        else { format!("slot {slot} is out of range: the table has {slots} slots") }
    )]
    Slot {
        /// The file.
        path: PathBuf,
        /// The slot, `u64::MAX` for a position without one.
        slot: u64,
        /// Number of slots in the table.
        slots: u64,
    },
}

impl TableError {
    pub(super) fn invalid(path: &Path, what: String) -> Self {
        let path = path.to_owned();
        Self::Invalid { path, what }
    }

    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path,
            action,
            source,
        }
    }
}

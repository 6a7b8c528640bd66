//! What can be wrong with a table.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a table cannot be read, written or trusted. Every variant names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried, e.g. `read`.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is not a tesuji table: it begins with other bytes; give a file made by 'tesuji solve'", path.display())]
    NotATable {
        /// The file.
        path: PathBuf,
    },
    /// A later format.
    #[error("{}: table format {found} is unknown, this program reads format {known}; use the program that wrote it", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Version known here.
        known: u32,
    },
    /// The file ends too soon or goes on too long.
    #[error("{}: the file has {found} bytes, expected {expected}: it is cut off or something was added; copy or solve it again", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes there should be.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// Stored and computed checksums differ.
    #[error("{}: {part} (bytes {from} to {to}) is damaged: its checksum is {found:016x}, expected {expected:016x}; copy or solve it again", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// The part, e.g. `block 3`.
        part: String,
        /// First byte of the part.
        from: u64,
        /// Byte after the part.
        to: u64,
        /// Checksum stored.
        expected: u64,
        /// Checksum of what is there.
        found: u64,
    },
    /// The checksums are right but the content makes no sense.
    #[error("{}: {what}; the file was not written by this program's 'solve'", path.display())]
    Nonsense {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The table is of another game.
    #[error("{} holds the solution of '{found}', not of '{asked}'; give that game, or another table", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        asked: String,
        /// The game in the file.
        found: String,
    },
    /// A slot past the end of the table.
    #[error(
        "{}: {}, the table has {slots} slots", path.display(),
        if *slot == u64::MAX { "it has no slot for this position, which play cannot lead to".to_owned() }
        else { format!("there is no slot {slot}") }
    )]
    Slot {
        /// The file.
        path: PathBuf,
        /// Slot asked for.
        slot: u64,
        /// Slots of the table.
        slots: u64,
    },
}

impl TableError {
    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path,
            action,
            source,
        }
    }
}

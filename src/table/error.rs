//! Errors of tables and checkpoints.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::files::FileError;

pub(crate) type Result<T, E = TableError> = std::result::Result<T, E>;

/// An error of reading, writing or checking a table or a checkpoint. Every variant names the file.
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
    /// The file cannot be created, is not a regular file, or has no name.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no such file, it is damaged, or it cannot be used; the message says what to do.
    #[error("{0}")]
    Refused(String),
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

    /// The checksums match, but the content is invalid.
    pub(super) fn invalid(path: &Path, what: impl std::fmt::Display) -> Self {
        Self::refused(
            path,
            format_args!(": {what}; the file was not written by 'tesuji solve'"),
        )
    }

    pub(super) fn not_a_table(path: &Path) -> Self {
        let why = " is not a tesuji table; give a file written by 'tesuji solve'";
        Self::refused(path, why)
    }

    /// The table is of `found`, another game than `expected`.
    pub(super) fn other_game(path: &Path, expected: &str, found: &str) -> Self {
        let why = format!(
            " is a table of '{found}', not of '{expected}'; give that game, or another table"
        );
        Self::refused(path, why)
    }

    /// What is to be said after the name of the file.
    pub(super) fn refused(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::Refused(format!("{}{why}", path.display()))
    }
}

//! What may go wrong with a file.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Kind;

/// Why something cannot be written or claimed. Every variant names the file or folder,
/// and its message says what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The path ends in `..` or is empty.
    #[error("{} is no name for a file; give one with --output", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// The name is one of a device on Windows.
    #[error("{} has a name that is reserved on Windows; give another one with --output", path.display())]
    Reserved {
        /// The path.
        path: PathBuf,
    },
    /// The name has a control character, such as a line end.
    #[error("{path:?} has a control character in its name; give another one with --output")]
    ControlCharacter {
        /// The path.
        path: PathBuf,
    },
    /// Something is there and may not be replaced.
    #[error("{} exists; give --force to overwrite it, or another name with --output", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// A file with other content is there and may not be replaced.
    #[error("{} exists with other content; give --force to overwrite it, or another place with --output", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
    },
    /// What is there is of a kind that is never replaced.
    #[error("{} is {kind}; give the name of a {wanted} with --output", path.display())]
    Kind {
        /// What is in the way.
        path: PathBuf,
        /// What it is.
        kind: Kind,
        /// `file` or `folder`: what may be there.
        wanted: &'static str,
    },
    /// A file has a name that is needed, and was not made by this program for this user.
    #[error("{} is in the way: {why}; move it away, or give another name with --output", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// How that is known.
        why: &'static str,
    },
    /// Another process has claimed it.
    #[error("another tesuji is writing {}; wait for it, or give another place with --output", path.display())]
    Taken {
        /// The file or folder.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl FileError {
    /// The file or folder that it is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::NoName { path }
            | Self::Reserved { path }
            | Self::ControlCharacter { path }
            | Self::Exists { path }
            | Self::Differs { path }
            | Self::Kind { path, .. }
            | Self::Foreign { path, .. }
            | Self::Taken { path }
            | Self::Io { path, .. } => path,
        }
    }

    /// Makes an error of what the system said when `action` was tried.
    pub fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path,
            action,
            source,
        }
    }
}

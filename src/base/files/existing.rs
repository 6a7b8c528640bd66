//! What is at a path, whether it may be replaced, and why not.

use std::fmt;
use std::fs::{self, FileType, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Nothing may be there.
    Refuse,
    /// It may be there with the same content, and stays; other content is refused, as soon
    /// as the content is known.
    Same,
    /// It is replaced, if it is a regular file: what `--force` asks for.
    Replace,
}

impl Existing {
    /// [`Replace`](Self::Replace) with `--force`, otherwise [`Refuse`](Self::Refuse).
    pub const fn refused_unless(force: bool) -> Self {
        if force { Self::Replace } else { Self::Refuse }
    }

    /// [`Replace`](Self::Replace) with `--force`, otherwise [`Same`](Self::Same).
    pub const fn same_unless(force: bool) -> Self {
        if force { Self::Replace } else { Self::Same }
    }
}

pub(super) const FILE: &str = "a file";
pub(super) const FOLDER: &str = "a folder";

/// What is at a path, in words. Links are not followed.
pub(super) fn kind_of(kind: FileType) -> &'static str {
    if kind.is_file() {
        FILE
    } else if kind.is_dir() {
        FOLDER
    } else if kind.is_symlink() {
        "a symbolic link, which is not followed"
    } else {
        "a device, pipe or socket"
    }
}

/// The metadata of what is at `path` itself; `None` if nothing is there.
pub(super) fn metadata(path: &Path) -> Result<Option<Metadata>, FileError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::io(path, "look at")(error)),
    }
}

/// Refuses unless a file may be written at `path`, as far as can be said before its content
/// is known. Gives the metadata of a file that is there.
pub(crate) fn check(path: &Path, existing: Existing) -> Result<Option<Metadata>, FileError> {
    expected(path, existing, FILE)
}

/// Refuses a path that cannot be used everywhere: with a control character, which no text
/// that names the file could show, or with the name of a device on Windows, with any
/// extension. Folders above the current one are as they are, and so are the names of those of
/// a whole path.
pub(super) fn check_name(path: &Path) -> Result<(), FileError> {
    let shown = path.to_string_lossy();
    if shown.contains(char::is_control) {
        return Err(FileError::Refused(format!(
            "{shown:?} has a control character in its name; give another one with --output"
        )));
    }
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    let own = if path.is_absolute() { 1 } else { usize::MAX };
    if names.take(own).any(|name| is_device(&name)) {
        let why = "has a name that is reserved on Windows; give another one with --output";
        return Err(FileError::refused(path, why));
    }
    Ok(())
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_lowercase();
    // Windows takes these three for digits, too.
    let is_digit = |digit: char| digit.is_ascii_digit() || "\u{b9}\u{b2}\u{b3}".contains(digit);
    let numbered = ["com", "lpt"].map(|device| stem.strip_prefix(device));
    let is_one = |number: &str| number.chars().count() == 1 && number.contains(is_digit);
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
        || numbered.into_iter().flatten().any(is_one)
}

pub(super) fn expected(
    path: &Path,
    existing: Existing,
    wanted: &str,
) -> Result<Option<Metadata>, FileError> {
    if path.file_name().is_none() {
        return Err(FileError::no_name(path));
    }
    check_name(path)?;
    let Some(metadata) = metadata(path)? else {
        return Ok(None);
    };
    let kind = kind_of(metadata.file_type());
    if kind != wanted {
        return Err(FileError::kind(path, kind, wanted));
    }
    if existing == Existing::Refuse {
        return Err(FileError::exists(path));
    }
    Ok(Some(metadata))
}

/// Why something cannot be written or claimed. The message names the file or folder and says
/// what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The path cannot be used, or what is there may not be replaced or is not what it should be.
    #[error("{0}")]
    Refused(String),
    /// Another process has claimed it.
    #[error("another tesuji is writing {}; wait for it, or give another place with --output", .0.display())]
    Taken(PathBuf),
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
    pub(super) fn refused(path: &Path, why: impl fmt::Display) -> Self {
        Self::Refused(format!("{} {why}", path.display()))
    }

    pub(super) fn kind(path: &Path, kind: &str, wanted: &str) -> Self {
        let why = format!("is {kind}; give the name of {wanted} with --output");
        Self::refused(path, why)
    }

    pub(super) fn no_name(path: &Path) -> Self {
        Self::refused(path, "is no name for a file; give one with --output")
    }

    pub(super) fn exists(path: &Path) -> Self {
        let why = "exists; give --force to overwrite it, or another name with --output";
        Self::refused(path, why)
    }

    /// Makes an error of what the system said when `action` was tried.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path,
            action,
            source,
        }
    }
}

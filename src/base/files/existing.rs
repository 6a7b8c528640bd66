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

/// What is at a path. Links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, wherever it leads.
    Link,
    /// A device, pipe or socket.
    Special,
}

impl FileKind {
    pub(super) fn of(kind: FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Folder
        } else if kind.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link, which is not followed",
            Self::Special => "a device, pipe or socket",
        })
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
    expected(path, existing, FileKind::File)
}

/// Refuses a path that cannot be used everywhere: with a control character, which no text
/// that names the file could show, or with the name of a device on Windows, with any
/// extension. Folders above the current one are as they are, and so are the names of those of
/// a whole path.
pub(super) fn check_name(path: &Path) -> Result<(), FileError> {
    if path.to_string_lossy().contains(char::is_control) {
        return Err(FileError::ControlCharacter(path.to_owned()));
    }
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    let own = if path.is_absolute() { 1 } else { usize::MAX };
    if names.take(own).any(|name| is_device(&name)) {
        return Err(FileError::Reserved(path.to_owned()));
    }
    Ok(())
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_lowercase();
    // Windows takes these three for digits, too.
    let is_digit = |digit: char| digit.is_ascii_digit() || "\u{b9}\u{b2}\u{b3}".contains(digit);
    let numbered = |device: &str| {
        let number = stem.strip_prefix(device).map(str::chars);
        number.is_some_and(|mut number| {
            number.next().is_some_and(is_digit) && number.next().is_none()
        })
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

pub(super) fn expected(
    path: &Path,
    existing: Existing,
    wanted: FileKind,
) -> Result<Option<Metadata>, FileError> {
    let at = || path.to_owned();
    if path.file_name().is_none() {
        return Err(FileError::NoName(at()));
    }
    check_name(path)?;
    let Some(metadata) = metadata(path)? else {
        return Ok(None);
    };
    let kind = FileKind::of(metadata.file_type());
    if kind != wanted {
        let wanted = if wanted == FileKind::Folder {
            "folder"
        } else {
            "file"
        };
        return Err(FileError::kind(path, kind, wanted));
    }
    if existing == Existing::Refuse {
        return Err(FileError::Exists(at()));
    }
    Ok(Some(metadata))
}

/// Why something cannot be written or claimed. Every variant names the file or folder,
/// and its message says what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The path ends in `..` or is empty.
    #[error("{} is no name for a file; give one with --output", .0.display())]
    NoName(PathBuf),
    /// The name is one of a device on Windows.
    #[error("{} has a name that is reserved on Windows; give another one with --output", .0.display())]
    Reserved(PathBuf),
    /// The name has a control character, such as a line end.
    #[error("{0:?} has a control character in its name; give another one with --output")]
    ControlCharacter(PathBuf),
    /// Something is there and may not be replaced.
    #[error("{} exists; give --force to overwrite it, or another name with --output", .0.display())]
    Exists(PathBuf),
    /// A file with other content is there and may not be replaced.
    #[error("{} exists with other content; give --force to overwrite it, or another place with --output", .0.display())]
    Differs(PathBuf),
    /// What is there is of a kind that is never replaced.
    #[error("{} is {kind}; give the name of a {wanted} with --output", path.display())]
    Kind {
        /// What is in the way.
        path: PathBuf,
        /// What it is.
        kind: FileKind,
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
    /// What an earlier run kept has changed since.
    #[error("{} is damaged: it does not match its checksum; remove it, and run the same command again", .0.display())]
    Damaged(PathBuf),
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
    pub(super) fn kind(path: &Path, kind: FileKind, wanted: &'static str) -> Self {
        let path = path.to_owned();
        Self::Kind { path, kind, wanted }
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

//! Files whose content is in memory.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::draft::Draft;
use super::left::lock_name;
use super::place::differs;
use super::{Existing, FileError, Place};

/// Puts `content` at `path`. A file with the same content is left as it is; another one is
/// replaced only with `force`.
///
/// # Errors
/// If the file cannot be written or may not be replaced. Then nothing has changed.
pub fn put(path: &Path, content: &[u8], force: bool) -> Result<(), FileError> {
    put_all(&[(path.to_owned(), content)], force)
}

/// Puts several files, or none of them if one may not be replaced or cannot be written. All
/// places are claimed meanwhile.
///
/// # Errors
/// The errors of [`put`]. If the system refuses to give a file its name, those before it
/// have theirs.
pub fn put_all<C: AsRef<[u8]>>(files: &[(PathBuf, C)], force: bool) -> Result<(), FileError> {
    let existing = Existing::same_unless(force);
    let mut places = Vec::new();
    for (path, content) in files {
        // Where nothing is to be done, nothing needs to be writable.
        let left = lock_name(path).is_some_and(|lock| lock.exists());
        if differs(path, content.as_ref(), existing)? || left {
            places.push(Place::claim(path, existing)?);
        }
    }
    put_all_claimed(files, force)
}

/// Puts several files in folders that the caller has [claimed](super::Claim::folder), or
/// none of them if one may not be replaced or cannot be written.
///
/// # Errors
/// The errors of [`put_all`].
pub fn put_all_claimed<C: AsRef<[u8]>>(
    files: &[(PathBuf, C)],
    force: bool,
) -> Result<(), FileError> {
    let existing = Existing::same_unless(force);
    let mut wanted = Vec::new();
    for (path, content) in files {
        if differs(path, content.as_ref(), existing)? {
            wanted.push((path, content.as_ref()));
        }
    }
    // All are whole before the first gets its name, so that a full disk leaves no mixture
    // of old and new.
    let mut whole = Vec::new();
    for (path, content) in wanted {
        let mut draft = Draft::new(path)?;
        draft
            .file()
            .write_all(content)
            .map_err(FileError::io(path, "write"))?;
        whole.push(draft.whole()?);
    }
    whole.into_iter().try_for_each(|file| file.reveal(existing))
}

/// Refuses if `content` may not go to `path`: something else is there, and `existing` does
/// not let it be replaced.
///
/// # Errors
/// The errors of [`put`].
pub fn check_content(path: &Path, content: &[u8], existing: Existing) -> Result<(), FileError> {
    differs(path, content, existing).map(drop)
}

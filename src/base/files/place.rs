//! The place of one file.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::claim::Lock;
use super::draft::write;
use super::left::tidy_beside;
use super::ours::open_ours;
use super::{Existing, FileError, check};

/// The place of an output file, claimed before the work for it begins: no other process
/// that asks may write there until this value goes.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    existing: Existing,
    _lock: Lock,
}

impl Place {
    /// Claims a place. Folders on the way are made; they go again if nothing is written.
    ///
    /// # Errors
    /// If the file could not be written there whatever its content is: the path has no name,
    /// something is there that may not be replaced, no file can be made in its folder, or
    /// another process has claimed it.
    pub fn claim(path: &Path, existing: Existing) -> Result<Self, FileError> {
        check(path, existing)?;
        let lock = Lock::of(path)?;
        if lock.inherited {
            tidy_beside(path)?;
        }
        // It may have come while the lock was another's.
        check(path, existing)?;
        Ok(Self {
            path: path.to_owned(),
            existing,
            _lock: lock,
        })
    }

    /// The file's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file by `content`, which is given it empty, to read and write. Where
    /// [`Existing::Same`] was asked for, nothing may be there: [`put`](Self::put) compares.
    ///
    /// # Errors
    /// Those of `content`, which have to name the file, and if it cannot be written. Then
    /// nothing has changed.
    pub fn write<T, E: From<FileError>>(
        self,
        content: impl FnOnce(&mut File) -> Result<T, E>,
    ) -> Result<T, E> {
        write(&self.path, self.existing, content)
    }

    /// Puts `content` there. A file with the same content is left as it is.
    ///
    /// # Errors
    /// If the file cannot be written, or one with other content may not be replaced.
    pub fn put(self, content: &[u8]) -> Result<(), FileError> {
        if !differs(&self.path, content, self.existing)? {
            return Ok(());
        }
        let path = self.path.clone();
        self.write(|file| {
            file.write_all(content)
                .map_err(FileError::io(&path, "write"))
        })
    }
}

/// Whether `content` has to be written to `path`: nothing is there, or other content that
/// may be replaced.
pub(super) fn differs(path: &Path, content: &[u8], existing: Existing) -> Result<bool, FileError> {
    let Some(metadata) = check(path, existing)? else {
        return Ok(true);
    };
    if metadata.len() == content.len() as u64 {
        let mut there = Vec::with_capacity(content.len());
        if let Some(mut file) = open_ours(path)? {
            file.read_to_end(&mut there)
                .map_err(FileError::io(path, "read"))?;
        }
        if there == content {
            return Ok(false);
        }
    }
    if existing == Existing::Same {
        let path = path.to_owned();
        return Err(FileError::Differs { path });
    }
    Ok(true)
}

//! Data sets: a folder of files in Hive partitions, written as a whole or not at all.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::part::{Format, PartWriter};
use crate::base::claim::Claim;

/// A data set that is being written. Its files go to the folder `<folder>.partial`, which
/// is renamed by [`finish`](Self::finish) and removed if that is never called.
#[derive(Debug)]
pub struct DataSet {
    folder: PathBuf,
    /// The claim of the partial folder: no other process writes there.
    claim: Claim,
    format: Format,
    finished: bool,
}

impl DataSet {
    /// Begins a data set. With `force` it replaces an older one. The remains of an
    /// interrupted export are removed.
    ///
    /// # Errors
    /// [`ExportError::Folder`] if the folder has other files in it, or exists and `force`
    /// is not given; [`ExportError::File`] if no folder can be created beside it;
    /// [`ExportError::Claim`] if another process is writing the same data set.
    pub fn begin(folder: &Path, format: Format, force: bool) -> Result<Self, ExportError> {
        let beside = |end: &str| {
            let mut name = OsString::from(folder.file_name()?);
            name.push(end);
            Some(folder.with_file_name(name))
        };
        let Some(partial) = beside(".partial") else {
            return Err(ExportError::Folder {
                path: folder.to_owned(),
                why: "is not the name of a folder: give another one with --output",
            });
        };
        // A typo must not remove a folder of other files.
        may_replace(&partial, true)?;
        let set = Self {
            folder: folder.to_owned(),
            claim: Claim::folder(&partial)?,
            format,
            finished: false,
        };
        // What is there was left by a process that was killed: a live one has the claim.
        set.clear()?;
        may_replace(folder, force)?;
        Ok(set)
    }

    /// Removes all files of the partial folder.
    fn clear(&self) -> Result<(), ExportError> {
        let failed = || ExportError::file("read", self.partial());
        for entry in fs::read_dir(self.partial()).map_err(failed())? {
            remove(&entry.map_err(failed())?.path())?;
        }
        Ok(())
    }

    /// The folder to which the files go until [`finish`](Self::finish).
    #[must_use]
    pub fn partial(&self) -> &Path {
        self.claim.path()
    }

    /// A writer for part `number` of a partition, which is given by its columns and their
    /// values, in the order of the path. These columns are in the path, not in the file.
    #[must_use]
    pub fn part(&self, partition: &[(&str, &str)], number: usize) -> PartWriter {
        let mut path = self.partial().to_owned();
        for (column, value) in partition {
            path.push(format!("{}={}", escaped(column), escaped(value)));
        }
        path.push(format!("part-{number:05}.{}", self.format.extension()));
        PartWriter::new(path, self.format)
    }

    /// Gives the data set its name. All writers must be finished.
    ///
    /// # Errors
    /// [`ExportError::File`] if a folder cannot be renamed or removed,
    /// [`ExportError::Claim`] if another process has the folder.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let folder = self.folder.clone();
        if folder.exists() {
            // While it has the partial name, no other process may remove it.
            let _old = Claim::folder(&folder)?;
            if exchange(self.partial(), &folder).is_ok() {
                self.finished = true;
                return remove(self.partial());
            }
            remove(&folder)?;
        }
        fs::rename(self.partial(), &folder).map_err(ExportError::file("rename", self.partial()))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for DataSet {
    fn drop(&mut self) {
        if !self.finished {
            // Incomplete files are not kept.
            let _ = fs::remove_dir_all(self.partial());
        }
    }
}

/// Exchanges two folders atomically.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Exchanges two folders: always an error, since this system cannot do it atomically.
#[cfg(not(target_os = "linux"))]
fn exchange(_one: &Path, _other: &Path) -> std::io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Whether `folder` exists. It may only be replaced if it is a data set, complete or not,
/// and `force` is given; otherwise it is an error.
fn may_replace(folder: &Path, force: bool) -> Result<bool, ExportError> {
    let refuse = |why| {
        let path = folder.to_owned();
        Err(ExportError::Folder { path, why })
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return refuse("is a file: give the name of a folder");
        }
        Err(error) => return Err(ExportError::file("read", folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(ExportError::file("read", folder))?;
        if !entry.path().is_dir() || !entry.file_name().to_string_lossy().contains('=') {
            return refuse("contains other files than a data set: give another folder");
        }
    }
    if !force {
        return refuse(
            "already exists: use --force to replace it, or --output to choose another folder",
        );
    }
    Ok(true)
}

fn remove(folder: &Path) -> Result<(), ExportError> {
    fs::remove_dir_all(folder).map_err(ExportError::file("remove", folder))
}

/// A name or value in a partition's path. As in Apache Hive, each byte that is not an
/// ASCII letter or digit, `-` or `_` is written as `%` and two hexadecimal digits.
fn escaped(text: &str) -> String {
    let mut name = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            name.push(byte.into());
        } else {
            let _ = write!(name, "%{byte:02X}");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partition_values_cannot_leave_their_folder() {
        assert_eq!(escaped("5-4"), "5-4");
        assert_eq!(escaped("../a=b"), "%2E%2E%2Fa%3Db");
    }
}

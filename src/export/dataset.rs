//! Data sets: a folder of files in hive partitions, there whole or not at all.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{ExportError, PartWriter};
use crate::base::claim::Claim;

/// What the files of a data set are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// JSON Lines.
    Jsonl,
}

impl Format {
    /// The ending of a file's name.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
        }
    }
}

/// A data set under way. Its files are written to a folder named `<folder>.partial`,
/// which takes the folder's name at the end, and vanishes if the end is never reached.
#[derive(Debug)]
pub struct DataSet {
    folder: PathBuf,
    /// On the folder to which the files go: nobody else writes there.
    claim: Claim,
    format: Format,
    finished: bool,
}

impl DataSet {
    /// Begins a data set. With `force` it will replace an older one. It takes the place
    /// of one that was stopped half-way.
    ///
    /// # Errors
    /// If the folder exists and is no data set or may not be replaced, if no folder can
    /// be made beside it, or if another process is writing the same data set.
    pub fn begin(folder: &Path, format: Format, force: bool) -> Result<Self, ExportError> {
        let beside = |end: &str| {
            let mut name = OsString::from(folder.file_name()?);
            name.push(end);
            Some(folder.with_file_name(name))
        };
        let Some(partial) = beside(".partial") else {
            return Err(ExportError::Folder {
                path: folder.to_owned(),
                why: "is no name for a folder of its own; give another one",
            });
        };
        // A slip in a folder's name should cost no other folder.
        may_replace(&partial, true)?;
        let set = Self {
            folder: folder.to_owned(),
            claim: Claim::folder(&partial)?,
            format,
            finished: false,
        };
        // What is there was left by one that was killed, or it would have the claim.
        set.clear()?;
        may_replace(folder, force)?;
        Ok(set)
    }

    /// Removes what is in the folder under way.
    fn clear(&self) -> Result<(), ExportError> {
        let failed = || ExportError::file("look into", self.partial());
        for entry in fs::read_dir(self.partial()).map_err(failed())? {
            remove(&entry.map_err(failed())?.path())?;
        }
        Ok(())
    }

    /// The folder to which the files go until the end.
    #[must_use]
    pub fn partial(&self) -> &Path {
        self.claim.path()
    }

    /// A writer for part `number` of the partition in which each named column has one
    /// value; those columns are in the path, not in the file.
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
    /// If the folder cannot be moved.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let folder = self.folder.clone();
        if folder.exists() {
            // Under our name it must not be taken for one that was left behind.
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
            // Nothing half-written stays behind.
            let _ = fs::remove_dir_all(self.partial());
        }
    }
}

/// Lets two folders change places in one step.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// As above, where the system cannot do it.
#[cfg(not(target_os = "linux"))]
fn exchange(_one: &Path, _other: &Path) -> std::io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Whether there is something at `folder` that may be replaced: a data set, whole or
/// not, and `force` given.
fn may_replace(folder: &Path, force: bool) -> Result<bool, ExportError> {
    let refuse = |why| {
        let path = folder.to_owned();
        Err(ExportError::Folder { path, why })
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return refuse("is a file; give the name of a folder");
        }
        Err(error) => return Err(ExportError::file("look into", folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(ExportError::file("look into", folder))?;
        if !entry.path().is_dir() || !entry.file_name().to_string_lossy().contains('=') {
            return refuse("has other things than a data set in it; give another folder");
        }
    }
    if !force {
        return refuse("exists; give --force to replace it, or another folder with --output");
    }
    Ok(true)
}

fn remove(folder: &Path) -> Result<(), ExportError> {
    fs::remove_dir_all(folder).map_err(ExportError::file("remove", folder))
}

/// A name or value in a partition's path: what may mean something to a file system or
/// a reader is written as `%` and two digits, as Apache Hive does.
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

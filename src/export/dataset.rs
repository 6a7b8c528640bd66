//! Data sets: a folder of files in Hive partitions, written as a whole or not at all.

use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::part::{Format, PartWriter};
use crate::base::files::{Existing, FolderPlace};

/// An empty file that every data set has at its top, by which it is known. Readers that
/// take all files of a folder (Polars) skip empty ones, others those that begin with `_`.
const MARK: &str = "_tesuji_data_set";

/// A data set that is being written. Its files go to another folder beside it, which is
/// renamed by [`finish`](Self::finish) and removed if that is never called.
#[derive(Debug)]
pub struct DataSet {
    folder: PathBuf,
    place: FolderPlace,
    format: Format,
}

impl DataSet {
    /// Begins a data set. With `force` it replaces an older one, or an empty folder.
    ///
    /// # Errors
    /// [`ExportError::Folder`] if the folder has other files in it, [`ExportError::Place`]
    /// if it may not be replaced or another process is writing the same data set,
    /// [`ExportError::File`] if a file or folder cannot be read or created.
    pub fn begin(folder: &Path, format: Format, force: bool) -> Result<Self, ExportError> {
        expect_data_set(folder)?;
        let place = FolderPlace::claim(folder, Existing::refused_unless(force))?;
        let mark = place.draft().join(MARK);
        File::create_new(&mark).map_err(ExportError::file("create", &mark))?;
        Ok(Self {
            folder: folder.to_owned(),
            place,
            format,
        })
    }

    /// The folder to which the files go until [`finish`](Self::finish).
    #[must_use]
    pub fn partial(&self) -> &Path {
        self.place.draft()
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
    /// [`ExportError::Folder`] if other files have appeared in the folder,
    /// [`ExportError::Place`] if it cannot be moved.
    pub fn finish(self) -> Result<(), ExportError> {
        expect_data_set(&self.folder)?;
        Ok(self.place.finish()?)
    }
}

/// Refuses a folder with anything in it but a data set. [`FolderPlace`] refuses what is not
/// a folder.
fn expect_data_set(folder: &Path) -> Result<(), ExportError> {
    let (mut others, mut marked, mut empty) = (false, false, true);
    if fs::symlink_metadata(folder).is_ok_and(|there| there.is_dir()) {
        for entry in fs::read_dir(folder).map_err(ExportError::file("read", folder))? {
            let entry = entry.map_err(ExportError::file("read", folder))?;
            let about = entry.metadata();
            let about = about.map_err(ExportError::file("read", &entry.path()))?;
            let name = entry.file_name();
            empty = false;
            if name == MARK && about.is_file() && about.len() == 0 {
                marked = true;
            } else if !about.is_dir() || !name.to_string_lossy().contains('=') {
                others = true;
            }
        }
    }
    if others || !empty && !marked {
        let path = folder.to_owned();
        let why =
            "contains other files than a data set of tesuji: use --output to choose another folder";
        return Err(ExportError::Folder { path, why });
    }
    Ok(())
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

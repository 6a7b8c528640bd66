//! Data sets: a folder of files in hive partitions, there whole or not at all.

use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::{ExportError, PartWriter};
use crate::base::files::{Existing, FolderPlace};

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

/// An empty file that every data set has at its top, by which it is known. Readers that
/// take all files of a folder (Polars) skip empty ones, others those that begin with `_`.
const MARK: &str = "_tesuji_data_set";

/// A data set under way. Its files are written to another folder beside it, which takes
/// the folder's name at the end, and vanishes if the end is never reached.
#[derive(Debug)]
pub struct DataSet {
    folder: PathBuf,
    place: FolderPlace,
    format: Format,
}

impl DataSet {
    /// Begins a data set. With `force` it will replace an older one, or an empty folder.
    ///
    /// # Errors
    /// If the folder exists and is no data set or may not be replaced, if no folder can
    /// be made beside it, or if another process is writing the same data set.
    pub fn begin(folder: &Path, format: Format, force: bool) -> Result<Self, ExportError> {
        expect_data_set(folder)?;
        let place = FolderPlace::claim(folder, Existing::refused_unless(force))?;
        let mark = place.draft().join(MARK);
        File::create_new(&mark).map_err(ExportError::file("make", &mark))?;
        Ok(Self {
            folder: folder.to_owned(),
            place,
            format,
        })
    }

    /// The folder to which the files go until the end.
    #[must_use]
    pub fn partial(&self) -> &Path {
        self.place.draft()
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
    /// If something else has come to the folder meanwhile, or it cannot be moved.
    pub fn finish(self) -> Result<(), ExportError> {
        expect_data_set(&self.folder)?;
        Ok(self.place.finish()?)
    }
}

/// Refuses a folder in which there is anything but a data set. What is no folder is for
/// [`FolderPlace`] to refuse.
fn expect_data_set(folder: &Path) -> Result<(), ExportError> {
    let (mut others, mut marked, mut empty) = (false, false, true);
    if fs::symlink_metadata(folder).is_ok_and(|there| there.is_dir()) {
        for entry in fs::read_dir(folder).map_err(ExportError::file("look into", folder))? {
            let entry = entry.map_err(ExportError::file("look into", folder))?;
            let about = entry.metadata();
            let about = about.map_err(ExportError::file("look at", &entry.path()))?;
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
            "has other things than a data set of tesuji in it; give another folder with --output";
        return Err(ExportError::Folder { path, why });
    }
    Ok(())
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

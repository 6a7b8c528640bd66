//! Data sets: a folder of files in Hive partitions with what explains them, written as a
//! whole or not at all.
//!
//! | file | content |
//! |---|---|
//! | `data/...` | the rows, and nothing else, so that engines can read the folder |
//! | `_dataset.json` | [`About`], the partitions, and all files of `data` with rows and bytes |
//! | `_columns.csv` | [`ColumnMeaning`], one row for each column |
//! | `README.md` | a data card |

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::about::{About, ColumnMeaning, card, columns_csv};
use super::error::ExportError;
use super::part::{Format, PartWriter, Written, WrittenFile};
use crate::base::files::{Existing, FolderPlace, open_ours};

/// The file by which a data set is known.
const ABOUT: &str = "_dataset.json";
const COLUMNS: &str = "_columns.csv";
const CARD: &str = "README.md";
const DATA: &str = "data";

/// The column by which the rows of every file are sorted.
const SORTED_BY: &str = "slot";

/// Bytes of a `_dataset.json` at most.
const MOST_BYTES: u64 = 1 << 26;

/// `_dataset.json`.
#[derive(Serialize, Deserialize)]
struct Contents {
    #[serde(flatten)]
    about: About,
    rows: u64,
    bytes: u64,
    partitioned_by: Vec<String>,
    files: Vec<WrittenFile>,
}

/// A data set that is being written. Its files go to another folder beside it, which is
/// renamed by `finish` and removed if that is never called.
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
    /// [`ExportError::Refused`] if the folder has other files in it, [`ExportError::Place`]
    /// if it may not be replaced or another process is writing the same data set,
    /// [`ExportError::File`] if a file or folder cannot be read or created.
    pub fn begin(folder: &Path, format: Format, force: bool) -> Result<Self, ExportError> {
        expect_data_set(folder)?;
        let place = FolderPlace::claim(folder, Existing::refused_unless(force))?;
        Ok(Self {
            folder: folder.to_owned(),
            place,
            format,
        })
    }

    /// The folder to which the files go until [`finish`](Described::finish).
    pub(crate) fn partial(&self) -> &Path {
        self.place.draft()
    }

    /// The data set, with what its files say of it.
    ///
    /// # Errors
    /// Never.
    pub fn describe(self, about: About) -> Result<Described, ExportError> {
        Ok(Described {
            keys: about.keys_and_values()?.into(),
            set: self,
            about,
        })
    }
}

/// A [`DataSet`] that can be written.
#[derive(Debug)]
pub struct Described {
    set: DataSet,
    about: About,
    keys: Arc<[(String, String)]>,
}

impl Described {
    /// A writer for part `number` of a partition, which is given by its columns and their
    /// values, in the order of the path. These columns are in the path, not in the file.
    pub fn part(&self, partition: &[(&str, &str)], number: usize) -> PartWriter {
        let format = self.set.format;
        let mut name = format!("{DATA}/");
        for (column, value) in partition {
            let _ = write!(name, "{}={}/", escaped(column), escaped(value));
        }
        let _ = write!(name, "part-{number:05}.{}", format.extension());
        let keys = Arc::clone(&self.keys);
        PartWriter::new(self.set.partial(), name, format, Some(SORTED_BY), keys)
    }

    /// Explains what was written, and gives the data set its name. All writers must be
    /// finished.
    ///
    /// # Errors
    /// [`ExportError::Refused`] if other files have appeared in the folder,
    /// [`ExportError::Place`] if it cannot be moved, [`ExportError::File`] if a file cannot
    /// be written.
    pub fn finish(
        self,
        columns: &[ColumnMeaning],
        partitioned_by: &[&str],
        written: Written,
    ) -> Result<(), ExportError> {
        let (rows, bytes) = (written.rows(), written.bytes());
        let card = card(&self.about, columns, rows, self.set.format.extension());
        let contents = Contents {
            about: self.about,
            rows,
            bytes,
            partitioned_by: partitioned_by.iter().map(|&name| name.to_owned()).collect(),
            files: written.files,
        };
        let mut json = serde_json::to_vec_pretty(&contents).map_err(std::io::Error::from)?;
        json.push(b'\n');
        let files = [
            (COLUMNS, columns_csv(columns)?),
            (CARD, card.into_bytes()),
            (ABOUT, json),
        ];
        for (name, content) in files {
            let path = self.set.partial().join(name);
            let file = File::create_new(&path);
            let written = file.and_then(|mut file| {
                file.write_all(&content)?;
                file.sync_all()
            });
            written.map_err(ExportError::file("write", &path))?;
        }
        expect_data_set(&self.set.folder)?;
        Ok(self.set.place.finish()?)
    }
}

/// Refuses a folder with anything in it but a data set. [`FolderPlace`] refuses what is not
/// a folder.
fn expect_data_set(folder: &Path) -> Result<(), ExportError> {
    let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|there| there.is_dir());
    if !is_folder(folder) {
        return Ok(());
    }
    let mut entries = fs::read_dir(folder).map_err(ExportError::file("read", folder))?;
    if entries.next().is_none() {
        return Ok(());
    }
    let shown = folder.display();
    let Some(contents) = contents(&folder.join(ABOUT))? else {
        return Err(ExportError::Refused(format!(
            "{shown} has no '{ABOUT}' of a data set of tesuji, so nothing in it is replaced: use --output to choose another folder"
        )));
    };
    let own = [ABOUT, COLUMNS, CARD].map(str::to_owned).into_iter();
    let own: BTreeSet<String> = own
        .chain(contents.files.into_iter().map(|f| f.path))
        .collect();
    match files_in(folder)?.difference(&own).next() {
        None => Ok(()),
        Some(other) => Err(ExportError::Refused(format!(
            "{shown} contains '{other}', which is not of the data set there: move it away, or use --output to choose another folder"
        ))),
    }
}

/// What a `_dataset.json` says; `None` if there is none, or it is not one of ours.
fn contents(path: &Path) -> Result<Option<Contents>, ExportError> {
    let Some(file) = open_ours(path)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let read = file.take(MOST_BYTES).read_to_end(&mut bytes);
    read.map_err(ExportError::file("read", path))?;
    let contents: Option<Contents> = serde_json::from_slice(&bytes).ok();
    Ok(contents.filter(|contents| contents.about.writer.starts_with("tesuji ")))
}

/// The paths of all files in a folder and its subfolders, with `/` between the names. Links
/// are not followed, and are files.
fn files_in(folder: &Path) -> Result<BTreeSet<String>, ExportError> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![(folder.to_owned(), String::new())]);
    while let Some((folder, lead)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(ExportError::file("read", &folder))? {
            let entry = entry.map_err(ExportError::file("read", &folder))?;
            let about = entry.file_type();
            let about = about.map_err(ExportError::file("read", &entry.path()))?;
            let name = format!("{lead}{}", entry.file_name().to_string_lossy());
            if about.is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else {
                found.insert(name);
            }
        }
    }
    Ok(found)
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

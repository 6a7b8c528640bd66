//! One file of a data set, written a group of rows at a time.

use std::fs;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::batch::{Batch, ColumnData};
use super::error::ExportError;
use super::parquet::ParquetFile;

/// Rows of a row group. A writer holds fewer rows than this in memory, and one batch.
const GROUP: usize = 1 << 17;

/// The file format of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// JSON Lines: one JSON object a line.
    Jsonl,
}

impl Format {
    /// The extension of a file's name, without the dot.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
        }
    }
}

/// Writes one file of a data set. It is created with the first rows, so a part without
/// rows leaves no file.
pub struct PartWriter {
    /// The path in the data set, with `/` between the names.
    name: String,
    path: PathBuf,
    format: Format,
    sorted_by: Option<&'static str>,
    about: Arc<[(String, String)]>,
    held: Batch,
    rows: u64,
    extents: Extents,
    sink: Option<Sink>,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFile {
    /// Its path in the data set, with `/` between the names.
    pub path: String,
    /// The number of rows.
    pub rows: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The files: one of a part, or none if there were no rows.
    pub files: Vec<WrittenFile>,
    /// The least and the greatest values of their columns.
    pub extents: Extents,
}

impl Written {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// The size of all files in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Adds what else was written.
    pub(crate) fn join(&mut self, other: Self) {
        self.files.extend(other.files);
        self.extents.join(other.extents);
    }
}

enum Sink {
    Parquet(Box<ParquetFile<BufWriter<File>>>),
    Jsonl(BufWriter<File>),
}

impl PartWriter {
    /// A writer of the file `name` of a folder. If its format has them, it gets these keys
    /// and values, and the column by which its rows are sorted.
    pub(super) fn new(
        folder: &Path,
        name: String,
        format: Format,
        sorted_by: Option<&'static str>,
        about: Arc<[(String, String)]>,
    ) -> Self {
        Self {
            path: folder.join(&name),
            name,
            format,
            sorted_by,
            about,
            held: Batch::default(),
            rows: 0,
            extents: Extents::default(),
            sink: None,
        }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`ExportError::Columns`] if their columns differ from those before, another
    /// [`ExportError`] if writing fails.
    pub fn push(&mut self, rows: Batch) -> Result<(), ExportError> {
        self.extents.extend(&rows);
        self.held.append(rows)?;
        while self.held.rows() >= GROUP {
            let group = self.held.take(GROUP);
            self.write(&group)?;
        }
        Ok(())
    }

    /// Writes the remaining rows and closes the file.
    ///
    /// # Errors
    /// [`ExportError`] if writing fails.
    pub fn finish(mut self) -> Result<Written, ExportError> {
        if self.held.rows() > 0 {
            let group = std::mem::take(&mut self.held);
            self.write(&group)?;
        }
        let Some(sink) = self.sink else {
            return Ok(Written::default());
        };
        match sink {
            Sink::Parquet(file) => file.finish().map_err(|error| error.of(&self.path))?,
            Sink::Jsonl(mut writer) => {
                writer
                    .flush()
                    .map_err(ExportError::file("write", &self.path))?;
            }
        }
        // The content must be on disk before the folder is renamed.
        let file = File::open(&self.path).map_err(ExportError::file("open", &self.path))?;
        let length = file.sync_all().and_then(|()| file.metadata());
        let bytes = length.map_err(ExportError::file("write", &self.path))?;
        Ok(Written {
            files: vec![WrittenFile {
                path: self.name,
                rows: self.rows,
                bytes: bytes.len(),
            }],
            extents: self.extents,
        })
    }

    fn write(&mut self, group: &Batch) -> Result<(), ExportError> {
        self.rows += group.rows() as u64;
        let sink = match &mut self.sink {
            Some(sink) => sink,
            none => none.insert(match self.format {
                Format::Parquet => {
                    let file = create(&self.path)?;
                    let file = ParquetFile::new(file, group, self.sorted_by, &self.about);
                    Sink::Parquet(Box::new(file.map_err(|error| error.of(&self.path))?))
                }
                Format::Jsonl => Sink::Jsonl(create(&self.path)?),
            }),
        };
        match sink {
            Sink::Parquet(file) => file.write(group).map_err(|error| error.of(&self.path)),
            Sink::Jsonl(writer) => super::puzzles::write_json_batch(writer, group)
                .map_err(ExportError::file("write", &self.path)),
        }
    }
}

/// Creates a file, and its folder if necessary.
fn create(path: &Path) -> Result<BufWriter<File>, ExportError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(ExportError::file("create the folder", folder))?;
    }
    let file = File::create_new(path).map_err(ExportError::file("create", path))?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

/// The least and the greatest number of each column, by its place; `None` for columns
/// without numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extents(Vec<Option<(i64, i64)>>);

impl Extents {
    /// Extends them by the rows of a batch.
    pub(super) fn extend(&mut self, rows: &Batch) {
        let found = rows.columns().iter().map(|column| match &column.values {
            ColumnData::Indices(values) => ends(values.iter().flatten().copied()),
            ColumnData::Numbers(values) => ends(values.iter().flatten().map(|&n| n.into())),
            ColumnData::Flags(_) | ColumnData::Words { .. } | ColumnData::Texts(_) => None,
        });
        self.join(Self(found.collect()));
    }

    /// Extends them by those of other rows with the same columns.
    pub(crate) fn join(&mut self, other: Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), None);
        }
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine = match (*mine, other) {
                (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
                (one, other) => one.or(other),
            };
        }
    }

    /// Those of the column at a place.
    pub fn of(&self, place: usize) -> Option<(i64, i64)> {
        self.0.get(place).copied().flatten()
    }
}

fn ends(values: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    values.fold(None, |ends, value| {
        let (least, greatest) = ends.unwrap_or((value, value));
        Some((least.min(value), greatest.max(value)))
    })
}

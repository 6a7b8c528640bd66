//! One file of a data set, written a group of rows at a time.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use polars::error::{PolarsError, PolarsResult};
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{Column, DataFrame, NamedFrom, ParquetCompression, ParquetWriter, Series};

use super::batch::{Batch, ColumnData, word};
use super::error::ExportError;
use super::jsonl;

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
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
        }
    }
}

/// Writes one file of a data set. It is created with the first rows, so a part without
/// rows leaves no file.
pub struct PartWriter {
    path: PathBuf,
    format: Format,
    held: Batch,
    rows: u64,
    sink: Option<Sink>,
}

/// The size of what was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// The number of files: 1, or 0 if there were no rows.
    pub files: u64,
    /// The number of rows.
    pub rows: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

enum Sink {
    Parquet(Box<BatchedWriter<BufWriter<File>>>),
    Jsonl(BufWriter<File>),
}

impl PartWriter {
    pub(super) fn new(path: PathBuf, format: Format) -> Self {
        Self {
            path,
            format,
            held: Batch::default(),
            rows: 0,
            sink: None,
        }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`ExportError::Columns`] if their columns differ from those before, another
    /// [`ExportError`] if writing fails.
    pub fn push(&mut self, rows: Batch) -> Result<(), ExportError> {
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
            // Writing the footer flushes the buffer.
            Sink::Parquet(writer) => {
                writer
                    .finish()
                    .map_err(|error| failed(&self.path, &error))?;
            }
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
            files: 1,
            rows: self.rows,
            bytes: bytes.len(),
        })
    }

    fn write(&mut self, group: &Batch) -> Result<(), ExportError> {
        self.rows += group.rows() as u64;
        let parquet = |error| failed(&self.path, &error);
        let sink = match &mut self.sink {
            Some(sink) => sink,
            none => none.insert(match self.format {
                Format::Parquet => Sink::Parquet(Box::new(
                    // Parts are already written in parallel.
                    ParquetWriter::new(create(&self.path)?)
                        .with_compression(ParquetCompression::Zstd(None))
                        .set_parallel(false)
                        .batched(frame(group).map_err(parquet)?.schema())
                        .map_err(parquet)?,
                )),
                Format::Jsonl => Sink::Jsonl(create(&self.path)?),
            }),
        };
        match sink {
            Sink::Parquet(writer) => {
                let frame = frame(group).map_err(parquet)?;
                writer.write_batch(&frame).map_err(parquet)
            }
            Sink::Jsonl(writer) => {
                jsonl::write_batch(writer, group).map_err(ExportError::file("write", &self.path))
            }
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

/// A batch as a data frame.
fn frame(batch: &Batch) -> PolarsResult<DataFrame> {
    let columns = batch.columns().iter().map(|column| {
        let name = column.name.as_str().into();
        Column::from(match &column.values {
            ColumnData::Indices(values) => Series::new(name, values),
            ColumnData::Numbers(values) => Series::new(name, values),
            ColumnData::Flags(values) => Series::new(name, values),
            ColumnData::Words { words, places } => {
                let values = places.iter().map(|&place| word(words, place));
                Series::new(name, values.collect::<Vec<_>>())
            }
            ColumnData::Texts(values) => {
                let values = values.iter().map(Option::as_deref);
                Series::new(name, values.collect::<Vec<_>>())
            }
        })
    });
    DataFrame::new(batch.rows(), columns.collect())
}

fn failed(path: &Path, error: &PolarsError) -> ExportError {
    ExportError::Parquet(format!("{}: {error}", path.display()))
}

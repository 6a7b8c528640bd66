//! One file of a data set, written a group of rows at a time.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use polars::error::{PolarsError, PolarsResult};
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{Column, DataFrame, NamedFrom, ParquetCompression, ParquetWriter, Series};

use super::cells::{Batch, Cells, word};
use super::{ExportError, Format, jsonl};

/// Rows of a row group; what a writer holds in memory at most, besides one batch.
const GROUP: usize = 1 << 17;

/// Writes one file. Nothing is there before the first row; a part without rows
/// leaves no file.
pub struct PartWriter {
    path: PathBuf,
    format: Format,
    held: Batch,
    rows: u64,
    sink: Option<Sink>,
}

/// How much was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Files: 1, or 0 if there were no rows.
    pub files: u64,
    /// Rows.
    pub rows: u64,
    /// Bytes.
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
    /// If they have other columns than those before, or writing fails.
    pub fn push(&mut self, rows: Batch) -> Result<(), ExportError> {
        self.held.append(rows)?;
        while self.held.rows() >= GROUP {
            let group = self.held.take(GROUP);
            self.write(&group)?;
        }
        Ok(())
    }

    /// Writes what is left and closes the file.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(mut self) -> Result<Written, ExportError> {
        if self.held.rows() > 0 {
            let group = std::mem::take(&mut self.held);
            self.write(&group)?;
        }
        let Some(sink) = self.sink else {
            return Ok(Written::default());
        };
        match sink {
            // The end of the footer flushes what the buffer holds.
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
        // The rename that makes the data set whole must not overtake its content.
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
                    // Parts are written side by side already.
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

/// A new file, in a folder that may be new too.
fn create(path: &Path) -> Result<BufWriter<File>, ExportError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(ExportError::file("make the folder", folder))?;
    }
    let file = File::create_new(path).map_err(ExportError::file("make", path))?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

/// A batch as the columnar engine has it.
fn frame(batch: &Batch) -> PolarsResult<DataFrame> {
    let columns = batch.columns().iter().map(|column| {
        let name = column.name.as_str().into();
        Column::from(match &column.cells {
            Cells::Indices(cells) => Series::new(name, cells),
            Cells::Numbers(cells) => Series::new(name, cells),
            Cells::Flags(cells) => Series::new(name, cells),
            Cells::Words { words, places } => {
                let cells = places.iter().map(|&place| word(words, place));
                Series::new(name, cells.collect::<Vec<_>>())
            }
            Cells::Texts(cells) => {
                let cells = cells.iter().map(Option::as_deref);
                Series::new(name, cells.collect::<Vec<_>>())
            }
        })
    });
    DataFrame::new(batch.rows(), columns.collect())
}

fn failed(path: &Path, error: &PolarsError) -> ExportError {
    ExportError::Parquet(format!("{}: {error}", path.display()))
}

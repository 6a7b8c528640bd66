//! Apache Parquet, compressed with Zstandard; and rows as a `DataFrame` of Polars, for programs in
//! Rust.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

#[cfg(feature = "polars")]
use polars::prelude::{Column, DataFrame, PolarsResult, Series};
use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_parquet::parquet::error::ParquetError;
use polars_parquet::parquet::metadata::SchemaDescriptor;
use polars_parquet::parquet::write::{FileWriter, WriteOptions as FileOptions};
use polars_parquet::write::{
    CompressionOptions, Compressor, DynIter, DynStreamingIterator, Encoding, KeyValue, ParquetType,
    StatisticsOptions, Version, WriteOptions, array_to_columns, to_parquet_type,
    write_metadata_sidecar,
};
use polars_parquet_format::SortingColumn;

use super::batch::{Batch, ColumnData, DataColumn, word};
use super::error::ExportError;
use super::puzzles::puzzle_columns;
use crate::mine::PuzzleRow;

/// Writes rows as Parquet, with the same columns as the CSV.
///
/// # Errors
/// [`ExportError::Parquet`] if writing fails.
pub fn write_parquet(sink: impl Write, rows: &[PuzzleRow]) -> Result<(), ExportError> {
    let rows = puzzle_columns(rows)?;
    let mut file = ParquetFile::new(Box::new(sink), &rows)?;
    file.write(&rows)?;
    file.finish(None, &[])
}

/// How pages are written.
const OPTIONS: WriteOptions = WriteOptions {
    statistics: StatisticsOptions {
        min_value: true,
        max_value: true,
        distinct_count: false,
        null_count: true,
        binary_statistics_truncate_length: None,
    },
    version: Version::V1,
    compression: CompressionOptions::Zstd(None),
    data_page_size: None,
};

/// The program, as the file names its writer.
const WRITER: &str = concat!("tesuji ", env!("CARGO_PKG_VERSION"));

/// A Parquet file that is written one row group at a time.
///
/// Types and encodings are chosen by column: indices are stored by their differences, other
/// values by a dictionary.
pub(super) struct ParquetFile<'s> {
    writer: FileWriter<Held<'s>>,
    hold: Arc<AtomicBool>,
    /// What the system says why nothing could be written, which the writer of the library may hide.
    reason: Arc<OnceLock<String>>,
    fields: Vec<ParquetType>,
}

impl<'s> ParquetFile<'s> {
    /// Begins a file with the columns of a batch.
    pub(super) fn new(sink: Box<dyn Write + 's>, columns: &Batch) -> Result<Self, ExportError> {
        let fields = columns.columns().iter().map(|column| {
            let (name, of) = (column.name.as_str(), stored(column).0);
            to_parquet_type(&Field::new(name.into(), of, column.nullable)).map_err(failed)
        });
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let schema = SchemaDescriptor::new("root".into(), fields.clone());
        let options = FileOptions {
            write_statistics: true,
            version: OPTIONS.version,
        };
        let held = Held::new(sink);
        Ok(Self {
            hold: Arc::clone(&held.hold),
            reason: Arc::clone(&held.reason),
            writer: FileWriter::new(held, schema, options, Some(WRITER.to_owned())),
            fields,
        })
    }

    /// Writes a row group.
    pub(super) fn write(&mut self, rows: &Batch) -> Result<(), ExportError> {
        let columns = rows.columns().iter().zip(&self.fields);
        let chunks = columns.map(|(column, field)| {
            let field = field.clone();
            let chunk = array_to_columns(array(column), field, OPTIONS, &[stored(column).1]);
            // A column that is not nested has one list of pages.
            let pages = chunk.map_err(failed)?.into_iter().flatten();
            let pages =
                pages.map(|page| page.map_err(|error| ParquetError::OutOfSpec(error.to_string())));
            let pages = Compressor::new(pages, OPTIONS.compression, Vec::new());
            Ok(DynStreamingIterator::new(pages))
        });
        let chunks = chunks.collect::<Result<Vec<_>, ExportError>>()?;
        let chunks = DynIter::new(chunks.into_iter().map(Ok::<_, ParquetError>));
        let written = self.writer.write(rows.rows() as u64, chunks);
        written.map_err(|error| self.reason.get().map_or_else(|| failed(error), failed))
    }

    /// Writes the footer with these keys and values, and flushes. The rows are sorted by the column
    /// `sorted_by`, if it is given and there.
    ///
    /// The writer of the library names no order of rows. So its footer is held back, and
    /// written again with the column that the rows are sorted by.
    pub(super) fn finish(
        mut self,
        sorted_by: Option<&str>,
        about: &[(String, String)],
    ) -> Result<(), ExportError> {
        let about = about.iter().cloned();
        let about = about.map(|(key, value)| KeyValue::new(key, value));
        // The bytes of a footer, without the magic number that begins a file.
        let footer = |metadata: &_| {
            let mut bytes = Vec::new();
            write_metadata_sidecar(&mut Held::new(Box::new(&mut bytes)), metadata)
                .map_err(failed)?;
            Ok::<_, ExportError>(bytes.split_off(4))
        };
        self.hold.store(true, Relaxed);
        self.writer.end(Some(about.collect())).map_err(failed)?;
        let (Held { mut sink, kept, .. }, mut metadata) = self.writer.into_inner_and_metadata();
        let indexes = kept.len().saturating_sub(footer(&metadata)?.len());
        let mut fields = self.fields.iter();
        let sorted = sorted_by.and_then(|name| fields.position(|field| field.name() == name));
        for group in &mut metadata.row_groups {
            group.sorting_columns = sorted.map(|column| {
                vec![SortingColumn {
                    column_idx: i32::try_from(column).unwrap_or(i32::MAX),
                    descending: false,
                    nulls_first: false,
                }]
            });
        }
        let end = [&kept[..indexes], &footer(&metadata)?].concat();
        let written = sink.write_all(&end).and_then(|()| sink.flush());
        written.map_err(failed)
    }
}

fn failed(error: impl Display) -> ExportError {
    ExportError::Parquet(error.to_string())
}

/// Where a file goes; what is written after `hold` is set is kept. The writer of the library is
/// large, so it is compiled for this sink alone.
struct Held<'s> {
    sink: Box<dyn Write + 's>,
    hold: Arc<AtomicBool>,
    reason: Arc<OnceLock<String>>,
    kept: Vec<u8>,
}

impl<'s> Held<'s> {
    fn new(sink: Box<dyn Write + 's>) -> Self {
        Self {
            sink,
            hold: Arc::default(),
            reason: Arc::default(),
            kept: Vec::new(),
        }
    }
}

impl Write for Held<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.hold.load(Relaxed) {
            self.kept.write(bytes)
        } else {
            self.sink.write(bytes).inspect_err(|error| {
                self.reason.get_or_init(|| error.to_string());
            })
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        // Who holds the end back writes and flushes it.
        if self.hold.load(Relaxed) {
            return Ok(());
        }
        self.sink.flush()
    }
}

/// The type of a column, and how it is encoded.
fn stored(column: &DataColumn) -> (ArrowDataType, Encoding) {
    match &column.values {
        ColumnData::Indices(_) => (ArrowDataType::Int64, Encoding::DeltaBinaryPacked),
        ColumnData::Numbers(_) => (ArrowDataType::Int32, Encoding::RleDictionary),
        ColumnData::Flags(_) => (ArrowDataType::Boolean, Encoding::Plain),
        ColumnData::Words { .. } | ColumnData::Texts(_) => {
            (ArrowDataType::Utf8View, Encoding::RleDictionary)
        }
    }
}

/// The values of a column as an Arrow array.
fn array(column: &DataColumn) -> Box<dyn Array> {
    match &column.values {
        ColumnData::Indices(values) => Box::new(PrimitiveArray::from(values.as_slice())),
        ColumnData::Numbers(values) => Box::new(PrimitiveArray::from(values.as_slice())),
        ColumnData::Flags(values) => Box::new(BooleanArray::from(values.as_slice())),
        ColumnData::Words { words, places } => {
            let values = places.iter().map(|&place| word(words, place));
            Box::new(Utf8ViewArray::from_slice(values.collect::<Vec<_>>()))
        }
        ColumnData::Texts(values) => Box::new(Utf8ViewArray::from_slice(values)),
    }
}

/// Batches with the same columns as one frame, with the names and types that they have in
/// Parquet. Each batch becomes a chunk, and its memory is given back.
///
/// Finds of a filter come as [`puzzle_columns`](super::puzzle_columns), states and moves from
/// a `TableSession`.
///
/// # Errors
/// If the columns differ from those of the first batch.
#[cfg(feature = "polars")]
pub fn data_frame(batches: impl IntoIterator<Item = Batch>) -> PolarsResult<DataFrame> {
    let mut all = DataFrame::empty();
    for batch in batches {
        let columns = batch.columns().iter().map(series);
        let frame = DataFrame::new(batch.rows(), columns.collect::<PolarsResult<_>>()?)?;
        if all.width() == 0 {
            all = frame;
        } else {
            all.vstack_mut(&frame)?;
        }
    }
    Ok(all)
}

#[cfg(feature = "polars")]
fn series(column: &DataColumn) -> PolarsResult<Column> {
    Ok(Series::from_arrow(column.name.as_str().into(), array(column))?.into())
}

//! Comma-separated values, with a header line.

use std::io::{BufRead, BufReader, Read, Write};

use csv::StringRecord;

use super::batch::{Batch, ColumnData, DataColumn, word};
use super::error::ExportError;
use super::puzzle_columns::{may_lack, puzzle_columns};
use crate::mine::PuzzleRow;

/// Writes rows as CSV, with a header line.
///
/// ```
/// use tesuji::export::{read_csv, write_csv};
///
/// let mut csv = Vec::new();
/// write_csv(&mut csv, &[])?;
/// assert!(csv.starts_with(b"puzzle_id,game,position,"));
/// assert!(read_csv(csv.as_slice())?.is_empty());
/// # Ok::<(), tesuji::export::ExportError>(())
/// ```
///
/// # Errors
/// [`ExportError::Csv`] or [`ExportError::Io`] if writing fails.
pub fn write_csv(sink: impl Write, rows: &[PuzzleRow]) -> Result<(), ExportError> {
    write_batch(sink, &puzzle_columns(rows)?)
}

/// Writes only these columns of rows as CSV, in this order. [`read_csv`] needs all
/// columns.
///
/// # Errors
/// [`ExportError::UnknownColumn`] if there is no such column, [`ExportError::Csv`] or
/// [`ExportError::Io`] if writing fails.
pub fn write_csv_columns(
    sink: impl Write,
    rows: &[PuzzleRow],
    columns: &[impl AsRef<str>],
) -> Result<(), ExportError> {
    let all = puzzle_columns(rows)?;
    let named = |name: &str| {
        let column = all.columns().iter().find(|column| column.name() == name);
        column.cloned().ok_or_else(|| ExportError::UnknownColumn {
            name: name.to_owned(),
            known: names(&all).collect::<Vec<_>>().join(", "),
        })
    };
    let columns = columns.iter().map(|name| named(name.as_ref()));
    write_batch(sink, &Batch::new(columns.collect::<Result<_, _>>()?)?)
}

fn names(batch: &Batch) -> impl Iterator<Item = &str> + Clone {
    batch.columns().iter().map(DataColumn::name)
}

/// Writes a batch as CSV, with a header line. A missing value is an empty field.
///
/// # Errors
/// [`ExportError::Csv`] or [`ExportError::Io`] if writing fails.
pub fn write_batch(sink: impl Write, batch: &Batch) -> Result<(), ExportError> {
    let mut writer = csv::Writer::from_writer(sink);
    writer.write_record(names(batch))?;
    for row in 0..batch.rows() {
        writer.write_record(batch.columns().iter().map(|column| match column.values() {
            ColumnData::Indices(values) => {
                values[row].map_or_else(String::new, |value| value.to_string())
            }
            ColumnData::Numbers(values) => {
                values[row].map_or_else(String::new, |value| value.to_string())
            }
            ColumnData::Flags(values) => {
                values[row].map_or_else(String::new, |value| value.to_string())
            }
            ColumnData::Words { words, places } => {
                word(words, places[row]).unwrap_or_default().to_owned()
            }
            ColumnData::Texts(values) => values[row].clone().unwrap_or_default(),
        }))?;
    }
    writer.flush()?;
    Ok(())
}

/// The most bytes of a field that is read: what is longer is no part of a puzzle, and could
/// not be drawn.
const MOST_FIELD: usize = 1 << 14;

/// Reads rows from CSV as [`write_csv`] writes it, in this version or an earlier one. The
/// columns may be in any order.
///
/// # Errors
/// [`ExportError::Header`] if a column is missing or unknown, [`ExportError::Csv`] if the
/// text is malformed or a field has the wrong type, [`ExportError::Long`] if a field has more
/// than 16 KiB; the message names line and field.
pub fn read_csv(source: impl Read) -> Result<Vec<PuzzleRow>, ExportError> {
    let mut reader = reader(source)?;
    // Checked here, since a missing column of optional values would read as one of empty
    // values.
    let header = reader.headers()?.iter();
    // What tables of earlier versions call them.
    let header = header.map(|name| match name {
        "n_shortest" => "n_best",
        "table_index" => "slot",
        name => name,
    });
    let all = puzzle_columns(&[])?;
    let has = |name: &str| header.clone().any(|there| there == name);
    let mut missing = names(&all).filter(|name| !has(name) && !may_lack(name, has));
    if let Some(name) = missing.next() {
        return Err(ExportError::Header(format!("column '{name}' is missing")));
    }
    if let Some(name) = header
        .clone()
        .find(|name| !names(&all).any(|known| known == *name))
    {
        return Err(ExportError::Header(format!("unknown column '{name}'")));
    }
    let header = reader.headers()?.clone();
    let rows = reader.records().map(|record| {
        let record = record?;
        bounded(&record, &header)?;
        Ok(record.deserialize(Some(&header))?)
    });
    rows.collect()
}

/// A reader of a file that is CSV, not Parquet.
pub(super) fn reader(source: impl Read) -> Result<csv::Reader<impl Read>, ExportError> {
    let mut source = BufReader::new(source);
    if source.fill_buf()?.starts_with(b"PAR1") {
        return Err(ExportError::NotCsv);
    }
    Ok(csv::Reader::from_reader(source))
}

/// Refuses a row with a field that is too long.
pub(super) fn bounded(record: &StringRecord, header: &StringRecord) -> Result<(), ExportError> {
    let mut fields = record.iter().zip(header);
    let long = fields.find(|(field, _)| field.len() > MOST_FIELD);
    let Some((_, column)) = long else {
        return Ok(());
    };
    let line = record.position().map_or(0, csv::Position::line);
    let column = column.to_owned();
    Err(ExportError::Long { line, column })
}

//! Comma-separated values, with a header line.

use std::io::{Read, Write};

use super::batch::{Batch, ColumnData, word};
use super::error::ExportError;
use crate::mine::PuzzleRow;

/// The columns in order.
const HEADER: [&str; 25] = [
    "puzzle_id",
    "game",
    "position",
    "forbidden",
    "side",
    "stipulation",
    "outcome",
    "plies",
    "plies_to_checkmate",
    "key",
    "solution",
    "n_moves",
    "n_winning",
    "n_best",
    "uniqueness",
    "soundness",
    "n_tries",
    "variations",
    "themes",
    "score",
    "difficulty",
    "similar",
    "filter",
    "table_index",
    "table_fingerprint",
];

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
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(sink);
    writer.write_record(HEADER)?;
    for row in rows {
        writer.serialize(row)?;
    }
    writer.flush()?;
    Ok(())
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
    let place = |name: &str| {
        let place = HEADER.iter().position(|column| *column == name);
        place.ok_or_else(|| ExportError::UnknownColumn {
            name: name.to_owned(),
            known: HEADER.join(", "),
        })
    };
    let places = columns
        .iter()
        .map(|name| place(name.as_ref()))
        .collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::new();
    write_csv(&mut all, rows)?;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(&all[..]);
    let mut writer = csv::Writer::from_writer(sink);
    for record in reader.records() {
        let record = record?;
        writer.write_record(places.iter().map(|&place| &record[place]))?;
    }
    writer.flush()?;
    Ok(())
}

/// Writes a batch as CSV, with a header line. A missing value is an empty field.
///
/// # Errors
/// [`ExportError::Csv`] or [`ExportError::Io`] if writing fails.
pub fn write_batch(sink: impl Write, batch: &Batch) -> Result<(), ExportError> {
    let mut writer = csv::Writer::from_writer(sink);
    writer.write_record(batch.columns().iter().map(|column| &column.name))?;
    for row in 0..batch.rows() {
        writer.write_record(batch.columns().iter().map(|column| match &column.values {
            ColumnData::Indices(values) => values[row].to_string(),
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

/// Reads rows from CSV as [`write_csv`] writes it, in this version or an earlier one. The
/// columns may be in any order.
///
/// # Errors
/// [`ExportError::Header`] if a column is missing or unknown, [`ExportError::Csv`] if the
/// text is malformed or a field has the wrong type; the message names line and field.
pub fn read_csv(source: impl Read) -> Result<Vec<PuzzleRow>, ExportError> {
    let mut reader = csv::Reader::from_reader(source);
    // Checked here, since a missing column of optional values would read as one of empty
    // values.
    let header = reader.headers()?.iter();
    // What tables of earlier versions call it.
    let header = header.map(|name| if name == "n_shortest" { "n_best" } else { name });
    let missing = |name: &&&str| header.clone().all(|h| h != **name);
    if let Some(name) = HEADER.iter().find(missing) {
        return Err(ExportError::Header(format!("column '{name}' is missing")));
    }
    if let Some(name) = header.clone().find(|name| !HEADER.contains(name)) {
        return Err(ExportError::Header(format!("unknown column '{name}'")));
    }
    reader.deserialize().map(|row| Ok(row?)).collect()
}

//! JSON Lines: one JSON object a row.

use std::io::Write;

#[cfg(feature = "parquet")]
use super::batch::{Batch, ColumnData, word};
use super::error::ExportError;
use crate::mine::PuzzleRow;

/// Writes rows as JSON Lines, with the same columns as the CSV.
///
/// # Errors
/// [`ExportError::Io`] if writing fails.
pub fn write_jsonl(mut sink: impl Write, rows: &[PuzzleRow]) -> Result<(), ExportError> {
    for row in rows {
        serde_json::to_writer(&mut sink, row).map_err(std::io::Error::from)?;
        sink.write_all(b"\n")?;
    }
    sink.flush()?;
    Ok(())
}

/// Writes the rows of a batch; a missing value becomes `null`.
#[cfg(feature = "parquet")]
pub(super) fn write_batch(sink: &mut impl Write, batch: &Batch) -> std::io::Result<()> {
    let mut keys = Vec::new();
    for (place, column) in batch.columns().iter().enumerate() {
        let lead = if place == 0 { '{' } else { ',' };
        keys.push(format!("{lead}{}:", serde_json::to_string(column.name())?));
    }
    for row in 0..batch.rows() {
        for (key, column) in keys.iter().zip(batch.columns()) {
            sink.write_all(key.as_bytes())?;
            match column.values() {
                ColumnData::Indices(values) => write_json(sink, values[row].as_ref())?,
                ColumnData::Numbers(values) => write_json(sink, values[row].as_ref())?,
                ColumnData::Flags(values) => write_json(sink, values[row].as_ref())?,
                ColumnData::Words { words, places } => write_json(sink, word(words, places[row]))?,
                ColumnData::Texts(values) => write_json(sink, values[row].as_deref())?,
            }
        }
        sink.write_all(b"}\n")?;
    }
    Ok(())
}

#[cfg(feature = "parquet")]
fn write_json<T: serde::Serialize + ?Sized>(
    sink: &mut impl Write,
    value: Option<&T>,
) -> std::io::Result<()> {
    Ok(serde_json::to_writer(sink, &value)?)
}

//! Exporting finds: inert rows, one format a file.

mod csv;
mod parquet;
mod row;

use thiserror::Error;

pub use csv::{read_csv, write_csv};
pub use parquet::write_parquet;
pub use row::PuzzleRow;

/// Why rows cannot be written or read.
#[derive(Debug, Error)]
pub enum ExportError {
    /// CSV that cannot be written, or read: the message names line and field.
    #[error("the CSV is malformed or cannot be written: {0}")]
    Csv(#[from] ::csv::Error),
    /// The header line of a CSV is not that of puzzle rows.
    #[error("line 1 of the CSV must name the columns of a puzzle row, but {0}")]
    Header(String),
    /// Writing failed.
    #[error("the rows cannot be written: {0}")]
    Io(#[from] std::io::Error),
    /// The Parquet writer failed.
    #[error("the Parquet file cannot be written: {0}")]
    Parquet(String),
}

//! Exporting finds and whole tables: inert rows and columns, one format a file.

mod cells;
mod csv;
mod dataset;
mod jsonl;
mod parquet;
mod part;

use std::path::{Path, PathBuf};

use thiserror::Error;

pub use cells::{Batch, Cells, DataColumn};
pub use csv::{read_csv, write_batch, write_csv, write_csv_columns};
pub use dataset::{DataSet, Format};
pub use jsonl::write_jsonl;
pub use parquet::write_parquet;
pub use part::{PartWriter, Written};

/// Why rows cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
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
    /// A file or folder of a data set cannot be made, written or moved.
    #[error("cannot {what} {path}: {source}", path = .path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder of a data set may not be taken.
    #[error("{path} {why}", path = .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why, and what to do.
        why: &'static str,
    },
    /// The place cannot be written to, or another process is writing there.
    #[error(transparent)]
    Place(#[from] crate::base::files::FileError),
    /// Batches of rows that do not fit each other.
    #[error("the column '{0}' has another type or number of cells than the rows before")]
    Columns(String),
}

impl ExportError {
    /// Makes an error of what the system said of a file.
    fn file(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { what, path, source }
    }
}

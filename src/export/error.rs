//! Why an export fails.

use thiserror::Error;

/// Why rows cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A CSV file cannot be read or written.
    #[error("not a CSV file from 'tesuji mine': {0}")]
    Csv(#[from] ::csv::Error),
    /// A line of a CSV file is no puzzle.
    #[error("line {line}: {why}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong there, with the column, and what to do.
        why: String,
    },
    /// The header line of a CSV file does not name the columns of puzzle rows.
    #[error("line 1 of the CSV must name the columns of a puzzle row: {0}")]
    Header(String),
    /// Puzzle rows do not have this column, the file is not CSV but Parquet, or a data set cannot
    /// be written to this folder.
    #[error("{0}")]
    Refused(String),
    /// Writing failed.
    #[error("cannot write the rows: {0}")]
    Io(#[from] std::io::Error),
    /// The Parquet writer failed.
    #[error("cannot write the Parquet file: {0}")]
    Parquet(String),
    /// A file or folder cannot be created, read, written or moved, or another process is writing
    /// there.
    #[error(transparent)]
    Place(#[from] crate::base::files::FileError),
    /// A column differs in type or length from the rows before or from other columns.
    #[error("column '{0}' differs in type or number of values from the rows before it")]
    Columns(String),
    /// A column that must have a value in every row misses one.
    #[error("column '{0}' misses a value, and it is declared to have one in every row")]
    Missing(String),
}

impl ExportError {
    /// The error, with the file that could not be written.
    #[cfg(feature = "parquet")]
    pub(super) fn of(self, path: &std::path::Path) -> Self {
        match self {
            Self::Parquet(what) => Self::Parquet(format!("{}: {what}", path.display())),
            error => error,
        }
    }
}

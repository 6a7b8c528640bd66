//! What can go wrong while mining.

use thiserror::Error;

use crate::game::NotationError;
use crate::solve::belief::SearchError;
use crate::table::TableError;

/// Why a filter cannot be used or a scan not finished.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MineError {
    /// The filter file cannot be read.
    #[error("the filter {file} cannot be read: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no filter of this name.
    #[error(
        "unknown filter '{name}': the filters for {family} are {}; or give a TOML file", .known.join(", ")
    )]
    Unknown {
        /// The name.
        name: String,
        /// The family of games.
        family: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No filters come with the program for these games.
    #[error("there are no filters for {0} in the program; give one with --filter FILE")]
    NoneShipped(String),
    /// The filter is not what a filter file must be.
    #[error("the filter {file} is malformed: {message}")]
    Malformed {
        /// The file.
        file: String,
        /// What and where.
        message: String,
    },
    /// The predicate is no SQL expression.
    #[error(
        "filter {filter}: the predicate cannot be understood: {message}\n  {predicate}\nwrite a SQL condition over the columns that 'tesuji features' lists"
    )]
    Sql {
        /// The filter.
        filter: String,
        /// Its predicate.
        predicate: String,
        /// What the parser or the type checker said.
        message: String,
    },
    /// A column that does not exist.
    #[error("filter {filter}: there is no column '{column}'{}; 'tesuji features' lists them all", nearest(.near))]
    Column {
        /// The filter.
        filter: String,
        /// The unknown column.
        column: String,
        /// Columns with similar names.
        near: Vec<String>,
    },
    /// An example position is not one.
    #[error("filter {filter}: the example {position:?} is not a position of {game}: {source}")]
    Example {
        /// The filter.
        filter: String,
        /// The position.
        position: String,
        /// The game's spec.
        game: String,
        /// What is wrong with it.
        source: NotationError,
    },
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A search gave no answer.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The columnar engine failed.
    #[error("evaluating the predicate of filter {filter} failed: {message}")]
    Engine {
        /// The filter.
        filter: String,
        /// What it said.
        message: String,
    },
    /// Stopped on request.
    #[error("stopped on request")]
    Cancelled,
}

fn nearest(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!(", did you mean {}?", names.join(" or "))
}

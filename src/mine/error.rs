//! Errors of mining.

use thiserror::Error;

use crate::analysis::lures::LureError;
use crate::game::NotationError;
use crate::solve::belief::SearchError;
use crate::table::TableError;

/// An error of a filter or a scan.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MineError {
    /// The filter file cannot be read.
    #[error("cannot read filter {file}: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// The cause.
        source: std::io::Error,
    },
    /// There is no filter of this name; a find of one is not what the filter is for, so that the
    /// condition must ask for more; or memory is short.
    #[error("{0}")]
    Refused(String),
    /// The filter file is invalid.
    #[error("invalid filter {file}: {message}")]
    Malformed {
        /// The file.
        file: String,
        /// What is wrong, and where.
        message: String,
    },
    /// The condition is not one. The message has the place and what would be right.
    #[error("filter {filter}: {source}")]
    Condition {
        /// The filter.
        filter: String,
        /// The condition, the place, and what is wrong there.
        source: NotationError,
    },
    /// The partial diagram is none of the game.
    #[error("filter {filter}: invalid pattern: {source}")]
    Pattern {
        /// The filter.
        filter: String,
        /// The pattern, the place, and what is wrong there.
        source: NotationError,
    },
    /// A column of the order that does not exist.
    #[error("filter {filter}: unknown column '{column}' in the order{}; 'tesuji features' lists all columns", suggested(.near))]
    Column {
        /// The filter.
        filter: String,
        /// The unknown column.
        column: String,
        /// Columns with similar names.
        near: Vec<String>,
    },
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Lures cannot be found.
    #[error(transparent)]
    Lure(LureError),
    /// A search was given up.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The work was cancelled.
    #[error("stopped on request")]
    Cancelled,
}

impl From<LureError> for MineError {
    fn from(error: LureError) -> Self {
        match error {
            LureError::Table(error) => Self::Table(error),
            LureError::Cancelled => Self::Cancelled,
            other => Self::Lure(other),
        }
    }
}

fn suggested(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!(", did you mean {}?", names.join(" or "))
}

/// Up to three names that are similar to an unknown one, the most similar first. Lower and
/// upper case count as the same.
pub(crate) fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // The distance takes the product of the lengths: of a long name the beginning will do.
    let unknown: String = unknown.chars().take(64).collect::<String>().to_lowercase();
    let far = |name: &str| {
        3.min(name.chars().count() / 2)
            .max(name.chars().count() / 3)
    };
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&unknown, &name.to_lowercase()),
                name,
            )
        })
        .filter(|&(distance, name)| distance <= far(name))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

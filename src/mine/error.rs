//! Errors of mining.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::analysis::lures::LureError;
use crate::game::NotationError;
use crate::table::TableError;

/// An error of a filter or a scan.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MineError {
    /// A filter cannot be read, or there is none of this name; a column of its order does not
    /// exist; a find of one is not what the filter is for, so that the condition must ask for more;
    /// or memory is short.
    #[error("{0}")]
    Refused(String),
    /// The condition is not one, or the partial diagram is none of the game.
    #[error("filter {what}: {source}")]
    Text {
        /// The filter, and what of it is wrong.
        what: String,
        /// The text, the place, and what is wrong there.
        source: NotationError,
    },
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Lures cannot be found.
    #[error(transparent)]
    Lure(LureError),
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

/// Up to three names that are similar to an unknown one, the most similar first. Lower and
/// upper case count as the same.
pub(crate) fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // The distance takes the product of the lengths: of a long name the beginning will do.
    let unknown: String = unknown.chars().take(64).collect::<String>().to_lowercase();
    let far = |name: &str| {
        let length = name.chars().count();
        3.min(length / 2).max(length / 3)
    };
    let near = known.into_iter().filter_map(|name| {
        let distance = strsim::damerau_levenshtein(&unknown, &name.to_lowercase());
        (distance <= far(name)).then_some((distance, name))
    });
    let near: BTreeSet<_> = near.collect();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

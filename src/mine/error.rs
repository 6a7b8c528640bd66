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
    /// There is no filter of this name.
    #[error(
        "unknown filter '{name}': the filters for {family} are {}; or give a TOML file", .known.join(", ")
    )]
    Unknown {
        /// The name.
        name: String,
        /// The family of games.
        family: String,
        /// The names of the family's filters.
        known: Vec<String>,
    },
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
    /// A find of a filter against a player who looks ahead is no swindle.
    #[error(
        "filter {filter}: no move forces a mistake of a player who looks {depth} ahead in {position}; add 'swindle_{depth} IS NOT NULL' to the condition"
    )]
    NoSwindle {
        /// The filter.
        filter: String,
        /// How many plies ahead the player looks.
        depth: u8,
        /// The find.
        position: String,
    },
    /// A find of a filter for mates is no mate.
    #[error(
        "filter {filter}: the shortest win is no mate by checks alone in {position}; add 'outcome = 'win' AND mate = plies - {after}' to the condition"
    )]
    NoMate {
        /// The filter.
        filter: String,
        /// The plies of a game after the mating move.
        after: u16,
        /// The find.
        position: String,
    },
    /// A search was given up.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The operating system could not provide the memory.
    #[error(
        "cannot allocate {bytes} bytes; choose a smaller game or use a machine with more memory"
    )]
    Memory {
        /// Bytes requested.
        bytes: u64,
    },
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

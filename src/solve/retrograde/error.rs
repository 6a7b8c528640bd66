//! Why solving can fail.

use std::io;

use thiserror::Error;

/// Why a group could not be solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The operating system gave no memory.
    #[error(
        "no memory for {positions} positions ({bytes} bytes): {source}; choose a smaller game or a larger machine"
    )]
    Memory {
        /// Positions of the group.
        positions: u64,
        /// Bytes asked for.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// A distance is longer than a value can say.
    #[error("a distance exceeds {longest} plies, the most that this width of values can say")]
    TooLong {
        /// The longest distance, in plies to checkmate, that fits.
        longest: u16,
    },
    /// A checkpoint could not be kept.
    #[error("no checkpoint could be kept: {0}")]
    SnapshotSink(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A checkpoint is of something else.
    #[error("the checkpoint does not fit the game: remove it to begin anew")]
    Stage,
    /// The work was stopped on request.
    #[error("stopped before the end, as asked")]
    Cancelled,
}

//! Why solving can fail.

use std::io;

use thiserror::Error;

/// An error of the solver.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The operating system could not provide the memory.
    #[error(
        "cannot allocate {bytes} bytes for {positions} positions: {source}; choose a smaller game or use a machine with more memory"
    )]
    Memory {
        /// Number of positions in the group.
        positions: u64,
        /// Bytes requested.
        bytes: u64,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A distance does not fit the width of values.
    #[error("a distance exceeds {longest} plies, the longest that this width of values can store")]
    TooLong {
        /// The longest distance, in plies to checkmate, that fits.
        longest: u16,
    },
    /// A snapshot could not be saved.
    #[error("cannot save a checkpoint: {0}")]
    Snapshot(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The state to resume from does not belong to this game.
    #[error("the checkpoint does not match the game; remove it to start over")]
    Stage,
    /// The work was cancelled.
    #[error("stopped on request")]
    Cancelled,
}

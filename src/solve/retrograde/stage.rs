//! Snapshots of a group that is being solved, and why solving can fail.

use std::error::Error;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::base::progress::Progress;
use crate::game::MostMoves;
use crate::solve::codes::Codes;
use crate::solve::memory::OutOfMemory;
use crate::solve::words::Words;

/// How far a group is solved between two passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageHead {
    /// The distance of the next pass.
    pub depth: u16,
    /// The furthest distance known so far.
    pub furthest: u16,
    /// Whether some value is irregular.
    pub irregular: bool,
    /// Whether the group is solved by rows.
    pub rows: bool,
    /// Number of working records.
    #[serde(rename = "cells")]
    pub words: u64,
}

/// The state of a group between two passes, except its working records. Together with these
/// and the table of the groups before it, this is all that
/// [`Solver::resume`](super::Solver::resume) needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stage {
    /// Number of the group.
    pub group: usize,
    /// How far the group is solved.
    pub head: StageHead,
    /// For each chunk of positions, the distances still to be visited, as bit sets.
    pub due: Vec<u64>,
    /// Slots of symmetric positions with the codes of their floors, if any.
    pub symmetric: Vec<(u64, Option<u16>)>,
}

/// Saves snapshots while a group is being solved.
pub trait SnapshotSink {
    /// Whether it is time for the next snapshot. Called before each pass.
    fn is_due(&self) -> bool;

    /// Saves a snapshot, with the working records of all positions of the group, in place of
    /// the previous one.
    ///
    /// # Errors
    /// If it cannot be saved; the solver then stops with [`SolveError::Snapshot`](super::SolveError::Snapshot).
    fn save(&mut self, stage: &Stage, records: &Words) -> Result<(), Box<dyn Error + Send + Sync>>;
}

pub(in crate::solve) type Result<T, E = SolveError> = std::result::Result<T, E>;

/// An error of the solver.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The operating system could not provide the memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A distance, in plies to checkmate, is longer than this, which is the longest that fits the
    /// width of values.
    #[error("a distance exceeds {0} plies, the longest that this width of values can store")]
    TooLong(u16),
    /// Positions have more moves than words of this width hold.
    #[error(
        "a position may have {} moves within its group, and moves have numbers below {}: more than narrow values hold; solve with wide ones", .0.within, .0.numbers
    )]
    Moves(MostMoves),
    /// A snapshot could not be saved.
    #[error("cannot save a checkpoint: {0}")]
    Snapshot(#[source] Box<dyn Error + Send + Sync>),
    /// The state to resume from does not belong to this game.
    #[error("the checkpoint does not fit the game; give --restart to start over")]
    Stage,
    /// The work was cancelled.
    #[error("stopped on request")]
    Cancelled,
}

pub(in crate::solve) struct GroupRun<'a> {
    pub number: usize,
    /// The best values of earlier groups; dropped as soon as nobody needs them.
    pub earlier: &'a mut Option<Codes>,
    /// Whether no other group follows.
    pub last: bool,
    pub begun: Option<(Stage, Words)>,
    /// The memory to solve in, if it is bounded.
    pub memory: Option<u64>,
    pub progress: &'a dyn Progress,
    pub sink: Option<&'a mut dyn SnapshotSink>,
}

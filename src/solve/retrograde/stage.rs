//! Snapshots of a group that is being solved.

use std::error::Error;

use super::super::words::Records;

/// The state of a group between two passes, except its working records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stage {
    /// Number of the group.
    pub group: usize,
    /// Whether the group is solved by rows.
    pub rows: bool,
    /// The distance of the next pass.
    pub depth: u16,
    /// The furthest distance known so far.
    pub furthest: u16,
    /// Whether some value is irregular.
    pub irregular: bool,
    /// For each chunk of positions, the distances still to be visited, as bit sets.
    pub due: Vec<u64>,
    /// Slots of symmetric positions with the codes of their floors, if any.
    pub symmetric: Vec<(u64, Option<u16>)>,
}

/// The state of a group between two passes. Together with the table of the groups before
/// it, this is all that [`Solver::resume`](super::Solver::resume) needs.
#[derive(Debug)]
pub struct Snapshot<'s> {
    pub(super) stage: Stage,
    pub(super) records: Records<'s>,
}

impl Snapshot<'_> {
    /// Everything except the working records.
    #[must_use]
    pub const fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The working records of all positions of the group, in the order of their slots.
    #[must_use]
    pub const fn records(&self) -> &Records<'_> {
        &self.records
    }
}

/// Saves snapshots while a group is being solved.
pub trait SnapshotSink {
    /// Whether it is time for the next snapshot. Called before each pass.
    fn is_due(&self) -> bool;

    /// Saves a snapshot in place of the previous one.
    ///
    /// # Errors
    /// If it cannot be saved; the solver then stops with [`SolveError::Snapshot`](super::SolveError::Snapshot).
    fn save(&mut self, snapshot: &Snapshot<'_>) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Saves no snapshots.
#[derive(Debug, Clone, Copy)]
pub struct NoSnapshots;

impl SnapshotSink for NoSnapshots {
    fn is_due(&self) -> bool {
        false
    }

    fn save(&mut self, _snapshot: &Snapshot<'_>) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }
}

//! How far the solver is within a group: what a checkpoint has to hold.

use std::error::Error;

use super::super::memory::WordArray;
use super::super::word::WordWidth;

/// A group between two passes, without its words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stage {
    /// The group.
    pub group: usize,
    /// The distance that the next pass tells.
    pub depth: u16,
    /// The furthest distance known so far.
    pub furthest: u16,
    /// Whether some value is irregular.
    pub irregular: bool,
    /// For each chunk of words, the distances at which it has news, as bit sets.
    pub due: Vec<u64>,
    /// Slots of symmetric positions with the codes of their floors, if any.
    pub symmetric: Vec<(u64, Option<u16>)>,
}

/// A group between two passes. Together with the table of the groups before it,
/// this is all that the solver needs to go on later.
#[derive(Debug)]
pub struct Snapshot<'s, W: WordWidth> {
    pub(super) stage: Stage,
    pub(super) words: &'s WordArray<W::Atom>,
}

impl<W: WordWidth> Snapshot<'_, W> {
    /// All but the words.
    #[must_use]
    pub const fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The working record of every position, as bits.
    #[must_use]
    pub const fn words(&self) -> &WordArray<W::Atom> {
        self.words
    }
}

/// Someone who keeps snapshots.
pub trait SnapshotSink<W: WordWidth> {
    /// Whether it is time for the next one.
    fn is_due(&self) -> bool;

    /// Keeps a snapshot in place of the one before.
    ///
    /// # Errors
    /// If that is not possible; the solver then stops.
    fn keep(&mut self, snapshot: &Snapshot<'_, W>) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy)]
pub struct NoSnapshots;

impl<W: WordWidth> SnapshotSink<W> for NoSnapshots {
    fn is_due(&self) -> bool {
        false
    }

    fn keep(&mut self, _snapshot: &Snapshot<'_, W>) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }
}

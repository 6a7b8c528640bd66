//! How far the solver is within a group: what a checkpoint has to hold.

use std::error::Error;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64};

use super::super::memory::Cells;
use super::super::work::Cell;
use super::group::Group;
use crate::base::value::Value;
use crate::game::Retrograde;

/// A group between two passes, without its cells.
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
    /// For each chunk of cells, the distances at which it has news, as bit sets.
    pub due: Vec<u64>,
    /// Slots of symmetric positions with the codes of their floors, if any.
    pub symmetric: Vec<(u64, Option<u16>)>,
}

/// A group between two passes. Together with the table of the groups before it,
/// this is all that the solver needs to go on later.
#[derive(Debug)]
pub struct Snapshot<'s, W> {
    stage: Stage,
    cells: &'s Cells<W>,
}

impl<W: Cell> Snapshot<'_, W> {
    /// All but the cells.
    #[must_use]
    pub const fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The working record of every position, as bits.
    #[must_use]
    pub const fn cells(&self) -> &Cells<W> {
        self.cells
    }
}

/// Someone who keeps snapshots.
pub trait Keeper<W> {
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
pub struct Forgetful;

impl<W> Keeper<W> for Forgetful {
    fn is_due(&self) -> bool {
        false
    }

    fn keep(&mut self, _snapshot: &Snapshot<'_, W>) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }
}

impl<G: Retrograde, W: Cell> Group<'_, G, W> {
    /// The group as it stands before the pass of distance `depth`.
    pub(super) fn snapshot(&self, group: usize, depth: u16) -> Snapshot<'_, W> {
        Snapshot {
            stage: Stage {
                group,
                depth,
                furthest: self.furthest.load(Relaxed),
                irregular: self.irregular.load(Relaxed),
                due: self.due.iter().map(|word| word.load(Relaxed)).collect(),
                symmetric: self
                    .symmetric
                    .iter()
                    .map(|&(slot, floor)| (slot, floor.map(Value::code)))
                    .collect(),
            },
            cells: &self.cells,
        }
    }

    /// Puts a group back where a snapshot was taken; false if the snapshot is not
    /// one of this group.
    pub(super) fn restore(&mut self, stage: Stage, cells: Cells<W>) -> bool {
        let fits = stage.due.len() == self.due.len()
            && cells.cells().len() == self.cells.cells().len()
            && stage.furthest <= W::LONGEST
            && stage
                .symmetric
                .iter()
                .all(|(slot, _)| self.slots.contains(slot));
        if fits {
            self.furthest = AtomicU16::new(stage.furthest);
            self.irregular = AtomicBool::new(stage.irregular);
            self.due = stage.due.into_iter().map(AtomicU64::new).collect();
            self.symmetric = stage
                .symmetric
                .into_iter()
                .map(|(slot, floor)| (slot, floor.map(Value::from_code)))
                .collect();
            self.cells = cells;
        }
        fits
    }
}

//! A scan in progress, block by block.

use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

mod duals;
mod groups;

use duals::refuse_duals;

use super::error::MineError;
use super::estimates::Estimates;
use super::frame::Minable;
use super::kept::Kept;
use super::plan::{Admitted, Plan};
use super::predicate::Task;
use super::rows::{Duals, Source};
use super::scope::Scope;
use super::solved::Solved;
use crate::base::progress::Progress;
use crate::base::{random, threads};
use crate::table::Block;

/// States that are processed together.
const BATCH: usize = 1 << 13;

pub(super) struct Runs<'a, G: Minable> {
    /// That of the filters that refuse wins whose main lines have duals, if these can be found out
    /// before.
    pub without_duals: Run<'a, G>,
    pub others: Run<'a, G>,
}

pub(super) struct Run<'a, G: Minable> {
    pub plan: &'a Plan<'a, G>,
    pub source: &'a Solved<'a>,
    pub tasks: &'a [Task<'a>],
    pub scope: &'a Scope,
    pub kept: &'a [Mutex<Kept<G::State>>],
    pub progress: &'a dyn Progress,
    /// Estimates reported while scanning, and the numbers of the tasks there.
    pub estimates: Option<(&'a Estimates<'a, G>, &'a [usize])>,
}

impl<G: Minable> Runs<'_, G> {
    /// Scans all blocks in the scope: row by row first, if that can refuse positions.
    pub(super) fn all(self, game: &G) -> Result<(), MineError> {
        if !self.others.scope.has_rows() || !self.others.source.has_narrow_values() {
            return self.plain();
        }
        match game.by_rows(self) {
            Ok(done) => done,
            Err(runs) => runs.plain(),
        }
    }

    fn plain(&self) -> Result<(), MineError> {
        for run in [&self.others, &self.without_duals] {
            run.plain(&run.within(0..u64::MAX), None)?;
        }
        Ok(())
    }
}

impl<G: Minable> Run<'_, G> {
    /// Scans some blocks position by position, given what is known of main lines.
    fn plain(&self, blocks: &[usize], duals: Option<&Duals>) -> Result<(), MineError> {
        let source = Source {
            solved: self.source,
            rates: None,
            duals,
        };
        self.blocks(blocks, source, |block, admitted| {
            refuse_duals(duals, block, admitted);
        })
    }

    /// The blocks in the scope that begin in a range of slots; none if there are no filters.
    fn within(&self, slots: Range<u64>) -> Vec<usize> {
        let table = self.source.table();
        if self.tasks.is_empty() {
            return Vec::new();
        }
        let mut blocks: Vec<_> = (0..table.blocks())
            .filter(|&number| {
                let block = table.slots_of(number);
                slots.contains(&block.start) && self.scope.has_block(&block)
            })
            .collect();
        if self.estimates.is_some() {
            // What has been scanned is an even sample then, whenever the scan is stopped.
            blocks.sort_unstable_by_key(|&number| random::spread(number as u64));
        }
        blocks
    }

    /// Scans some blocks with values from `source`; `narrow` may first take away positions
    /// that no filter admits.
    fn blocks(
        &self,
        blocks: &[usize],
        source: Source<'_>,
        narrow: impl Fn(&Block<'_>, &mut Vec<(usize, Admitted)>) + Sync,
    ) -> Result<(), MineError> {
        if blocks.is_empty() {
            return Ok(());
        }
        let table = self.source.table();
        let slots = blocks.iter().map(|&number| table.slots_of(number));
        let total = slots.map(|slots| slots.end - slots.start).sum();
        self.progress.begin("scanning", total);
        in_parallel(blocks, |number| {
            if self.progress.cancelled() {
                return Err(MineError::Cancelled);
            }
            let block = table.block(number)?;
            let mut admitted = self.admit(&block);
            narrow(&block, &mut admitted);
            self.block(&block, source, admitted)?;
            table.forget(number);
            Ok(())
        })
    }

    /// Looks at the positions of a block that filters may admit.
    fn block(
        &self,
        block: &Block<'_>,
        source: Source<'_>,
        admitted: Vec<(usize, Admitted)>,
    ) -> Result<(), MineError> {
        let parts = self.kept.iter().map(|kept| {
            let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.part()
        });
        let mut found: Vec<Kept<G::State>> = parts.collect();
        let mut states = Vec::new();
        for (place, admitted) in admitted {
            let slot = block.slots().start + place as u64;
            let position = (slot, block.record(place));
            self.plan.enter(position, admitted, self.scope, &mut states);
            if states.len() >= BATCH {
                let states = std::mem::take(&mut states);
                self.plan.run(source, states, &mut found)?;
            }
        }
        self.plan.run(source, states, &mut found)?;
        let slots = block.slots();
        if let Some((estimates, numbers)) = self.estimates {
            for (&number, found) in numbers.iter().zip(&found) {
                estimates.scanned(number, &slots, found);
            }
            estimates.tell(self.progress);
        }
        for ((kept, found), &(predicate, limit)) in self.kept.iter().zip(found).zip(self.tasks) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(found, predicate, limit);
        }
        self.progress.advance(slots.end - slots.start);
        Ok(())
    }

    /// The positions of a block in the scope that filters may admit by their records.
    fn admit(&self, block: &Block<'_>) -> Vec<(usize, Admitted)> {
        let mut admitted = self.plan.admit(block);
        let first = block.slots().start;
        admitted.retain(|&(place, _)| self.scope.has_slot(first + place as u64));
        admitted
    }
}

/// Calls `work` with every number, on threads [beside the pool](threads::beside_the_pool), until
/// an error.
fn in_parallel(
    numbers: &[usize],
    work: impl Fn(usize) -> Result<(), MineError> + Sync,
) -> Result<(), MineError> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let run = || {
        while let Some(&number) = numbers.get(next.fetch_add(1, Relaxed)) {
            if let Err(error) = work(number) {
                next.store(numbers.len(), Relaxed);
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        }
    };
    threads::beside_the_pool(run);
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

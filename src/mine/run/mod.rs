//! A scan on its way through the blocks of a table.

use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

mod duals;
mod left;

use super::estimates::Estimates;
use super::kept::Kept;
use super::minable::Minable;
use super::plan::{Admitted, Plan};
use super::rows::{ExitVerdicts, Exits, GroupRates, RowGroup, RowRates, RowSource, Winners};
use super::solved::Solved;
use super::source::Source;
use super::{MineError, Scope, Task};
use crate::base::random;
use crate::base::value::{Narrow, Wide};
use crate::base::watch::Watch;
use crate::game::{ByRows, RowVisitor};
use crate::solve::{ValueOrder, WordWidth};
use crate::table::Block;

/// States that are processed together.
const BATCH: usize = 1 << 13;

/// A scan on its way through the blocks of a table.
pub(super) struct Run<'a, G: Minable, F, T> {
    pub plan: &'a Plan<'a, G>,
    pub source: &'a Solved<'a>,
    pub tasks: &'a [Task<'a>],
    pub scope: &'a Scope,
    pub fit: &'a F,
    pub kept: &'a [Mutex<Kept<G::State>>],
    pub watch: &'a T,
    /// What is told of the scan meanwhile, and the numbers of the tasks there.
    pub estimates: Option<(&'a Estimates<'a, G>, &'a [usize])>,
}

impl<G, F, T> Run<'_, G, F, T>
where
    G: Minable,
    F: Fn(&G::State) -> Option<G::State> + Sync,
    T: Watch,
{
    /// Scans all blocks in the scope: row by row first, if that can refuse positions.
    pub fn all(self, game: &G) -> Result<(), MineError> {
        if !self.scope.has_rows() {
            return self.plain(&self.within(0..u64::MAX));
        }
        match game.by_rows(self) {
            Ok(done) => done,
            Err(run) => run.plain(&run.within(0..u64::MAX)),
        }
    }

    /// Scans some blocks position by position.
    fn plain(&self, blocks: &[usize]) -> Result<(), MineError> {
        self.blocks(blocks, self.source, |_, _| ())
    }

    /// The blocks in the scope that begin in a range of slots.
    fn within(&self, slots: Range<u64>) -> Vec<usize> {
        let table = self.source.table();
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
        source: &impl Source<G>,
        narrow: impl Fn(&Block<'_>, &mut Vec<(usize, Admitted)>) + Sync,
    ) -> Result<(), MineError> {
        let table = self.source.table();
        let slots = blocks.iter().map(|&number| table.slots_of(number));
        let total = slots.map(|slots| slots.end - slots.start).sum();
        self.watch.begin("scanning", total);
        in_parallel(blocks, |number| {
            if self.watch.cancelled() {
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
        source: &impl Source<G>,
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
            self.plan
                .enter(position, admitted, self.scope, self.fit, &mut states);
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
            estimates.tell(self.watch);
        }
        for ((kept, found), &(predicate, limit)) in self.kept.iter().zip(found).zip(self.tasks) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(found, predicate, limit);
        }
        self.watch.advance(slots.end - slots.start);
        Ok(())
    }

    /// The positions of a block in the scope that filters may admit by their records.
    fn admit(&self, block: &Block<'_>) -> Vec<(usize, Admitted)> {
        let mut admitted = self.plan.admit(block);
        let first = block.slots().start;
        admitted.retain(|&(place, _)| self.scope.has_slot(first + place as u64));
        admitted
    }

    /// Whether the position of a slot is looked at as it is stored, and not turned.
    fn is_as_stored(&self, slot: u64) -> bool {
        let state = self.plan.stored(slot);
        state.is_some_and(|state| (self.fit)(&state).as_ref() == Some(&state))
    }

    /// Scans group by group, testing what filters ask of moves out of the group row by row,
    /// and reading the values of other moves where they stand together.
    fn by_rows<R: ByRows, W: WordWidth>(&self, game: &R) -> Result<(), MineError> {
        let exit_kinds = game.exit_kinds();
        let tests = self.plan.kind_tests(exit_kinds);
        let win_tests = self.plan.win_tests(exit_kinds | game.varying_kinds());
        let rated = self.plan.needs_moves();
        let inside = self.plan.needs_moves_besides(exit_kinds);
        let duals = self.duals::<R, W>(game)?;
        if tests.is_empty() && !rated && duals.is_none() {
            return self.plain(&self.within(0..u64::MAX));
        }
        let verdicts: Vec<_> = tests.into_iter().map(ExitVerdicts::new).collect();
        let order = ValueOrder::<W>::new();
        let table = self.source.table();
        let mut earlier = self.source.earlier::<W, R>(game)?;
        for number in 0..game.groups() {
            let slots = game.group_slots(number);
            let first = slots.start;
            let blocks = self.within(slots.clone());
            if blocks.is_empty() {
                continue;
            }
            earlier.reach(first)?;
            let group = RowGroup::new(game, number, &earlier, &order, self.watch)?;
            let Some(group) = group else {
                self.plain(&blocks)?;
                continue;
            };
            if number + 1 == game.groups() {
                // The last group needs no more than what has been arranged.
                earlier.forget();
            }
            let exits = Exits {
                group: &group,
                order: &order,
                verdicts: &verdicts,
            };
            let by_exits = |block: &Block<'_>, admitted: &mut Vec<_>| {
                exits.narrow(&block.slots(), admitted);
            };
            let mut left = self.left(&blocks, by_exits)?;
            let lost = match win_tests.asking() {
                0 => None,
                _ => self.lost(&slots, left)?,
            };
            let winners = lost.as_ref().map(|lost| Winners {
                group: &group,
                lost,
                tests: &win_tests,
            });
            let narrow = |block: &Block<'_>, admitted: &mut Vec<_>| {
                by_exits(block, admitted);
                if let Some(winners) = &winners {
                    winners.narrow(block, admitted);
                }
            };
            if winners.is_some() {
                left = self.left(&blocks, narrow)?;
            }
            let arranged = inside && self.arranges::<R, W>(&group, left)?;
            let rates = if arranged || rated && !inside {
                RowRates::new(&group, table, &order, arranged, self.watch)?
            } else {
                None
            };
            let source = RowSource {
                solved: self.source,
                rates: rates.as_ref().map(|rates| rates as &dyn GroupRates),
                duals: duals.as_ref(),
            };
            self.blocks(&blocks, &source, |block, admitted| {
                if let Some(duals) = &duals {
                    self.refuse_duals(duals, block, admitted);
                }
                narrow(block, admitted);
            })?;
        }
        Ok(())
    }
}

impl<G, F, T> RowVisitor for Run<'_, G, F, T>
where
    G: Minable,
    F: Fn(&G::State) -> Option<G::State> + Sync,
    T: Watch,
{
    type Output = Result<(), MineError>;

    fn visit<R: ByRows>(self, game: &R) -> Self::Output {
        if self.source.table().description().value_bytes == 1 {
            self.by_rows::<R, Narrow>(game)
        } else {
            self.by_rows::<R, Wide>(game)
        }
    }
}

/// Calls `work` with every number, on as many threads as the current pool has, until an
/// error.
///
/// These threads do not belong to the pool. A thread of the pool that waits for other work
/// takes up another block meanwhile, and unfinished blocks would pile up in memory.
fn in_parallel<E: Send>(
    numbers: &[usize],
    work: impl Fn(usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
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
    std::thread::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(run);
        }
        run();
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

//! A scan on its way through the blocks of a table.

use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use super::estimates::Estimates;
use super::kept::Kept;
use super::minable::Minable;
use super::plan::{Admitted, Plan};
use super::rows::{
    Duals, ExitVerdicts, Exits, KnownDuals, LineFinder, Lost, RowGroup, RowRates, RowSource,
    Winners,
};
use super::solved::Solved;
use super::source::Source;
use super::{MineError, Scope, Task};
use crate::base::random;
use crate::base::value::{Narrow, Wide};
use crate::base::watch::Watch;
use crate::game::{ByRows, Repetition, RowVisitor};
use crate::solve::{ValueOrder, WordWidth};
use crate::table::Block;

/// States that are processed together.
const BATCH: usize = 1 << 13;

/// Blocks of a group that are looked at to find out how many positions are left for moves.
const PROBED: usize = 16;

/// If fewer than one position of this many is left, values are read at random from a table in
/// memory: most of those left are then refused before their moves are rated, and arranging all
/// values would not pay.
const FEW: u64 = 5;

/// The same for a mapped table, where a value at random takes longer.
const FEW_FOR_MAPS: u64 = 12;

/// If fewer than one position of this many is left, finding out which positions are lost takes
/// longer than reading values at random.
const FEW_FOR_BITS: u64 = 1000;

/// If fewer than one position of this many is left, its main line is followed move by move
/// rather than finding the lines of all positions.
const FEW_FOR_DUALS: u64 = 100;

/// How many positions are left for moves.
#[derive(Debug, Clone, Copy, Default)]
struct Left {
    positions: u64,
    /// The slots that they are left of.
    slots: u64,
}

impl Left {
    /// Whether they are fewer than one in so many.
    const fn are_fewer_than(self, one_in: u64) -> bool {
        self.positions * one_in < self.slots
    }
}

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

    /// How many positions of some blocks are left for moves, of how many: an estimate.
    fn left(
        &self,
        blocks: &[usize],
        narrow: impl Fn(&Block<'_>, &mut Vec<(usize, Admitted)>),
    ) -> Result<Left, MineError> {
        let mut left = Left::default();
        for &number in blocks.iter().step_by(blocks.len().div_ceil(PROBED).max(1)) {
            let block = self.source.table().block(number)?;
            let mut admitted = self.admit(&block);
            narrow(&block, &mut admitted);
            left.slots += block.slots().end - block.slots().start;
            left.positions += admitted.len() as u64;
        }
        Ok(left)
    }

    /// The lost positions of a group, if knowing them pays for the positions that are left.
    fn lost(&self, slots: &Range<u64>, left: Left) -> Result<Option<Lost>, MineError> {
        let bytes = Lost::bytes(slots.end - slots.start);
        if left.are_fewer_than(FEW_FOR_BITS) || bytes > self.scope.most_memory() {
            return Ok(None);
        }
        Lost::new(self.source.table(), slots, self.watch)
    }

    /// What will be known of main lines, for the filters that refuse all wins with a dual; `None`
    /// if too few positions are left for these filters to find the lines of all, or that is not
    /// possible.
    fn duals<R: ByRows, W: WordWidth>(&self, game: &R) -> Result<Option<Duals>, MineError> {
        let filters = self.plan.dual_tests();
        if filters == 0
            || !self.source.has_rows_of_bytes()
            || game.repetition() != Repetition::Exact
        {
            return Ok(None);
        }
        let groups = (0..game.groups()).map(|number| game.group_slots(number));
        let largest = groups.map(|slots| slots.end - slots.start).max();
        let bytes = RowGroup::<R>::bytes_of_values::<W>(largest.unwrap_or(0));
        if bytes + Duals::bytes(game) > self.scope.most_memory() {
            return Ok(None);
        }
        let blocks = self.within(0..u64::MAX);
        let left = self.left(&blocks, |_, admitted| {
            admitted.retain(|(_, admitted)| admitted.free & filters != 0);
        })?;
        let longest = self.plan.longest_win(filters);
        Ok(longest
            .filter(|_| !left.are_fewer_than(FEW_FOR_DUALS))
            .map(|longest| Duals::new(game, longest)))
    }

    /// Whether the values of a group are to be arranged, because so many positions are left that
    /// reading them at random takes longer. If not, a table that cannot be read at random where
    /// it is, because it is packed, is loaded into memory.
    fn arranges<R: ByRows, W: WordWidth>(
        &self,
        group: &RowGroup<'_, R>,
        left: Left,
    ) -> Result<bool, MineError> {
        let most = self.scope.most_memory();
        let fits = group.values_bytes::<W>() <= most;
        if self.source.is_mapped() {
            return Ok(fits && !left.are_fewer_than(FEW_FOR_MAPS));
        }
        if fits && !left.are_fewer_than(FEW) {
            return Ok(true);
        }
        Ok(!self.source.load(most, self.watch)? && fits)
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
        let mut duals = self.duals::<R, W>(game)?;
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
            if blocks.is_empty() && (duals.is_none() || self.within(first..u64::MAX).is_empty()) {
                continue;
            }
            earlier.reach(first)?;
            let group = RowGroup::new(game, number, &earlier, &order, self.watch)?;
            let Some(group) = group else {
                duals = None;
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
            let arranged = duals.is_some() || inside && self.arranges::<R, W>(&group, left)?;
            let rates = if arranged || rated && !inside {
                RowRates::new(&group, table, &order, arranged, self.watch)?
            } else {
                None
            };
            let values = rates.as_ref().and_then(RowRates::values);
            if let Some(mut known) = duals.take()
                && let Some(values) = values
                && known.extend(&group, values, (table, &order), self.watch)?
            {
                duals = Some(known);
            }
            let lines = duals
                .as_ref()
                .zip(values)
                .map(|(duals, values)| LineFinder {
                    duals,
                    group: &group,
                    values,
                    order: &order,
                });
            let narrow = |block: &Block<'_>, admitted: &mut Vec<_>| {
                narrow(block, admitted);
                if let Some(lines) = &lines {
                    let as_stored = |slot| self.is_as_stored(slot);
                    lines.narrow(block, self.plan.dual_tests(), as_stored, admitted);
                }
            };
            match &rates {
                Some(rates) => {
                    let source = RowSource {
                        solved: self.source,
                        rates,
                        duals: lines.as_ref().map(|lines| lines as &dyn KnownDuals),
                    };
                    self.blocks(&blocks, &source, narrow)
                }
                None => self.blocks(&blocks, self.source, narrow),
            }?;
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

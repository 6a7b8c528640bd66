//! Main lines of all positions that filters ask about, followed before the scan.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{Run, in_parallel};
use crate::base::value::{Narrow, Outcome, Value};
use crate::base::watch::Watch;
use crate::game::{ByRows, Repetition};
use crate::mine::MineError;
use crate::mine::minable::Minable;
use crate::mine::plan::Admitted;
use crate::mine::rows::{Batch, Duals, LinesUnderWay, RowGroup};
use crate::solve::{ValueOrder, WordWidth};
use crate::table::{Block, MoveValues};

/// If fewer than one position of this many is left, its main line is followed move by move
/// when it is looked at: arranging values would not pay.
const FEW: u64 = 100;

/// Lines that a thread follows together, at most, and those of the last block: the more lines,
/// the more stand in the same rows and come to the same positions.
const MOST: usize = 4 << 20;

impl<G, F, T> Run<'_, G, F, T>
where
    G: Minable,
    F: Fn(&G::State) -> Option<G::State> + Sync,
    T: Watch,
{
    /// Finds out which main lines have duals, for the filters that refuse all wins with one.
    /// `None` if too few positions are left for these filters, or that is not possible.
    pub(super) fn duals<R: ByRows, W: WordWidth>(
        &self,
        game: &R,
    ) -> Result<Option<Duals>, MineError> {
        let filters = self.plan.dual_tests();
        if filters == 0
            || !self.source.has_rows_of_bytes()
            || game.repetition() != Repetition::Exact
        {
            return Ok(None);
        }
        let table = self.source.table();
        let groups = (0..game.groups()).map(|number| game.group_slots(number));
        let largest = groups.map(|slots| slots.end - slots.start).max();
        let arranged = RowGroup::<R>::bytes_of_values::<W>(largest.unwrap_or(0));
        let needed = arranged + Duals::bytes(game.slots());
        let Some(room) = self.scope.most_memory().checked_sub(needed) else {
            return Ok(None);
        };
        let left = self.left(&self.within(0..u64::MAX), |_, admitted| {
            admitted.retain(|(_, admitted)| admitted.free & filters != 0);
        })?;
        if left.are_fewer_than(FEW) {
            return Ok(None);
        }
        let Ok(duals) = Duals::new(game.slots()) else {
            return Ok(None);
        };
        let threads = rayon::current_num_threads();
        let each = Batch::BYTES * threads as u64;
        let most = usize::try_from(room / 4 / each).map_or(MOST, |most| most.clamp(1, MOST));
        let room = room.saturating_sub(most as u64 * each);
        let lines = LinesUnderWay::new(game, table, room.min(game.slots() / 2));
        let order = ValueOrder::<W>::new();
        for number in (0..game.groups()).rev() {
            let slots = game.group_slots(number);
            let blocks: Vec<_> = (0..table.blocks())
                .filter(|&number| {
                    let block = table.slots_of(number);
                    slots.contains(&block.start)
                        && (self.scope.has_block(&block) || lines.has_some_in(number))
                })
                .collect();
            if blocks.is_empty() {
                continue;
            }
            let mut earlier = self.source.earlier::<W, R>(game)?;
            earlier.reach(slots.start)?;
            let group = RowGroup::new(game, number, &earlier, &order, self.watch)?;
            drop(earlier);
            let values = match &group {
                Some(group) => MoveValues::new(game, group.tables(), table, &order, self.watch)?,
                None => None,
            };
            let (Some(group), Some(values)) = (group, values) else {
                lines.give_up(&blocks, &duals);
                continue;
            };
            self.watch
                .begin("following main lines", slots.end - slots.start);
            let next = AtomicUsize::new(0);
            let workers: Vec<_> = (0..threads).collect();
            in_parallel::<MineError>(&workers, |_| {
                loop {
                    let (batch, slots) = self.batch(&blocks, &next, most, &lines, &duals)?;
                    if slots == 0 {
                        return Ok(());
                    }
                    lines.follow((&group, &values, &order), batch, &duals)?;
                    self.watch.advance(slots);
                }
            })?;
        }
        Ok(Some(duals))
    }

    /// The lines of the next blocks until there are `most`, and how many slots these blocks have.
    fn batch(
        &self,
        blocks: &[usize],
        next: &AtomicUsize,
        most: usize,
        lines: &LinesUnderWay<'_>,
        duals: &Duals,
    ) -> Result<(Batch, u64), MineError> {
        let mut batch = Batch::default();
        let mut slots = 0;
        while batch.len() < most
            && let Some(&number) = blocks.get(next.fetch_add(1, Relaxed))
        {
            if self.watch.cancelled() {
                return Err(MineError::Cancelled);
            }
            let block = self.source.table().block(number)?;
            let begin = self.begin(&block, self.plan.dual_tests());
            lines.enter(number, &block, begin, &mut batch, duals);
            self.source.table().forget(number);
            slots += block.slots().end - block.slots().start;
        }
        Ok((batch, slots))
    }

    /// The places in a block of the won positions whose main lines some of these filters ask
    /// about, and that will be looked at as they are stored.
    fn begin(&self, block: &Block<'_>, filters: u64) -> impl Iterator<Item = usize> {
        let first = block.slots().start;
        let admitted = if self.scope.has_block(&block.slots()) {
            self.admit(block)
        } else {
            Vec::new()
        };
        let asked = admitted
            .into_iter()
            .filter(move |(_, admitted)| admitted.free & filters != 0);
        asked.map(|(place, _)| place).filter(move |&place| {
            let best = block.narrow_planes().map(|(best, ..)| best[place]);
            let value = best.map(|code| Value::<Narrow>::from_code(code.into()));
            value.is_some_and(|value| value.is_regular() && value.outcome() == Outcome::Win)
                && self.is_as_stored(first + place as u64)
        })
    }

    /// Takes the filters that refuse wins with duals away from the unrestricted states of a block
    /// that have one, and positions that no filter is left for.
    pub(super) fn refuse_duals(
        &self,
        duals: &Duals,
        block: &Block<'_>,
        admitted: &mut Vec<(usize, Admitted)>,
    ) {
        let filters = self.plan.dual_tests();
        let first = block.slots().start;
        admitted.retain_mut(|(place, admitted)| {
            if admitted.free & filters != 0 && duals.verdict(first + *place as u64) == Some(false) {
                admitted.free &= !filters;
            }
            !admitted.is_empty()
        });
    }
}

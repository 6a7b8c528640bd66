//! Main lines of the positions that filters ask about, followed group by group before these scan.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{Run, in_parallel};
use crate::base::value::{Narrow, Outcome, Value};
use crate::game::ByRows;
use crate::mine::MineError;
use crate::mine::frame::Minable;
use crate::mine::plan::Admitted;
use crate::mine::rows::{Batch, Duals, LinesUnderWay, RowGroup};
use crate::solve::ValueOrder;
use crate::table::{Block, MoveValues};

/// If fewer than one position of this many is left, its main line is followed move by move
/// when it is looked at: arranging values would not pay.
const FEW: u64 = 100;

/// Lines that a thread follows together, at most: the more lines, the more stand in the same rows
/// and come to the same positions.
const MOST: usize = 3 << 20;

/// Bytes for lines that wait for their group, for each slot of the game, at most. Lines without
/// room are followed one by one, which takes far longer.
const WAITING: u64 = 2;

/// A group, and what moves to its positions are worth.
pub(super) type ArrangedGroup<'g, G> = (RowGroup<'g, G>, MoveValues);

/// A search for the duals of main lines, group by group, the last one first.
pub(super) struct DualSearch<'t> {
    pub duals: Duals,
    lines: LinesUnderWay<'t>,
    /// Lines that a thread follows together, at most, and those of the last block.
    most: usize,
}

impl<G: Minable> Run<'_, G> {
    /// A search for the duals of main lines, which all filters of the run refuse wins for. `None`
    /// if too few positions are left for these filters, or there is no memory.
    pub(super) fn dual_search<R: ByRows>(
        &self,
        game: &R,
    ) -> Result<Option<DualSearch<'_>>, MineError> {
        let blocks = self.within(0..u64::MAX);
        if blocks.is_empty() {
            return Ok(None);
        }
        let groups = (0..game.groups()).map(|number| game.group_slots(number));
        let largest = groups.map(|slots| slots.end - slots.start).max();
        let arranged = RowGroup::<R>::bytes_of_values(largest.unwrap_or(0));
        let needed = arranged + Duals::bytes(game.slots());
        let Some(room) = self.scope.most_memory().checked_sub(needed) else {
            return Ok(None);
        };
        let left = self.left(&blocks, |_, admitted| {
            admitted.retain(|(_, admitted)| admitted.free != 0);
        })?;
        if left.are_fewer_than(FEW) {
            return Ok(None);
        }
        let Ok(duals) = Duals::new(game.slots()) else {
            return Ok(None);
        };
        let each = Batch::BYTES * rayon::current_num_threads() as u64;
        let most = usize::try_from(room / 4 / each).map_or(MOST, |most| most.clamp(1, MOST));
        let room = room.saturating_sub(most as u64 * each);
        let table = self.source.table();
        Ok(Some(DualSearch {
            duals,
            lines: LinesUnderWay::new(game, table, room.min(game.slots() * WAITING)),
            most,
        }))
    }

    /// Follows the main lines that begin in a group or come to it, as far as they stay there.
    /// Returns the group with its values; `None` if there is no such line, or no memory.
    pub(super) fn follow_lines<'g, R: ByRows>(
        &self,
        game: &'g R,
        number: usize,
        search: &DualSearch<'_>,
        order: &ValueOrder<Narrow>,
    ) -> Result<Option<ArrangedGroup<'g, R>>, MineError> {
        let DualSearch { duals, lines, most } = search;
        let table = self.source.table();
        let slots = game.group_slots(number);
        let blocks: Vec<_> = (0..table.blocks())
            .filter(|&number| {
                let block = table.slots_of(number);
                slots.contains(&block.start)
                    && (self.scope.has_block(&block) || lines.has_some_in(number))
            })
            .collect();
        if blocks.is_empty() {
            return Ok(None);
        }
        let group = self.row_group(game, number, order)?;
        let values = match &group {
            Some(group) => MoveValues::new(game, &group.tables, table, order, self.progress)?,
            None => None,
        };
        let (Some(group), Some(values)) = (group, values) else {
            lines.give_up(&blocks, duals);
            return Ok(None);
        };
        self.progress
            .begin("following main lines", slots.end - slots.start);
        let next = AtomicUsize::new(0);
        let workers: Vec<_> = (0..rayon::current_num_threads()).collect();
        in_parallel(&workers, |_| {
            loop {
                let (batch, slots) = self.batch(&blocks, &next, *most, lines, duals)?;
                if slots == 0 {
                    return Ok(());
                }
                lines.follow((&group, &values, order), batch, duals)?;
                self.progress.advance(slots);
            }
        })?;
        Ok(Some((group, values)))
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
            if self.progress.cancelled() {
                return Err(MineError::Cancelled);
            }
            let block = self.source.table().block(number)?;
            let begin = self.begin(&block);
            lines.enter(number, &block, begin, &mut batch, duals);
            self.source.table().forget(number);
            slots += block.slots().end - block.slots().start;
        }
        Ok((batch, slots))
    }

    /// The places in a block of the won positions whose main lines some filter asks about, and that will be looked at as they are stored.
    fn begin(&self, block: &Block<'_>) -> impl Iterator<Item = usize> {
        let first = block.slots().start;
        let admitted = if self.scope.has_block(&block.slots()) {
            self.admit(block)
        } else {
            Vec::new()
        };
        let asked = admitted
            .into_iter()
            .filter(move |(_, admitted)| admitted.free != 0);
        asked.map(|(place, _)| place).filter(move |&place| {
            let best = block.narrow_planes().map(|(best, ..)| best[place]);
            let value = best.map(|code| Value::<Narrow>::from_code(code.into()));
            value.is_some_and(|value| value.is_regular() && value.outcome() == Outcome::Win)
                && self.plan.is_as_stored(first + place as u64)
        })
    }
}

/// Takes all filters away from the unrestricted states of a block whose main lines are known to
/// have duals, and positions that no filter is left for.
pub(super) fn refuse_duals(
    duals: Option<&Duals>,
    block: &Block<'_>,
    admitted: &mut Vec<(usize, Admitted)>,
) {
    let Some(duals) = duals else {
        return;
    };
    let first = block.slots().start;
    admitted.retain_mut(|(place, admitted)| {
        if admitted.free != 0 && duals.verdict(first + *place as u64) == Some(false) {
            admitted.free = 0;
        }
        !admitted.is_empty()
    });
}

//! How many positions are left for moves, and what it pays to find out for all of them.

use std::ops::Range;

use super::Run;
use super::duals::refuse_duals;
use super::groups::MoveNeeds;
use crate::game::ByRows;
use crate::mine::MineError;
use crate::mine::plan::Admitted;
use crate::mine::rows::{Duals, Lost, RowGroup};
use crate::mine::source::Minable;
use crate::table::Block;

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

/// How many positions are left for moves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Left {
    positions: u64,
    /// The slots that they are left of.
    slots: u64,
}

impl Left {
    /// Whether they are fewer than one in `one_in`.
    pub(crate) const fn are_fewer_than(self, one_in: u64) -> bool {
        self.positions * one_in < self.slots
    }
}

impl<G: Minable> Run<'_, G> {
    /// How many positions of some blocks are left for moves, of how many: an estimate.
    pub(super) fn left(
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

    /// Whether so few positions of a group are left that their moves are rated one by one, and
    /// nothing could refuse them before.
    pub(super) fn reads_singly(
        &self,
        needs: &MoveNeeds,
        blocks: &[usize],
        duals: Option<&Duals>,
    ) -> Result<bool, MineError> {
        if needs.can_refuse() || !self.source.is_mapped() {
            return Ok(false);
        }
        let by_duals = |block: &Block<'_>, admitted: &mut Vec<_>| {
            refuse_duals(duals, block, admitted);
        };
        Ok(self.left(blocks, by_duals)?.are_fewer_than(FEW_FOR_MAPS))
    }

    /// The lost positions of a group, if knowing them pays for the positions that are left.
    pub(super) fn lost(&self, slots: &Range<u64>, left: Left) -> Result<Option<Lost>, MineError> {
        let bytes = Lost::bytes(slots.end - slots.start);
        if left.are_fewer_than(FEW_FOR_BITS) || bytes > self.scope.most_memory() {
            return Ok(None);
        }
        Lost::new(self.source.table(), slots, self.progress)
    }

    /// Whether to arrange the values of a group: with many positions left, that takes less time than
    /// reading values at random. If not, a table that cannot be read at random where
    /// it is, because it is packed, is loaded into memory.
    pub(super) fn arranges<R: ByRows>(
        &self,
        group: &RowGroup<'_, R>,
        left: Left,
    ) -> Result<bool, MineError> {
        let most = self.scope.most_memory();
        let fits = group.values_bytes() <= most;
        if self.source.is_mapped() {
            return Ok(fits && !left.are_fewer_than(FEW_FOR_MAPS));
        }
        if fits && !left.are_fewer_than(FEW) {
            return Ok(true);
        }
        Ok(!self.source.load(most, self.progress)? && fits)
    }
}

//! Scans of games whose positions stand in rows, group by group: how many positions are left for
//! moves, and what it pays to find out for all of them.

use std::ops::Range;

use super::duals::{ArrangedGroup, refuse_duals};
use super::{Run, Runs};
use crate::base::value::Narrow;
use crate::game::{ByRows, RowVisitor};
use crate::mine::MineError;
use crate::mine::frame::Minable;
use crate::mine::plan::Admitted;
use crate::mine::rows::{
    Duals, ExitVerdicts, Exits, GroupRates, Losses, Lost, RowGroup, RowRates, Source, Winners,
};
use crate::mine::verdicts::WinTests;
use crate::solve::ValueOrder;
use crate::table::{Block, MoveValues};

/// What the filters of a run need to know of moves.
pub(super) struct MoveNeeds {
    /// Of moves out of a group: tests row by row.
    verdicts: Vec<ExitVerdicts>,
    /// Of winning moves.
    win_tests: WinTests,
    /// Whether columns need values of moves.
    rated: bool,
    /// Whether they need those of moves within a group.
    inside: bool,
}

impl MoveNeeds {
    /// Whether something can be found out row by row.
    fn is_of_rows(&self) -> bool {
        !self.verdicts.is_empty() || self.rated
    }

    /// Whether positions can be refused before their moves are rated.
    pub(super) fn can_refuse(&self) -> bool {
        !self.verdicts.is_empty() || self.win_tests.asking() != 0
    }
}

impl<G: Minable> RowVisitor<'_> for Runs<'_, G> {
    type Output = Result<(), MineError>;

    /// Scans group by group. While the values of a group are arranged, main lines are followed and
    /// the filters that do not ask about duals scan it, the last group first, since no line comes
    /// back to one. Those that ask scan when all lines have come to their ends.
    fn visit<R: ByRows>(self, game: &R) -> Self::Output {
        let Self {
            without_duals,
            others,
        } = &self;
        let order = ValueOrder::<Narrow>::new();
        let search = without_duals.dual_search(game)?;
        let needs = others.needs(game);
        if !needs.is_of_rows() {
            others.plain(&others.within(0..u64::MAX), None)?;
        }
        for number in 0..game.groups() {
            let number = match &search {
                Some(_) => game.groups() - 1 - number,
                None => number,
            };
            let arranged = match &search {
                Some(search) => without_duals.follow_lines(game, number, search, &order)?,
                None => None,
            };
            if needs.is_of_rows() {
                others.group(game, number, &needs, arranged, None, &order)?;
            }
        }
        let duals = search.map(|search| search.duals);
        let needs = without_duals.needs(game);
        if !needs.is_of_rows() {
            return without_duals.plain(&without_duals.within(0..u64::MAX), duals.as_ref());
        }
        for number in 0..game.groups() {
            without_duals.group(game, number, &needs, None, duals.as_ref(), &order)?;
        }
        Ok(())
    }
}

impl<G: Minable> Run<'_, G> {
    fn needs(&self, game: &impl ByRows) -> MoveNeeds {
        let exit_kinds = game.exit_kinds();
        let tests = self.plan.kind_tests(exit_kinds);
        MoveNeeds {
            verdicts: tests.into_iter().map(ExitVerdicts::new).collect(),
            win_tests: self.plan.win_tests(exit_kinds | game.varying_kinds()),
            rated: self.plan.needs_moves_besides(0),
            inside: self.plan.needs_moves_besides(exit_kinds),
        }
    }

    /// A group, and what moves out of it are worth; `None` as for [`RowGroup::new`].
    pub(super) fn row_group<'g, R: ByRows>(
        &self,
        game: &'g R,
        number: usize,
        order: &ValueOrder<Narrow>,
    ) -> Result<Option<RowGroup<'g, R>>, MineError> {
        let mut earlier = self.source.earlier(game)?;
        earlier.reach(game.group_slots(number).start)?;
        RowGroup::new(game, number, &earlier, order, self.progress)
    }

    /// Scans a group, testing what filters ask of moves out of it row by row, and reading the
    /// values of other moves where they stand together: those that are given, or others.
    fn group<R: ByRows>(
        &self,
        game: &R,
        number: usize,
        needs: &MoveNeeds,
        arranged: Option<ArrangedGroup<'_, R>>,
        duals: Option<&Duals>,
        order: &ValueOrder<Narrow>,
    ) -> Result<(), MineError> {
        let slots = game.group_slots(number);
        let blocks = self.within(slots.clone());
        if blocks.is_empty() {
            return Ok(());
        }
        let (group, mut given) = match arranged {
            Some((group, values)) => (Some(group), Some(values)),
            None if self.reads_singly(needs, &blocks, duals)? => (None, None),
            None => (self.row_group(game, number, order)?, None),
        };
        let Some(group) = group else {
            return self.plain(&blocks, duals);
        };
        let exits = Exits {
            group: &group,
            order,
            verdicts: &needs.verdicts,
        };
        let by_exits = |block: &Block<'_>, admitted: &mut Vec<_>| {
            refuse_duals(duals, block, admitted);
            exits.narrow(block, admitted);
        };
        let mut left = self.left(&blocks, by_exits)?;
        let table = self.source.table();
        let arrange = || MoveValues::new(game, &group.tables, table, order, self.progress);
        if given.is_none() && needs.win_tests.draws != 0 && self.arranges(&group, left)? {
            // Bits do not tell which positions are drawn.
            given = arrange()?;
        }
        let losses = match (needs.win_tests.asking(), &given) {
            (0, _) => None,
            (_, Some(values)) => Some(Losses::of_values(values, order)),
            _ => self.lost(&slots, left)?.map(Losses::Bits),
        };
        let winners = losses.as_ref().map(|losses| Winners {
            group: &group,
            losses,
            tests: &needs.win_tests,
        });
        let narrow = |block: &Block<'_>, admitted: &mut Vec<(usize, Admitted)>| {
            by_exits(block, admitted);
            if let Some(winners) = &winners {
                winners.narrow(block, admitted);
            }
        };
        if winners.is_some() {
            left = self.left(&blocks, narrow)?;
        }
        let arranged = match &given {
            None if needs.inside && self.arranges(&group, left)? => arrange()?,
            _ => None,
        };
        let values = given.as_ref().or(arranged.as_ref());
        let values = values.filter(|_| needs.inside);
        let rates = (values.is_some() || needs.rated && !needs.inside)
            .then(|| RowRates::new(&group, values, order));
        let source = Source {
            solved: self.source,
            rates: rates.as_ref().map(|rates| rates as &dyn GroupRates),
            duals,
        };
        self.blocks(&blocks, source, narrow)
    }
}

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
    fn reads_singly(
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
    fn lost(&self, slots: &Range<u64>, left: Left) -> Result<Option<Lost>, MineError> {
        let bytes = Lost::bytes(slots.end - slots.start);
        if left.are_fewer_than(FEW_FOR_BITS) || bytes > self.scope.most_memory() {
            return Ok(None);
        }
        Lost::new(self.source.table(), slots, self.progress)
    }

    /// Whether to arrange the values of a group: with many positions left, that takes less time than
    /// reading values at random. If not, a table that cannot be read at random where
    /// it is, because it is packed, is loaded into memory.
    fn arranges<R: ByRows>(&self, group: &RowGroup<'_, R>, left: Left) -> Result<bool, MineError> {
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

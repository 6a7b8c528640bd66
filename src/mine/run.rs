//! A scan in progress, block by block. Main lines of the positions that filters ask about are
//! followed group by group before these scan; and games whose positions stand in rows are scanned
//! group by group, as far as that pays.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::columns::Catalogue;
use super::error::MineError;
use super::estimates::Estimates;
use super::frame::Minable;
use super::kept::Kept;
use super::plan::{KindTest, Plan};
use super::predicate::Task;
use super::rows::{
    Admitted, Batch, Duals, Exits, GroupRates, LinesUnderWay, Losses, RowGroup, RowRates, SlotBits,
    Source, ValueLosses, Winners, lost_positions,
};
use super::scope::Scope;
use super::solved::Solved;
use super::verdicts::WinTests;
use crate::base::progress::Progress;
use crate::base::random;
use crate::base::threads::{beside_the_pool, locked};
use crate::base::value::{Narrow, Outcome, Value};
use crate::game::{ByRows, RowVisitor};
use crate::solve::ValueOrder;
use crate::table::{Block, MoveValues};

/// States that are processed together.
const BATCH: usize = 1 << 13;

/// Something with the number of its task among all.
pub(super) type Numbered<T> = (usize, T);

/// Some of the tasks of a scan, how they are tested, and what they have found.
pub(super) struct Run<'a, G: Minable> {
    scan: &'a Scanning<'a, G>,
    pub tasks: Vec<Numbered<Task<'a>>>,
    plan: Plan<'a, G>,
    pub kept: Vec<Mutex<Kept<G::State>>>,
}

impl<'a, G: Minable> Run<'a, G> {
    pub(super) fn new(
        scan: &'a Scanning<'a, G>,
        tasks: Vec<Numbered<Task<'a>>>,
        catalogue: &'a Catalogue,
    ) -> Result<Self, MineError> {
        let predicates = tasks.iter().map(|&(_, (predicate, _))| predicate);
        let plan = Plan::new(scan.game, predicates.collect(), catalogue)?;
        Ok(Self {
            scan,
            tasks,
            kept: plan.nothing().into_iter().map(Mutex::new).collect(),
            plan,
        })
    }
}

/// What all parts of a scan have in common.
pub(super) struct Scanning<'a, G: Minable> {
    pub game: &'a G,
    pub source: &'a Solved<'a>,
    pub scope: &'a Scope,
    pub progress: &'a dyn Progress,
    /// Estimates that are reported while scanning.
    pub estimates: Option<&'a Estimates<'a, G>>,
}

pub(super) struct Runs<'a, G: Minable> {
    /// That of the filters that refuse wins whose main lines have duals, if these can be computed
    /// before.
    pub without_duals: &'a Run<'a, G>,
    pub others: &'a Run<'a, G>,
}

impl<G: Minable> Runs<'_, G> {
    /// Scans all blocks in the scope: if asked to, row by row first, which can refuse positions.
    pub(super) fn all(self, game: &G, by_rows: bool) -> Result<(), MineError> {
        if !by_rows {
            return self.plain();
        }
        game.by_rows(self).unwrap_or_else(|runs| runs.plain())
    }

    fn plain(&self) -> Result<(), MineError> {
        for run in [self.others, self.without_duals] {
            run.plain(&run.within(0..u64::MAX), None)?;
        }
        Ok(())
    }
}

impl<G: Minable> Run<'_, G> {
    /// Scans some blocks position by position, given what is known of main lines.
    fn plain(&self, blocks: &[usize], duals: Option<&Duals>) -> Result<(), MineError> {
        let source = Source {
            duals,
            ..self.scan.source.into()
        };
        self.blocks(blocks, source, |_, _| ())
    }

    /// The blocks in the scope that begin in a range of slots; none if there are no filters.
    fn within(&self, slots: Range<u64>) -> Vec<usize> {
        let table = self.scan.source.table;
        if self.tasks.is_empty() {
            return Vec::new();
        }
        let mut blocks = table
            .blocks_with(|block| slots.contains(&block.start) && self.scan.scope.has_block(block));
        if self.scan.estimates.is_some() {
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
        let table = self.scan.source.table;
        let slots = blocks.iter().map(|&number| table.slots_of(number));
        let total = slots.map(|slots| slots.end - slots.start).sum();
        self.scan.progress.begin("scanning", total);
        let scan = |number| {
            self.scan.progress.go_on(MineError::Cancelled)?;
            let block = table.block(number)?;
            let mut admitted = self.admit(&block, source.duals);
            narrow(&block, &mut admitted);
            self.block(&block, source, admitted)?;
            table.forget(number);
            Ok::<_, MineError>(())
        };
        let next = AtomicUsize::new(0);
        beside_the_pool(|| {
            while let Some(&number) = blocks.get(next.fetch_add(1, Relaxed)) {
                scan(number).inspect_err(|_| next.store(blocks.len(), Relaxed))?;
            }
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
            // Those that come too late are not kept in the part either.
            Kept::after(locked(kept).last.clone())
        });
        let mut found: Vec<_> = parts.collect();
        let mut states = Vec::new();
        for (place, admitted) in admitted {
            let position = (block.slots.start + place as u64, block.record(place));
            self.plan
                .enter(position, admitted, self.scan.scope, &mut states);
            if states.len() >= BATCH {
                self.scan.progress.go_on(MineError::Cancelled)?;
                let states = std::mem::take(&mut states);
                self.plan.run(source, states, &mut found)?;
            }
        }
        self.plan.run(source, states, &mut found)?;
        let slots = block.slots.clone();
        if let Some(estimates) = self.scan.estimates {
            for ((number, _), found) in self.tasks.iter().zip(&found) {
                estimates.scanned(*number, &slots, found);
            }
            estimates.tell(self.scan.progress);
        }
        let tasks = self.kept.iter().zip(&self.tasks);
        for ((kept, &(_, (predicate, limit))), found) in tasks.zip(found) {
            locked(kept).extend(found, predicate, limit);
        }
        self.scan.progress.advance(slots.end - slots.start);
        Ok(())
    }

    /// The positions of a block in the scope that filters may admit by their records and by what
    /// is known of main lines: none of them admits an unrestricted state whose line has duals.
    fn admit(&self, block: &Block<'_>, duals: Option<&Duals>) -> Vec<(usize, Admitted)> {
        let mut admitted = self.plan.admit(block);
        let first = block.slots.start;
        admitted.retain(|&(place, _)| self.scan.scope.has_slot(first + place as u64));
        if let Some(duals) = duals {
            admitted.retain_mut(|(place, admitted)| {
                if admitted.free != 0 && duals.verdict(first + *place as u64) == Some(false) {
                    admitted.free = 0;
                }
                !admitted.is_empty()
            });
        }
        admitted
    }
}

/// If fewer than one position of this many is left, its main line is followed move by move
/// when it is looked at: arranging values would not pay.
const FEW_LINES: u64 = 100;

/// Lines that a thread follows together, at most: the more lines, the more stand in the same rows
/// and come to the same positions.
const MOST_LINES: usize = 3 << 20;

/// Bytes for lines that wait for their group, for each slot of the game, at most. Lines without
/// room are followed one by one, which takes far longer.
const WAITING: u64 = 2;

/// A group, and what moves to its positions are worth.
type ArrangedGroup<'g, G> = (RowGroup<'g, G>, MoveValues);

impl<G: Minable> Run<'_, G> {
    /// A search for the duals of main lines, which all filters of the run refuse wins for. `None`
    /// if too few positions are left for these filters, or there is no memory.
    fn dual_search<R: ByRows>(&self, game: &R) -> Result<Option<LinesUnderWay<'_>>, MineError> {
        let blocks = self.within(0..u64::MAX);
        if blocks.is_empty() {
            return Ok(None);
        }
        let groups = (0..game.groups()).map(|number| game.group_slots(number));
        let largest = groups.map(|slots| slots.end - slots.start).max();
        let arranged = RowGroup::<R>::bytes_of_values(largest.unwrap_or(0));
        let needed = arranged + Duals::bytes(game.slots());
        let Some(room) = self.scan.scope.most_memory().checked_sub(needed) else {
            return Ok(None);
        };
        let left = self.left(&blocks, None, |_, admitted| {
            admitted.retain(|(_, admitted)| admitted.free != 0);
        })?;
        if left.are_fewer_than(FEW_LINES) {
            return Ok(None);
        }
        let Ok(duals) = Duals::new(game.slots()) else {
            return Ok(None);
        };
        let each = Batch::BYTES * rayon::current_num_threads() as u64;
        let most =
            usize::try_from(room / 4 / each).map_or(MOST_LINES, |most| most.clamp(1, MOST_LINES));
        let room = room.saturating_sub(most as u64 * each);
        let (table, room) = (self.scan.source.table, room.min(game.slots() * WAITING));
        Ok(Some(LinesUnderWay::new(game, table, room, duals, most)))
    }

    /// Follows the main lines that begin in a group or come to it, as far as they stay there.
    /// Returns the group with its values; `None` if there is no such line, or no memory.
    fn follow_lines<'g, R: ByRows>(
        &self,
        game: &'g R,
        number: usize,
        lines: &LinesUnderWay<'_>,
        order: &ValueOrder<Narrow>,
    ) -> Result<Option<ArrangedGroup<'g, R>>, MineError> {
        let table = self.scan.source.table;
        let slots = game.group_slots(number);
        let mut blocks = table.blocks_of(&slots);
        blocks.retain(|&number| {
            self.scan.scope.has_block(&table.slots_of(number)) || lines.has_some_in(number)
        });
        if blocks.is_empty() {
            return Ok(None);
        }
        let group = self.row_group(game, number, order)?;
        let progress = self.scan.progress;
        let values = match &group {
            Some(group) => MoveValues::new(game, &group.tables, table, order, progress)?,
            None => None,
        };
        let (Some(group), Some(values)) = (group, values) else {
            lines.give_up(&blocks);
            return Ok(None);
        };
        progress.begin("following main lines", slots.end - slots.start);
        let next = AtomicUsize::new(0);
        beside_the_pool(|| {
            loop {
                let (batch, slots) = self.batch(&blocks, &next, lines)?;
                if slots == 0 {
                    return Ok::<_, MineError>(());
                }
                lines.follow((&group, &values, order), batch)?;
                progress.advance(slots);
            }
        })?;
        Ok(Some((group, values)))
    }

    /// The lines of the next blocks until there are enough, and how many slots these blocks have.
    fn batch(
        &self,
        blocks: &[usize],
        next: &AtomicUsize,
        lines: &LinesUnderWay<'_>,
    ) -> Result<(Batch, u64), MineError> {
        let mut batch = Batch::default();
        let mut slots = 0;
        while batch.len() < lines.most
            && let Some(&number) = blocks.get(next.fetch_add(1, Relaxed))
        {
            self.scan.progress.go_on(MineError::Cancelled)?;
            let block = self.scan.source.table.block(number)?;
            lines.enter(number, &block, self.begin(&block), &mut batch);
            self.scan.source.table.forget(number);
            slots += block.slots.end - block.slots.start;
        }
        Ok((batch, slots))
    }

    /// The places in a block of the won positions whose main lines some filter asks about, and that will be looked at as they are stored.
    fn begin(&self, block: &Block<'_>) -> impl Iterator<Item = usize> {
        let admitted = if self.scan.scope.has_block(&block.slots) {
            self.admit(block, None)
        } else {
            Vec::new()
        };
        let asked = admitted.into_iter();
        let asked = asked.filter(|(_, admitted)| admitted.free != 0);
        asked.map(|(place, _)| place).filter(move |&place| {
            let value = block.record(place).best();
            value.is_regular()
                && value.outcome() == Outcome::Win
                && self.plan.is_as_stored(block.slots.start + place as u64)
        })
    }
}

/// What the filters of a run need to know of moves.
struct MoveNeeds {
    /// Of moves out of a group: tests row by row.
    kind_tests: Vec<KindTest>,
    /// Of winning moves.
    win_tests: WinTests,
    /// Whether columns need values of moves.
    rated: bool,
    /// Whether they need those of moves within a group.
    inside: bool,
}

impl MoveNeeds {
    /// Whether something can be computed row by row.
    fn is_of_rows(&self) -> bool {
        !self.kind_tests.is_empty() || self.rated
    }
}

impl<G: Minable> RowVisitor<'_> for Runs<'_, G> {
    type Output = Result<(), MineError>;

    /// Scans group by group. While the values of a group are arranged, main lines are followed and
    /// the filters that do not ask about duals scan it, the last group first, since no line comes
    /// back to one. Those that ask scan when all lines have come to their ends.
    fn visit<R: ByRows>(self, game: &R) -> Self::Output {
        let (without_duals, others) = (self.without_duals, self.others);
        let order = ValueOrder::<Narrow>::new();
        let lines = without_duals.dual_search(game)?;
        let needs = others.needs(game);
        if !needs.is_of_rows() {
            others.plain(&others.within(0..u64::MAX), None)?;
        }
        for number in 0..game.groups() {
            let (number, arranged) = match &lines {
                Some(lines) => {
                    let number = game.groups() - 1 - number;
                    let arranged = without_duals.follow_lines(game, number, lines, &order)?;
                    (number, arranged)
                }
                None => (number, None),
            };
            if needs.is_of_rows() {
                others.group(game, number, &needs, arranged, None, &order)?;
            }
        }
        let duals = lines.map(|lines| lines.duals);
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
        MoveNeeds {
            kind_tests: self.plan.kind_tests(exit_kinds),
            win_tests: self.plan.win_tests(exit_kinds | game.varying_kinds()),
            rated: self.plan.needs_moves_besides(0),
            inside: self.plan.needs_moves_besides(exit_kinds),
        }
    }

    /// A group, and what moves out of it are worth; `None` as for [`RowGroup::new`].
    fn row_group<'g, R: ByRows>(
        &self,
        game: &'g R,
        number: usize,
        order: &ValueOrder<Narrow>,
    ) -> Result<Option<RowGroup<'g, R>>, MineError> {
        let (source, progress) = (self.scan.source, self.scan.progress);
        if let Some(loaded) = source.loaded.get() {
            return RowGroup::new(game, number, loaded, order, progress);
        }
        let mut earlier = source.table.no_codes::<Narrow, R>(game)?;
        let end = game.group_slots(number).start;
        source.table.extend_codes(&mut earlier, end)?;
        RowGroup::new(game, number, &earlier, order, progress)
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
            tests: &needs.kind_tests,
        };
        let by_exits = |block: &Block<'_>, admitted: &mut Vec<_>| exits.narrow(block, admitted);
        let mut left = self.left(&blocks, duals, by_exits)?;
        let table = self.scan.source.table;
        let arrange = || MoveValues::new(game, &group.tables, table, order, self.scan.progress);
        if given.is_none() && needs.win_tests.draws != 0 && self.arranges(&group, left)? {
            // Bits do not tell which positions are drawn.
            given = arrange()?;
        }
        let losses = match (needs.win_tests.asking(), &given) {
            (0, _) => None,
            (_, Some(values)) => Some(Losses::Values(ValueLosses {
                values,
                draw: order.ordinal(Value::DRAW),
            })),
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
            left = self.left(&blocks, duals, narrow)?;
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
            solved: self.scan.source,
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
struct Left {
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
    fn left(
        &self,
        blocks: &[usize],
        duals: Option<&Duals>,
        narrow: impl Fn(&Block<'_>, &mut Vec<(usize, Admitted)>),
    ) -> Result<Left, MineError> {
        let mut left = Left::default();
        for &number in blocks.iter().step_by(blocks.len().div_ceil(PROBED).max(1)) {
            let block = self.scan.source.table.block(number)?;
            let mut admitted = self.admit(&block, duals);
            narrow(&block, &mut admitted);
            left.slots += block.slots.end - block.slots.start;
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
        let refuses = !needs.kind_tests.is_empty() || needs.win_tests.asking() != 0;
        if refuses || !self.scan.source.is_mapped() {
            return Ok(false);
        }
        let left = self.left(blocks, duals, |_, _| ())?;
        Ok(left.are_fewer_than(FEW_FOR_MAPS))
    }

    /// The lost positions of a group, if knowing them pays for the positions that are left.
    fn lost(&self, slots: &Range<u64>, left: Left) -> Result<Option<SlotBits>, MineError> {
        let bytes = SlotBits::bytes(slots.end - slots.start);
        if left.are_fewer_than(FEW_FOR_BITS) || bytes > self.scan.scope.most_memory() {
            return Ok(None);
        }
        lost_positions(self.scan.source.table, slots, self.scan.progress)
    }

    /// Whether to arrange the values of a group: with many positions left, that takes less time than
    /// reading values at random. If not, a table that cannot be read at random where
    /// it is, because it is packed, is loaded into memory.
    fn arranges<R: ByRows>(&self, group: &RowGroup<'_, R>, left: Left) -> Result<bool, MineError> {
        let most = self.scan.scope.most_memory();
        let fits = RowGroup::<R>::bytes_of_values(group.slots.end - group.slots.start) <= most;
        if self.scan.source.is_mapped() {
            return Ok(fits && !left.are_fewer_than(FEW_FOR_MAPS));
        }
        if fits && !left.are_fewer_than(FEW) {
            return Ok(true);
        }
        Ok(!self.scan.source.load(most, self.scan.progress)? && fits)
    }
}

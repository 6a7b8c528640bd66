//! A group of layers, with what its rows know of moves out of it.

use std::ops::Range;
use std::sync::OnceLock;

use crate::base::progress::Progress;
use crate::base::value::Narrow;
use crate::game::{ByRows, RowExit};
use crate::mine::MineError;
use crate::solve::{BestCodes, Floors, RowTable, SolveError, ValueOrder};
use crate::table::Block;

/// The filters that do not refuse a position by its record, one bit each: for the
/// unrestricted state, for the states in which a move other than the only best move is
/// forbidden, and for the state in which that move is forbidden.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::mine) struct Admitted {
    pub free: u64,
    pub other: u64,
    pub only: u64,
}

impl Admitted {
    /// Whether every filter refuses all states of the position.
    pub(in crate::mine) const fn is_empty(self) -> bool {
        self.free | self.other | self.only == 0
    }

    /// Refuses all states for other filters than these.
    pub(in crate::mine) const fn keep(&mut self, filters: u64) {
        self.free &= filters;
        self.other &= filters;
        self.only &= filters;
    }
}

/// A group of layers, and what moves out of it are worth.
pub(in crate::mine) struct RowGroup<'g, G> {
    pub(super) game: &'g G,
    pub tables: Vec<RowTable<'g>>,
    pub(super) floors: Floors<'g>,
    pub slots: Range<u64>,
    /// The moves out of the group, by layer of the group and by row, once they were asked for.
    exits: Vec<Vec<OnceLock<Box<[RowExit]>>>>,
}

impl<'g, G: ByRows> RowGroup<'g, G> {
    /// The group of number `group`; `earlier` has the values of all groups before it. `None`
    /// if there is no memory for arranging them, or a value is too long.
    pub(crate) fn new(
        game: &'g G,
        group: usize,
        earlier: &impl BestCodes,
        order: &ValueOrder<Narrow>,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, MineError> {
        let tables = RowTable::of_group(game, group);
        let floors = match Floors::new(game, &tables, earlier, order, progress) {
            Ok(floors) => floors,
            Err(SolveError::Cancelled) => return Err(MineError::Cancelled),
            Err(_) => return Ok(None),
        };
        let rows = tables.iter().map(|table| table.shape.rows);
        let exits = rows.map(|rows| (0..rows).map(|_| OnceLock::new()).collect());
        Ok(Some(Self {
            exits: exits.collect(),
            game,
            tables,
            floors,
            slots: game.group_slots(group),
        }))
    }

    /// The bytes of memory that the arranged values of a group of this many slots take.
    pub(crate) const fn bytes_of_values(slots: u64) -> u64 {
        3 * slots
    }

    /// The moves of a row of a layer out of the group.
    pub(super) fn exits(&self, table: &RowTable<'_>, row: usize) -> &[RowExit] {
        let number = self.tables.iter().position(|it| it.layer == table.layer);
        self.exits[number.expect("the layer is in the group")][row].get_or_init(|| {
            let mut exits = Vec::new();
            self.game.row_exits(table.layer, row, &mut exits);
            exits.into_boxed_slice()
        })
    }

    /// The index, within the group, of a slot of it.
    pub(super) fn index(&self, slot: u64) -> usize {
        usize::try_from(slot - self.slots.start).expect("records are in memory")
    }

    /// The layer and the row of the record of an index.
    pub(super) fn row_of(&self, index: usize) -> Option<(&RowTable<'g>, usize)> {
        let table = self.tables.iter().find(|table| table.has(index))?;
        Some((table, (index - table.first) / table.columns()))
    }

    /// Visits the rows of a block in which some of these filters may admit unrestricted states, with
    /// all positions there, and takes away positions that no filter is left for. Positions are given
    /// by their place in the block, in order.
    pub(super) fn visit_rows<'a>(
        &'a self,
        block: &Block<'_>,
        admitted: &mut Vec<(usize, Admitted)>,
        asking: u64,
        mut visit: impl FnMut(&'a RowTable<'g>, usize, &mut [(usize, Admitted)]),
    ) {
        let before = self.index(block.slots.start);
        let mut rest = &mut admitted[..];
        while let Some((place, _)) = rest.first() {
            let Some((table, row)) = self.row_of(before + place) else {
                break;
            };
            let end = table.records(row).end;
            let end = rest.partition_point(|(place, _)| before + place < end);
            let (here, later) = rest.split_at_mut(end);
            rest = later;
            if here.iter().any(|(_, it)| it.free & asking != 0) {
                visit(table, row, here);
            }
        }
        admitted.retain(|(_, it)| !it.is_empty());
    }
}

//! The best two moves of all positions of a row, from arranged records.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::ops::Range;

use super::super::resident::Packed;
use super::arranged::{Arranged, MoveValue};
use super::top::Top;
use crate::base::cpu::{Cpu, deposit};
use crate::base::value::Value;
use crate::game::{ByRows, Repetition, Row, RowExit, RowExitTo, RowMove};
use crate::solve::{Floors, Ordinal, RowTable, ValueOrder, WordWidth};

/// Everything from which the records of a group are derived, row by row.
pub(in crate::table) struct RowDerivation<'a, 'g, G, W: WordWidth> {
    pub game: &'a G,
    pub tables: &'a [RowTable<'g>],
    pub floors: &'a Floors<'g>,
    pub arranged: &'a Arranged<W>,
    pub order: &'a ValueOrder<W>,
    /// The first slot of the group.
    pub first: u64,
}

/// The best moves of the positions of one row.
#[derive(Default)]
pub(in crate::table) struct RowTops {
    /// By column: the best two moves.
    pub tops: Vec<Top>,
    floors: Vec<Ordinal>,
    exits: Vec<RowExit>,
}

impl<G: ByRows, W: WordWidth> RowDerivation<'_, '_, G, W> {
    /// Finds the best two moves of all positions of a row.
    #[inline(always)]
    pub fn derive<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'_>,
        number: usize,
        at: &mut RowTops,
    ) -> Row {
        let (game, order) = (self.game, self.order);
        let columns = table.shape.columns;
        let row = game.row(table.layer, number);
        let RowTops {
            tops,
            floors,
            exits,
        } = at;
        tops.clear();
        tops.resize(columns.len(), Top::NONE);
        floors.clear();
        floors.resize(columns.len(), 0);
        for mv in table.moves(number) {
            self.add(cpu, table, number, mv, tops);
        }
        let [win, loss] = [Value::CHECKMATE, Value::SELF_MATE].map(|value| order.ordinal(value));
        exits.clear();
        game.row_exits(table.layer, number, exits);
        for exit in exits.iter() {
            let over = match exit.to {
                RowExitTo::Win => win,
                RowExitTo::Loss => loss,
                RowExitTo::Earlier { .. } => {
                    self.floors
                        .raise::<_, W, _>(cpu, game, table, row.free, exit, floors);
                    continue;
                }
            };
            for (floor, &column) in floors.iter_mut().zip(columns) {
                if exit.condition.holds(column) {
                    *floor = (*floor).max(over);
                }
            }
        }
        for (top, &floor) in tops.iter_mut().zip(&*floors) {
            if floor > 0 {
                top.free(floor);
            }
        }
        row
    }

    /// Adds a move to the values of all positions of a row that have it.
    #[inline(always)]
    fn add<C: Cpu>(
        &self,
        cpu: C,
        table: &RowTable<'_>,
        row: usize,
        mv: &RowMove,
        tops: &mut [Top],
    ) {
        let buckets = self.tables[table.answers].answers;
        debug_assert!(std::ptr::eq(&raw const self.tables[buckets], table));
        let len = table.columns();
        let from = mv.bucket as usize * len;
        let words = &self.arranged.0[table.answers][from..from + len];
        let may_be_unsure = self.game.repetition() == Repetition::UpToSymmetry;
        let load = |set: u32| MoveValue(W::load(&words[set as usize]));
        let value = |set: u32, column: u32| {
            let value = load(set);
            if may_be_unsure && value.is_unsure::<W>() {
                return self.unsure(value, table, row, mv, set, column);
            }
            value.after::<W>(value.only::<W>() == mv.undo)
        };
        let columns = table.lists.fulfilling(mv.condition);
        if mv.turn == 0 {
            let sets = table.lists.fulfilling(mv.image);
            let pairs = columns.iter().zip(&*sets);
            if mv.undo == RowMove::NO_UNDO && !may_be_unsure {
                for (&column, &set) in pairs {
                    tops[column as usize].bound(load(set).after::<W>(false), mv.number);
                }
            } else {
                for (&column, &set) in pairs {
                    tops[column as usize].bound(value(set, column), mv.number);
                }
            }
            return;
        }
        let free = self.game.row(table.layer, row).free;
        let turn = self.game.turn(mv.turn);
        for &column in &*columns {
            let set = table.shape.columns[column as usize];
            let after = turn(cpu.deposit(set, free) ^ mv.flip);
            let set = table.shape.ranker.rank(cpu.extract(after, mv.bucket_free));
            tops[column as usize].bound(value(set, column), mv.number);
        }
    }

    /// The ordinal of a move to a position from which a move other than the one that takes
    /// it back may lead to an image of the position before.
    #[cold]
    fn unsure(
        &self,
        value: MoveValue,
        table: &RowTable<'_>,
        row: usize,
        mv: &RowMove,
        set: u32,
        column: u32,
    ) -> Ordinal {
        let layer = self.tables[table.answers].layer;
        let squares = deposit(table.shape.columns[set as usize], mv.bucket_free);
        let bucket = mv.bucket as usize;
        let only = value.only::<W>();
        let back = self.game.transposed_follow(layer, bucket, squares, only);
        let parent = self.first + (table.records(row).start + column as usize) as u64;
        value.after::<W>(back == parent)
    }
}

/// The codes of values by ordinal.
pub(in crate::table) struct OrdinalCodes(Vec<u16>);

impl OrdinalCodes {
    pub fn new<W: WordWidth>(order: &ValueOrder<W>) -> Self {
        let code = |ordinal| order.value(ordinal).unwrap_or(Value::SELF_MATE).code();
        Self((0..=u32::from(W::DRAW)).map(code).collect())
    }

    /// The record with these best moves.
    #[inline(always)]
    pub fn packed<W: WordWidth>(&self, top: Top) -> Packed {
        let [best, second] = top.ordinals().map(|ordinal| self.0[ordinal as usize]);
        Packed::new(best, second, top.only(), W::BYTES)
    }
}

/// The slots of a group.
pub(in crate::table) fn slots_of_group<G: ByRows>(game: &G, number: usize) -> Range<u64> {
    let layers = || game.layers().iter().filter(|layer| layer.group == number);
    let first = layers().map(|layer| layer.slots.start).min().unwrap_or(0);
    first..layers().map(|layer| layer.slots.end).max().unwrap_or(0)
}

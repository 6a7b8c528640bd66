//! Verification row by row: the records are arranged by bucket once, and then the values of
//! a move's positions are read side by side for all positions of a row.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::ops::Range;

use rayon::prelude::*;

use super::super::arranged::Arranged;
use super::super::findings::Flaw;
use super::super::resident::Packed;
use super::super::{Table, TableError};
use super::derive::{OrdinalCodes, RowDerivation, RowTops};
use super::top::flaw;
use super::{Checked, GroupCheck};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Narrow, Record};
use crate::game::{ByRows, RowVisitor};
use crate::solve::{Floors, FloorsError, RowTable, ValueOrder};

/// Number of rows that a thread takes at a time: so many that few blocks of the table are
/// read twice.
const RUN: usize = 64;

impl RowVisitor<'_> for GroupCheck<'_> {
    type Output = Result<Checked, TableError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let tables = RowTable::of_group(game, self.number);
        let (table, progress) = (self.table, self.progress);
        let order = &ValueOrder::<Narrow>::new();
        let floors = match Floors::new(game, &tables, &*self.earlier, order, progress) {
            Ok(floors) => floors,
            Err(FloorsError::Memory { source, .. }) => return Err(table.out_of_memory(source)),
            // Only records that are wrong lead here, and this way has no room for them.
            Err(FloorsError::TooLong | FloorsError::Cancelled) => {
                return self.by_edges::<G, Narrow>(game);
            }
        };
        let arranged = Arranged::new(game, &tables, table, order, progress)?;
        let Some((arranged, leaves)) = arranged else {
            return self.by_edges::<G, Narrow>(game);
        };
        let slots = game.group_slots(self.number);
        progress.begin("verifying", slots.end - slots.start);
        let check = RowCheck {
            derivation: RowDerivation {
                game,
                tables: &tables,
                floors: &floors,
                arranged: &arranged,
                order,
                first: slots.start,
            },
            table,
            codes: &OrdinalCodes::new(order),
        };
        let mut flaws = Vec::new();
        for (number, rows) in tables.iter().enumerate() {
            let found = rows.runs_of(RUN).map(|run| {
                let done = (run.len() * rows.columns()) as u64;
                let found = check.run(number, run);
                progress.advance(done);
                found
            });
            flaws.extend(found.collect::<Result<Vec<_>, TableError>>()?.concat());
        }
        table.extend_codes(self.earlier, slots.end)?;
        Ok(Checked {
            records: slots.end - slots.start,
            flaws,
            leaves,
        })
    }
}

/// The check of a group's rows.
struct RowCheck<'a, 'g, G> {
    derivation: RowDerivation<'a, 'g, G>,
    table: &'a Table,
    codes: &'a OrdinalCodes,
}

/// Memory for the work on one row.
struct Buffers {
    tops: RowTops,
    stored: Vec<Packed>,
}

impl<G: ByRows> RowCheck<'_, '_, G> {
    /// Derives the records of some rows and returns those that differ from the stored ones.
    fn run(&self, number: usize, rows: Range<usize>) -> Result<Vec<Flaw>, TableError> {
        let table = &self.derivation.tables[number];
        let mut flaws = Vec::new();
        let mut buffers = Buffers {
            tops: RowTops::new(table.columns()),
            stored: Vec::with_capacity(table.columns()),
        };
        // The records of a block, and how many of them are done.
        let (mut held, mut used) = (Vec::new(), 0);
        let records = table.records(rows.start).start..table.records(rows.end - 1).end;
        let mut slot = self.derivation.first + records.start as u64;
        for row in rows {
            buffers.stored.clear();
            while buffers.stored.len() < table.columns() {
                if used == held.len() {
                    let (block, at, _) = self.table.find(slot)?;
                    let block = self.table.block(block)?;
                    (held, used) = (block.packed(), at);
                    slot = block.slots().end;
                }
                let missing = table.columns() - buffers.stored.len();
                let end = held.len().min(used + missing);
                buffers.stored.extend_from_slice(&held[used..end]);
                used = end;
            }
            dispatch(CheckRow {
                check: self,
                table,
                row,
                buffers: &mut buffers,
                flaws: &mut flaws,
            });
        }
        Ok(flaws)
    }
}

struct CheckRow<'r, 'a, 'g, G> {
    check: &'r RowCheck<'a, 'g, G>,
    table: &'r RowTable<'g>,
    row: usize,
    buffers: &'r mut Buffers,
    flaws: &'r mut Vec<Flaw>,
}

impl<G: ByRows> CpuTask for CheckRow<'_, '_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let (check, table) = (self.check, self.table);
        let RowDerivation {
            game, order, first, ..
        } = check.derivation;
        let Buffers { tops, stored } = self.buffers;
        let row = check.derivation.derive(cpu, table, self.row, tops);
        let first = first + table.records(self.row).start as u64;
        for ((slot, &stored), top) in (first..).zip(&*stored).zip(tops.tops()) {
            if !row.symmetric && stored == check.codes.packed(top) {
                continue;
            }
            let derived = if row.symmetric && game.cursor(slot).is_none() {
                Some(Record::VACANT)
            } else {
                top.record(order)
            };
            self.flaws.extend(flaw::<Narrow>(slot, stored, derived));
        }
    }
}

//! Conditions on moves that remove something, tested row by row before anything else.
//!
//! Such a move does the same in all positions of a row, and leads to a group whose values
//! are few enough to be arranged for reading side by side. So how many of them win, draw and
//! lose is computed for a whole row at once, and most positions are refused before any of
//! them is looked at alone.

use super::group::{Admitted, RowGroup};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Narrow, Outcome, Value};
use crate::game::{ByRows, RowExit};
use crate::mine::plan::KindTest;
use crate::solve::{Ordinal, RowTable, ValueOrder};
use crate::table::Block;

/// How many moves of a kind a position has, and how many of them win and draw: ten bits each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally(u32);

impl Tally {
    const FIELD: u32 = 10;

    /// Moves of one outcome.
    const fn of(moves: u8, outcome: Outcome) -> Self {
        let moves = moves as u32;
        Self(match outcome {
            Outcome::Win => moves | moves << Self::FIELD,
            Outcome::Draw => moves | moves << (2 * Self::FIELD),
            Outcome::Loss => moves,
        })
    }

    const fn add(&mut self, moves: Self) {
        self.0 += moves.0;
    }

    /// Moves in all, and those that win, draw and lose.
    fn counts(self) -> [usize; 4] {
        let field = |number: u32| (self.0 >> (number * Self::FIELD)) as usize & 1023;
        let [all, winning, drawing] = [0, 1, 2].map(field);
        [all, winning, drawing, all - winning - drawing]
    }
}

/// The moves out of a group, for all its rows.
pub(in crate::mine) struct Exits<'a, 'g, G> {
    pub group: &'a RowGroup<'g, G>,
    pub order: &'a ValueOrder<Narrow>,
    pub tests: &'a [KindTest],
}

impl<G: ByRows> Exits<'_, '_, G> {
    /// Takes filters away from the positions of a block whose moves they refuse, and positions
    /// that no filter is left for. Positions are given by their place in the block, in order.
    pub(crate) fn narrow(&self, block: &Block<'_>, admitted: &mut Vec<(usize, Admitted)>) {
        let group = self.group;
        let before = group.index(block.slots.start);
        let mut tallies = Vec::new();
        group.visit_rows(block, admitted, u64::MAX, |table, row, here| {
            let first = table.records(row).start;
            let exits = group.exits(table, row);
            for test in self.tests {
                tallies.clear();
                tallies.resize(table.columns(), Tally::default());
                dispatch(Count {
                    exits: self,
                    table,
                    row,
                    of: exits.iter().filter(|exit| exit.kinds & test.kind != 0),
                    tallies: &mut tallies,
                });
                for (place, admitted) in &mut *here {
                    if test.draws != 0 {
                        let record = block.record(*place);
                        if record.best() != Value::DRAW || record.only_move().is_some() {
                            continue;
                        }
                    }
                    let tally = tallies[before + *place - first];
                    admitted.free &= test.passing(tally.counts());
                }
            }
        });
    }
}

/// Counts moves by outcome for all positions of a row.
struct Count<'x, 'a, 'g, G, I> {
    exits: &'x Exits<'a, 'g, G>,
    table: &'x RowTable<'g>,
    row: usize,
    of: I,
    tallies: &'x mut [Tally],
}

impl<'x, G: ByRows, I: Iterator<Item = &'x RowExit>> CpuTask for Count<'x, '_, '_, G, I> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "special instructions are used only where everything is inlined"
    )]
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { table, tallies, .. } = self;
        let group = self.exits.group;
        let free = group.game.row(table.layer, self.row).free;
        let draw = self.exits.order.ordinal(Value::DRAW);
        for exit in self.of {
            let [win, drawn, loss] =
                [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|to| Tally::of(exit.moves, to));
            let visit = |tally: &mut Tally, ordinal: Ordinal| {
                tally.add(match ordinal.cmp(&draw) {
                    std::cmp::Ordering::Less => loss,
                    std::cmp::Ordering::Equal => drawn,
                    std::cmp::Ordering::Greater => win,
                });
            };
            let floors = &group.floors;
            floors.visit::<_, _, _>(cpu, group.game, table, free, exit, tallies, visit);
        }
    }
}

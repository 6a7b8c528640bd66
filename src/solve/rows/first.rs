//! The first values of rows: how many moves each position has, which of them lose at once,
//! and what the moves out of the group are worth.

use rayon::prelude::*;

use super::floors::Floors;
use super::group::RowGroup;
use super::hand::{Hand, Room};
use super::table::{RUN, RowTable};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Value};
use crate::game::{ByRows, RowExit, RowExitTo, RowMove};
use crate::solve::codes::Ordinal;
use crate::solve::retrograde::stage::Result;
use crate::solve::words::{WordWidth, Words};
use crate::solve::work::Work;

/// What is known of a position's moves within the group, in one word that takes all moves
/// by one addition and one exclusive or.
///
/// | bits | field |
/// |---|---|
/// | 8 | number of moves |
/// | 8 | number of them that lose at once |
/// | 7 | XOR of the numbers of all moves |
/// | 1 | unused |
/// | 7 | XOR of the numbers of those that lose at once |
/// | 1 | some move wins at once |
type Census = u32;

const WINS: Census = 1 << 31;

/// Number of rows between which floors are given up.
const STAGE: usize = 256 * RUN;

#[derive(Default)]
struct Lists {
    censuses: Vec<Census>,
    floors: Vec<Ordinal>,
    exits: Vec<RowExit>,
}

impl<'g, G: ByRows> RowGroup<'g, G> {
    /// Stores the first records of all positions.
    pub(super) fn begin(
        &self,
        words: &mut Words,
        mut floors: Floors<'g>,
        progress: &dyn Progress,
    ) -> Result<()> {
        let group = &self.group;
        progress.begin(
            &format!("layer {}: first values", group.name),
            group.slots.end - group.slots.start,
        );
        // Floors are given up as soon as no other row needs them, so that they and all records
        // are never in memory together.
        let uses = self.tables.iter().flat_map(|table| {
            let bounds = (0..table.shape.rows.div_ceil(STAGE)).map(|stage| {
                let rows = stage * STAGE..table.shape.rows.min((stage + 1) * STAGE);
                floors.first_buckets(group.game, table, rows)
            });
            bounds.collect::<Vec<_>>()
        });
        let mut uses: Vec<_> = uses.collect();
        Floors::least_from_each(&mut uses);
        let mut uses = uses.into_iter();
        for (table, runs) in self.layers(words) {
            let mut runs = runs.into_iter();
            for _ in 0..table.shape.rows.div_ceil(STAGE) {
                floors.forget_below(&uses.next().expect("one for each stage"));
                let some: Vec<_> = runs.by_ref().take(STAGE / RUN).collect();
                some.into_par_iter().for_each_init(
                    <(Room, Lists)>::default,
                    |(room, lists), (rows, mut run)| {
                        if progress.cancelled() {
                            return;
                        }
                        let done = (rows.len() * table.columns()) as u64;
                        for row in rows.clone() {
                            let place = row - rows.start;
                            let hand = Hand::of(&mut run, place, table.columns(), room);
                            dispatch(FirstRow {
                                rows: self,
                                floors: &floors,
                                table,
                                row,
                                hand,
                                lists,
                            });
                        }
                        progress.advance(done);
                    },
                );
            }
        }
        group.sound(progress)
    }
}

struct FirstRow<'r, 'g, G> {
    rows: &'r RowGroup<'g, G>,
    floors: &'r Floors<'g>,
    table: &'r RowTable<'g>,
    row: usize,
    hand: Hand<'r>,
    lists: &'r mut Lists,
}

impl<G: ByRows> CpuTask for FirstRow<'_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) {
        let (group, table) = (&self.rows.group, self.table);
        let game = group.game;
        let columns = table.shape.columns;
        let row = game.row(table.layer, self.row);
        let Lists {
            censuses,
            floors,
            exits,
        } = self.lists;
        censuses.clear();
        censuses.resize(columns.len(), 0);
        floors.clear();
        floors.resize(columns.len(), 0);
        for mv in table.moves(self.row) {
            count(censuses, columns, mv);
        }
        exits.clear();
        game.row_exits(table.layer, self.row, exits);
        for exit in exits.iter() {
            match exit.to {
                RowExitTo::Win => {
                    for (census, &column) in censuses.iter_mut().zip(columns) {
                        *census |= if exit.condition.holds(column) {
                            WINS
                        } else {
                            0
                        };
                    }
                }
                RowExitTo::Loss | RowExitTo::Earlier { .. } => {
                    self.floors.raise(cpu, game, table, row.free, exit, floors);
                }
            }
        }
        let first = table.records(self.row).start;
        let words = self.hand.replace();
        for (at, (word, (&census, &floor))) in
            words.iter().zip(censuses.iter().zip(&*floors)).enumerate()
        {
            let work = self.rows.first_work(census, floor);
            Narrow::store(word, work.bits());
            // Checkmates have told those before them already: their moves lose at once.
            if census & WINS == 0 {
                let index = u32::try_from(first + at).expect("indices of a group fit 32 bits");
                group.schedule_first(index, work);
            }
        }
        if row.symmetric {
            let closed = Work::<Narrow>::decided(Value::CHECKMATE, Value::CHECKMATE, 0);
            for (index, word) in (first..).zip(words) {
                if game.cursor(group.slots.start + index as u64).is_none() {
                    Narrow::store(word, closed.bits());
                }
            }
        }
        self.hand.close(cpu);
    }
}

impl<G: ByRows> RowGroup<'_, G> {
    #[inline(always)]
    fn first_work(&self, census: Census, floor: Ordinal) -> Work<Narrow> {
        if census & WINS != 0 {
            return Work::decided(Value::CHECKMATE, Value::CHECKMATE, 0);
        }
        let [moves, lost, xor, lost_xor] = census.to_le_bytes();
        let group = &self.group;
        if floor < group.draw_ordinal && moves - lost >= 2 {
            let floor = group.order.value(floor).unwrap_or(Value::SELF_MATE);
            return Work::open(floor, xor ^ lost_xor, moves - lost);
        }
        let floor = group.order.value(floor);
        Work::begin(floor, moves, xor).resolve_first_losses(lost, lost_xor)
    }
}

/// Counts a move for all positions of a row that have it.
#[inline(always)]
fn count(censuses: &mut [Census], columns: &[u32], mv: &RowMove) {
    let condition = mv.condition;
    let number = Census::from(mv.number);
    let set = |is: bool| Census::from(is).wrapping_neg();
    match mv.mated {
        0 => {
            let xor = number << 16;
            for (census, &column) in censuses.iter_mut().zip(columns) {
                let hit = set(condition.holds(column));
                *census = (*census + (hit & 1)) ^ (hit & xor);
            }
        }
        RowMove::ALWAYS => {
            let xor = number << 16 | number << 24;
            for (census, &column) in censuses.iter_mut().zip(columns) {
                let hit = set(condition.holds(column));
                *census = (*census + (hit & 0x101)) ^ (hit & xor);
            }
        }
        mated => {
            let (xor, lost_xor) = (number << 16, number << 24);
            for (census, &column) in censuses.iter_mut().zip(columns) {
                let hit = set(condition.holds(column));
                let lost = hit & set(column & mated != 0);
                let sum = *census + (hit & 1) + (lost & 0x100);
                *census = sum ^ (hit & xor) ^ (lost & lost_xor);
            }
        }
    }
}

//! The values of all moves of positions of a group, read side by side.
//!
//! The positions after a move stand together for all positions of a row. So their values are
//! close in memory, and neither the move nor its result has to be worked out for each
//! position.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::duals::Duals;
use super::group::RowGroup;
use crate::analysis::value_of_pass;
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Narrow, Value, Width};
use crate::game::{
    ByRows, Playable, Ranked, Retrograde, RowExit, RowExitTo, RowMove, Slot, Squares, asks_for,
};
use crate::mine::frame::{Frame, Rate, RatingRequest, Ratings};
use crate::mine::solved::{Solved, rate};
use crate::solve::{Ordinal, RowTable, ValueOrder};
use crate::table::{MoveValues, TableError};

/// States whose values are fetched from memory together.
const TOGETHER: usize = 32;

/// Values of the moves of positions of one group.
pub(in crate::mine) trait GroupRates: Sync {
    /// Rates the requested moves of some states. `None` stands for one that gets none, because
    /// nothing asks for its moves.
    fn rate(&self, states: &[Option<Slot>], asked: RatingRequest, ratings: &mut Ratings);

    /// What passing is worth in the position of a slot; `None` if values of the group were
    /// not arranged.
    fn passed(&self, slot: u64) -> Option<Value>;
}

pub(in crate::mine) struct RowRates<'a, 'g, G> {
    group: &'a RowGroup<'g, G>,
    /// Those of positions of the group; `None` if only moves out of it are asked for.
    values: Option<&'a MoveValues>,
    /// The values by ordinal.
    by_ordinal: Vec<Value>,
}

impl<'a, 'g, G: ByRows> RowRates<'a, 'g, G> {
    /// The values of moves out of a group, and, if they are given, of those within it.
    pub(crate) fn new(
        group: &'a RowGroup<'g, G>,
        values: Option<&'a MoveValues>,
        order: &ValueOrder<Narrow>,
    ) -> Self {
        let value = |ordinal| order.value(ordinal).and_then(Value::resized);
        let by_ordinal =
            (0..=u32::from(Narrow::DRAW)).map(|ordinal| value(ordinal).unwrap_or(Value::VACANT));
        Self {
            group,
            values,
            by_ordinal: by_ordinal.collect(),
        }
    }

    fn value(&self, ordinal: Ordinal) -> Value {
        self.by_ordinal[ordinal as usize]
    }
}

impl<G: ByRows> GroupRates for RowRates<'_, '_, G> {
    fn rate(&self, states: &[Option<Slot>], asked: RatingRequest, ratings: &mut Ratings) {
        dispatch(RateStates {
            rates: self,
            states,
            asked,
            ratings,
        });
    }

    fn passed(&self, slot: u64) -> Option<Value> {
        let (group, values) = (self.group, self.values?);
        let index = group.index(slot);
        let (table, row) = group.row_of(index)?;
        // The other side's squares are the bucket, those of the side that passes the set.
        let column = index - table.records(row).start;
        let value = values.get(table.answers, row, column);
        Some(self.value(value.after(false)))
    }
}

/// A row whose positions are being rated.
struct AtRow<'g, 't> {
    table: &'t RowTable<'g>,
    row: usize,
    first: usize,
    free: Squares,
    /// The moves that are asked for, with their kinds.
    moves: Vec<(RowMove, u32)>,
    exits: Vec<RowExit>,
}

/// A move within the group whose value is being fetched from memory.
#[derive(Clone, Copy)]
struct Pending {
    /// The move's index among the ratings.
    place: usize,
    index: usize,
    /// The layer after the move, by its number in the group, the bucket and the set.
    layer: usize,
    bucket: u32,
    set: u32,
    undo: u8,
    /// The squares of the side to move after the move, turned.
    after: Squares,
}

struct RateStates<'r, 'a, 'g, G> {
    rates: &'r RowRates<'a, 'g, G>,
    states: &'r [Option<Slot>],
    asked: RatingRequest,
    ratings: &'r mut Ratings,
}

impl<G: ByRows> CpuTask for RateStates<'_, '_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) {
        let group = self.rates.group;
        let mut at: Option<AtRow<'_, '_>> = None;
        let mut pending = Vec::new();
        for states in self.states.chunks(TOGETHER) {
            for state in states {
                let Some(state) = state else {
                    self.ratings.end_state();
                    continue;
                };
                let index = group.index(state.index);
                if at
                    .as_ref()
                    .is_none_or(|at| index < at.first || index >= at.first + at.table.columns())
                {
                    at = self.enter(index);
                }
                if let Some(at) = &at {
                    self.state(cpu, at, index, state.forbidden, &mut pending);
                }
                self.ratings.end_state();
            }
            for pending in pending.drain(..) {
                self.settle(cpu, pending);
            }
        }
    }
}

impl<'r, 'g, G: ByRows> RateStates<'r, '_, 'g, G> {
    /// The row of a record, with the moves that are asked for.
    fn enter(&self, index: usize) -> Option<AtRow<'g, 'r>> {
        let (group, asked) = (self.rates.group, self.asked);
        let game = group.game;
        let (table, row) = group.row_of(index)?;
        let varying = game.varying_kinds() & asked.kinds != 0;
        let mut moves = Vec::new();
        if self.rates.values.is_some() {
            let kinds = table.moves(row).iter().map(|mv| {
                let kinds = game.kinds_of_row_move(table.layer, row, mv);
                (*mv, kinds)
            });
            moves.extend(kinds.filter(|&(_, kinds)| varying || asks_for(asked.kinds, kinds)));
        }
        let exits = group.exits(table, row).iter().copied();
        let exits = exits.filter(|exit| asks_for(asked.kinds, exit.kinds));
        Some(AtRow {
            table,
            row,
            first: table.records(row).start,
            free: game.row(table.layer, row).free,
            moves,
            exits: exits.collect(),
        })
    }

    #[inline(always)]
    fn state<C: Cpu>(
        &mut self,
        cpu: C,
        at: &AtRow<'g, 'r>,
        index: usize,
        forbidden: Option<u8>,
        pending: &mut Vec<Pending>,
    ) {
        let (rates, group) = (self.rates, self.rates.group);
        let (game, table) = (group.game, at.table);
        let column = table.shape.columns[index - at.first];
        let opponent = cpu.deposit(column, at.free);
        for exit in &at.exits {
            if !exit.condition.holds(column) {
                continue;
            }
            let (value, to) = match exit.to {
                RowExitTo::Win => (Value::CHECKMATE, None),
                RowExitTo::Loss => (Value::SELF_MATE, None),
                RowExitTo::Earlier {
                    layer,
                    bucket,
                    turn,
                    flip,
                    ..
                } => {
                    let value = group.floors.get::<_, _>(cpu, game, exit, opponent);
                    let to = self.asked.positions.then(|| {
                        let after = game.turn(turn)(opponent ^ flip);
                        game.transposed_place(cpu, layer, bucket as usize, after).0
                    });
                    (rates.value(value), to)
                }
            };
            let rate = Rate {
                kinds: exit.kinds,
                value,
                free: value,
                to,
            };
            let same = std::iter::repeat_n(rate, exit.moves.into());
            self.ratings.rates.extend(same);
        }
        let Some(values) = rates.values else {
            return;
        };
        let varying = game.varying_kinds() & self.asked.looked_at != 0;
        for &(ref mv, mut kinds) in &at.moves {
            if !mv.condition.holds(column) || Some(mv.number) == forbidden {
                continue;
            }
            if varying {
                kinds |= game.varying_kinds_of(table.layer, at.row, mv.number, opponent);
                if !asks_for(self.asked.kinds, kinds) {
                    continue;
                }
            }
            let after = game.turn(mv.turn)(opponent ^ mv.flip);
            let set = table.shape.ranker.rank(cpu.extract(after, mv.bucket_free));
            values.prefetch(table.answers, mv.bucket as usize, set as usize);
            pending.push(Pending {
                place: self.ratings.rates.len(),
                index,
                layer: table.answers,
                bucket: mv.bucket,
                set,
                undo: mv.undo,
                after,
            });
            self.ratings.rates.push(Rate {
                kinds,
                value: Value::DRAW,
                free: Value::DRAW,
                to: None,
            });
        }
    }

    /// Fills in the value of a move.
    #[inline(always)]
    fn settle<C: Cpu>(&mut self, cpu: C, mv: Pending) {
        let (rates, group) = (self.rates, self.rates.group);
        let Some(values) = rates.values else {
            return;
        };
        let value = values.get(mv.layer, mv.bucket as usize, mv.set as usize);
        let only = value.only();
        let layer = group.tables[mv.layer].layer;
        let takes_back = only == mv.undo
            || (value.is_unsure() && {
                let bucket = mv.bucket as usize;
                let back = group.game.transposed_follow(layer, bucket, mv.after, only);
                back == group.slots.start + mv.index as u64
            });
        let positions = self.asked.positions;
        let rate = &mut self.ratings.rates[mv.place];
        rate.to = positions.then(|| {
            let bucket = mv.bucket as usize;
            group.game.transposed_place(cpu, layer, bucket, mv.after).0
        });
        rate.free = rates.value(value.after(false));
        rate.value = rates.value(value.after(takes_back));
    }
}

/// A solved table as a source of values, with what more is known from its rows.
#[derive(Clone, Copy)]
pub(in crate::mine) struct Source<'a> {
    /// The table.
    pub solved: &'a Solved<'a>,
    /// The values of the group that is scanned, if they were arranged.
    pub rates: Option<&'a dyn GroupRates>,
    /// What is known of main lines.
    pub duals: Option<&'a Duals>,
}

impl<'a> From<&'a Solved<'a>> for Source<'a> {
    fn from(solved: &'a Solved<'a>) -> Self {
        Self {
            solved,
            rates: None,
            duals: None,
        }
    }
}

impl Source<'_> {
    /// The value for the side to move of a state, whose position has this slot, if it passes,
    /// which counts as a ply; `None` if it cannot pass.
    pub(crate) fn passed<G: Playable + Ranked>(
        &self,
        game: &G,
        slot: u64,
        state: &G::State,
    ) -> Result<Option<Value>, TableError> {
        match self.rates.and_then(|rates| rates.passed(slot)) {
            Some(value) => Ok(Some(value)),
            None => value_of_pass(game, &self.solved.oracle(), state),
        }
    }

    /// The requested moves of the states in a frame.
    pub(crate) fn rated<G: Retrograde>(
        &self,
        game: &G,
        frame: &Frame<G::State>,
        asked: RatingRequest,
    ) -> Result<Ratings, TableError> {
        let mut ratings = Ratings::default();
        let Some(rates) = self.rates else {
            rate(game, self.solved, frame, asked, &mut ratings)?;
            return Ok(ratings);
        };
        let states = frame.states.iter().map(|entrant| {
            let (index, forbidden) = (entrant.slot, entrant.forbidden);
            (asked.filters & entrant.alive != 0).then_some(Slot { index, forbidden })
        });
        let states: Vec<_> = states.collect();
        rates.rate(&states, asked, &mut ratings);
        Ok(ratings)
    }
}

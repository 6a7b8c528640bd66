//! Whether main lines have duals, found out for whole groups at once.
//!
//! Which of several best defences a main line takes depends on how the board is turned. So
//! what is kept of a position is about all lines in which both sides choose any of their best
//! moves: if no line has a dual, or every line has one, the main line need not be followed.
//! Lines are found from the end, plies by plies, from the lines after each best move.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::RowGroup;
use super::best_lines::{AtRow, Find, LineFinder, Position};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Narrow, Value, Width};
use crate::base::watch::Watch;
use crate::game::{ByRows, Ranked};
use crate::mine::MineError;
use crate::solve::{ValueOrder, WordArray, WordWidth, prefetch_read};
use crate::table::{Block, MoveValues, Table};

/// Positions whose lines are found together.
const TOGETHER: usize = 32;

/// Lines of best play from a position: whether some have no dual, and whether some have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines(u8);

impl Lines {
    pub const NONE: Self = Self(0);
    /// A line in which each move of the winner is the only best one.
    pub const DUAL_FREE: Self = Self(1);
    pub const WITH_DUAL: Self = Self(2);
    /// Lines of either kind, or lines that are not known.
    pub const EITHER: Self = Self(3);

    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the main line is free of duals, if all lines are, or none is.
    pub const fn verdict(self) -> Option<bool> {
        match self {
            Self::DUAL_FREE => Some(true),
            Self::EITHER => None,
            _ => Some(false),
        }
    }
}

/// The lines of the positions of a layer, by bucket and set: two bits each.
struct LayerLines {
    bytes: WordArray<AtomicU8>,
    /// Sets of a bucket.
    sets: usize,
}

/// The lines of the positions of some groups, as far as they are won or lost within some plies.
pub(in crate::mine) struct Duals {
    /// By layer of the game; `None` if its group was not reached yet.
    layers: Vec<Option<LayerLines>>,
    /// Plies to checkmate, which are the code of a value.
    longest: u8,
}

impl Duals {
    /// The memory in bytes that the lines of all positions of a game take.
    pub fn bytes<G: Ranked>(game: &G) -> u64 {
        game.slots().div_ceil(4)
    }

    /// Nothing is known yet. The lines of positions that are decided within `longest` plies to
    /// checkmate will be found.
    pub fn new<G: Ranked>(game: &G, longest: u8) -> Self {
        Self {
            layers: game.layers().iter().map(|_| None).collect(),
            longest,
        }
    }

    /// Whether the lines of wins with this code are known.
    pub(super) const fn knows(&self, code: u8) -> bool {
        code <= self.longest && code.is_multiple_of(2)
    }

    fn at(&self, layer: usize, bucket: u32, set: u32) -> Option<(&AtomicU8, usize)> {
        let lines = self.layers[layer].as_ref()?;
        let at = bucket as usize * lines.sets + set as usize;
        Some((lines.bytes.get(at / 4)?, at % 4 * 2))
    }

    /// Prefetches the lines of a position, given by its layer, bucket and set.
    #[inline(always)]
    pub(super) fn prefetch(&self, layer: usize, bucket: u32, set: u32) {
        if let Some((byte, _)) = self.at(layer, bucket, set) {
            prefetch_read(byte);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, layer: usize, bucket: u32, set: u32) -> Lines {
        let Some((byte, shift)) = self.at(layer, bucket, set) else {
            return Lines::EITHER;
        };
        match Lines(byte.load(Relaxed) >> shift & 3) {
            Lines::NONE => Lines::WITH_DUAL,
            lines => lines,
        }
    }

    #[inline(always)]
    fn put(&self, layer: usize, bucket: u32, set: u32, lines: Lines) {
        if let Some((byte, shift)) = self.at(layer, bucket, set) {
            byte.fetch_or(lines.0 << shift, Relaxed);
        }
    }

    /// Finds the lines of the positions of a group, from the values of moves within it; those of
    /// earlier groups are known. Returns whether there is memory for them.
    ///
    /// # Errors
    /// If the table is damaged, or the watch asks to stop.
    pub fn extend<G: ByRows, W: WordWidth>(
        &mut self,
        group: &RowGroup<'_, G>,
        values: &MoveValues<W>,
        (table, order): (&Table, &ValueOrder<W>),
        watch: &impl Watch,
    ) -> Result<bool, MineError> {
        for rows in &group.tables {
            let buckets = &group.tables[rows.answers];
            let sets = buckets.columns();
            let Ok(bytes) = WordArray::new((buckets.shape.rows * sets).div_ceil(4)) else {
                return Ok(false);
            };
            self.layers[rows.layer] = Some(LayerLines { bytes, sets });
        }
        let slots = group.slots();
        let blocks: Vec<_> = (0..table.blocks())
            .filter(|&number| slots.contains(&table.slots_of(number).start))
            .collect();
        let finder = LineFinder {
            duals: self,
            group,
            values,
            order,
        };
        for code in 0..=self.longest {
            let stage = format!("lines of {} plies", u16::from(code) + 1);
            watch.begin(&stage, slots.end - slots.start);
            blocks.par_iter().try_for_each(|&number| {
                if watch.cancelled() {
                    return Err(MineError::Cancelled);
                }
                let block = table.block(number)?;
                dispatch(OfBlock {
                    finder: &finder,
                    block: &block,
                    code,
                });
                table.forget(number);
                let slots = block.slots();
                watch.advance(slots.end - slots.start);
                Ok(())
            })?;
        }
        Ok(true)
    }
}

/// Finds the lines of the positions of a block whose value has a code, and keeps them.
struct OfBlock<'f, 'a, 'g, 'b, G, W: WordWidth> {
    finder: &'f LineFinder<'a, 'g, G, W>,
    block: &'b Block<'b>,
    code: u8,
}

impl<G: ByRows, W: WordWidth> CpuTask for OfBlock<'_, '_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Some((best, ..)) = self.block.narrow_planes() else {
            return;
        };
        let found = memchr::memchr_iter(self.code, best);
        self.keep(cpu, found, |finder, at, some| {
            Find { finder, at, some }.run(cpu);
        });
        let is_irregular = |code: u8| {
            let value = Value::<Narrow>::from_code(code.into());
            !value.is_regular() && !value.is_vacant() && u16::from(code) != Narrow::DRAW
        };
        // A game that the loser ends is rare, and its lines are not told apart.
        if self.code == 0 && best.iter().any(|&code| is_irregular(code)) {
            let places = (0..best.len()).filter(|&place| is_irregular(best[place]));
            self.keep(cpu, places, |_, _, some| {
                for position in some {
                    position.lines = Lines::EITHER;
                }
            });
        }
    }
}

impl<'a, 'g, G: ByRows, W: WordWidth> OfBlock<'_, 'a, 'g, '_, G, W> {
    /// Lets `find` find the lines of the positions at some places of the block, and keeps them.
    #[inline(always)]
    fn keep<C: Cpu>(
        &self,
        cpu: C,
        places: impl Iterator<Item = usize>,
        find: impl Fn(&LineFinder<'a, 'g, G, W>, &AtRow<'_, 'g>, &mut [Position]),
    ) {
        let Some((best, second, only)) = self.block.narrow_planes() else {
            return;
        };
        let finder = self.finder;
        let group = finder.group;
        let first = group.index(self.block.slots().start);
        let mut at: Option<AtRow<'_, 'g>> = None;
        let mut some = Vec::with_capacity(TOGETHER);
        let flush = |at: &AtRow<'_, 'g>, some: &mut Vec<Position>| {
            find(finder, at, some);
            let layer = at.table.layer;
            let images = group.game.row_images(layer, at.row);
            let ranker = group.tables[at.table.answers].shape.ranker;
            for position in some.drain(..) {
                if position.lines == Lines::WITH_DUAL {
                    continue;
                }
                group
                    .game
                    .transposed(cpu, &images, position.opponent, 0, |seen| {
                        let set = ranker.rank(seen.set);
                        finder.duals.put(layer, seen.bucket, set, position.lines);
                    });
            }
        };
        for place in places {
            let index = first + place;
            if some.len() == TOGETHER || at.as_ref().is_some_and(|at| !at.has(index)) {
                if let Some(at) = &at {
                    flush(at, &mut some);
                }
            }
            if at.as_ref().is_none_or(|at| !at.has(index)) {
                at = AtRow::new(group, index);
            }
            if let Some(at) = &at {
                some.push(at.position(cpu, index, [best[place], second[place], only[place]]));
            }
        }
        if let Some(at) = &at {
            flush(at, &mut some);
        }
    }
}

//! Whether main lines have duals, found out for whole groups at once.
//!
//! Which of several best defences a main line takes depends on how the board is turned. So
//! what is found of a position is found for each symmetry of the board. Lines grow from their
//! ends: those of positions that are decided in some plies follow from the lines after their
//! best moves, which are decided one ply sooner.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::RowGroup;
use super::best_lines::{AtRow, Find, LineFinder, Position};
use super::turns::Turns;
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Narrow, Value, Width};
use crate::base::watch::Watch;
use crate::game::{ByRows, Ranked};
use crate::mine::MineError;
use crate::solve::{ValueOrder, WordArray, WordWidth, prefetch_read};
use crate::table::{Block, MoveValues, Table};

/// Positions whose lines are found together.
pub(super) const TOGETHER: usize = 32;

/// The main lines of a position: of those bits that belong to symmetries of the board, one is
/// set if the main line from the position turned so is free of duals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub dual_free: u8,
    /// Whether the bits do not tell, because what is forbidden makes a difference.
    pub unknown: bool,
}

impl Lines {
    pub const UNKNOWN: Self = Self {
        dual_free: 0,
        unknown: true,
    };

    /// Lines of which none has a dual.
    pub const DUAL_FREE: Self = Self {
        dual_free: u8::MAX,
        unknown: false,
    };
}

/// The lines of the positions of a layer, by bucket and set.
struct LayerLines {
    /// The bits of [`Lines::dual_free`].
    dual_free: WordArray<AtomicU8>,
    /// [`Lines::unknown`], a bit each.
    unknown: WordArray<AtomicU8>,
    /// Sets of a bucket.
    sets: usize,
}

/// The lines of the positions of some groups, as far as they are won or lost within some plies.
pub(in crate::mine) struct Duals {
    /// By layer of the game; `None` if its group was not reached yet, or is not needed any more.
    layers: Vec<Option<LayerLines>>,
    pub(super) turns: Turns,
    /// Plies to checkmate, which are the code of a value.
    longest: u8,
}

impl Duals {
    /// The memory in bytes that the lines of all positions of a game take.
    pub fn bytes<G: Ranked>(game: &G) -> u64 {
        game.slots().div_ceil(8) * 9
    }

    /// Nothing is known yet. The lines of positions that are decided in fewer plies to checkmate
    /// than `longest` will be found; those of wins in `longest` follow from them.
    pub fn new<G: ByRows>(game: &G, longest: u8) -> Self {
        Self {
            turns: Turns::new(game),
            layers: game.layers().iter().map(|_| None).collect(),
            longest,
        }
    }

    /// Whether the lines of wins with this code are known, or follow from known ones.
    pub(super) const fn knows(&self, code: u8) -> bool {
        code <= self.longest && code.is_multiple_of(2)
    }

    /// Prefetches the lines of a position, given by its layer, bucket and set.
    #[inline(always)]
    pub(super) fn prefetch(&self, layer: usize, bucket: u32, set: u32) {
        if let Some(lines) = &self.layers[layer] {
            let at = bucket as usize * lines.sets + set as usize;
            prefetch_read(&lines.dual_free[at]);
            prefetch_read(&lines.unknown[at / 8]);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, layer: usize, bucket: u32, set: u32) -> Lines {
        let Some(lines) = &self.layers[layer] else {
            return Lines::UNKNOWN;
        };
        let at = bucket as usize * lines.sets + set as usize;
        Lines {
            dual_free: lines.dual_free[at].load(Relaxed),
            unknown: lines.unknown[at / 8].load(Relaxed) >> (at % 8) & 1 == 1,
        }
    }

    #[inline(always)]
    fn put(&self, layer: usize, bucket: u32, set: u32, found: Lines) {
        let Some(lines) = &self.layers[layer] else {
            return;
        };
        let at = bucket as usize * lines.sets + set as usize;
        lines.dual_free[at].store(found.dual_free, Relaxed);
        if found.unknown {
            lines.unknown[at / 8].fetch_or(1 << (at % 8), Relaxed);
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
        for (layer, lines) in self.layers.iter_mut().enumerate() {
            if !group.floors.has(layer) {
                *lines = None;
            }
        }
        for rows in &group.tables {
            let buckets = &group.tables[rows.answers];
            let sets = buckets.columns();
            let count = buckets.shape.rows * sets;
            let (Ok(dual_free), Ok(unknown)) =
                (WordArray::new(count), WordArray::new(count.div_ceil(8)))
            else {
                return Ok(false);
            };
            self.layers[rows.layer] = Some(LayerLines {
                dual_free,
                unknown,
                sets,
            });
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
        for code in 0..self.longest {
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
                    position.lines = Lines::UNKNOWN;
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
        // The bucket and the set of positions with their lines, whose places are being fetched.
        let mut pending: Vec<(u32, u32, Lines)> = Vec::with_capacity(TOGETHER);
        let mut flush = |at: &AtRow<'_, 'g>, some: &mut Vec<Position>| {
            find(finder, at, some);
            let layer = at.table.layer;
            let images = group.game.row_images(layer, at.row);
            let ranker = group.tables[at.table.answers].shape.ranker;
            for position in some.drain(..) {
                if position.lines == Lines::default() {
                    continue;
                }
                group
                    .game
                    .transposed(cpu, &images, position.opponent, 0, |seen| {
                        let set = ranker.rank(seen.set);
                        let lines = finder.duals.turns.seen(position.lines, seen.turn);
                        finder.duals.prefetch(layer, seen.bucket, set);
                        pending.push((seen.bucket, set, lines));
                    });
            }
            for (bucket, set, lines) in pending.drain(..) {
                finder.duals.put(layer, bucket, set, lines);
            }
        };
        for place in places {
            let index = first + place;
            if let Some(at) = &at
                && (some.len() == TOGETHER || !at.has(index))
            {
                flush(at, &mut some);
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

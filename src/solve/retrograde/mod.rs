//! Retrograde analysis, layer by layer and depth by depth.
//!
//! Method: K. Thompson, *Retrograde analysis of certain endgames* (1986), with
//! counters instead of repeated sweeps. One record a position stands for all of
//! its states (see [`Record`]); a value, once final, is told to every predecessor
//! exactly once. The cells of a group of layers are the only large array; threads
//! share them by compare-and-swap. All events of a pass have the same distance and
//! commute, so the result does not depend on the number of threads.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

mod begin;
mod group;
mod pass;
mod symmetric;

use std::io;
use std::marker::PhantomData;
use std::ops::Range;

use rayon::prelude::*;
use thiserror::Error;

use super::Watch;
use super::memory::Cells;
use super::work::{Cell, Work};
use crate::game::Retrograde;
use crate::value::{Record, Value, Width};
use group::Group;

/// Why a group could not be solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The operating system gave no memory.
    #[error(
        "no memory for {positions} positions ({bytes} bytes): {source}; choose a smaller game or a larger machine"
    )]
    Memory {
        /// Positions of the group.
        positions: u64,
        /// Bytes asked for.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// A distance is longer than a value can say.
    #[error("a distance exceeds {longest} plies, the most that this width of values can say")]
    TooLong {
        /// The longest distance, in plies to checkmate, that fits.
        longest: u16,
    },
    /// The work was stopped on request.
    #[error("stopped before the end, as asked")]
    Cancelled,
}

/// Solves a game group by group, with values of width `W`.
#[derive(Debug)]
pub struct Solver<'g, G, W> {
    game: &'g G,
    /// Best value of every slot solved so far: all that later groups need.
    solved: Codes<W>,
    group: usize,
}

/// Value codes, one after the other.
#[derive(Debug)]
struct Codes<W> {
    bytes: Vec<u8>,
    width: PhantomData<W>,
}

impl<W: Width> Codes<W> {
    #[inline(always)]
    fn get(&self, index: usize) -> Value<W> {
        let at = index * W::BYTES;
        Value::from_code(match W::BYTES {
            1 => self.bytes[at].into(),
            _ => u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]),
        })
    }

    fn extend(&mut self, cells: &Cells<W>)
    where
        W: Cell,
    {
        let first = self.bytes.len();
        self.bytes.resize(first + cells.cells().len() * W::BYTES, 0);
        self.bytes[first..]
            .par_chunks_mut(W::BYTES)
            .zip(cells.cells())
            .with_min_len(1 << 12)
            .for_each(|(bytes, cell)| {
                let code = Work::<W>::from_bits(W::load(cell)).final_best().code();
                bytes.copy_from_slice(&code.to_le_bytes()[..W::BYTES]);
            });
    }
}

/// The records of one group.
#[derive(Debug)]
pub struct Solved<W> {
    slots: Range<u64>,
    cells: Cells<W>,
}

impl<W: Cell> Solved<W> {
    /// The slots of the group.
    #[must_use]
    pub fn slots(&self) -> Range<u64> {
        self.slots.clone()
    }

    /// The record of a slot of the group.
    ///
    /// # Panics
    /// If the slot is not in [`slots`](Self::slots).
    #[must_use]
    pub fn record(&self, slot: u64) -> Record {
        let cell = usize::try_from(slot - self.slots.start).expect("cells are in memory");
        Work::<W>::from_bits(W::load(&self.cells.cells()[cell])).record()
    }
}

impl<'g, G: Retrograde, W: Cell> Solver<'g, G, W> {
    /// A solver that has solved nothing yet.
    pub const fn new(game: &'g G) -> Self {
        Self {
            game,
            solved: Codes {
                bytes: Vec::new(),
                width: PhantomData,
            },
            group: 0,
        }
    }

    /// Number of groups of the game.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.game.layers().last().map_or(0, |layer| layer.group + 1)
    }

    /// The slots of the next group to solve, `None` if all are solved.
    #[must_use]
    pub fn next_slots(&self) -> Option<Range<u64>> {
        let mut layers = self
            .game
            .layers()
            .iter()
            .filter(|layer| layer.group == self.group);
        let first = layers.next()?;
        let last = layers.next_back().unwrap_or(first);
        Some(first.slots.start..last.slots.end)
    }

    /// Solves the next group; `None` if all are solved.
    ///
    /// # Errors
    /// If memory is short, a distance too long, or the watch asks to stop.
    pub fn solve_next(&mut self, watch: &impl Watch) -> Result<Option<Solved<W>>, SolveError> {
        let Some(slots) = self.next_slots() else {
            return Ok(None);
        };
        let names: Vec<_> = self
            .game
            .layers()
            .iter()
            .filter(|layer| layer.group == self.group)
            .map(|layer| layer.name.as_str())
            .collect();
        let group = Group::new(self.game, slots.clone(), &self.solved, names.join("+"))?;
        let cells = group.run(watch)?;
        let solved = Solved { slots, cells };
        self.group += 1;
        if self.next_slots().is_some() {
            self.solved.extend(&solved.cells);
        }
        Ok(Some(solved))
    }
}

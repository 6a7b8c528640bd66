//! One group of layers while it is being solved: its cells, and when they are due.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::codes::Codes;
use super::super::ladder::{Ladder, Step};
use super::super::memory::Cells;
use super::super::work::{Cell, Work};
use super::SolveError;
use super::stage::Keeper;
use crate::base::value::Value;
use crate::base::watch::Watch;
use crate::game::Retrograde;

/// Positions whose pending distances share one bit set, and the unit of work.
pub(super) const CHUNK: usize = 1 << 10;

/// One group while it is being solved.
pub(super) struct Group<'a, G, W> {
    pub(super) game: &'a G,
    pub(super) slots: Range<u64>,
    pub(super) ladder: Ladder<W>,
    pub(super) draw_step: Step,
    pub(super) self_mate_step: Step,
    pub(super) name: String,
    pub(super) cells: Cells<W>,
    /// For each chunk, the distances at which some position of it has news.
    pub(super) due: Vec<AtomicU64>,
    pub(super) furthest: AtomicU16,
    pub(super) irregular: AtomicBool,
    pub(super) too_long: AtomicBool,
    /// Slots of symmetric positions with their floors, sorted. Their moves and
    /// un-moves do not correspond one to one, so they are valued from their
    /// children instead.
    pub(super) symmetric: Vec<(u64, Option<Value<W>>)>,
}

impl<'a, G: Retrograde, W: Cell> Group<'a, G, W> {
    /// Words of the set of distances of a chunk.
    pub(super) const DUE: usize = (W::LONGEST as usize + 1).div_ceil(64);

    pub(super) fn new(game: &'a G, slots: Range<u64>, name: String) -> Result<Self, SolveError> {
        let positions = slots.end - slots.start;
        let memory = |source| SolveError::Memory {
            positions,
            bytes: positions.saturating_mul(size_of::<W::Atom>() as u64),
            source,
        };
        // Updates hold cell numbers in 32 bits.
        let len = u32::try_from(positions).map_err(|_| memory(io::ErrorKind::OutOfMemory.into()))?
            as usize;
        let cells = Cells::new(len).map_err(memory)?;
        let due = (0..len.div_ceil(CHUNK) * Self::DUE)
            .map(|_| AtomicU64::new(0))
            .collect();
        let ladder = Ladder::new();
        Ok(Self {
            game,
            slots,
            draw_step: ladder.step(Value::DRAW),
            self_mate_step: ladder.step(Value::SELF_MATE),
            ladder,
            name,
            cells,
            due,
            furthest: AtomicU16::new(0),
            irregular: AtomicBool::new(false),
            too_long: AtomicBool::new(false),
            symmetric: Vec::new(),
        })
    }

    /// The first look at every position.
    pub(super) fn begin(
        &mut self,
        earlier: &Codes<W>,
        watch: &impl Watch,
    ) -> Result<(), SolveError> {
        let chunks = self.cells.cells().len().div_ceil(CHUNK);
        watch.begin(
            &format!("layer {}: first values", self.name),
            self.slots.end - self.slots.start,
        );
        let symmetric = Mutex::new(Vec::new());
        (0..chunks)
            .into_par_iter()
            .with_min_len(8)
            .for_each(|chunk| {
                if !watch.cancelled() {
                    let found = self.begin_chunk(chunk, earlier);
                    if !found.is_empty() {
                        symmetric
                            .lock()
                            .expect("no thread panics here")
                            .extend(found);
                    }
                    watch.advance(self.chunk_len(chunk));
                }
            });
        self.symmetric = symmetric.into_inner().expect("no thread panics here");
        self.symmetric.sort_unstable_by_key(|&(slot, _)| slot);
        self.symmetric
            .par_iter()
            .for_each(|&(slot, floor)| self.value_from_children(slot, floor, 0));
        self.sound(watch)
    }

    /// All passes from distance `depth` on. The keeper is asked before each.
    pub(super) fn finish(
        self,
        number: usize,
        mut depth: u16,
        watch: &impl Watch,
        keeper: &mut impl Keeper<W>,
    ) -> Result<Cells<W>, SolveError> {
        while depth <= self.furthest.load(Relaxed) {
            if keeper.is_due() {
                watch.begin("keeping a checkpoint", 0);
                keeper
                    .keep(&self.snapshot(number, depth))
                    .map_err(SolveError::Keeper)?;
            }
            self.pass(depth, watch);
            self.sound(watch)?;
            depth += 1;
        }
        Ok(self.cells)
    }

    /// Whether to go on.
    fn sound(&self, watch: &impl Watch) -> Result<(), SolveError> {
        if self.too_long.load(Relaxed) {
            let longest = W::LONGEST;
            return Err(SolveError::TooLong { longest });
        }
        if watch.cancelled() {
            return Err(SolveError::Cancelled);
        }
        Ok(())
    }

    pub(super) fn chunk_len(&self, chunk: usize) -> u64 {
        (self.cells.cells().len() - chunk * CHUNK).min(CHUNK) as u64
    }

    /// The cell of a slot of this group.
    #[inline(always)]
    pub(super) fn cell(&self, slot: u64) -> u32 {
        (slot - self.slots.start) as u32
    }

    #[inline(always)]
    pub(super) fn load(&self, cell: u32) -> Work<W> {
        Work::from_bits(W::load(&self.cells.cells()[cell as usize]))
    }

    /// Notes that a cell's chunk has news at the distance of a value.
    #[inline]
    pub(super) fn schedule(&self, cell: u32, value: Value<W>) {
        let Some(distance) = value.plies_to_checkmate() else {
            return;
        };
        if distance > W::LONGEST {
            self.too_long.store(true, Relaxed);
            return;
        }
        let word = &self.due[cell as usize / CHUNK * Self::DUE + usize::from(distance >> 6)];
        let bit = 1 << (distance & 63);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            self.furthest.fetch_max(distance, Relaxed);
        }
        if !value.is_regular() && !self.irregular.load(Relaxed) {
            self.irregular.store(true, Relaxed);
        }
    }

    pub(super) fn store_first(&self, cell: u32, work: Work<W>) {
        W::store(&self.cells.cells()[cell as usize], work.bits());
        if work.has_best() {
            self.schedule(cell, work.best());
        }
        if work.has_second() {
            self.schedule(cell, work.second());
        }
    }
}

//! Retrograde analysis, layer by layer and depth by depth.
//!
//! Method: K. Thompson, *Retrograde analysis of certain endgames* (1986), with
//! counters instead of repeated sweeps. One record a position stands for all of
//! its states (see [`Record`]); a value, once final, is told to every predecessor
//! exactly once. The words of a group of layers are the only large array; threads
//! share them by compare-and-swap. All events of a pass have the same distance and
//! commute, so the result does not depend on the number of threads.

mod begin;
mod error;
mod group;
mod pass;
mod stage;
mod symmetric;

pub use error::SolveError;
pub use stage::{NoSnapshots, Snapshot, SnapshotSink, Stage};

use std::ops::Range;

use super::codes::Codes;
use super::memory::WordArray;
use super::word::WordWidth;
use super::work::Work;
use crate::base::value::Record;
use crate::base::watch::Watch;
use crate::game::Retrograde;
use group::Group;

/// Solves a game group by group, with values of width `W`.
#[derive(Debug)]
pub struct Solver<'g, G, W: WordWidth> {
    game: &'g G,
    /// Best value of every slot solved so far: all that later groups need.
    earlier: Option<Codes<W>>,
    group: usize,
    /// A group that was begun in an earlier run.
    begun: Option<(Stage, WordArray<W::Atom>)>,
}

/// The records of one group.
#[derive(Debug)]
pub struct SolvedGroup<W: WordWidth> {
    slots: Range<u64>,
    words: WordArray<W::Atom>,
}

impl<W: WordWidth> SolvedGroup<W> {
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
        self.work(slot - self.slots.start).record()
    }

    fn work(&self, index: u64) -> Work<W> {
        let index = usize::try_from(index).expect("words are in memory");
        Work::from_bits(W::load(&self.words[index]))
    }
}

impl<'g, G: Retrograde, W: WordWidth> Solver<'g, G, W> {
    /// A solver that has solved nothing yet.
    pub const fn new(game: &'g G) -> Self {
        Self {
            game,
            earlier: None,
            group: 0,
            begun: None,
        }
    }

    /// Takes up the work of an earlier run: `group` groups are solved, and `best`
    /// gives the code of the best value of each of their slots; `begun` is the next
    /// group, if that was begun.
    ///
    /// # Errors
    /// [`SolveError::Stage`] if there is no such group.
    pub fn resume(
        game: &'g G,
        group: usize,
        best: impl Fn(Range<usize>, &mut [u8]) + Sync,
        begun: Option<(Stage, WordArray<W::Atom>)>,
    ) -> Result<Self, SolveError> {
        let mut solver = Self::new(game);
        if group > solver.groups()
            || begun
                .as_ref()
                .is_some_and(|(stage, _)| stage.group != group)
        {
            return Err(SolveError::Stage);
        }
        solver.group = group;
        solver.begun = begun;
        // What is begun needs no earlier values any more; only later groups do.
        if group + usize::from(solver.begun.is_some()) < solver.groups() {
            let slots = game.layers().iter().filter(|layer| layer.group < group);
            let end = slots.map(|layer| layer.slots.end).max().unwrap_or(0);
            let end = usize::try_from(end).map_err(|_| SolveError::Stage)?;
            solver.earlier()?.extend(end, best);
        }
        Ok(solver)
    }

    /// The best values so far.
    fn earlier(&mut self) -> Result<&mut Codes<W>, SolveError> {
        if self.earlier.is_none() {
            let positions = self.game.slots();
            let codes = Codes::new(self.game).map_err(|source| SolveError::Memory {
                positions,
                bytes: positions.saturating_mul(W::BYTES as u64),
                source,
            })?;
            self.earlier = Some(codes);
        }
        self.earlier.as_mut().ok_or(SolveError::Stage)
    }

    /// Number of groups of the game.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.game.layers().last().map_or(0, |layer| layer.group + 1)
    }

    /// Number of groups solved so far.
    #[must_use]
    pub const fn solved(&self) -> usize {
        self.group
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
    pub fn solve_next(&mut self, watch: &impl Watch) -> Result<Option<SolvedGroup<W>>, SolveError> {
        self.solve_next_with_snapshots(watch, &mut NoSnapshots)
    }

    /// As [`solve_next`](Self::solve_next), with snapshots for a later
    /// [`resume`](Self::resume).
    ///
    /// # Errors
    /// Also if a snapshot cannot be kept, or one that was taken up does not fit.
    pub fn solve_next_with_snapshots(
        &mut self,
        watch: &impl Watch,
        keeper: &mut impl SnapshotSink<W>,
    ) -> Result<Option<SolvedGroup<W>>, SolveError> {
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
        let number = self.group;
        self.group += 1;
        let last = self.next_slots().is_none();
        let mut group = Group::new(self.game, slots.clone(), names.join("+"))?;
        let depth = if let Some((stage, words)) = self.begun.take() {
            let depth = stage.depth;
            if !group.restore(stage, words) {
                return Err(SolveError::Stage);
            }
            depth
        } else {
            group.begin(self.earlier()?, watch)?;
            0
        };
        if last {
            // Nobody needs them any more, and they are large.
            self.earlier = None;
        }
        let words = group.finish(number, depth, watch, keeper)?;
        let solved = SolvedGroup { slots, words };
        if !last {
            let first = solved.slots.start;
            let end = usize::try_from(solved.slots.end).map_err(|_| SolveError::Stage)?;
            self.earlier()?.extend(end, |slots, bytes| {
                for (slot, bytes) in slots.zip(bytes.chunks_exact_mut(W::BYTES)) {
                    let code = solved.work(slot as u64 - first).final_best().code();
                    bytes.copy_from_slice(&code.to_le_bytes()[..W::BYTES]);
                }
            });
        }
        Ok(Some(solved))
    }
}

/// The most memory in bytes that solving a game takes at one time, up to a few
/// megabytes: the words of the largest group, with what is kept of those before.
#[must_use]
pub fn working_set<G: Retrograde, W: WordWidth>(game: &G) -> u64 {
    let groups = game.layers().last().map_or(0, |layer| layer.group + 1);
    let mut earlier = 0;
    let needs = (0..groups).map(|group| {
        let layers = game.layers().iter().filter(|layer| layer.group == group);
        let slots: u64 = layers
            .map(|layer| layer.slots.end - layer.slots.start)
            .sum();
        let due = slots.div_ceil(group::CHUNK as u64) * 8 * Group::<G, W>::DUE as u64;
        let need = slots * size_of::<W::Atom>() as u64 + due + earlier;
        earlier += slots * W::BYTES as u64;
        need
    });
    needs.max().unwrap_or(0)
}

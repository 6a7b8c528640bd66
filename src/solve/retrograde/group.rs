//! A group of layers while it is being solved: its working records, and the distances
//! at which they are due.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

use super::stage::{Result, SnapshotSink, SolveError, Stage, StageHead};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::Value;
use crate::game::Retrograde;
use crate::solve::codes::{Codes, Ordinal, ValueOrder};
use crate::solve::memory::OutOfMemory;
use crate::solve::words::{WordWidth, Words};
use crate::solve::work::Work;

/// Number of positions that share one set of pending distances; also the unit of work.
pub(in crate::solve) const CHUNK: usize = 1 << 10;

/// The slots of symmetric positions with the codes of their floors, if any.
pub(super) type Symmetric = Vec<(u64, Option<u16>)>;

pub(in crate::solve) struct Group<'a, G, W: WordWidth> {
    pub(in crate::solve) game: &'a G,
    number: usize,
    pub(in crate::solve) slots: Range<u64>,
    pub(in crate::solve) order: ValueOrder<W>,
    pub(in crate::solve) draw_ordinal: Ordinal,
    pub(in crate::solve) self_mate_ordinal: Ordinal,
    pub(in crate::solve) name: String,
    pub(in crate::solve) len: usize,
    /// The records, unless they are kept by rows.
    pub(in crate::solve) words: &'a [W::Atom],
    /// For each chunk, the distances at which one of its values is decided, as bit sets of
    /// [`DUE`](Self::DUE) words.
    pub(in crate::solve) due: Vec<AtomicU64>,
    pub(in crate::solve) furthest: AtomicU16,
    pub(in crate::solve) irregular: AtomicBool,
    pub(in crate::solve) too_long: AtomicBool,
    /// The symmetric positions, sorted by slot. Their moves and un-moves do
    /// not correspond one to one, so they are evaluated from their children instead.
    pub(super) symmetric: Symmetric,
}

impl<'a, G: Retrograde, W: WordWidth> Group<'a, G, W> {
    /// Number of words in a chunk's set of distances.
    pub(in crate::solve) const DUE: usize = (W::LONGEST as usize + 1).div_ceil(64);

    /// The bytes that say which distances are due in a group of this many slots.
    pub(in crate::solve) const fn due_bytes(slots: u64) -> u64 {
        slots.div_ceil(CHUNK as u64) * 8 * Self::DUE as u64
    }

    /// A group whose records are kept by rows.
    pub(in crate::solve) fn new(game: &'a G, number: usize) -> Result<Self> {
        let slots = game.group_slots(number);
        let memory = OutOfMemory::of(slots.end - slots.start, size_of::<W::Atom>());
        // Updates hold indices in 32 bits.
        let len = u32::try_from(slots.end - slots.start)
            .map_err(|_| memory(io::ErrorKind::OutOfMemory.into()))? as usize;
        let due = (0..len.div_ceil(CHUNK) * Self::DUE)
            .map(|_| AtomicU64::new(0))
            .collect();
        let order = ValueOrder::new();
        Ok(Self {
            game,
            number,
            slots,
            draw_ordinal: order.ordinal(Value::DRAW),
            self_mate_ordinal: order.ordinal(Value::SELF_MATE),
            order,
            name: game.group_name(number),
            len,
            words: &[],
            due,
            furthest: AtomicU16::new(0),
            irregular: AtomicBool::new(false),
            too_long: AtomicBool::new(false),
            symmetric: Vec::new(),
        })
    }

    pub(in crate::solve) fn begin(
        &mut self,
        earlier: &Codes,
        progress: &dyn Progress,
    ) -> Result<()> {
        let chunks = self.len.div_ceil(CHUNK);
        progress.begin(
            &format!("layer {}: first values", self.name),
            self.slots.end - self.slots.start,
        );
        let runs = (0..chunks).step_by(8);
        let begun = threads::map(runs, |first| {
            let mut symmetric = Vec::new();
            for chunk in first..chunks.min(first + 8) {
                if !progress.cancelled() {
                    symmetric.extend(self.begin_chunk(chunk, earlier));
                    progress.advance(self.chunk_len(chunk));
                }
            }
            symmetric
        });
        if self.game.has_ended_positions() {
            threads::each(chunks, &|chunk| self.settle_ended(chunk));
        }
        self.symmetric = begun.concat();
        self.symmetric.sort_unstable_by_key(|&(slot, _)| slot);
        threads::each(self.symmetric.len(), &|place| {
            let (slot, floor) = self.symmetric[place];
            self.value_from_children(slot, floor, 0);
        });
        self.sound(progress)
    }

    /// Runs all passes from distance `depth` on. Before each of them a snapshot is saved
    /// if one is due.
    pub(in crate::solve) fn finish(
        self,
        records: &Words,
        mut depth: u16,
        progress: &dyn Progress,
        mut sink: Option<&mut dyn SnapshotSink>,
    ) -> Result<()> {
        while depth <= self.furthest.load(Relaxed) {
            self.save_if_due(records, false, depth, progress, sink.as_deref_mut())?;
            self.pass(depth, progress);
            self.sound(progress)?;
            depth += 1;
        }
        Ok(())
    }

    /// Checks whether the solver can go on.
    pub(in crate::solve) fn sound(&self, progress: &dyn Progress) -> Result<()> {
        if self.too_long.load(Relaxed) {
            return Err(SolveError::TooLong(W::LONGEST));
        }
        progress.go_on(SolveError::Cancelled)
    }

    pub(in crate::solve) fn chunk_len(&self, chunk: usize) -> u64 {
        (self.len - chunk * CHUNK).min(CHUNK) as u64
    }

    #[inline(always)]
    pub(in crate::solve) fn index(&self, slot: u64) -> u32 {
        (slot - self.slots.start) as u32
    }

    #[inline(always)]
    pub(in crate::solve) fn load(&self, index: u32) -> Work<W> {
        Work::from_bits(W::load(&self.words[index as usize]))
    }

    /// Records that a value of the position at `index` is decided, so that the pass of its
    /// distance visits the chunk.
    #[inline]
    pub(in crate::solve) fn schedule(&self, index: u32, value: Value<W>) {
        let Some(distance) = value.plies_to_checkmate() else {
            return;
        };
        if distance > W::LONGEST {
            self.too_long.store(true, Relaxed);
            return;
        }
        let word = &self.due[index as usize / CHUNK * Self::DUE + usize::from(distance >> 6)];
        let bit = 1 << (distance & 63);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            self.furthest.fetch_max(distance, Relaxed);
        }
        if !value.is_regular() && !self.irregular.load(Relaxed) {
            self.irregular.store(true, Relaxed);
        }
    }

    /// Whether a value of this distance was put down for a chunk.
    #[inline(always)]
    pub(in crate::solve) fn is_due(&self, chunk: usize, distance: u16) -> bool {
        let word = &self.due[chunk * Self::DUE + usize::from(distance >> 6)];
        word.load(Relaxed) >> (distance & 63) & 1 == 1
    }

    pub(in crate::solve) fn store_first(&self, index: u32, work: Work<W>) {
        W::store(&self.words[index as usize], work.bits());
        self.schedule_first(index, work);
    }

    /// Puts down what a first record decides.
    #[inline(always)]
    pub(in crate::solve) fn schedule_first(&self, index: u32, work: Work<W>) {
        if work.has_best() {
            self.schedule(index, work.best());
        }
        if work.has_second() {
            self.schedule(index, work.second());
        }
    }

    /// Saves the state of the group before the pass of distance `depth`, if it is time to.
    pub(in crate::solve) fn save_if_due(
        &self,
        records: &Words,
        rows: bool,
        depth: u16,
        progress: &dyn Progress,
        sink: Option<&mut (dyn SnapshotSink + '_)>,
    ) -> Result<()> {
        let Some(sink) = sink.filter(|sink| sink.is_due()) else {
            return Ok(());
        };
        progress.begin("saving a checkpoint", 0);
        let stage = Stage {
            group: self.number,
            head: StageHead {
                depth,
                furthest: self.furthest.load(Relaxed),
                irregular: self.irregular.load(Relaxed),
                rows,
                words: self.len as u64,
            },
            due: self.due.iter().map(|word| word.load(Relaxed)).collect(),
            symmetric: self.symmetric.clone(),
        };
        sink.save(&stage, records).map_err(SolveError::Snapshot)
    }

    /// Restores such a state. Returns `false` and changes nothing if it does not fit this
    /// group.
    pub(in crate::solve) fn restore(&mut self, stage: Stage) -> bool {
        let is_floor = |code: u16| {
            let value = Value::<W>::from_code(code.min(W::DRAW));
            let plies = value.plies_to_checkmate().unwrap_or(0);
            value.code() == code && !value.is_vacant() && plies <= W::LONGEST
        };
        let possible = |(slot, floor): &(u64, Option<u16>)| {
            self.slots.contains(slot) && floor.is_none_or(is_floor)
        };
        let fits = stage.due.len() == self.due.len()
            && stage.head.depth <= stage.head.furthest
            && stage.head.furthest <= W::LONGEST
            && stage.symmetric.is_sorted_by_key(|(slot, _)| slot)
            && stage.symmetric.iter().all(possible);
        if fits {
            self.furthest = AtomicU16::new(stage.head.furthest);
            self.irregular = AtomicBool::new(stage.head.irregular);
            self.due = stage.due.into_iter().map(AtomicU64::new).collect();
            self.symmetric = stage.symmetric;
        }
        fits
    }
}

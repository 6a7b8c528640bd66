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
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;
use thiserror::Error;

use super::Watch;
use super::memory::{Cells, prefetch_read, prefetch_write};
use super::work::{Cell, Work};
use crate::game::{Census, Repetition, Retrograde};
use crate::value::{Outcome, Record, Value, Width};

/// Positions whose pending distances share one bit set, and the unit of work.
const CHUNK: usize = 1 << 10;
/// Positions whose look-ups in earlier groups are in flight together.
const BATCH: usize = 64;
/// Updates in flight; enough to hide a cache miss behind the generation of more.
const RING: usize = 64;

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

/// One group while it is being solved.
struct Group<'a, G, W> {
    game: &'a G,
    slots: Range<u64>,
    earlier: &'a Codes<W>,
    name: String,
    cells: Cells<W>,
    /// For each chunk, the distances at which some position of it has news.
    due: Vec<AtomicU64>,
    furthest: AtomicU16,
    irregular: AtomicBool,
    too_long: AtomicBool,
    /// Slots of symmetric positions with their floors, sorted. Their moves and
    /// un-moves do not correspond one to one, so they are valued from their
    /// children instead.
    symmetric: Vec<(u64, Option<Value<W>>)>,
}

/// An update on its way to its cell.
#[derive(Clone, Copy)]
struct Update<W> {
    cell: u32,
    number: u8,
    value: Value<W>,
}

/// Updates whose cells are being fetched.
struct Ring<'r, 'a, G, W> {
    group: &'r Group<'a, G, W>,
    updates: [Update<W>; RING],
    pushed: usize,
}

impl<G: Retrograde, W: Cell> Ring<'_, '_, G, W> {
    #[inline(always)]
    fn push(&mut self, update: Update<W>) {
        prefetch_write(&self.group.cells.cells()[update.cell as usize]);
        let place = self.pushed % RING;
        if self.pushed >= RING {
            self.group.apply(self.updates[place]);
        }
        self.updates[place] = update;
        self.pushed += 1;
    }

    fn flush(&mut self) {
        let first = self.pushed.saturating_sub(RING);
        for place in first..self.pushed {
            self.group.apply(self.updates[place % RING]);
        }
        self.pushed = 0;
    }
}

impl<'a, G: Retrograde, W: Cell> Group<'a, G, W> {
    /// Words of the set of distances of a chunk.
    const DUE: usize = (W::LONGEST as usize + 1).div_ceil(64);

    fn new(
        game: &'a G,
        slots: Range<u64>,
        earlier: &'a Codes<W>,
        name: String,
    ) -> Result<Self, SolveError> {
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
        Ok(Self {
            game,
            slots,
            earlier,
            name,
            cells,
            due,
            furthest: AtomicU16::new(0),
            irregular: AtomicBool::new(false),
            too_long: AtomicBool::new(false),
            symmetric: Vec::new(),
        })
    }

    fn run(mut self, watch: &impl Watch) -> Result<Cells<W>, SolveError> {
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
                    let found = self.begin_chunk(chunk);
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
        let mut depth = 0;
        while depth <= self.furthest.load(Relaxed) {
            if watch.cancelled() {
                return Err(SolveError::Cancelled);
            }
            if self.too_long.load(Relaxed) {
                return Err(SolveError::TooLong {
                    longest: W::LONGEST,
                });
            }
            self.pass(depth, watch);
            depth += 1;
        }
        if self.too_long.load(Relaxed) {
            return Err(SolveError::TooLong {
                longest: W::LONGEST,
            });
        }
        if watch.cancelled() {
            return Err(SolveError::Cancelled);
        }
        Ok(self.cells)
    }

    fn chunk_len(&self, chunk: usize) -> u64 {
        (self.cells.cells().len() - chunk * CHUNK).min(CHUNK) as u64
    }

    /// The cell of a slot of this group.
    #[inline(always)]
    fn cell(&self, slot: u64) -> u32 {
        (slot - self.slots.start) as u32
    }

    #[inline(always)]
    fn load(&self, cell: u32) -> Work<W> {
        Work::from_bits(W::load(&self.cells.cells()[cell as usize]))
    }

    /// Notes that a cell's chunk has news at the distance of a value.
    #[inline]
    fn schedule(&self, cell: u32, value: Value<W>) {
        let Some(distance) = value.plies_to_checkmate() else {
            return;
        };
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

    fn store_first(&self, cell: u32, work: Work<W>) {
        W::store(&self.cells.cells()[cell as usize], work.bits());
        if work.has_best() {
            self.schedule(cell, work.best());
        }
        if work.has_second() {
            self.schedule(cell, work.second());
        }
    }

    /// First values of a chunk; returns its symmetric positions with their floors.
    fn begin_chunk(&self, chunk: usize) -> Vec<(u64, Option<Value<W>>)> {
        let first = self.slots.start + (chunk * CHUNK) as u64;
        let end = first + self.chunk_len(chunk);
        let mut symmetric = Vec::new();
        let mut lookups: Vec<(usize, usize)> = Vec::with_capacity(BATCH * 16);
        let mut begun: Vec<Begun<W>> = Vec::with_capacity(BATCH);
        let mut from = first;
        while from < end {
            let to = end.min(from + BATCH as u64);
            lookups.clear();
            begun.clear();
            for slot in from..to {
                begun.push(self.begin_position(slot, begun.len(), &mut lookups));
            }
            for &(place, index) in &lookups {
                match self.earlier.get(index).through_move() {
                    Some(value) => begun[place].raise_floor(value),
                    None => self.too_long.store(true, Relaxed),
                }
            }
            for (slot, entry) in (from..to).zip(&begun) {
                let cell = self.cell(slot);
                match entry.kind {
                    Kind::Vacant => self.store_first(cell, Work::VACANT),
                    Kind::Checkmate => {
                        let work = Work::<W>::decided(Value::CHECKMATE, Value::CHECKMATE, 0);
                        W::store(&self.cells.cells()[cell as usize], work.bits());
                    }
                    Kind::Symmetric => symmetric.push((slot, entry.floor)),
                    Kind::Plain => self.store_first(cell, entry.work()),
                }
            }
            from = to;
        }
        symmetric
    }

    /// Looks at the moves of one position; those that lead to earlier groups are
    /// left as look-ups, `place` and index, whose cells are being fetched.
    fn begin_position(
        &self,
        slot: u64,
        place: usize,
        lookups: &mut Vec<(usize, usize)>,
    ) -> Begun<W> {
        let mut begun = Begun::default();
        let Some(cursor) = self.game.cursor(slot) else {
            return begun;
        };
        begun.kind = Kind::Plain;
        let mut checkmate = false;
        let first = lookups.len();
        self.game.census(cursor, |step| match step {
            Census::Over(Outcome::Win) => checkmate = true,
            Census::Over(Outcome::Draw) => begun.raise_floor(Value::DRAW),
            Census::Over(Outcome::Loss) => begun.raise_floor(Value::SELF_MATE),
            Census::Earlier(index) => {
                // Slots of earlier groups are in memory, so they fit.
                let index = index as usize;
                prefetch_read(&self.earlier.bytes[index * W::BYTES]);
                lookups.push((place, index));
            }
            Census::Within { number, checkmate } => {
                begun.count += 1;
                begun.xor ^= number;
                if checkmate {
                    begun.lost[usize::from(begun.lost_count)] = number;
                    begun.lost_count += 1;
                }
            }
        });
        if checkmate {
            lookups.truncate(first);
            begun.kind = Kind::Checkmate;
        } else if self.game.is_symmetric(cursor) {
            begun.kind = Kind::Symmetric;
        }
        begun
    }

    /// Applies one update to its cell.
    #[inline(always)]
    fn apply(&self, update: Update<W>) {
        let cell = &self.cells.cells()[update.cell as usize];
        let mut bits = W::load(cell);
        loop {
            let old = Work::from_bits(bits);
            let new = old.resolve(update.value, update.number);
            if new == old {
                return;
            }
            match W::replace(cell, bits, new.bits()) {
                Ok(()) => {
                    if new.has_best() && (!old.has_best() || new.best() != old.best()) {
                        self.schedule(update.cell, new.best());
                    }
                    if new.has_second() && (!old.has_second() || new.second() != old.second()) {
                        self.schedule(update.cell, new.second());
                    }
                    return;
                }
                Err(now) => bits = now,
            }
        }
    }

    /// Tells every value of the given distance to the predecessors.
    fn pass(&self, depth: u16, watch: &impl Watch) {
        let (word, bit) = (usize::from(depth >> 6), 1u64 << (depth & 63));
        let chunks: Vec<usize> = (0..self.due.len() / Self::DUE)
            .filter(|chunk| self.due[chunk * Self::DUE + word].load(Relaxed) & bit != 0)
            .collect();
        let stage = format!("layer {}: distance {depth}", self.name);
        watch.begin(
            &stage,
            chunks.iter().map(|&chunk| self.chunk_len(chunk)).sum(),
        );
        let stale = Mutex::new(Vec::new());
        chunks.par_iter().with_min_len(8).for_each(|&chunk| {
            if watch.cancelled() {
                return;
            }
            let mut found = Vec::new();
            self.fire_chunk(chunk, depth, &mut found);
            if !found.is_empty() {
                stale
                    .lock()
                    .expect("no thread panics here")
                    .append(&mut found);
            }
            watch.advance(self.chunk_len(chunk));
        });
        let mut stale = stale.into_inner().expect("no thread panics here");
        stale.sort_unstable();
        stale.dedup();
        stale.par_iter().for_each(|&slot| {
            let known = self
                .symmetric
                .binary_search_by_key(&slot, |&(slot, _)| slot);
            if let Ok(place) = known {
                self.value_from_children(slot, self.symmetric[place].1, depth);
            }
        });
    }

    fn fire_chunk(&self, chunk: usize, depth: u16, stale: &mut Vec<u64>) {
        let mut ring = Ring {
            group: self,
            updates: [Update {
                cell: 0,
                number: 0,
                value: Value::DRAW,
            }; RING],
            pushed: 0,
        };
        let irregular = self.irregular.load(Relaxed);
        let first = chunk * CHUNK;
        let last = first + self.chunk_len(chunk) as usize;
        let codes = [
            // Checkmates have been told to their predecessors at the beginning.
            (depth > 0).then(|| Value::from_code(depth)),
            irregular
                .then(|| Value::from_code(Value::<W>::SELF_MATE.code() - depth))
                .filter(|value| !value.is_regular() && !value.is_vacant()),
        ];
        for value in codes.into_iter().flatten() {
            for cell in first..last {
                let work = self.load(cell as u32);
                let best = work.best() == value && work.has_best();
                let second = work.second() == value && work.has_second();
                if best || second {
                    self.fire(cell as u64, work, value, (best, second), &mut ring, stale);
                }
            }
        }
        ring.flush();
    }

    /// Tells the predecessors of one position its best value, its second value,
    /// or both.
    #[inline]
    fn fire(
        &self,
        cell: u64,
        work: Work<W>,
        value: Value<W>,
        (best, second): (bool, bool),
        ring: &mut Ring<'_, 'a, G, W>,
        stale: &mut Vec<u64>,
    ) {
        let Some(cursor) = self.game.cursor(self.slots.start + cell) else {
            return;
        };
        let Some(told) = value.through_move() else {
            self.too_long.store(true, Relaxed);
            return;
        };
        // A predecessor learns the best value unless the best move would take its
        // own move back; then it learns the second.
        let (everyone, mv) = (best && second, work.mv());
        let back = match self.game.repetition() {
            Repetition::UpToSymmetry if !everyone => self.game.follow(cursor, mv),
            _ => u64::MAX,
        };
        let exact = self.game.repetition() == Repetition::Exact;
        let symmetric = self.game.is_symmetric(cursor);
        let mut seen: Vec<(u64, u8)> = Vec::new();
        self.game.unmoves(cursor, |unmove| {
            let takes_back = if exact {
                unmove.undo == Some(mv)
            } else {
                unmove.from == back
            };
            if !everyone && takes_back == best {
                return;
            }
            if unmove.from_symmetric {
                stale.push(unmove.from);
                return;
            }
            if symmetric {
                // Symmetric un-moves are one move of one predecessor.
                let key = (unmove.from, unmove.number);
                if seen.contains(&key) {
                    return;
                }
                seen.push(key);
            }
            ring.push(Update {
                cell: self.cell(unmove.from),
                number: unmove.number,
                value: told,
            });
        });
    }

    /// The value of a child state, if final at distance `depth` or less.
    fn known(&self, parent: u64, slot: u64, undo: Option<u8>, depth: u16) -> Option<Value<W>> {
        let work = self.load(self.cell(slot));
        let is_final = |decided: bool, value: Value<W>| {
            (decided && value.plies_to_checkmate().is_some_and(|d| d <= depth)).then_some(value)
        };
        let best = is_final(work.has_best(), work.best());
        let second = is_final(work.has_second(), work.second());
        if best.is_some() && best == second {
            return best;
        }
        let takes_back = match self.game.repetition() {
            Repetition::Exact => undo == Some(work.mv()),
            Repetition::UpToSymmetry => {
                // Nothing final: the move field may be no move.
                (best.is_some() || second.is_some())
                    && self
                        .game
                        .cursor(slot)
                        .is_some_and(|c| self.game.follow(c, work.mv()) == parent)
            }
        };
        if takes_back { second } else { best }
    }

    /// Values a symmetric position from all of its moves, given the values of
    /// distance `depth` and less.
    fn value_from_children(&self, slot: u64, floor: Option<Value<W>>, depth: u16) {
        let Some(cursor) = self.game.cursor(slot) else {
            return;
        };
        let mut known: Vec<(Value<W>, u8)> = Vec::new();
        let mut unknown: Vec<u8> = Vec::new();
        self.game.edges(cursor, |edge| {
            match self
                .known(slot, edge.to, edge.undo, depth)
                .map(Value::through_move)
            {
                Some(Some(value)) => known.push((value, edge.number)),
                Some(None) => self.too_long.store(true, Relaxed),
                None => unknown.push(edge.number),
            }
        });
        if let Some(floor) = floor {
            // The floor cannot be forbidden: it stands in for both values.
            known.push((floor, Record::NO_MOVE));
            known.push((floor, Record::NO_MOVE));
        }
        known.sort_unstable_by(|a, b| b.cmp(a));
        let (first, second) = (known.first().copied(), known.get(1).copied());
        let wins = |entry: Option<(Value<W>, u8)>| {
            entry.filter(|(value, _)| value.outcome() == Outcome::Win)
        };
        let draws = floor.is_some_and(|floor| floor.outcome() == Outcome::Draw);
        let work = match (wins(first), wins(second), unknown.as_slice()) {
            (Some((best, mv)), Some((second, _)), _) => Work::decided(best, second, mv),
            (Some((best, mv)), None, rest) if draws || !rest.is_empty() => {
                Work::best_decided(best, mv)
            }
            (Some((best, mv)), None, _) => Work::decided(
                best,
                second.map_or(Value::SELF_MATE, |(value, _)| value),
                mv,
            ),
            (None, ..) if draws => Work::OPEN,
            (None, _, []) => {
                let (best, mv) = first.unwrap_or((Value::SELF_MATE, 0));
                Work::decided(
                    best,
                    second.map_or(Value::SELF_MATE, |(value, _)| value),
                    mv,
                )
            }
            (None, _, [only]) => {
                Work::second_decided(first.map_or(Value::SELF_MATE, |(value, _)| value), *only)
            }
            (None, ..) => Work::OPEN,
        };
        self.store_first(self.cell(slot), work);
    }
}

/// What the first look at a position found.
#[derive(Clone, Copy)]
struct Begun<W> {
    kind: Kind,
    floor: Option<Value<W>>,
    count: u8,
    xor: u8,
    lost_count: u8,
    /// Moves into checkmate positions.
    lost: [u8; 64],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Vacant,
    Checkmate,
    Symmetric,
    Plain,
}

impl<W> Default for Begun<W> {
    fn default() -> Self {
        Self {
            kind: Kind::Vacant,
            floor: None,
            count: 0,
            xor: 0,
            lost_count: 0,
            lost: [0; 64],
        }
    }
}

impl<W: Width> Begun<W> {
    fn raise_floor(&mut self, value: Value<W>) {
        self.floor = Some(self.floor.map_or(value, |floor| floor.max(value)));
    }

    fn work(&self) -> Work<W> {
        let lost = Value::from_code(1);
        self.lost[..usize::from(self.lost_count)].iter().fold(
            Work::begin(self.floor, self.count, self.xor),
            |work, &mv| work.resolve_loss(lost, mv),
        )
    }
}

//! Retrograde analysis: every position of a game, by distance from the end.
//!
//! Method: K. Thompson, *Retrograde analysis of certain endgames* (1986), with counters
//! instead of repeated sweeps. One record per position covers all of its states (see
//! [`Record`]). Pass `n` propagates every value of distance `n`, which is final then, to
//! the predecessors, exactly once.
//!
//! Groups of layers are solved one after the other. The working records of the current
//! group are the largest array; threads share it by compare-and-swap. All updates of a
//! pass have the same distance and commute, so the result does not depend on the number
//! of threads.
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and words, and checks would cost time in hot loops"
)]

mod begin;
pub(super) mod group;
mod pass;
pub(super) mod stage;

pub use stage::{SnapshotSink, SolveError, Stage, StageHead};

use std::io;
use std::marker::PhantomData;
use std::ops::Range;

use super::codes::Codes;
use super::memory::{OutOfMemory, WordArray};
use super::rows::{RowEngine, row_engine};
use super::words::{WordWidth, Words};
use super::work::Work;
use crate::base::progress::Progress;
use crate::base::value::Record;
use crate::game::Retrograde;
use group::Group;
use stage::{GroupRun, Result};

/// Solves a game group by group, with values of width `W`
/// ([`Wide`](crate::base::value::Wide) or, for games known to be short,
/// [`Narrow`](crate::base::value::Narrow)).
///
/// ```
/// use tesuji::base::value::{Value, Wide};
/// use tesuji::base::progress::NoProgress;
/// use tesuji::game::{Game, Ranked};
/// use tesuji::games::pieces::Pieces;
/// use tesuji::solve::Solver;
///
/// let game = Pieces::shipped("tictactoe")?;
/// let mut solver = Solver::<_, Wide>::new(&game);
/// while let Some(group) = solver.solve_next(&NoProgress)? {
///     for (slot, record) in group.slots().zip(group.records(group.slots())) {
///         if game.unrank(slot) == Some(game.initial()) {
///             assert_eq!(record.best(), Value::DRAW);
///         }
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<'g, G, W: WordWidth> {
    game: &'g G,
    /// Best values of all slots solved so far; allocated when first needed.
    earlier: Option<Codes>,
    group: usize,
    /// The next group, if an earlier run left it unfinished.
    begun: Option<(Stage, Words)>,
    /// Whether rows are used where the game has them.
    rows: bool,
    /// The memory to solve in, if it is bounded.
    memory: Option<u64>,
    width: PhantomData<W>,
}

/// The records of one group.
#[derive(Debug)]
pub struct SolvedGroup<W: WordWidth> {
    slots: Range<u64>,
    words: Words,
    width: PhantomData<W>,
}

impl<W: WordWidth> SolvedGroup<W> {
    /// The slots of the group.
    pub fn slots(&self) -> Range<u64> {
        self.slots.clone()
    }

    /// The records of slots of this group, in their order.
    ///
    /// # Panics
    /// If a slot is not in [`slots`](Self::slots).
    pub fn records(&self, slots: Range<u64>) -> Vec<Record> {
        self.works(slots).map(Work::record).collect()
    }

    fn works(&self, slots: Range<u64>) -> impl Iterator<Item = Work<W>> {
        let index = |slot| usize::try_from(slot).expect("words are in memory");
        let mut bits = vec![0; index(slots.end - slots.start)];
        let from = index(slots.start - self.slots.start);
        self.words.read(from, &mut bits);
        bits.into_iter().map(Work::from_bits)
    }
}

impl<'g, G: Retrograde, W: WordWidth> Solver<'g, G, W> {
    /// Creates a solver that has solved nothing yet.
    pub const fn new(game: &'g G) -> Self {
        Self {
            game,
            earlier: None,
            group: 0,
            begun: None,
            rows: true,
            memory: None,
            width: PhantomData,
        }
    }

    /// Solves in at most about `bytes` of memory where that is possible, a tenth to a third slower
    /// than with all that [`working_set`] says. [`least_working_set`] says what is possible.
    pub const fn within(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Solves edge by edge even where the game's positions stand in rows: slower, with the
    /// same records.
    pub fn by_edges(mut self) -> Self {
        self.rows = false;
        self
    }

    /// Creates a solver that continues an earlier run in which the first `group` groups
    /// were solved.
    ///
    /// `best` writes the codes of the best values of a range of their slots, in
    /// [`Width::BYTES`](crate::base::value::Width::BYTES) little-endian bytes each. `begun`
    /// is the state of the next group, if a snapshot was taken within it.
    ///
    /// # Errors
    /// [`SolveError::Stage`] if the game has no such group, [`SolveError::Memory`] if
    /// memory runs out, those of `best`.
    pub fn resume<E: From<SolveError> + Send>(
        game: &'g G,
        group: usize,
        best: impl Fn(Range<usize>, &mut [u8]) -> Result<(), E> + Sync,
        begun: Option<(Stage, Words)>,
    ) -> Result<Self, E> {
        let mut solver = Self::new(game);
        if group > solver.groups()
            || begun
                .as_ref()
                .is_some_and(|(stage, _)| stage.group != group)
        {
            return Err(SolveError::Stage.into());
        }
        solver.group = group;
        solver.begun = begun;
        // A group past its first pass no longer needs earlier values; later groups do.
        if group + usize::from(solver.begun.is_some()) < solver.groups() {
            let end = usize::try_from(game.group_slots(group).start);
            let end = end.map_err(|_| SolveError::Stage)?;
            solver.earlier()?.extend(end, best)?;
        }
        Ok(solver)
    }

    fn earlier(&mut self) -> Result<&mut Codes> {
        if self.earlier.is_none() {
            let positions = self.game.slots();
            let codes = Codes::new::<W>(self.game).map_err(OutOfMemory::of(positions, W::BYTES));
            self.earlier = Some(codes?);
        }
        self.earlier.as_mut().ok_or(SolveError::Stage)
    }

    /// Number of groups in the game.
    pub fn groups(&self) -> usize {
        self.game.groups()
    }

    /// Number of groups solved so far.
    pub const fn solved(&self) -> usize {
        self.group
    }

    /// The slots of the next group to solve, `None` if all are solved.
    pub(crate) fn next_slots(&self) -> Option<Range<u64>> {
        (self.group < self.groups()).then(|| self.game.group_slots(self.group))
    }

    /// Solves the next group; `None` if all are solved.
    ///
    /// # Errors
    /// If memory runs out, distances or moves do not fit the width, or the work is cancelled.
    pub fn solve_next(&mut self, progress: &dyn Progress) -> Result<Option<SolvedGroup<W>>> {
        self.solve_next_with_snapshots(progress, None)
    }

    /// Solves the next group like [`solve_next`](Self::solve_next), and saves snapshots to
    /// `sink`, if there is one, from which [`resume`](Self::resume) can continue.
    ///
    /// # Errors
    /// Also if a snapshot cannot be saved, or the one to resume from does not fit.
    pub fn solve_next_with_snapshots(
        &mut self,
        progress: &dyn Progress,
        sink: Option<&mut dyn SnapshotSink>,
    ) -> Result<Option<SolvedGroup<W>>> {
        let Some(slots) = self.next_slots() else {
            return Ok(None);
        };
        let most = self.game.most_moves();
        if !W::holds(most) {
            return Err(SolveError::Moves(most));
        }
        let number = self.group;
        self.group += 1;
        let last = self.next_slots().is_none();
        let begun = self.begun.take();
        // A group is finished in the way it was begun.
        let rows = begun
            .as_ref()
            .map_or(self.rows, |(stage, _)| stage.head.rows);
        if begun.is_none() {
            self.earlier()?;
        }
        let run = GroupRun {
            number,
            earlier: &mut self.earlier,
            last,
            begun,
            memory: self.memory,
            progress,
            sink: sink.map(|sink| sink as &mut dyn SnapshotSink),
        };
        let engine = row_engine::<W>(self.game).filter(|_| rows);
        let words = match engine {
            Some(engine) => engine.solve_group(run),
            None => run.by_edges::<G, W>(self.game),
        }?;
        let solved = SolvedGroup {
            slots,
            words,
            width: PhantomData,
        };
        if !last {
            let end = usize::try_from(solved.slots.end).map_err(|_| SolveError::Stage)?;
            self.earlier()?.extend(end, |slots, bytes| {
                let works = solved.works(slots.start as u64..slots.end as u64);
                for (work, bytes) in works.zip(bytes.chunks_exact_mut(W::BYTES)) {
                    let code = work.final_best().code();
                    bytes.copy_from_slice(&code.to_le_bytes()[..W::BYTES]);
                }
                Ok::<_, SolveError>(())
            })?;
        }
        Ok(Some(solved))
    }
}

impl GroupRun<'_> {
    fn by_edges<G: Retrograde, W: WordWidth>(self, game: &G) -> Result<Words> {
        let mut group = Group::<G, W>::new(game, self.number)?;
        let memory = OutOfMemory::of(group.len as u64, size_of::<W::Atom>());
        let (stage, words) = self.begun.unzip();
        let words = match words {
            Some(words) => words,
            None => W::records_of(WordArray::new(group.len).map_err(memory)?),
        };
        group.words = W::words_of(&words).ok_or(SolveError::Stage)?;
        let depth = stage.as_ref().map_or(0, |stage| stage.head.depth);
        if let Some(stage) = stage {
            if stage.head.rows || group.words.len() != group.len || !group.restore(stage) {
                return Err(SolveError::Stage);
            }
        } else {
            let earlier = self.earlier.as_ref().ok_or(SolveError::Stage)?;
            group.begin(earlier, self.progress)?;
        }
        if self.last {
            // No group needs them any more, and they are large.
            *self.earlier = None;
        }
        group.finish(&words, depth, self.progress, self.sink)?;
        Ok(words)
    }
}

/// The peak memory in bytes that solving a game takes, to within a few percent: the working
/// records of a group, the best values of the groups before it, and, by rows, the moves of
/// rows and lists of events.
pub fn working_set<G: Retrograde, W: WordWidth>(game: &G) -> u64 {
    most_needed::<G, W>(game, |engine, group| engine.plain_need(group))
}

/// The least memory in bytes in which [`Solver::within`] can solve a game: the working records
/// are packed, and events are handled in parts. Without rows this is the [`working_set`].
pub fn least_working_set<G: Retrograde, W: WordWidth>(game: &G) -> u64 {
    most_needed::<G, W>(game, |engine, group| {
        let packed = engine.packed_need(group);
        packed.unwrap_or_else(|| engine.plain_need(group))
    })
}

/// The memory of the group that takes most: by rows as `need` says, otherwise edge by edge.
fn most_needed<G: Retrograde, W: WordWidth>(
    game: &G,
    need: impl Fn(&dyn RowEngine, usize) -> u64,
) -> u64 {
    let engine = row_engine::<W>(game);
    let needs = (0..game.groups()).map(|group| {
        if let Some(engine) = &engine {
            return need(&**engine, group);
        }
        let slots = game.group_slots(group);
        let count = slots.end - slots.start;
        let earlier = slots.start * W::BYTES as u64;
        count * size_of::<W::Atom>() as u64 + Group::<G, W>::due_bytes(count) + earlier
    });
    needs.max().unwrap_or(0)
}

/// Room for the working records of a group, packed if `memory` is too little for plain
/// words: what a checkpoint is read into.
///
/// # Errors
/// If the operating system cannot provide the memory.
pub fn room_for_records<G: Retrograde, W: WordWidth>(
    game: &G,
    group: usize,
    rows: bool,
    memory: Option<u64>,
) -> io::Result<Words> {
    if let Some(engine) = row_engine::<W>(game)
        && rows
        && engine.packs(group, memory)
    {
        return Words::packed(engine.rows_of(group));
    }
    let slots = game.group_slots(group);
    let len = usize::try_from(slots.end - slots.start);
    let words = WordArray::new(len.map_err(|_| io::ErrorKind::OutOfMemory)?);
    words.map(W::records_of)
}

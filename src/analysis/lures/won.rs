//! How often players who look ahead throw a won position away.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rayon::slice::ParallelSliceMut;

use crate::analysis::lures::chunks::for_each;
use crate::analysis::lures::{LureError, ONE, Result};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::Outcome;
use crate::game::{Next, Retrograde, Slot, of_end};
use crate::solve::look_ahead::{KEPT, LookAhead};
use crate::table::Table;

/// About how many slots are looked at.
const MOST: u64 = 1 << 22;

/// Number of positions that a thread takes at a time.
const RUN: usize = 1 << 10;

/// Number of questions to a table that a thread takes at a time.
const ASKED: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct WonPositions {
    pub positions: u64,
    /// By lane: the sum of the chances that the player's move throws the win away, in units of
    /// 1 / [`ONE`], each rounded down.
    pub lost: [u64; KEPT],
}

/// Which slots are looked at: each (1), or every second (2), third, ... if there are more than four
/// million.
pub(super) fn sample_step(slots: u64) -> u64 {
    slots.div_ceil(MOST).max(1)
}

/// Positions that are won with nothing forbidden, and which of their moves win.
#[derive(Debug)]
pub(super) struct WonSample {
    slots: Vec<u32>,
    /// By run of [`RUN`] positions: where their moves begin.
    starts: Vec<usize>,
    /// By move that does not end the game: whether it wins.
    wins: Vec<bool>,
}

/// Whether a move wins, asked of a table.
struct Question {
    slot: u32,
    forbidden: Option<u8>,
    place: u32,
}

impl WonSample {
    /// Looks at the moves of won positions. Questions to the table are put in the order of
    /// slots, and the memory of its blocks is given back.
    pub(super) fn new<G: Retrograde>(
        game: &G,
        table: &Table,
        slots: Vec<u32>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.begin("looking at won positions", slots.len() as u64);
        let runs: Vec<Vec<Slot>> = threads::map(slots.chunks(RUN), |slots| {
            let mut asked = Vec::new();
            for_each(
                game,
                slots,
                |_| (),
                |_, moves| asked.extend(moves.iter().filter_map(|(_, to)| to.state())),
            );
            asked
        });
        let mut starts = Vec::with_capacity(runs.len());
        let mut questions = Vec::with_capacity(runs.iter().map(Vec::len).sum());
        for run in runs {
            starts.push(questions.len());
            for Slot { index, forbidden } in run {
                // At most 255 moves of four million positions.
                questions.push(Question {
                    slot: u32::try_from(index).unwrap_or(u32::MAX),
                    forbidden,
                    place: u32::try_from(questions.len()).unwrap_or(u32::MAX),
                });
            }
        }
        questions.par_sort_unstable_by_key(|question| question.slot);
        let wins: Vec<AtomicBool> = questions.iter().map(|_| AtomicBool::new(false)).collect();
        progress.begin("looking at winning moves", questions.len() as u64);
        threads::try_map(questions.chunks(ASKED), |questions| {
            progress.go_on(LureError::Cancelled)?;
            for question in questions {
                let record = table.record(question.slot.into())?;
                let value = record.without(question.forbidden);
                let wins = &wins[question.place as usize];
                wins.store(value.outcome() == Outcome::Loss, Relaxed);
            }
            if let [first, .., last] = questions {
                table.forget_slots(first.slot.into()..=last.slot.into());
            }
            progress.advance(questions.len() as u64);
            Ok::<_, LureError>(())
        })?;
        Ok(Self {
            slots,
            starts,
            wins: wins.into_iter().map(AtomicBool::into_inner).collect(),
        })
    }

    /// Finds the chances that players who look `seen.depth() + 1` plies ahead, and up to three
    /// plies less, do not keep the win.
    pub(crate) fn thrown_away<G: Retrograde>(
        &self,
        game: &G,
        seen: &LookAhead,
        progress: &dyn Progress,
    ) -> Result<WonPositions> {
        progress.begin("looking at won positions", self.slots.len() as u64);
        let runs = self.slots.chunks(RUN).zip(&self.starts);
        let runs = threads::try_map(runs, |(slots, &start)| {
            progress.go_on(LureError::Cancelled)?;
            let mut found = WonPositions::default();
            let mut wins = self.wins[start..].iter().copied();
            for_each(
                game,
                slots,
                |slot| seen.prefetch(slot),
                |_, moves| {
                    let looked: Vec<_> = moves
                        .iter()
                        .map(|&(_, to)| {
                            let wins = match to {
                                Next::Over(outcome) => outcome == Outcome::Win,
                                Next::State(_) => wins.next().unwrap_or(false),
                            };
                            (worths(seen, to), wins)
                        })
                        .collect();
                    found.positions += 1;
                    for (lane, lost) in found.lost.iter_mut().enumerate() {
                        let best = looked.iter().map(|(worths, _)| worths[lane]).max();
                        let liked = looked.iter().filter(|it| Some(it.0[lane]) == best);
                        let wrong = liked.clone().filter(|(_, wins)| !wins).count() as u64;
                        *lost += wrong * u64::from(ONE) / liked.count().max(1) as u64;
                    }
                },
            );
            progress.advance(slots.len() as u64);
            Ok::<_, LureError>(found)
        })?;
        Ok(runs.into_iter().fold(WonPositions::default(), |mut a, b| {
            a.positions += b.positions;
            for (a, b) in a.lost.iter_mut().zip(b.lost) {
                *a += b;
            }
            a
        }))
    }
}

/// What a move is worth to players who look `seen.depth() + 1` plies ahead, one ply less, and so
/// on.
pub(super) fn worths(seen: &LookAhead, to: Next<Slot>) -> [i8; KEPT] {
    match to {
        Next::Over(outcome) => [of_end(outcome); KEPT],
        Next::State(slot) => {
            let [third, second, first, last] = seen.values(slot.index);
            [-last, -first, -second, -third]
        }
    }
}

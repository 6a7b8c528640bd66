//! Shortest solutions of puzzles, by breadth-first search backward from the solved state.

use std::ops::Range;

use rayon::slice::ParallelSliceMut;

use super::memory::OutOfMemory;
use super::retrograde::SolveError;
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::{Outcome, Record, Value};
use crate::game::{Moves, Next, Solitaire};

/// The length of the shortest solution of every state of a puzzle.
#[derive(Debug)]
pub struct Distances {
    /// By slot: moves of the shortest solution, 0 if the slot is vacant, or [`FAR`].
    plies: Vec<u8>,
}

/// Marks a state that has not been reached yet.
const FAR: u8 = u8::MAX;

impl Distances {
    /// Solves a puzzle, using one byte of memory per slot and two lists of the states at
    /// the current distance.
    ///
    /// # Errors
    /// If a shortest solution has more than 254 moves, memory runs out, or the work
    /// is cancelled.
    pub fn of<G: Solitaire>(game: &G, progress: &dyn Progress) -> Result<Self, SolveError> {
        let slots = game.slots();
        let mut plies: Vec<u8> = Vec::new();
        let count = usize::try_from(slots).unwrap_or(usize::MAX);
        if plies.try_reserve_exact(count).is_err() {
            let source = std::io::ErrorKind::OutOfMemory.into();
            return Err(OutOfMemory::of(slots, 1)(source).into());
        }
        progress.begin("finding last moves", slots);
        plies.resize(count, FAR);
        let batches = plies.chunks_mut(BATCH).enumerate();
        threads::for_each(batches, |(batch, plies)| {
            for (slot, plies) in ((batch * BATCH) as u64..).zip(&mut *plies) {
                let Some(state) = game.unrank(slot) else {
                    *plies = 0;
                    continue;
                };
                let wins = |mv| matches!(game.play(&state, mv), Next::Over(Outcome::Win));
                if game.moves(&state).into_iter().any(wins) {
                    *plies = 1;
                }
            }
            progress.advance(plies.len() as u64);
        });
        let mut solved = Self { plies };
        let mut distance = 1;
        let is_last = |&slot: &usize| solved.plies[slot] == distance;
        let mut frontier: Vec<usize> = (0..solved.plies.len()).filter(is_last).collect();
        progress.begin("searching backward", slots);
        while !frontier.is_empty() {
            progress.go_on(SolveError::Cancelled)?;
            progress.advance(frontier.len() as u64);
            let before = |&slot: &usize| {
                let states = game.unrank(slot as u64);
                let before = states.map(|state| game.predecessors(&state));
                let before = before.into_iter().flatten();
                before.filter_map(|state| usize::try_from(game.rank(&state)).ok())
            };
            let is_far = |slot: &usize| solved.plies.get(*slot) == Some(&FAR);
            let next = threads::map(frontier.chunks(TOGETHER), |frontier| {
                let before = frontier.iter().flat_map(before);
                before.filter(is_far).collect::<Vec<_>>()
            });
            let mut next = next.concat();
            next.par_sort_unstable();
            next.dedup();
            distance += 1;
            if distance == FAR && !next.is_empty() {
                return Err(SolveError::TooLong(u16::from(FAR) - 2));
            }
            for &slot in &next {
                solved.plies[slot] = distance;
            }
            frontier = next;
        }
        Ok(solved)
    }

    /// Number of moves of the shortest solution from a slot's state. `None` if the slot is
    /// vacant or the state has no solution.
    pub fn plies(&self, slot: u64) -> Option<u16> {
        let plies = *self.plies.get(usize::try_from(slot).ok()?)?;
        (plies != 0 && plies != FAR).then(|| plies.into())
    }

    /// The records of slots, in their order.
    pub fn records<G: Solitaire>(&self, game: &G, slots: Range<u64>) -> Vec<Record> {
        let value = |slot| {
            let plies = self.plies(slot);
            let value = plies.and_then(|plies| Value::decided(Outcome::Win, plies));
            value.unwrap_or(Value::DRAW)
        };
        slots.map(|slot| record(game, slot, value)).collect()
    }
}

/// Slots between two reports of progress.
const BATCH: usize = 1 << 16;

/// States whose predecessors a thread finds together.
const TOGETHER: usize = 1 << 8;

/// The record of a slot, derived from the values of its next states.
pub(crate) fn record<G: Solitaire + Moves>(
    game: &G,
    slot: u64,
    value: impl Fn(u64) -> Value,
) -> Record {
    let Some(state) = game.unrank(slot) else {
        return Record::VACANT;
    };
    let (mut best, mut second, mut only) = (None, None, Record::NO_MOVE);
    for mv in game.moves(&state) {
        let through = match game.play(&state, mv) {
            Next::Over(outcome) => Value::decided(outcome, 1).unwrap_or(Value::DRAW),
            Next::State(next) => {
                let next = value(game.rank(&next));
                game.through_move(next).unwrap_or(Value::DRAW)
            }
        };
        if best.is_none_or(|best| through > best) {
            (second, best, only) = (best, Some(through), game.number(mv));
        } else if second.is_none_or(|second| through > second) {
            second = Some(through);
        }
    }
    let best = best.unwrap_or(Value::DRAW);
    // With a single move the second value is the best one: no move is ever forbidden.
    Record::new(best, second.unwrap_or(best), only)
}

//! The states that can be reached from the initial one, by distance in plies.
//!
//! A breadth-first search over all legal moves, good or bad. As in the solver, one small
//! entry per position covers all of its states. The moves of a position are played at
//! most twice: when it is first reached, all except the one forbidden there; and that one
//! later, when the position is reached in a state that allows it. Groups of layers are
//! searched from the last to the first, because moves never lead to a later group. The
//! states are counted from the entries of their predecessors afterwards.
//!
//! All events of a level have the same distance and commute, so the result does not
//! depend on the number of threads.

mod count;
mod entry;
mod group;
mod spread;

use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use thiserror::Error;

use super::memory::WordArray;
use crate::base::watch::Watch;
use crate::game::{Forward, Layer};
use count::Counts;
use entry::{Entry, LONGEST, NEVER};
use group::{Above, Group};

/// Numbers of states by distance from the initial one. States that are symmetric to one
/// another count as one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reach {
    counts: Vec<u64>,
    unreached: u64,
}

impl Reach {
    /// Number of states by plies from the initial one, from 0.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of states that can be reached.
    #[must_use]
    pub fn reached(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of states that some move of some position leads to, but that cannot be
    /// reached from the initial state.
    #[must_use]
    pub const fn unreached(&self) -> u64 {
        self.unreached
    }
}

impl From<Counts> for Reach {
    fn from(counts: Counts) -> Self {
        let [reached @ .., unreached] = counts.0;
        let len = reached.iter().rposition(|&count| count > 0);
        Self {
            counts: reached[..len.map_or(0, |last| last + 1)].to_vec(),
            unreached,
        }
    }
}

/// The moves that [`reach()`] plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Legal moves only.
    Legal,
    /// Also the moves that the rule against repetition (rule 8 of Ostle) forbids. The
    /// published figures for Ostle come from such a search: 102 states are two plies from
    /// the initial position, three of them by taking back a move of the hole.
    TakeBacks,
}

/// An error of [`reach()`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReachError {
    /// The operating system could not provide the memory.
    #[error(
        "cannot allocate {bytes} bytes for {positions} positions: {source}; choose a smaller game or use a machine with more memory"
    )]
    Memory {
        /// Number of positions in the group.
        positions: u64,
        /// Bytes requested.
        bytes: u64,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A distance is longer than an entry can hold.
    #[error(
        "some states are more than {longest} plies from the initial one, the longest distance that can be stored"
    )]
    TooLong {
        /// The longest distance that can be stored, in plies.
        longest: u8,
    },
    /// The watch cancelled.
    #[error("stopped on request")]
    Cancelled,
}

/// Counts the states that can be reached, by distance from the initial one.
///
/// `rule` selects the moves. In the initial state no move may be forbidden.
///
/// # Errors
/// If memory runs out, a distance is too long to store, or the watch cancels.
pub fn reach<G: Forward>(game: &G, rule: Rule, watch: &impl Watch) -> Result<Reach, ReachError> {
    let start = game.rank(&game.initial());
    let groups = game.layers().last().map_or(0, |layer| layer.group + 1);
    let last = groups.checked_sub(1).map(|group| layers_of(game, group).1);
    let below = last.map_or(0, |slots| slots.start);
    let memory = |positions: u64, bytes: u64| {
        move |source| ReachError::Memory {
            positions,
            bytes,
            source,
        }
    };
    let above = usize::try_from(below)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
        .and_then(WordArray::new)
        .map_err(memory(below, below))?;
    let above = Above(above);
    let mut total = Counts::default();
    for group in (0..groups).rev() {
        let (name, slots) = layers_of(game, group);
        let positions = slots.end - slots.start;
        let group = Group::new(game, slots, name, &above, start, rule == Rule::TakeBacks)
            .map_err(memory(positions, positions.saturating_mul(4)))?;
        total = total.merge(&group.run(watch)?);
    }
    Ok(total.into())
}

/// The peak memory in bytes of the large arrays of [`reach()`].
#[must_use]
pub fn working_set<G: Forward>(game: &G) -> u64 {
    let groups = game.layers().last().map_or(0, |layer| layer.group + 1);
    let slots = |group| layers_of(game, group).1;
    let largest = (0..groups).map(|group| slots(group).end - slots(group).start);
    let above = groups.checked_sub(1).map_or(0, |last| slots(last).start);
    // A byte per position of earlier groups, and the entries of one group with their sets
    // of levels.
    above + largest.max().unwrap_or(0) * 4 * 33 / 32
}

/// The name of a group, from those of its layers, and its slots.
fn layers_of<G: Forward>(game: &G, group: usize) -> (String, Range<u64>) {
    let layers: Vec<&Layer> = game
        .layers()
        .iter()
        .filter(|layer| layer.group == group)
        .collect();
    let names: Vec<_> = layers.iter().map(|layer| layer.name.as_str()).collect();
    let start = layers.first().map_or(0, |layer| layer.slots.start);
    let end = layers.last().map_or(0, |layer| layer.slots.end);
    (names.join("+"), start..end)
}

impl<G: Forward> Group<'_, G> {
    /// Searches the group, then counts its states and enters earlier groups.
    fn run(self, watch: &impl Watch) -> Result<Counts, ReachError> {
        (0..self.chunks()).into_par_iter().for_each(|chunk| {
            for index in self.indices_of(chunk) {
                let distance = self.distance_from_above(self.slot(index));
                if distance != NEVER {
                    let bits = Entry::free(distance).bits();
                    self.words[index as usize].store(bits, Relaxed);
                    self.schedule(index, distance);
                }
            }
        });
        for level in 0..=LONGEST {
            if u16::from(level) > self.furthest.load(Relaxed) {
                break;
            }
            if level == LONGEST {
                return Err(ReachError::TooLong { longest: LONGEST });
            }
            self.pass(level, watch);
            if watch.cancelled() {
                return Err(ReachError::Cancelled);
            }
        }
        let counts = self.count(watch);
        if watch.cancelled() {
            return Err(ReachError::Cancelled);
        }
        Ok(counts)
    }
}

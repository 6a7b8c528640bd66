//! Which states can be reached from the initial one, and in how many plies.
//!
//! A breadth-first search over all legal moves; nobody is obliged to win. As in
//! the solver one small record a position stands for all of its states (see
//! `entry`), and each record is told on at most twice: when the position is
//! first entered, to all moves but the one forbidden then; and once more, to that
//! one, when it is entered so that it may be made. Groups of layers are searched
//! from the last to the first, as moves never lead to a later one. The states are
//! counted from the records afterwards, each by its own predecessors.
//!
//! All events of a level have the same distance and commute, so the result does
//! not depend on the number of threads.

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

/// States by their distance from the initial one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reach {
    counts: Vec<u64>,
    unreached: u64,
}

impl Reach {
    /// Number of states, up to symmetry, by plies from the initial one.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of states that can be reached.
    #[must_use]
    pub fn reached(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of states that some move of some position leads to, but that cannot
    /// be reached.
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

/// Which moves the search makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Legal moves.
    Legal,
    /// Also those that rule 8 forbids. The published figures are those of such a
    /// search: from the initial position of Ostle 102 states take two plies, three of
    /// them by taking a move of the hole back.
    TakeBacks,
}

/// Why distances cannot be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReachError {
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
    /// A distance is longer than a record can say.
    #[error("some states are more than {longest} plies from the start, the most that can be told")]
    TooLong {
        /// The longest distance that can be told.
        longest: u8,
    },
    /// The work was stopped on request.
    #[error("stopped before the end, as asked")]
    Cancelled,
}

/// Counts the states that can be reached by their distance from the initial one,
/// in which nothing must be forbidden, by moves as `rule` has them.
///
/// # Errors
/// If memory is short, a distance too long, or the watch asks to stop.
pub fn reach<G: Forward>(game: &G, rule: Rule, watch: &impl Watch) -> Result<Reach, ReachError> {
    let start = game.rank(&game.initial()).index;
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

/// The memory in bytes that [`reach`] takes for its large arrays.
#[must_use]
pub fn working_set<G: Forward>(game: &G) -> u64 {
    let groups = game.layers().last().map_or(0, |layer| layer.group + 1);
    let slots = |group| layers_of(game, group).1;
    let largest = (0..groups).map(|group| slots(group).end - slots(group).start);
    let above = groups.checked_sub(1).map_or(0, |last| slots(last).start);
    // A byte a position of earlier groups; words of one group, and when they are due.
    above + largest.max().unwrap_or(0) * 4 * 33 / 32
}

/// Name and slots of a group.
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

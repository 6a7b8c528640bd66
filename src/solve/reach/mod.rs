//! The states that can be reached from the initial one, by distance in plies.
//!
//! A breadth-first search over all legal moves, good or bad. The moves of a position are
//! played at most twice: when it is first reached, all except the one forbidden there; and
//! that one later, when the position is reached in a state that allows it. Groups of layers
//! are searched from the last to the first, because moves never lead to a later group.
//!
//! Where the positions of a game [stand in rows](crate::game::ByRows), a level plays the
//! moves of whole rows, and states are counted as they are reached. Other games are searched
//! edge by edge, with one small entry per position, and their states counted afterwards.
//!
//! All events of a level have the same distance and commute, so the result does not
//! depend on the number of threads.

mod counts;
mod edges;
mod rows;

use std::io;
use std::ops::Range;

use thiserror::Error;

use crate::base::progress::Progress;
use crate::game::{Forward, Ranked};
use counts::{Above, Counts};

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
    /// The work was cancelled.
    #[error("stopped on request")]
    Cancelled,
}

impl ReachError {
    const fn memory(positions: u64, bytes: u64, source: io::Error) -> Self {
        Self::Memory {
            positions,
            bytes,
            source,
        }
    }
}

/// Counts the states that can be reached, by distance from the initial one.
///
/// `rule` selects the moves. In the initial state no move may be forbidden.
///
/// # Errors
/// If memory runs out, a distance is too long to store, or the work is cancelled.
pub fn reach<G: Forward>(
    game: &G,
    rule: Rule,
    progress: &dyn Progress,
) -> Result<Reach, ReachError> {
    game.by_rows(rows::Search { rule, progress })
        .unwrap_or_else(|_| reach_by_edges(game, rule, progress))
}

/// [`reach()`] edge by edge even where the game's positions stand in rows: slower, with the
/// same result.
///
/// # Errors
/// As for [`reach()`].
pub fn reach_by_edges<G: Forward>(
    game: &G,
    rule: Rule,
    progress: &dyn Progress,
) -> Result<Reach, ReachError> {
    each_group(game, |group, above| {
        edges::search(game, group, above, rule, progress)
    })
}

/// The peak memory in bytes of the large arrays of [`reach()`].
#[must_use]
pub fn working_set<G: Forward>(game: &G) -> u64 {
    let groups = groups_of(game);
    let positions = |slots: &Range<u64>| slots.end - slots.start;
    let largest = groups.iter().map(|group| positions(&group.slots)).max();
    let largest = largest.unwrap_or(0);
    // A byte per position of earlier groups, and what a way needs for one group.
    let above = groups.last().map_or(0, |last| last.slots.start);
    let group = game.by_rows(rows::Needs(largest));
    above + group.unwrap_or_else(|_| edges::needs(largest))
}

/// A group of layers that are searched together.
struct GroupOfLayers {
    number: usize,
    /// The names of its layers.
    name: String,
    slots: Range<u64>,
}

fn groups_of<G: Ranked>(game: &G) -> Vec<GroupOfLayers> {
    let group = |number| GroupOfLayers {
        number,
        name: game.group_name(number),
        slots: game.group_slots(number),
    };
    (0..game.groups()).map(group).collect()
}

/// Searches the groups from the last to the first.
fn each_group<G: Ranked>(
    game: &G,
    mut search: impl FnMut(&GroupOfLayers, &Above) -> Result<Counts, ReachError>,
) -> Result<Reach, ReachError> {
    let groups = groups_of(game);
    let below = groups.last().map_or(0, |last| last.slots.start);
    let above = usize::try_from(below)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
        .and_then(Above::new)
        .map_err(|source| ReachError::memory(below, below, source))?;
    let mut total = Counts::default();
    for group in groups.iter().rev() {
        total = total.merge(&search(group, &above)?);
    }
    Ok(total.into())
}

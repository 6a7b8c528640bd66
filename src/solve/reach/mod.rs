//! The states that can be reached from the initial one, by distance in plies.
//!
//! A breadth-first search over all legal moves, good or bad. The moves of a position are
//! played at most twice: when it is first reached, all except the one forbidden there; and
//! that one later, when the position is reached in a state that allows it. Groups of layers
//! are searched from the last to the first, because moves never lead to a later group.
//!
//! One small entry per position covers all of its states, which are counted from the entries of
//! their predecessors afterwards.
//!
//! All events of a level have the same distance and commute, so the result does not
//! depend on the number of threads.
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and words, and checks would cost time in hot loops"
)]

mod count;
mod group;
mod spread;

use std::sync::atomic::Ordering::Relaxed;

use thiserror::Error;

use crate::base::progress::Progress;
use crate::base::threads;
use crate::game::Retrograde;
use crate::solve::memory::OutOfMemory;
use group::{Above, Counts, Entry, Group, LONGEST, NEVER};

/// Numbers of states by distance from the initial one. States that are symmetric to one
/// another count as one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reach {
    /// Number of states by plies from the initial one, from 0.
    pub counts: Vec<u64>,
    /// Number of states that some move of some position leads to, but that cannot be
    /// reached from the initial state.
    pub unreached: u64,
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
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A distance, in plies, is longer than this, which is the longest that can be stored.
    #[error(
        "some states are more than {0} plies from the initial one, the longest distance that can be stored"
    )]
    TooLong(u8),
    /// The progress cancelled.
    #[error("stopped on request")]
    Cancelled,
}

/// Counts the states that can be reached, by distance from the initial one.
///
/// `rule` selects the moves. In the initial state no move may be forbidden.
///
/// # Errors
/// If memory runs out, a distance is too long to store, or the work is cancelled.
pub fn reach<G: Retrograde>(
    game: &G,
    rule: Rule,
    progress: &dyn Progress,
) -> Result<Reach, ReachError> {
    let groups = game.groups();
    let below = game.group_slots(groups.saturating_sub(1)).start;
    let above = Above::new(usize::try_from(below).unwrap_or(usize::MAX));
    let above = above.map_err(OutOfMemory::of(below, 1))?;
    let mut total = Counts::default();
    for number in (0..groups).rev() {
        let slots = game.group_slots(number);
        let positions = slots.end - slots.start;
        let group = Group::new(game, number, &above, rule == Rule::TakeBacks)
            .map_err(OutOfMemory::of(positions, 4))?;
        total = total.merge(&group.search(progress)?);
    }
    let [reached @ .., unreached] = total.0;
    let last = reached.iter().rposition(|&count| count > 0);
    Ok(Reach {
        counts: reached[..last.map_or(0, |last| last + 1)].to_vec(),
        unreached,
    })
}

/// The peak memory in bytes of the large arrays of [`reach()`].
pub fn working_set<G: Retrograde>(game: &G) -> u64 {
    let groups = (0..game.groups()).map(|number| game.group_slots(number));
    let largest = groups.clone().map(|slots| slots.end - slots.start).max();
    // A byte per position of earlier groups; of one group, entries with their sets of levels.
    groups.last().map_or(0, |last| last.start) + largest.unwrap_or(0) * 4 * 33 / 32
}

impl<G: Retrograde> Group<'_, G> {
    /// Searches the group, then counts its states and enters earlier groups.
    fn search(self, progress: &dyn Progress) -> Result<Counts, ReachError> {
        threads::each(self.chunks(), &|chunk| {
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
                return Err(ReachError::TooLong(LONGEST));
            }
            self.pass(level, progress);
            progress.go_on(ReachError::Cancelled)?;
        }
        self.count(progress)
    }
}

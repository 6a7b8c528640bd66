//! The search edge by edge.
//!
//! As in the solver, one small entry per position covers all of its states. The states are
//! counted from the entries of their predecessors afterwards.

mod count;
mod entry;
mod group;
mod spread;

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::counts::{Above, Counts, LONGEST, NEVER};
use super::{GroupOfLayers, ReachError, Rule};
use crate::base::progress::Progress;
use crate::game::Forward;
use entry::Entry;
use group::Group;

/// The peak memory in bytes for a group of so many positions: their entries, with their sets
/// of levels.
pub(super) const fn needs(positions: u64) -> u64 {
    positions * 4 * 33 / 32
}

/// Searches a group, then counts its states and enters earlier groups.
pub(super) fn search<G: Forward>(
    game: &G,
    group: &GroupOfLayers,
    above: &Above,
    rule: Rule,
    progress: &dyn Progress,
) -> Result<Counts, ReachError> {
    let positions = group.slots.end - group.slots.start;
    Group::new(game, group, above, rule == Rule::TakeBacks)
        .map_err(|source| ReachError::memory(positions, positions.saturating_mul(4), source))?
        .run(progress)
}

impl<G: Forward> Group<'_, G> {
    fn run(self, progress: &dyn Progress) -> Result<Counts, ReachError> {
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
            self.pass(level, progress);
            if progress.cancelled() {
                return Err(ReachError::Cancelled);
            }
        }
        let counts = self.count(progress);
        if progress.cancelled() {
            return Err(ReachError::Cancelled);
        }
        Ok(counts)
    }
}

//! A sample of positions that is looked at before a scan.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::columns::Catalogue;
use super::minable::Minable;
use super::plan::{Plan, Sorted};
use super::solved::Solved;
use super::verdicts::TOGETHER;
use super::{MineError, Predicate, Scope, Task};
use crate::base::progress::Progress;
use crate::base::random;

/// How long the sample may take.
const TIME: Duration = Duration::from_millis(800);

/// Slots that are looked at together.
const BATCH: u64 = 1 << 10;

/// At most one of this many slots is looked at.
const ONE_IN: u64 = 64;

/// What a sample of a scope has.
pub(super) struct Sample<S> {
    /// Number of slots that the sample is taken from.
    pub of: u64,
    /// The slots that were looked at, in order.
    pub slots: Vec<u64>,
    /// The finds of each task.
    pub found: Vec<Vec<Sorted<S>>>,
}

impl<S: Send> Sample<S> {
    /// Looks at slots that are evenly spread over a scope, for a moment. In a small scope
    /// that may be none.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn take<G: Minable<State = S>>(
        game: &G,
        source: &Solved<'_>,
        tasks: &[Task<'_>],
        scope: &Scope,
        fit: &(impl Fn(&S) -> Option<S> + Sync),
        progress: &dyn Progress,
    ) -> Result<Self, MineError> {
        let table = source.table();
        let blocks = (0..table.blocks()).map(|number| table.slots_of(number));
        let stretches = Stretches::new(blocks.filter(|block| scope.has_block(block)));
        let catalogue = Catalogue::new(game);
        let predicates: Vec<&Predicate> = tasks.iter().map(|&(predicate, _)| predicate).collect();
        let plans: Vec<_> = predicates
            .chunks(TOGETHER)
            .map(|predicates| Plan::new(game, source, predicates, &catalogue))
            .collect();
        let (begun, next) = (Instant::now(), AtomicU64::new(0));
        let sample = Mutex::new(Ok((Vec::new(), tasks.iter().map(|_| Vec::new()).collect())));
        let most = stretches.slots() / ONE_IN;
        let work = || {
            while begun.elapsed() < TIME && !progress.cancelled() {
                let first = next.fetch_add(BATCH, Relaxed);
                let slots: Vec<u64> = (first..(first + BATCH).min(most))
                    .map(|place| stretches.at(random::spread(place)))
                    .collect();
                if slots.is_empty() {
                    return;
                }
                let found = look(&plans, source, scope, fit, &slots);
                let mut sample = sample.lock().unwrap_or_else(PoisonError::into_inner);
                match (&mut *sample, found) {
                    (Ok((all, of_tasks)), Ok(found)) => {
                        all.extend(slots);
                        let of_tasks: &mut Vec<Vec<Sorted<S>>> = of_tasks;
                        for (of_task, found) in of_tasks.iter_mut().zip(found) {
                            of_task.extend(found);
                        }
                    }
                    (Ok(_), Err(error)) => *sample = Err(error),
                    (Err(_), _) => return,
                }
            }
        };
        std::thread::scope(|threads| {
            for _ in 1..rayon::current_num_threads() {
                threads.spawn(work);
            }
            work();
        });
        let sample = sample.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (mut slots, found) = sample?;
        slots.sort_unstable();
        Ok(Self {
            of: stretches.slots(),
            slots,
            found,
        })
    }
}

/// What the filters of all plans find in some slots.
fn look<G: Minable>(
    plans: &[Plan<'_, G>],
    source: &Solved<'_>,
    scope: &Scope,
    fit: &impl Fn(&G::State) -> Option<G::State>,
    slots: &[u64],
) -> Result<Vec<Vec<Sorted<G::State>>>, MineError> {
    let mut all = Vec::new();
    for plan in plans {
        let mut states = Vec::new();
        for &slot in slots {
            let record = source.record(slot)?;
            let admitted = plan.admit_one(record);
            plan.enter((slot, record), admitted, scope, fit, &mut states);
        }
        let mut found = plan.nothing();
        plan.run(source, states, &mut found)?;
        all.extend(found.into_iter().map(|kept| kept.found));
    }
    Ok(all)
}

/// Ranges of slots, one after the other.
struct Stretches {
    /// Each with the number of slots before it.
    stretches: Vec<(u64, Range<u64>)>,
}

impl Stretches {
    fn new(stretches: impl Iterator<Item = Range<u64>>) -> Self {
        let mut before = 0;
        let place = |slots: Range<u64>| {
            let here = before;
            before += slots.end - slots.start;
            (here, slots)
        };
        Self {
            stretches: stretches.map(place).collect(),
        }
    }

    fn slots(&self) -> u64 {
        let last = self.stretches.last();
        last.map_or(0, |(before, slots)| before + slots.end - slots.start)
    }

    /// The slot at a share of all, given as a fraction of 2^64.
    fn at(&self, share: u64) -> u64 {
        let place = (u128::from(share) * u128::from(self.slots()) >> 64) as u64;
        let after = self
            .stretches
            .partition_point(|(before, _)| *before <= place);
        let (before, slots) = &self.stretches[after - 1];
        slots.start + (place - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_stretches_are_their_slots_in_order() {
        let stretches = Stretches::new([10..14, 20..22, 30..40].into_iter());
        assert_eq!(stretches.slots(), 16);
        let at = |place: u64| stretches.at(place << 60);
        let all: Vec<_> = (0..16).map(at).collect();
        let expected: Vec<_> = (10..14).chain(20..22).chain(30..40).collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn the_slots_of_a_sample_are_evenly_spread() {
        let stretches = Stretches::new(std::iter::once(0..1_000_000));
        let mut tenths = [0; 10];
        for place in 0..1000 {
            tenths[(stretches.at(random::spread(place)) / 100_000) as usize] += 1;
        }
        assert!(
            tenths.iter().all(|count| (95..=105).contains(count)),
            "{tenths:?}"
        );
    }
}

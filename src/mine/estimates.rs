//! What a scan will find, estimated while it goes on.
//!
//! First a sample of positions is looked at. Then, as blocks are scanned, what they hold is
//! known, and the sample speaks for the rest alone.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::columns::Catalogue;
use super::error::MineError;
use super::frame::Minable;
use super::kept::{Kept, Sorted, order};
use super::plan::Plan;
use super::predicate::{Predicate, Task};
use super::scope::Scope;
use super::solved::Solved;
use super::verdicts::TOGETHER;
use crate::analysis::Stipulation;
use crate::base::progress::{Estimate, Interim, Progress};
use crate::base::random;
use crate::base::threads::{beside_the_pool, locked};

/// How a scan was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coverage {
    /// Number of slots that were looked at.
    pub looked_at: u64,
    /// Number of slots in the scope.
    pub of: u64,
    /// How many states the filter admits, as far as one can tell.
    pub estimate: Estimate,
}

/// The time to the first report, and the shortest between two.
const FIRST: Duration = Duration::from_secs(1);

/// The longest time between two reports.
const LONGEST: Duration = Duration::from_secs(10);

pub(super) struct Estimates<'a, G: Minable> {
    game: &'a G,
    tasks: &'a [Task<'a>],
    slots: u64,
    /// The slots of the sample, in order.
    sampled: Vec<u64>,
    progress: Vec<Mutex<SoFar<G::State>>>,
    begun: Instant,
    /// When to report next.
    due: Mutex<Instant>,
}

/// How far the scan of one filter is.
struct SoFar<S> {
    /// What the sample has, in the order of slots.
    sample: Vec<Sorted<S>>,
    /// The slots that were scanned, in any order.
    scanned: Vec<Range<u64>>,
    /// What they have.
    found: u64,
    best: Option<Sorted<S>>,
    /// What the sample says of the slots that were not scanned.
    rest: Rest,
}

impl<S> SoFar<S> {
    /// How many states there are in all: what was found, and what the sample says of the rest.
    fn estimate(&self) -> Estimate {
        let rest = self.rest.estimate();
        Estimate {
            number: self.found as f64 + rest.number,
            error: rest.error,
        }
    }
}

/// What a sample says of the slots that it is taken from.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Rest {
    /// Number of slots of which the sample is taken.
    slots: u64,
    sampled: u64,
    found: u64,
    /// The sum of the squares of the number of states found in each slot.
    squares: u64,
}

impl Rest {
    fn estimate(&self) -> Estimate {
        let (slots, sampled, found) = (self.slots as f64, self.sampled as f64, self.found as f64);
        if self.slots == 0 || self.sampled == 0 {
            return Estimate {
                number: 0.0,
                error: slots,
            };
        }
        let mean = found / sampled;
        let variance = (self.squares as f64 / sampled - mean * mean).max(0.0);
        // If nothing was found, three in as many as were looked at is what 95 of 100 such
        // samples would not miss.
        let error = if self.found == 0 {
            3.0 / sampled
        } else {
            1.96 * (variance / sampled).sqrt()
        };
        Estimate {
            number: slots * mean,
            error: slots * error,
        }
    }

    /// Takes away `slots` slots, `sampled` of them in the sample, with what was found there.
    fn remove(&mut self, slots: u64, sampled: u64, counts: impl Iterator<Item = u64>) {
        self.slots = self.slots.saturating_sub(slots);
        self.sampled -= sampled;
        for count in counts {
            self.found -= count;
            self.squares -= count * count;
        }
    }
}

/// The number of finds of each slot, of finds in the order of slots.
fn counts<S>(finds: &[Sorted<S>]) -> impl Iterator<Item = u64> {
    let slots = finds.chunk_by(|a, b| a.find.index == b.find.index);
    slots.map(|finds| finds.len() as u64)
}

/// The part of a list in the order of slots that lies in a range of slots.
fn within<'l, T>(list: &'l [T], slots: &Range<u64>, slot: impl Fn(&T) -> u64) -> &'l [T] {
    let from = list.partition_point(|item| slot(item) < slots.start);
    let to = list.partition_point(|item| slot(item) < slots.end);
    &list[from..to]
}

impl<'a, G: Minable> Estimates<'a, G> {
    /// What a sample says of a scan that begins now.
    pub(super) fn new(
        game: &'a G,
        source: &Solved<'_>,
        tasks: &'a [Task<'a>],
        scope: &Scope,
        progress: &dyn Progress,
    ) -> Result<Self, MineError> {
        let begun = Instant::now();
        let table = source.table;
        let blocks = (0..table.blocks()).map(|number| table.slots_of(number));
        let stretches = Stretches::new(blocks.filter(|block| scope.has_block(block)));
        let slots = stretches.slots();
        let (sampled, found) = sample(game, source, tasks, (scope, &stretches), progress)?;
        let so_far = found.into_iter().zip(tasks).map(|(mut found, task)| {
            found.sort_by_key(|sorted| sorted.find.index);
            let better = |a: &&Sorted<_>, b: &&Sorted<_>| order(*a, *b, task.0);
            let best = found.iter().min_by(better).cloned();
            let rest = Rest {
                slots,
                sampled: sampled.len() as u64,
                found: found.len() as u64,
                squares: counts(&found).map(|count| count * count).sum(),
            };
            Mutex::new(SoFar {
                sample: found,
                scanned: Vec::new(),
                found: 0,
                best,
                rest,
            })
        });
        Ok(Self {
            game,
            tasks,
            slots,
            progress: so_far.collect(),
            sampled,
            begun,
            due: Mutex::new(begun + FIRST),
        })
    }

    /// Takes note of what a task has found in slots that were scanned.
    pub(super) fn scanned(&self, task: usize, slots: &Range<u64>, found: &Kept<G::State>) {
        let predicate = self.tasks[task].0;
        let mut progress = locked(&self.progress[task]);
        let SoFar { sample, rest, .. } = &mut *progress;
        let there = within(sample, slots, |sorted| sorted.find.index);
        let sampled = within(&self.sampled, slots, |&slot| slot).len() as u64;
        rest.remove(slots.end - slots.start, sampled, counts(there));
        progress.scanned.push(slots.clone());
        progress.found += found.matched;
        let all = progress.best.iter().chain(&found.found);
        progress.best = all.min_by(|a, b| order(a, b, predicate)).cloned();
    }

    /// Reports what has been found so far, if it is time to.
    pub(super) fn tell(&self, progress: &dyn Progress) {
        let Ok(mut due) = self.due.try_lock() else {
            return;
        };
        let now = Instant::now();
        if now < *due {
            return;
        }
        *due = now + (now - self.begun).clamp(FIRST, LONGEST);
        let so_far = self.tasks.iter().enumerate().map(|(number, task)| {
            let progress = locked(&self.progress[number]);
            let best = progress.best.as_ref();
            Interim {
                name: task.0.filter.name.clone(),
                found: progress.found + progress.rest.found,
                estimate: progress.estimate(),
                best: best.map(|best| self.in_words(task.0, best)),
            }
        });
        progress.interim(&so_far.collect::<Vec<_>>());
    }

    fn in_words(&self, predicate: &Predicate, find: &Sorted<G::State>) -> String {
        let state = &find.find.state;
        let side = self.game.side_to_move(state);
        let value = find.find.record.best();
        let goal = if predicate.filter.asks_mates() {
            Stipulation::of_mate(self.game, value)
        } else {
            Stipulation::of(self.game, value)
        };
        let position = self.game.format_state(state);
        format!("{side} to move and {goal}: {position}")
    }

    /// Adds to the finds of a task whose scan was stopped what only the sample has.
    pub(super) fn complete(&self, task: usize, kept: &mut Kept<G::State>) -> Coverage {
        let mut progress = locked(&self.progress[task]);
        let mut scanned = std::mem::take(&mut progress.scanned);
        scanned.sort_unstable_by_key(|slots| slots.start);
        let is_scanned = |slot: u64| {
            let after = scanned.partition_point(|slots| slots.start <= slot);
            after > 0 && slot < scanned[after - 1].end
        };
        let sample = progress.sample.iter();
        let only_there = sample.filter(|sorted| !is_scanned(sorted.find.index));
        kept.found.extend(only_there.cloned());
        kept.matched += progress.rest.found;
        let in_blocks: u64 = scanned.iter().map(|slots| slots.end - slots.start).sum();
        Coverage {
            looked_at: in_blocks + progress.rest.sampled,
            of: self.slots,
            estimate: progress.estimate(),
        }
    }
}

/// How long the sample may take.
const TIME: Duration = Duration::from_millis(800);

/// Slots that are looked at together.
const BATCH: u64 = 1 << 10;

/// At most one of this many slots is looked at.
const ONE_IN: u64 = 64;

/// Slots in order, and what each task finds there.
type Sample<S> = (Vec<u64>, Vec<Vec<Sorted<S>>>);

/// Looks at slots that are evenly spread over a scope, for a moment. In a small scope that may be
/// none.
fn sample<G: Minable>(
    game: &G,
    source: &Solved<'_>,
    tasks: &[Task<'_>],
    (scope, stretches): (&Scope, &Stretches),
    progress: &dyn Progress,
) -> Result<Sample<G::State>, MineError> {
    let catalogue = Catalogue::new(game);
    let predicates: Vec<&Predicate> = tasks.iter().map(|&(predicate, _)| predicate).collect();
    let alike = predicates.chunk_by(|a, b| a.filter.pattern == b.filter.pattern);
    let together = alike.flat_map(|alike| alike.chunks(TOGETHER));
    let plans = together.map(|predicates| Plan::new(game, predicates.to_vec(), &catalogue));
    let plans = plans.collect::<Result<Vec<_>, _>>()?;
    let (begun, next) = (Instant::now(), AtomicU64::new(0));
    let found: Vec<Vec<_>> = tasks.iter().map(|_| Vec::new()).collect();
    let sample = Mutex::new((Vec::new(), found));
    let most = stretches.slots() / ONE_IN;
    beside_the_pool(|| {
        while begun.elapsed() < TIME && !progress.cancelled() {
            let first = next.fetch_add(BATCH, Relaxed);
            let slots: Vec<u64> = (first..(first + BATCH).min(most))
                .map(|place| stretches.at(random::spread(place)))
                .collect();
            if slots.is_empty() {
                break;
            }
            let found = look(&plans, source, scope, &slots)?;
            let (all, of_tasks) = &mut *locked(&sample);
            all.extend(slots);
            for (of_task, found) in of_tasks.iter_mut().zip(found) {
                of_task.extend(found);
            }
        }
        Ok::<_, MineError>(())
    })?;
    let (mut slots, found) = sample.into_inner().unwrap_or_else(PoisonError::into_inner);
    slots.sort_unstable();
    Ok((slots, found))
}

/// What the filters of all plans find in some slots.
fn look<G: Minable>(
    plans: &[Plan<'_, G>],
    source: &Solved<'_>,
    scope: &Scope,
    slots: &[u64],
) -> Result<Vec<Vec<Sorted<G::State>>>, MineError> {
    let mut all = Vec::new();
    for plan in plans {
        let mut states = Vec::new();
        for &slot in slots {
            let record = source.oracle().record(slot)?;
            plan.enter((slot, record), plan.admit_one(record), scope, &mut states);
        }
        let mut found = plan.nothing();
        plan.run(source.into(), states, &mut found)?;
        all.extend(found.into_iter().map(|kept| kept.found));
    }
    Ok(all)
}

/// Ranges of slots, one after the other, each with the number of slots before it.
struct Stretches(Vec<(u64, Range<u64>)>);

impl Stretches {
    fn new(stretches: impl Iterator<Item = Range<u64>>) -> Self {
        let mut before = 0;
        let place = |slots: Range<u64>| {
            let here = before;
            before += slots.end - slots.start;
            (here, slots)
        };
        Self(stretches.map(place).collect())
    }

    fn slots(&self) -> u64 {
        let last = self.0.last();
        last.map_or(0, |(before, slots)| before + slots.end - slots.start)
    }

    /// The slot at a share of all, given as a fraction of 2^64.
    fn at(&self, share: u64) -> u64 {
        let place = (u128::from(share) * u128::from(self.slots()) >> 64) as u64;
        let after = self.0.partition_point(|(before, _)| *before <= place);
        let (before, slots) = &self.0[after - 1];
        slots.start + (place - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_speaks_for_what_was_not_scanned() {
        // One in four of 100 slots was looked at; five of them have a state and one has two.
        let mut rest = Rest {
            slots: 100,
            sampled: 25,
            found: 7,
            squares: 9,
        };
        let estimate = rest.estimate();
        assert!((estimate.number - 28.0).abs() < 1e-9);
        // The variance is 9/25 - (7/25)^2 = 0.2816.
        assert!((estimate.error - 100.0 * 1.96 * (0.2816f64 / 25.0).sqrt()).abs() < 1e-9);
        rest.remove(60, 15, [2, 1, 1].into_iter());
        assert_eq!(
            (rest.slots, rest.sampled, rest.found, rest.squares),
            (40, 10, 3, 3)
        );
        rest.remove(40, 10, [1, 1, 1].into_iter());
        assert_eq!(rest.estimate().error.to_bits(), 0);
        let nothing = Rest {
            slots: 1000,
            sampled: 300,
            ..Rest::default()
        };
        assert!((nothing.estimate().error - 10.0).abs() < 1e-9);
    }

    #[test]
    fn shares_of_stretches_are_their_slots_in_order() {
        let stretches = Stretches::new([10..14, 20..22, 30..40].into_iter());
        assert_eq!(stretches.slots(), 16);
        let at = |place: u64| stretches.at(place << 60);
        let all: Vec<_> = (0..16).map(at).collect();
        let expected: Vec<_> = (10..14).chain(20..22).chain(30..40).collect();
        assert_eq!(all, expected);
    }
}

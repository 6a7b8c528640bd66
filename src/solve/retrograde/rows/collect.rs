//! Collecting events on their way, and sorting them by bucket.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "the number of a bucket within its partition is cut out on purpose"
)]

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::events::{Event, EventLists};

/// Number of buckets whose events are collected together, and sorted later.
const PARTITION: usize = 256;

/// Number of events in a piece of a partition.
const PIECE: usize = 1 << 12;

/// How many events are collected at a time.
#[derive(Debug)]
pub(super) struct Budget {
    /// Bytes of events, sorted or not.
    bytes: usize,
}

impl Budget {
    /// As many as there are.
    pub const ALL: Self = Self { bytes: usize::MAX };

    /// As many as fit `bytes` while they are sorted.
    pub const fn of(bytes: usize) -> Self {
        Self { bytes }
    }

    /// Whether all events are collected.
    pub const fn is_all(&self) -> bool {
        self.bytes == usize::MAX
    }

    /// The bytes of pieces that can be collected beside lists of `held` bytes. Sorting takes
    /// four bytes for the five of an event in a piece.
    const fn pieces(&self, held: usize) -> usize {
        let most = self.bytes / 9 * 5;
        let beside = self.bytes.saturating_sub(held);
        if beside < most { beside } else { most }
    }
}

/// What the collectors of all threads and layers have in common.
#[derive(Debug)]
pub(super) struct Bounds {
    /// The bytes that pieces can take.
    most: usize,
    /// The bytes that they take.
    used: AtomicUsize,
}

impl Bounds {
    /// Bounds for what is collected beside lists of `held` bytes.
    pub const fn new(budget: &Budget, held: usize) -> Self {
        Self {
            most: budget.pieces(held),
            used: AtomicUsize::new(0),
        }
    }
}

/// Events of a partition in the order of their making, in pieces.
#[derive(Debug, Default)]
struct Partition {
    full: Vec<Piece>,
    open: Piece,
}

#[derive(Debug, Default)]
struct Piece {
    events: Vec<u32>,
    /// For each event its bucket within the partition.
    buckets: Vec<u8>,
}

/// Collects events of one layer; each thread has one.
#[derive(Debug)]
pub(super) struct Collector {
    /// The first partition whose events are collected.
    from: usize,
    /// The partitions from there on to the last whose events are collected.
    partitions: Vec<Partition>,
    shared: Arc<Shared>,
}

/// What the collectors of one layer have in common.
#[derive(Debug)]
struct Shared {
    bounds: Arc<Bounds>,
    /// Number of partitions whose events are collected.
    partitions: AtomicUsize,
}

impl Collector {
    #[inline(always)]
    pub fn push(&mut self, bucket: u32, event: Event) {
        let number = (bucket as usize / PARTITION).wrapping_sub(self.from);
        let Some(partition) = self.partitions.get_mut(number) else {
            return;
        };
        partition.open.events.push(event.0);
        partition.open.buckets.push(bucket as u8);
        if partition.open.events.len() == PIECE {
            let piece = std::mem::take(&mut partition.open);
            partition.full.push(piece);
            self.bound();
        }
    }

    /// Takes note of a piece, and gives up the last partitions if pieces take too much memory.
    #[cold]
    #[inline(never)]
    fn bound(&mut self) {
        let bounds = &self.shared.bounds;
        let used = bounds.used.fetch_add(Piece::BYTES, Relaxed) + Piece::BYTES;
        if used > bounds.most {
            let half = self.full_pieces() / 2;
            let mut sum = 0;
            let few = self.partitions.iter().take_while(|partition| {
                sum += partition.full.len();
                sum <= half
            });
            let few = few.count().max(1);
            self.shared.partitions.fetch_min(few, Relaxed);
        }
        let kept = self.shared.partitions.load(Relaxed);
        if kept < self.partitions.len() {
            let before = self.full_pieces();
            self.partitions.truncate(kept);
            let given_up = before - self.full_pieces();
            bounds.used.fetch_sub(given_up * Piece::BYTES, Relaxed);
        }
    }

    fn full_pieces(&self) -> usize {
        self.partitions
            .iter()
            .map(|partition| partition.full.len())
            .sum()
    }
}

impl Piece {
    /// Bytes of a full piece.
    const BYTES: usize = 5 * PIECE;
}

impl Partition {
    fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.full.iter().chain([&self.open])
    }
}

/// One [`Collector`] for each thread.
#[derive(Debug)]
pub(super) struct Collectors {
    threads: Vec<Mutex<Collector>>,
    shared: Arc<Shared>,
    buckets: usize,
    from: usize,
}

impl Collectors {
    /// Collectors for the events of a layer with `buckets` buckets, from the partition of
    /// number `from` on.
    pub fn new(buckets: usize, from: usize, bounds: &Arc<Bounds>) -> Self {
        let count = Self::partitions(buckets) - from;
        let shared = Arc::new(Shared {
            bounds: Arc::clone(bounds),
            partitions: AtomicUsize::new(count),
        });
        let collector = |_| {
            Mutex::new(Collector {
                from,
                partitions: (0..count).map(|_| Partition::default()).collect(),
                shared: Arc::clone(&shared),
            })
        };
        Self {
            threads: (0..rayon::current_num_threads()).map(collector).collect(),
            shared,
            buckets,
            from,
        }
    }

    /// Number of partitions of a layer with `buckets` buckets.
    pub const fn partitions(buckets: usize) -> usize {
        buckets.div_ceil(PARTITION)
    }

    /// Lends the collector of this thread.
    pub fn with<R>(&self, work: impl FnOnce(&mut Collector) -> R) -> R {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let collector = &self.threads[thread % self.threads.len()];
        work(&mut collector.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sorts the events by bucket, in the memory of `old`.
    pub fn sorted(self, old: EventLists) -> EventLists {
        let kept = self.shared.partitions.load(Relaxed);
        let rest = self.from + kept;
        let mut parts: Vec<Vec<Partition>> = (0..kept).map(|_| Vec::new()).collect();
        for thread in self.threads {
            let collector = thread.into_inner().unwrap_or_else(PoisonError::into_inner);
            for (part, partition) in parts.iter_mut().zip(collector.partitions) {
                part.push(partition);
            }
        }
        let len_of = |part: &Vec<Partition>| -> usize {
            let pieces = part.iter().flat_map(Partition::pieces);
            pieces.map(|piece| piece.events.len()).sum()
        };
        let EventLists {
            mut starts,
            mut events,
            ..
        } = old;
        events.clear();
        events.resize(parts.iter().map(len_of).sum(), 0);
        starts.clear();
        starts.resize(self.buckets + 1, 0);
        let all = events.len();
        let (mut others, mut from) = (events.as_mut_slice(), 0);
        let mut jobs = Vec::with_capacity(kept);
        let own_starts = starts.chunks_mut(PARTITION).skip(self.from);
        for (part, starts) in parts.into_iter().zip(own_starts) {
            let len = len_of(&part);
            let (own, behind) = others.split_at_mut(len);
            jobs.push((part, starts, own, from));
            others = behind;
            from += len;
        }
        jobs.into_par_iter()
            .for_each(|(part, starts, events, from)| sort(part, starts, events, from));
        let end = (rest * PARTITION).min(self.buckets);
        starts[end..].fill(all);
        EventLists {
            starts,
            events,
            rest: (rest < Self::partitions(self.buckets)).then_some(rest),
        }
    }
}

/// Sorts the events of a partition into `events`, which begin at number `from` of all.
fn sort(part: Vec<Partition>, starts: &mut [usize], events: &mut [u32], from: usize) {
    let mut next = [0usize; PARTITION];
    for piece in part.iter().flat_map(Partition::pieces) {
        for &bucket in &piece.buckets {
            next[usize::from(bucket)] += 1;
        }
    }
    let mut sum = 0;
    for count in &mut next {
        sum += std::mem::replace(count, sum);
    }
    for (start, next) in starts.iter_mut().zip(&next) {
        *start = from + next;
    }
    for partition in part {
        for piece in partition.full.into_iter().chain([partition.open]) {
            for (event, bucket) in piece.events.into_iter().zip(piece.buckets) {
                let place = &mut next[usize::from(bucket)];
                events[*place] = event;
                *place += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_sorted_by_bucket_and_none_is_lost() {
        let buckets = 700;
        let unbounded = Arc::new(Bounds::new(&Budget::ALL, 0));
        let collectors = Collectors::new(buckets, 0, &unbounded);
        let mut x = 0x9e37_79b9u32;
        let mut expected = vec![Vec::new(); buckets];
        for _ in 0..20_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bucket = (x >> 8) % 700;
            expected[bucket as usize].push(x);
            collectors.with(|collector| collector.push(bucket, Event(x)));
        }
        let lists = collectors.sorted(EventLists::default());
        assert_eq!(lists.len(), 20_000);
        for (bucket, expected) in (0..).zip(&expected) {
            assert_eq!(lists.of(bucket), expected);
        }
        let lists = Collectors::new(buckets, 0, &unbounded).sorted(lists);
        assert!((0..700).all(|bucket| lists.of(bucket).is_empty()));
    }

    #[test]
    fn what_does_not_fit_the_budget_comes_in_later_parts() {
        let buckets = 3_000;
        let bounds = Arc::new(Bounds::new(&Budget::of(9 * 40 * PIECE), 0));
        let push_all = |collectors: &Collectors| {
            let mut x = 1u32;
            for _ in 0..100 * PIECE {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                collectors.with(|collector| collector.push((x >> 8) % 3_000, Event(x)));
            }
        };
        let all = Collectors::new(buckets, 0, &Arc::new(Bounds::new(&Budget::ALL, 0)));
        push_all(&all);
        let all = all.sorted(EventLists::default());
        assert_eq!((all.len(), all.rest()), (100 * PIECE, None));
        let (mut from, mut parts, mut found) = (0, 0, vec![0; buckets]);
        loop {
            let collectors = Collectors::new(buckets, from, &bounds);
            push_all(&collectors);
            let lists = collectors.sorted(EventLists::default());
            bounds.used.store(0, Relaxed);
            parts += 1;
            assert!(
                lists.len() <= 60 * PIECE,
                "{} events at a time",
                lists.len()
            );
            for (bucket, found) in (0..).zip(&mut found) {
                if !lists.of(bucket).is_empty() {
                    assert_eq!(lists.of(bucket), all.of(bucket));
                    *found += 1;
                }
            }
            let Some(rest) = lists.rest() else { break };
            from = rest;
        }
        assert!(parts > 2);
        assert!(found.iter().all(|&times| times == 1));
    }
}

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
use super::pieces::{BLOCK, Block, Memory, PARTITION, Piece};

/// Events of a partition in the order of their making, in pieces.
#[derive(Debug, Default)]
struct Partition {
    full: Vec<Piece>,
    open: Option<Piece>,
}

impl Partition {
    fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.full.iter().chain(&self.open)
    }

    fn into_pieces(self) -> impl Iterator<Item = Piece> {
        self.full.into_iter().chain(self.open)
    }
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
    memory: Arc<Memory>,
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
        let open = partition.open.as_mut();
        if !open.is_some_and(|open| open.push(bucket as u8, event.0)) {
            self.push_to_new(number, bucket as u8, event);
        }
    }

    /// Adds an event to a new piece, unless its partition is given up.
    #[cold]
    #[inline(never)]
    fn push_to_new(&mut self, number: usize, bucket: u8, event: Event) {
        self.bound();
        if let Some(partition) = self.partitions.get_mut(number) {
            let mut piece = self.shared.memory.piece();
            piece.push(bucket, event.0);
            let full = partition.open.replace(piece);
            partition.full.extend(full);
        }
    }

    /// Gives up the last partitions if pieces take too much memory.
    fn bound(&mut self) {
        let memory = &self.shared.memory;
        if memory.is_exceeded() {
            let pieces = |partition: &Partition| partition.pieces().count();
            let half = self.partitions.iter().map(pieces).sum::<usize>() / 2;
            let first = self.partitions.iter().position(|it| pieces(it) > 0);
            let mut sum = 0;
            let few = self.partitions.iter().take_while(|partition| {
                sum += pieces(partition);
                sum <= half
            });
            // A part without any events would be a pass for nothing.
            let few = few.count().max(first.unwrap_or(0) + 1);
            self.shared.partitions.fetch_min(few, Relaxed);
        }
        let kept = self.shared.partitions.load(Relaxed);
        for partition in self.partitions.drain(kept.min(self.partitions.len())..) {
            partition.into_pieces().for_each(|piece| memory.give(piece));
        }
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
    pub fn new(buckets: usize, from: usize, memory: &Arc<Memory>) -> Self {
        let count = Self::partitions(buckets) - from;
        let shared = Arc::new(Shared {
            memory: Arc::clone(memory),
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

    /// Sorts the events by bucket.
    pub fn sorted(self) -> EventLists {
        let kept = self.shared.partitions.load(Relaxed);
        let rest = self.from + kept;
        let memory = &self.shared.memory;
        let mut parts: Vec<Vec<Piece>> = (0..kept).map(|_| Vec::new()).collect();
        for thread in self.threads {
            let collector = thread.into_inner().unwrap_or_else(PoisonError::into_inner);
            let mut partitions = collector.partitions.into_iter();
            for (part, partition) in parts.iter_mut().zip(&mut partitions) {
                part.extend(partition.into_pieces());
            }
            let given_up = partitions.flat_map(Partition::into_pieces);
            given_up.for_each(|piece| memory.give(piece));
        }
        let partitions = Self::partitions(self.buckets);
        let mut starts = vec![0; self.buckets + partitions];
        let mut jobs = Vec::with_capacity(kept);
        let mut from = 0;
        for (starts, part) in starts.chunks_mut(PARTITION + 1).skip(self.from).zip(parts) {
            let events = part.iter().map(|piece| piece.events().len()).sum::<usize>();
            jobs.push((part, starts, from));
            from += events.div_ceil(BLOCK) * BLOCK;
        }
        let blocks: Vec<_> = jobs
            .into_par_iter()
            .map(|(part, starts, from)| sort(part, starts, from, memory))
            .collect();
        EventLists {
            starts,
            blocks: blocks.into_iter().flatten().collect(),
            rest: (rest < partitions).then_some(rest),
        }
    }
}

/// Sorts the events of a partition by bucket, into blocks the first of which is to be event
/// number `from` of all, and puts down where those of each bucket begin.
fn sort(pieces: Vec<Piece>, starts: &mut [usize], from: usize, memory: &Memory) -> Vec<Block> {
    let mut next = [0u32; PARTITION];
    for piece in &pieces {
        for &bucket in piece.buckets() {
            next[usize::from(bucket)] += 1;
        }
    }
    let mut sum = 0;
    for count in &mut next {
        sum += std::mem::replace(count, sum);
    }
    for (start, &next) in starts.iter_mut().zip(next.iter().chain([&sum])) {
        *start = from + next as usize;
    }
    let blocks = (sum as usize).div_ceil(BLOCK);
    let mut blocks: Vec<_> = (0..blocks).map(|_| memory.block()).collect();
    for piece in pieces {
        for (&event, &bucket) in piece.events().iter().zip(piece.buckets()) {
            let place = &mut next[usize::from(bucket)];
            blocks[*place as usize / BLOCK][*place as usize % BLOCK] = event;
            *place += 1;
        }
        memory.give(piece);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_sorted_by_bucket_and_none_is_lost() {
        let buckets = 700;
        let unbounded = Arc::new(Memory::unbounded());
        let collectors = Collectors::new(buckets, 0, &unbounded);
        let mut x = 0x9e37_79b9u32;
        let mut expected = vec![Vec::new(); buckets];
        for _ in 0..20_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bucket = (x >> 8) % 700;
            expected[bucket as usize].push(x);
            collectors.with(|collector| collector.push(bucket, Event(x)));
        }
        let lists = collectors.sorted();
        assert_eq!(lists.len(), 20_000);
        for (bucket, expected) in (0..).zip(&expected) {
            assert_eq!(lists.of(bucket).collect::<Vec<_>>().concat(), *expected);
        }
        lists.give_back(&unbounded);
        let lists = Collectors::new(buckets, 0, &unbounded).sorted();
        assert!((0..700).all(|bucket| lists.of(bucket).next().is_none()));
    }

    #[test]
    fn what_does_not_fit_the_budget_comes_in_later_parts() {
        let buckets = 3_000;
        let memory = Arc::new(Memory::of_pieces(40));
        let push_all = |collectors: &Collectors| {
            let mut x = 1u32;
            for _ in 0..100 * BLOCK {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                collectors.with(|collector| collector.push((x >> 8) % 3_000, Event(x)));
            }
        };
        let all = Collectors::new(buckets, 0, &Arc::new(Memory::unbounded()));
        push_all(&all);
        let all = all.sorted();
        assert_eq!((all.len(), all.rest()), (100 * BLOCK, None));
        let (mut from, mut parts, mut found) = (0, 0, vec![0; buckets]);
        loop {
            let collectors = Collectors::new(buckets, from, &memory);
            push_all(&collectors);
            let lists = collectors.sorted();
            parts += 1;
            assert!(
                lists.len() <= 60 * BLOCK,
                "{} events at a time",
                lists.len()
            );
            for (bucket, found) in (0..).zip(&mut found) {
                let events = lists.of(bucket).collect::<Vec<_>>().concat();
                if !events.is_empty() {
                    assert_eq!(events, all.of(bucket).collect::<Vec<_>>().concat());
                    *found += 1;
                }
            }
            let Some(rest) = lists.rest() else { break };
            from = rest;
            lists.give_back(&memory);
        }
        assert!(parts > 2);
        assert!(found.iter().all(|&times| times == 1));
    }
}

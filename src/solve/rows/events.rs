//! Events: final values to be reported to the positions before them, collected in pieces
//! of memory that are used again and again, and sorted by bucket.
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields of packed words are cut out on purpose"
)]

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::base::cpu::Filter;
use crate::base::threads::locked;
use crate::game::{Condition, Transposed};

/// A position with a value of the distance at hand, as its bucket sees it.
///
/// | bits | field |
/// |---|---|
/// | 22 | the squares of the side to move, over the free squares of the bucket |
/// | 7 | the number of the best move |
/// | 1 | a move that does not take the last one back exactly may still lead back |
/// | 1 | the best value is of this distance |
/// | 1 | the second value is |
///
/// With the third field set, exactly one of the values is of this distance: the second if
/// the last bit is set. The fourth field is then always set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event(pub u32);

impl Event {
    /// The bits of the set of squares.
    pub(super) const SET: u32 = (1 << Self::NUMBER) - 1;
    const NUMBER: u32 = 22;
    const UNSURE: u32 = 1 << 29;
    /// The bit that is set if the best value is of this distance.
    pub(super) const BEST: u32 = 1 << 30;
    const SECOND: u32 = 1 << 31;

    /// The bits of an event, without those of a [`Transposed`]; given is whether the best and
    /// the second value are of the distance at hand.
    pub(super) fn kind((best, second): (bool, bool), unsure: bool) -> u32 {
        let bit = |is: bool, bit| if is { bit } else { 0 };
        if unsure && best != second {
            return Self::UNSURE | Self::BEST | bit(second, Self::SECOND);
        }
        bit(best, Self::BEST) | bit(second, Self::SECOND)
    }

    #[inline(always)]
    pub(super) const fn new(kind: u32, seen: Transposed) -> Self {
        Self(kind | (seen.number as u32 & 127) << Self::NUMBER | seen.set)
    }

    #[inline(always)]
    pub(super) const fn number(self) -> u8 {
        (self.0 >> Self::NUMBER) as u8 & 127
    }

    /// Which events reach the predecessors by a move whose image fulfils a condition, if the
    /// move of number `undo` takes it back: those whose second value is of this distance if
    /// that move is the best, and otherwise those whose best value is. Without `undo` a key
    /// need not be looked at.
    pub(crate) const fn reaching(image: Condition, undo: Option<u8>) -> Filter {
        let (key, asked) = match undo {
            Some(undo) => ((undo as u32) << Self::NUMBER, 0),
            None => (0, Self::BEST),
        };
        Filter {
            mask: image.mask | Self::UNSURE | asked,
            bits: image.bits | asked,
            key_mask: 127 << Self::NUMBER,
            key,
            with: Self::SECOND,
            without: Self::BEST,
        }
    }

    /// Which events come from a move whose image fulfils a condition, but take a look at the
    /// position to know which value a predecessor gets.
    pub(crate) fn unsure(image: Condition) -> Filter {
        Filter {
            mask: image.mask | Self::UNSURE,
            bits: image.bits | Self::UNSURE,
            ..Filter::default()
        }
    }

    /// For an unsure event: whether the second value is of this distance, not the best.
    #[inline(always)]
    pub(crate) const fn unsure_second(self) -> bool {
        self.0 & Self::SECOND != 0
    }
}

/// Events of one layer, sorted by bucket: all of them, or those of some partitions.
#[derive(Debug, Default)]
pub(super) struct EventLists {
    /// By bucket: where its events begin; and, after those of each partition, the end of the
    /// last.
    pub(super) starts: Vec<usize>,
    /// The events. Those of a partition begin with a block.
    pub(super) blocks: Vec<Block>,
    /// The partition with which the events go on, if not all are there.
    pub(super) rest: Option<usize>,
}

impl EventLists {
    /// The events of a bucket, in few slices.
    #[inline(always)]
    pub(super) fn of(&self, bucket: u32) -> impl Iterator<Item = &[u32]> {
        let at = bucket as usize;
        let at = at + at / PARTITION;
        let (mut from, to) = (self.starts[at], self.starts[at + 1]);
        std::iter::from_fn(move || {
            if from >= to {
                return None;
            }
            let start = from % BLOCK;
            let len = (to - from).min(BLOCK - start);
            let slice = &self.blocks[from / BLOCK][start..start + len];
            from += len;
            Some(slice)
        })
    }

    pub(super) fn len(&self) -> usize {
        let partitions = self.starts.chunks(PARTITION + 1);
        partitions
            .map(|starts| starts[starts.len() - 1] - starts[0])
            .sum()
    }

    pub(crate) fn give_back(self, memory: &Memory) {
        for block in self.blocks {
            memory.give_block(block);
        }
    }
}

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
    pub(super) fn push(&mut self, bucket: u32, event: Event) {
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
        if memory.lent.load(Relaxed) > memory.most {
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
    pub(super) fn new(buckets: usize, from: usize, memory: &Arc<Memory>) -> Self {
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

    pub(super) const fn partitions(buckets: usize) -> usize {
        buckets.div_ceil(PARTITION)
    }

    /// Lends the collector of this thread.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut Collector) -> R) -> R {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let collector = &self.threads[thread % self.threads.len()];
        work(&mut locked(collector))
    }

    pub(super) fn sorted(self) -> EventLists {
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

/// Number of buckets whose events are collected together, and sorted later.
pub(super) const PARTITION: usize = 256;

/// Number of events in a block.
pub(super) const BLOCK: usize = 1 << 11;

pub(super) type Block = Box<[u32; BLOCK]>;

/// The bucket of each event of a block, within its partition.
type Keys = Box<[u8; BLOCK]>;

/// Some events in the order of their making.
#[derive(Debug)]
pub(super) struct Piece {
    events: Block,
    buckets: Keys,
    len: usize,
}

impl Piece {
    pub(super) const BYTES: usize = 5 * BLOCK;

    /// Adds an event, if there is room.
    #[inline(always)]
    pub(super) fn push(&mut self, bucket: u8, event: u32) -> bool {
        if self.len == BLOCK {
            return false;
        }
        self.events[self.len] = event;
        self.buckets[self.len] = bucket;
        self.len += 1;
        true
    }

    pub(super) fn events(&self) -> &[u32] {
        &self.events[..self.len]
    }

    pub(super) fn buckets(&self) -> &[u8] {
        &self.buckets[..self.len]
    }
}

/// Lends pieces, and blocks alone, and keeps count of them.
#[derive(Debug)]
pub(super) struct Memory {
    /// How many pieces can be lent; a block counts as one.
    most: usize,
    lent: AtomicUsize,
    blocks: Mutex<Vec<Block>>,
    keys: Mutex<Vec<Keys>>,
}

impl Memory {
    pub(crate) const fn unbounded() -> Self {
        Self::of_pieces(usize::MAX)
    }

    pub(super) const fn of_pieces(most: usize) -> Self {
        Self {
            most,
            lent: AtomicUsize::new(0),
            blocks: Mutex::new(Vec::new()),
            keys: Mutex::new(Vec::new()),
        }
    }

    pub(super) fn piece(&self) -> Piece {
        Piece {
            events: self.block(),
            buckets: take(&self.keys).unwrap_or_else(|| Box::new([0; BLOCK])),
            len: 0,
        }
    }

    pub(super) fn block(&self) -> Block {
        self.lent.fetch_add(1, Relaxed);
        take(&self.blocks).unwrap_or_else(|| Box::new([0; BLOCK]))
    }

    pub(super) fn give(&self, piece: Piece) {
        self.give_block(piece.events);
        put(&self.keys, piece.buckets);
    }

    pub(crate) fn give_block(&self, block: Block) {
        self.lent.fetch_sub(1, Relaxed);
        put(&self.blocks, block);
    }
}

fn take<T>(free: &Mutex<Vec<T>>) -> Option<T> {
    locked(free).pop()
}

fn put<T>(free: &Mutex<Vec<T>>, value: T) {
    locked(free).push(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::base::cpu::{Cpu, NONE_SELECTED, Portable};

    #[test]
    fn a_predecessor_gets_the_second_value_if_its_undoing_move_is_best() {
        let seen = Transposed {
            bucket: 0,
            set: 0b101,
            number: 99,
            turn: 0,
        };
        let event = |best, second| Event::new(Event::kind((best, second), false), seen);
        assert_eq!(event(true, false).0 & Event::SET, 0b101);
        assert_eq!(event(true, false).number(), 99);
        let image = Condition {
            mask: 0b110,
            bits: 0b100,
        };
        let reaches = |event: Event, undo| {
            let mut selected = NONE_SELECTED;
            let filter = Event::reaching(image, undo);
            let count = match undo {
                Some(_) => Portable.select::<true>(&[event.0], filter, &mut selected),
                None => Portable.select::<false>(&[event.0], filter, &mut selected),
            };
            count == 1
        };
        assert!(reaches(event(true, false), Some(98)) && !reaches(event(true, false), Some(99)));
        assert!(reaches(event(false, true), Some(99)) && !reaches(event(false, true), Some(98)));
        assert!(reaches(event(true, true), Some(99)) && reaches(event(true, true), Some(98)));
        assert!(reaches(event(true, false), None) && !reaches(event(false, true), None));
        let elsewhere = Event(event(true, true).0 ^ 0b010);
        assert!(!reaches(elsewhere, Some(98)) && !reaches(elsewhere, None));
        for best in [false, true] {
            let event = Event(Event::kind((best, !best), true));
            assert!(event.0 & Event::UNSURE != 0 && event.0 & Event::BEST != 0);
            assert_eq!(event.unsure_second(), !best);
        }
        assert!(Event::kind((true, true), true) & Event::UNSURE == 0);
    }

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
        assert_eq!((all.len(), all.rest), (100 * BLOCK, None));
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
            let Some(rest) = lists.rest else { break };
            from = rest;
            lists.give_back(&memory);
        }
        assert!(parts > 2);
        assert!(found.iter().all(|&times| times == 1));
    }
}

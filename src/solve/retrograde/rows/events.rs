//! Events: final values on their way from positions to those before them, in lists by
//! bucket.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "fields of packed words are cut out on purpose"
)]

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::base::cpu::Filter;
use crate::game::{Condition, Transposed};

/// Number of buckets whose events are collected together, and sorted later.
const PARTITION: usize = 256;

/// Number of events in a piece of a partition.
const PIECE: usize = 1 << 12;

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

/// Which values of a position are of the distance at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    pub best: bool,
    pub second: bool,
}

impl Event {
    /// The bits of the set of squares.
    pub const SET: u32 = (1 << Self::NUMBER) - 1;
    const NUMBER: u32 = 22;
    const UNSURE: u32 = 1 << 29;
    /// The bit that is set if the best value is of this distance.
    pub const BEST: u32 = 1 << 30;
    const SECOND: u32 = 1 << 31;

    /// The bits of an event, without those of a [`Transposed`].
    pub fn kind(due: Due, unsure: bool) -> u32 {
        let bit = |is: bool, bit| if is { bit } else { 0 };
        if unsure && due.best != due.second {
            return Self::UNSURE | Self::BEST | bit(due.second, Self::SECOND);
        }
        bit(due.best, Self::BEST) | bit(due.second, Self::SECOND)
    }

    #[inline(always)]
    pub const fn new(kind: u32, seen: Transposed) -> Self {
        Self(kind | (seen.number as u32 & 127) << Self::NUMBER | seen.set)
    }

    #[inline(always)]
    pub const fn number(self) -> u8 {
        (self.0 >> Self::NUMBER) as u8 & 127
    }

    /// Which events reach the predecessors by a move whose image fulfils a condition, if the
    /// move of number `undo` takes it back: those whose second value is of this distance if
    /// that move is the best, and otherwise those whose best value is. Without `undo` a key
    /// need not be looked at.
    pub const fn reaching(image: Condition, undo: Option<u8>) -> Filter {
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
    pub fn unsure(image: Condition) -> Filter {
        Filter {
            mask: image.mask | Self::UNSURE,
            bits: image.bits | Self::UNSURE,
            ..Filter::default()
        }
    }

    /// For an unsure event: whether the second value is of this distance, not the best.
    #[inline(always)]
    pub const fn unsure_second(self) -> bool {
        self.0 & Self::SECOND != 0
    }
}

/// Events of one layer, sorted by bucket.
#[derive(Debug, Default)]
pub(super) struct EventLists {
    /// By bucket: where its events begin; and the end of the last.
    starts: Vec<usize>,
    events: Vec<u32>,
}

impl EventLists {
    /// The events of a bucket.
    #[inline(always)]
    pub fn of(&self, bucket: u32) -> &[u32] {
        let at = bucket as usize;
        &self.events[self.starts[at]..self.starts[at + 1]]
    }

    /// Number of events.
    pub const fn len(&self) -> usize {
        self.events.len()
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
    partitions: Vec<Partition>,
}

impl Collector {
    fn new(buckets: usize) -> Self {
        let count = buckets.div_ceil(PARTITION);
        Self {
            partitions: (0..count).map(|_| Partition::default()).collect(),
        }
    }

    #[inline(always)]
    pub fn push(&mut self, bucket: u32, event: Event) {
        let partition = &mut self.partitions[bucket as usize / PARTITION];
        if partition.open.events.len() == PIECE {
            let piece = std::mem::take(&mut partition.open);
            partition.full.push(piece);
        }
        partition.open.events.push(event.0);
        partition.open.buckets.push(bucket as u8);
    }
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
    buckets: usize,
}

impl Collectors {
    pub fn new(buckets: usize) -> Self {
        let threads = rayon::current_num_threads();
        Self {
            threads: (0..threads)
                .map(|_| Mutex::new(Collector::new(buckets)))
                .collect(),
            buckets,
        }
    }

    /// Lends the collector of this thread.
    pub fn with<R>(&self, work: impl FnOnce(&mut Collector) -> R) -> R {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let collector = &self.threads[thread % self.threads.len()];
        work(&mut collector.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sorts the events by bucket, in the memory of `old`.
    pub fn sorted(self, old: EventLists) -> EventLists {
        let count = self.buckets.div_ceil(PARTITION);
        let mut parts: Vec<Vec<Partition>> = (0..count).map(|_| Vec::new()).collect();
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
        } = old;
        events.clear();
        events.resize(parts.iter().map(len_of).sum(), 0);
        starts.clear();
        starts.resize(self.buckets + 1, 0);
        let (mut rest, mut from) = (events.as_mut_slice(), 0);
        let mut jobs = Vec::with_capacity(count);
        for (part, starts) in parts.into_iter().zip(starts.chunks_mut(PARTITION)) {
            let len = len_of(&part);
            let (own, others) = rest.split_at_mut(len);
            jobs.push((part, starts, own, from));
            rest = others;
            from += len;
        }
        jobs.into_par_iter()
            .for_each(|(part, starts, events, from)| sort(part, starts, events, from));
        starts[self.buckets] = events.len();
        EventLists { starts, events }
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
    use crate::base::cpu::{Cpu, NONE_SELECTED, Portable};

    #[test]
    fn events_come_sorted_by_bucket_and_none_is_lost() {
        let buckets = 700;
        let collectors = Collectors::new(buckets);
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
        let lists = Collectors::new(buckets).sorted(lists);
        assert!((0..700).all(|bucket| lists.of(bucket).is_empty()));
    }

    #[test]
    fn a_predecessor_gets_the_second_value_if_its_undoing_move_is_best() {
        let seen = Transposed {
            bucket: 0,
            set: 0b101,
            number: 99,
        };
        let event = |best, second| Event::new(Event::kind(Due { best, second }, false), seen);
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
        let due = |best| Due {
            best,
            second: !best,
        };
        for best in [false, true] {
            let event = Event(Event::kind(due(best), true));
            assert!(event.0 & Event::UNSURE != 0 && event.0 & Event::BEST != 0);
            assert_eq!(event.unsure_second(), !best);
        }
        let sure = Due {
            best: true,
            second: true,
        };
        assert!(Event::kind(sure, true) & Event::UNSURE == 0);
    }
}

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

use super::pieces::{BLOCK, Block, Memory, PARTITION};
use crate::base::cpu::Filter;
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
    pub fn of(&self, bucket: u32) -> impl Iterator<Item = &[u32]> {
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

    /// Number of events.
    pub fn len(&self) -> usize {
        let partitions = self.starts.chunks(PARTITION + 1);
        partitions
            .map(|starts| starts[starts.len() - 1] - starts[0])
            .sum()
    }

    /// The partition with which the events go on, if not all are there.
    pub const fn rest(&self) -> Option<usize> {
        self.rest
    }

    /// Gives the memory of the events back.
    pub fn give_back(self, memory: &Memory) {
        for block in self.blocks {
            memory.give_block(block);
        }
    }
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

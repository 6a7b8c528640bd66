//! A group of layers while it is being searched.
//!
//! As in the solver, one small [`Entry`] per position covers all of its states. The states are
//! counted from the entries of their predecessors afterwards.

use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use crate::game::{Repetition, Retrograde};
use crate::solve::memory::{WordArray, prefetch_write};

/// Number of positions that share one set of levels; also the unit of work.
pub(super) const CHUNK: usize = 1 << 10;

/// Number of words in a chunk's set of levels.
const DUE: usize = 4;

pub(super) struct Group<'a, G> {
    pub(super) game: &'a G,
    pub(super) slots: Range<u64>,
    pub(super) name: String,
    pub(super) words: WordArray<AtomicU32>,
    pub(super) above: &'a Above,
    pub(super) exact: bool,
    /// Whether forbidden moves are played too.
    pub(super) take_backs: bool,
    /// Slot of the initial position.
    start: u64,
    /// For each chunk, the levels at which the moves of one of its positions are played, as
    /// bit sets of [`DUE`] words.
    due: Vec<AtomicU64>,
    pub(super) furthest: AtomicU16,
}

impl<'a, G: Retrograde> Group<'a, G> {
    pub(super) fn new(
        game: &'a G,
        number: usize,
        above: &'a Above,
        take_backs: bool,
    ) -> io::Result<Self> {
        let slots = game.group_slots(number);
        // Arrivals hold indices in 32 bits.
        let len = u32::try_from(slots.end - slots.start)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))? as usize;
        Ok(Self {
            game,
            slots,
            name: game.group_name(number),
            words: WordArray::new(len)?,
            above,
            exact: game.repetition() == Repetition::Exact,
            take_backs,
            start: game.rank(&game.initial()),
            due: (0..len.div_ceil(CHUNK) * DUE)
                .map(|_| AtomicU64::new(0))
                .collect(),
            furthest: AtomicU16::new(0),
        })
    }

    /// Plies to a position by a move from a later group, 0 for the initial position, and
    /// [`NEVER`] if there is no such move.
    #[inline]
    pub(super) fn distance_from_above(&self, slot: u64) -> u8 {
        if slot == self.start {
            0
        } else {
            self.above.get(slot)
        }
    }

    pub(super) fn chunks(&self) -> usize {
        self.words.len().div_ceil(CHUNK)
    }

    pub(super) fn indices_of(&self, chunk: usize) -> Range<u32> {
        let first = chunk * CHUNK;
        first as u32..self.words.len().min(first + CHUNK) as u32
    }

    /// The chunks with positions whose moves are played at a level.
    pub(super) fn due_at(&self, level: u8) -> Vec<usize> {
        let (word, bit) = (usize::from(level >> 6), 1u64 << (level & 63));
        (0..self.chunks())
            .filter(|chunk| self.due[chunk * DUE + word].load(Relaxed) & bit != 0)
            .collect()
    }

    #[inline(always)]
    pub(super) fn index(&self, slot: u64) -> u32 {
        (slot - self.slots.start) as u32
    }

    #[inline(always)]
    pub(super) fn slot(&self, index: u32) -> u64 {
        self.slots.start + u64::from(index)
    }

    #[inline(always)]
    pub(super) fn load(&self, index: u32) -> Entry {
        Entry::from_bits(self.words[index as usize].load(Relaxed))
    }

    /// Records that the position at `index` is reached at `level`, so that the search visits
    /// its chunk there.
    #[inline]
    pub(super) fn schedule(&self, index: u32, level: u8) {
        let word = &self.due[index as usize / CHUNK * DUE + usize::from(level >> 6)];
        let bit = 1 << (level & 63);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            self.furthest.fetch_max(level.into(), Relaxed);
        }
    }
}

/// The distance of a position that was never reached.
pub(super) const NEVER: u8 = u8::MAX;

/// The longest distance that an entry can hold.
pub(super) const LONGEST: u8 = NEVER - 1;

/// Number of states by distance in plies; [`NEVER`] counts the states never reached.
#[derive(Debug, Clone)]
pub(super) struct Counts(pub(super) [u64; NEVER as usize + 1]);

impl Default for Counts {
    fn default() -> Self {
        Self([0; NEVER as usize + 1])
    }
}

impl Counts {
    pub(super) fn merge(mut self, other: &Self) -> Self {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum += more;
        }
        self
    }

    #[inline]
    pub(super) fn add(&mut self, distance: u8, states: u64) {
        self.0[usize::from(distance)] += states;
    }
}

/// For positions of groups not searched yet, how soon a move from a later group leads
/// there: [`NEVER`] minus the plies, so that 0 means never.
pub(super) struct Above(WordArray<AtomicU8>);

impl Above {
    /// For `len` positions, none of them reached yet.
    pub(super) fn new(len: usize) -> io::Result<Self> {
        WordArray::new(len).map(Self)
    }

    pub(super) fn get(&self, slot: u64) -> u8 {
        let found = usize::try_from(slot).ok().and_then(|at| self.0.get(at));
        NEVER - found.map_or(0, |atom| atom.load(Relaxed))
    }

    /// Enters a position at a distance, unless it has a shorter one.
    pub(super) fn lower(&self, at: usize, distance: u8) {
        let (atom, code) = (&self.0[at], NEVER - distance);
        if atom.load(Relaxed) < code {
            atom.fetch_max(code, Relaxed);
        }
    }

    pub(super) fn prefetch(&self, at: usize) {
        prefetch_write(&self.0[at]);
    }
}

/// Stands for a move number where nothing is forbidden.
pub(super) const NOTHING: u8 = u8::MAX;

/// What is known about one position. If `first` equals `second`, `forbidden` has no
/// meaning, as it depends on the order of events of the same distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Plies to the first state.
    pub first: u8,
    /// Plies to the first state in which a different move, or none, is forbidden.
    pub second: u8,
    /// The move forbidden in the first state, or [`NOTHING`].
    pub forbidden: u8,
}

impl Entry {
    /// An entry from its stored bits; zero is a position never reached.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        let [first, second, forbidden, _] = (!bits).to_le_bytes();
        Self {
            first,
            second,
            forbidden,
        }
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        !u32::from_le_bytes([self.first, self.second, self.forbidden, u8::MAX])
    }

    /// A position reached with nothing forbidden.
    pub(super) const fn free(distance: u8) -> Self {
        Self {
            first: distance,
            second: distance,
            forbidden: NOTHING,
        }
    }

    /// The entry after the position is also reached with a move forbidden, or [`NOTHING`].
    #[inline(always)]
    pub(crate) const fn enter(self, distance: u8, forbidden: u8) -> Self {
        let mut new = self;
        if forbidden == NOTHING {
            if distance < self.first {
                return Self::free(distance);
            }
            if distance < self.second {
                new.second = distance;
            }
        } else if distance < self.first {
            let same = forbidden == self.forbidden && self.first < self.second;
            new.first = distance;
            new.forbidden = forbidden;
            new.second = if same { self.second } else { self.first };
        } else if distance < self.second && forbidden != self.forbidden {
            new.second = distance;
        }
        new
    }

    /// Plies to the first state in which a move may be played.
    #[inline(always)]
    pub(crate) const fn before_move(self, number: u8) -> u8 {
        if number == self.forbidden {
            self.second
        } else {
            self.first
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_the_minimum_over_states() {
        // All sequences of four events, compared with the definition.
        let events: Vec<(u8, u8)> = (3..6)
            .flat_map(|distance| [0, 1, 2, NOTHING].map(|forbidden| (distance, forbidden)))
            .collect();
        for code in 0..events.len().pow(4) {
            let mut entry = Entry::from_bits(0);
            assert_eq!(entry, Entry::free(NEVER));
            let mut entered = Vec::new();
            // Distances increase, except for the first event, which may be from a later
            // group.
            for place in 0..4 {
                entered.push(events[code / events.len().pow(place) % events.len()]);
            }
            entered[1..].sort_unstable_by_key(|&(distance, _)| distance);
            for &(distance, forbidden) in &entered {
                entry = Entry::from_bits(entry.enter(distance, forbidden).bits());
            }
            for number in 0..4 {
                let allowed = entered
                    .iter()
                    .filter(|&&(_, forbidden)| forbidden != number);
                let soonest = allowed.map(|&(distance, _)| distance).min();
                assert_eq!(
                    entry.before_move(number),
                    soonest.unwrap_or(NEVER),
                    "{entered:?}"
                );
            }
        }
    }
}

//! The best values of the groups solved so far, which is all that later groups need of them, and
//! values as ordinal numbers in the mover's order of preference.
//!
//! The best of many values is then a maximum of integers. Comparing values themselves
//! takes branches, and the first pass compares billions.

use std::io;
use std::ops::Range;

use memmap2::MmapMut;

use super::memory::{prefetch_read, zeroed};
use crate::base::threads;
use crate::base::value::{Outcome, Value, Width};
use crate::game::Ranked;

/// The codes of the best values of the groups before one, by slot.
pub(crate) trait BestCodes: Sync {
    fn get(&self, slot: usize) -> u16;

    fn prefetch(&self, slot: usize);
}

/// Codes of best values by slot, on huge pages because they are read at random.
#[derive(Debug)]
pub(crate) struct Codes {
    map: MmapMut,
    /// Number of codes written so far.
    len: usize,
    /// Bytes of a code.
    width: usize,
}

/// Number of codes that a thread writes at a time.
const STRETCH: usize = 1 << 16;

impl Codes {
    /// Allocates the codes of all groups of a game except the last, which no other group
    /// depends on.
    pub(crate) fn new<W: Width>(game: &impl Ranked) -> io::Result<Self> {
        let slots = game.group_slots(game.groups().saturating_sub(1)).start;
        let slots = usize::try_from(slots).map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Self {
            map: zeroed(slots, W::BYTES)?,
            len: 0,
            width: W::BYTES,
        })
    }

    /// Appends the codes of the slots up to `end`; slots of the last group are ignored.
    /// `write` fills in the codes of a range of slots, in [`Width::BYTES`] little-endian
    /// bytes each.
    pub(crate) fn extend<E: Send>(
        &mut self,
        end: usize,
        write: impl Fn(Range<usize>, &mut [u8]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let width = self.width;
        let end = end.min(self.map.len() / width);
        let first = self.len;
        if end <= first {
            return Ok(());
        }
        let stretches = self.map[first * width..end * width].chunks_mut(STRETCH * width);
        threads::try_map(stretches.enumerate(), |(number, bytes)| {
            let from = first + number * STRETCH;
            write(from..from + bytes.len() / width, bytes)
        })?;
        self.len = end;
        Ok(())
    }
}

impl BestCodes for Codes {
    #[inline(always)]
    fn get(&self, slot: usize) -> u16 {
        let at = slot * self.width;
        match self.width {
            1 => self.map[at].into(),
            _ => u16::from_le_bytes([self.map[at], self.map[at + 1]]),
        }
    }

    #[inline(always)]
    fn prefetch(&self, slot: usize) {
        prefetch_read(&self.map[slot * self.width]);
    }
}

/// The ordinals of all values of a width, and of what each is worth one move earlier.
pub(crate) struct ValueOrder<W> {
    /// By code: the ordinal of a move to a state of that value.
    through: Vec<Ordinal>,
    /// By code: the ordinal of the value itself.
    ordinals: Vec<Ordinal>,
    /// By ordinal, less one.
    values: Vec<Value<W>>,
}

/// The position of a value in the order, from 1 for the worst; 0 stands for no value.
pub(crate) type Ordinal = u32;

/// The ordinal of a distance that one move earlier no longer fits the width.
pub(crate) const TOO_LONG: Ordinal = Ordinal::MAX;

impl<W: Width> ValueOrder<W> {
    pub(crate) fn new() -> Self {
        let of = |outcome| {
            let all = (0..=W::DRAW).map(Value::from_code);
            all.filter(move |it: &Value<W>| !it.is_vacant() && it.outcome() == outcome)
        };
        let wins = of(Outcome::Win).rev();
        let mut values: Vec<_> = of(Outcome::Loss)
            .chain(of(Outcome::Draw))
            .chain(wins)
            .collect();
        // Nearly in order, which this sort is quick with.
        values.sort();
        let mut ordinals = vec![0; usize::from(W::DRAW) + 1];
        for (ordinal, value) in (1..).zip(&values) {
            ordinals[usize::from(value.code())] = ordinal;
        }
        let through: Vec<Ordinal> = (0..=W::DRAW)
            .map(|code| match Value::<W>::from_code(code).through_move() {
                Some(value) => ordinals[usize::from(value.code())],
                None => TOO_LONG,
            })
            .collect();
        Self {
            through,
            ordinals,
            values,
        }
    }

    /// The ordinal of a move to a state whose value has this code, or [`TOO_LONG`].
    #[inline]
    pub(crate) fn through_move(&self, code: u16) -> Ordinal {
        self.through[usize::from(code)]
    }

    #[inline]
    pub(crate) fn ordinal(&self, value: Value<W>) -> Ordinal {
        self.ordinal_of_code(value.code())
    }

    #[inline]
    pub(crate) fn ordinal_of_code(&self, code: u16) -> Ordinal {
        self.ordinals[usize::from(code)]
    }

    /// The value with this ordinal, `None` for 0 and [`TOO_LONG`].
    #[inline]
    pub(crate) fn value(&self, ordinal: Ordinal) -> Option<Value<W>> {
        let at = usize::try_from(ordinal).ok()?.checked_sub(1)?;
        self.values.get(at).copied()
    }
}

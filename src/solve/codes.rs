//! The best values of the groups solved so far: all that later groups need of them.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::io;
use std::ops::Range;

use memmap2::MmapMut;
use rayon::prelude::*;

use super::memory::{prefetch_read, zeroed};
use crate::base::value::Width;
use crate::game::Ranked;

/// The codes of the best values of the groups before one, by slot.
pub(crate) trait BestCodes: Sync {
    /// The code of a slot.
    fn get(&self, slot: usize) -> u16;

    /// Prefetches the code of a slot.
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
    pub fn new<W: Width>(game: &impl Ranked) -> io::Result<Self> {
        let last = game.layers().last().map_or(0, |layer| layer.group);
        let earlier = game.layers().iter().filter(|layer| layer.group < last);
        let slots = earlier.map(|layer| layer.slots.end).max().unwrap_or(0);
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
    pub fn extend(&mut self, end: usize, write: impl Fn(Range<usize>, &mut [u8]) + Sync) {
        let width = self.width;
        let end = end.min(self.map.len() / width);
        let first = self.len;
        if end <= first {
            return;
        }
        self.map[first * width..end * width]
            .par_chunks_mut(STRETCH * width)
            .enumerate()
            .for_each(|(number, bytes)| {
                let from = first + number * STRETCH;
                write(from..from + bytes.len() / width, bytes);
            });
        self.len = end;
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

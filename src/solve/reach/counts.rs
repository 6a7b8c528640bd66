//! What a search counts, and what one group of layers leaves to the next.

use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::super::memory::{WordArray, prefetch_write};

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
    ///
    /// # Errors
    /// If the operating system cannot provide the memory.
    pub(super) fn new(len: usize) -> io::Result<Self> {
        WordArray::new(len).map(Self)
    }

    pub(super) fn get(&self, slot: u64) -> u8 {
        let found = usize::try_from(slot).ok().and_then(|at| self.0.get(at));
        NEVER - found.map_or(0, |atom| atom.load(Relaxed))
    }

    /// Whether a slot is of a position that no later group leads to.
    pub(super) fn is_past(&self, slot: u64) -> bool {
        usize::try_from(slot).is_ok_and(|at| at >= self.0.len())
    }

    /// Enters a position at a distance, unless it has a shorter one.
    pub(super) fn lower(&self, at: usize, distance: u8) {
        let (atom, code) = (&self.0[at], NEVER - distance);
        if atom.load(Relaxed) < code {
            atom.fetch_max(code, Relaxed);
        }
    }

    /// Prefetches an entry that will soon be written.
    pub(super) fn prefetch(&self, at: usize) {
        prefetch_write(&self.0[at]);
    }
}

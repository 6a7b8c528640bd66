//! Positions of which something has changed, so that those with a move to them are valued again.

use super::END;
use super::chunk::{CHUNK, Chunk};

/// Number of words of a chunk.
pub(super) const WORDS: usize = CHUNK / 64;

/// A set of positions of the graph, by number.
#[derive(Debug, Default)]
pub(super) struct Changed(pub Vec<u64>);

impl Changed {
    /// All positions of a graph of so many.
    pub fn all(len: usize) -> Self {
        Self(vec![u64::MAX; len.div_ceil(CHUNK) * WORDS])
    }

    #[inline]
    fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 != 0
    }
}

/// A position that is to be valued again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stale {
    /// Its place in the chunk.
    pub at: usize,
    /// Number of moves before it for which something is stored.
    pub stored: usize,
}

/// The positions of a chunk that are to be valued again: those that changed when they were valued
/// last, in `own`, which is emptied, and those with a move that matters to a position that has
/// changed.
pub(super) fn stale(
    chunk: &Chunk,
    own: &mut [u64],
    changed: &Changed,
    matters: impl Fn(usize) -> bool,
    is_stored: impl Fn(usize) -> bool,
) -> Vec<Stale> {
    let (mut found, mut stored) = (Vec::new(), 0);
    for at in 0..chunk.len() {
        let (mut is_stale, before) = (own[at / 64] >> (at % 64) & 1 != 0, stored);
        for arc in chunk.arc_range(at) {
            stored += usize::from(is_stored(arc));
            is_stale = is_stale || {
                let child = chunk.child(arc);
                child != END && matters(arc) && changed.has(child)
            };
        }
        if is_stale {
            found.push(Stale { at, stored: before });
        }
    }
    own.fill(0);
    found
}

/// Notes that a position has changed.
#[inline]
pub(super) fn note(own: &mut [u64], at: usize) {
    own[at / 64] |= 1 << (at % 64);
}

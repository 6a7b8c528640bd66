//! Drawn positions in chunks, with the moves that keep the draw.

use std::ops::Range;

/// Number of positions in a chunk.
pub(super) const CHUNK: usize = 1 << 12;

/// Stands for no forbidden move.
pub(super) const NONE: u8 = u8::MAX;

/// The bit of [`Chunk::children`] that says that the forbidden move would lose.
pub(super) const LOSES: u32 = 1 << 31;

/// The chunk of a position, and its place there.
#[inline]
pub(super) const fn place_of(number: u32) -> (usize, usize) {
    (number as usize / CHUNK, number as usize % CHUNK)
}

/// What is kept of a move that keeps the draw, beside the position that it leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub number: u8,
    /// Number of the move that is forbidden after it, or [`NONE`].
    pub forbidden: u8,
}

/// Consecutive positions with the moves that keep the draw.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub starts: Vec<u32>,
    /// By move: the number of the position that it leads to, and [`LOSES`].
    pub children: Vec<u32>,
    pub keys: Vec<Key>,
    /// By position: the number of the only move that wins, which is forbidden in all drawn
    /// states of the position; or [`NONE`].
    pub winner: Vec<u8>,
}

impl Chunk {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.winner.len()
    }

    /// Where the moves of a position stand among those of the chunk.
    #[inline]
    pub fn arc_range(&self, at: usize) -> Range<usize> {
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    /// The position that a move leads to, or [`END`](super::END).
    #[inline]
    pub fn child(&self, arc: usize) -> u32 {
        self.children[arc] & !LOSES
    }

    /// Whether the move that is forbidden after a move would lose.
    #[inline]
    pub fn forbidden_loses(&self, arc: usize) -> bool {
        self.children[arc] & LOSES != 0
    }

    /// Where a move of a position stands, if it keeps the draw.
    #[inline]
    pub fn find(&self, at: usize, number: u8) -> Option<usize> {
        let mut range = self.arc_range(at);
        range.find(|&arc| self.keys[arc].number == number)
    }

    /// Whether the position is a draw with nothing forbidden.
    #[inline]
    pub fn is_drawn_free(&self, at: usize) -> bool {
        self.winner[at] == NONE
    }
}

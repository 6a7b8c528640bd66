//! Drawn positions in chunks, with the moves that keep the draw.

use std::ops::Range;

use super::DEPTHS;

/// Number of positions in a chunk.
pub(super) const CHUNK: usize = 1 << 12;

/// Stands for no forbidden move.
pub(super) const NONE: u8 = u8::MAX;

/// The bit of [`Chunk::children`] that says that the forbidden move would lose.
pub(super) const LOSES: u32 = 1 << 31;

/// A move that keeps the draw, or any number of bits of each depth: bit `d - 1` belongs to
/// depth `d`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    /// Number of the position that the move leads to, among the positions of the graph.
    pub child: u32,
    /// The move's number.
    pub number: u8,
    /// Number of the move that is forbidden after it, or [`NONE`].
    pub forbidden: u8,
    /// Whether the forbidden move would lose.
    pub forbidden_loses: bool,
    /// Whether the player who looks `d` plies ahead likes the forbidden move.
    pub forbidden_liked: u8,
    /// Whether this player likes the move.
    pub liked: u8,
    /// Whether this player likes it if the only liked move is forbidden.
    pub liked_second: u8,
}

/// What is kept of a move beside the position that it leads to, see [`Arc`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub number: u8,
    pub forbidden: u8,
    pub forbidden_liked: u8,
    pub liked: u8,
    pub liked_second: u8,
}

/// Consecutive positions with their moves.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub starts: Vec<u32>,
    pub children: Vec<u32>,
    pub keys: Vec<Key>,
    /// By position: the number of losing moves that the player who looks `d` plies ahead likes.
    pub losing: Vec<[u8; DEPTHS]>,
    /// The same if the only liked move is forbidden.
    pub losing_second: Vec<[u8; DEPTHS]>,
    /// By position: the number of the only move that wins, which is forbidden in all drawn
    /// states of the position; or [`NONE`].
    pub winner: Vec<u8>,
    /// By position: whether it has drawn states.
    pub drawn: Vec<bool>,
    /// By position: its value to a player who looks as far as the graph goes.
    pub deepest: Vec<i8>,
}

impl Chunk {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.losing.len()
    }

    /// Where the moves of a position stand among those of the chunk.
    #[inline]
    pub fn arc_range(&self, at: usize) -> Range<usize> {
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    /// The moves of a position.
    #[inline]
    pub fn arcs(&self, at: usize) -> impl Iterator<Item = Arc> {
        let range = self.arc_range(at);
        let children = self.children[range.clone()].iter();
        children.zip(&self.keys[range]).map(|(&child, key)| Arc {
            child: child & !LOSES,
            number: key.number,
            forbidden: key.forbidden,
            forbidden_loses: child & LOSES != 0,
            forbidden_liked: key.forbidden_liked,
            liked: key.liked,
            liked_second: key.liked_second,
        })
    }

    /// Whether the position is a draw with nothing forbidden.
    pub fn is_drawn_free(&self, at: usize) -> bool {
        self.drawn[at] && self.winner[at] == NONE
    }
}

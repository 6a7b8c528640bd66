//! Chunks of drawn positions with the moves that keep the draw, and how moves are listed.

use std::ops::Range;

use crate::game::{Next, Retrograde, Slot};

pub(super) const CHUNK: usize = 1 << 12;

/// Stands for no forbidden move.
pub(super) const NONE: u8 = u8::MAX;

/// The bit of [`Chunk::children`] that says that the forbidden move would lose.
pub(super) const LOSES: u32 = 1 << 31;

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
    pub(super) fn len(&self) -> usize {
        self.winner.len()
    }

    /// Where the moves of a position stand among those of the chunk.
    #[inline]
    pub(crate) fn arc_range(&self, at: usize) -> Range<usize> {
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    /// The position that a move leads to, or [`END`](crate::analysis::lures::END).
    #[inline]
    pub(super) fn child(&self, arc: usize) -> u32 {
        self.children[arc] & !LOSES
    }

    /// Whether the move that is forbidden after a move would lose.
    #[inline]
    pub(crate) fn forbidden_loses(&self, arc: usize) -> bool {
        self.children[arc] & LOSES != 0
    }

    /// Where a move of a position stands, if it keeps the draw.
    #[inline]
    pub(super) fn find(&self, at: usize, number: u8) -> Option<usize> {
        let mut range = self.arc_range(at);
        range.find(|&arc| self.keys[arc].number == number)
    }

    #[inline]
    pub(crate) fn is_drawn_free(&self, at: usize) -> bool {
        self.winner[at] == NONE
    }
}

/// The number of a move, and where it leads.
pub(super) type Listed = (u8, Next<Slot>);

const TOGETHER: usize = 16;

/// Visits the moves of positions: calls `fetch` with the slots that they lead to, and some time
/// later `visit` with the place of a position in `slots` and its moves.
pub(super) fn for_each<G: Retrograde>(
    game: &G,
    slots: &[u32],
    fetch: impl Fn(u64),
    mut visit: impl FnMut(usize, &[Listed]),
) {
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    for (batch, slots) in slots.chunks(TOGETHER).enumerate() {
        moves.clear();
        ends.clear();
        for &slot in slots {
            if let Some(cursor) = game.cursor(slot.into()) {
                game.moves_by_slot(cursor, u32::MAX, |listed| {
                    let to = listed.leads.map(|(child, undo)| {
                        let child = game.place(child);
                        fetch(child.slot);
                        Slot {
                            index: child.slot,
                            forbidden: undo.then_some(child.number),
                        }
                    });
                    moves.push((listed.number, to));
                });
            }
            ends.push(moves.len());
        }
        let mut start = 0;
        for (at, &end) in ends.iter().enumerate() {
            visit(batch * TOGETHER + at, &moves[start..end]);
            start = end;
        }
    }
}

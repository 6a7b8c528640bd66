//! Memory for events, in pieces that are used again and again.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Number of buckets whose events are collected together, and sorted later.
pub(super) const PARTITION: usize = 256;

/// Number of events in a block.
pub(super) const BLOCK: usize = 1 << 11;

/// Events.
pub(super) type Block = Box<[u32; BLOCK]>;

/// The bucket of each event of a block, within its partition.
type Keys = Box<[u8; BLOCK]>;

/// Some events in the order of their making.
#[derive(Debug)]
pub(super) struct Piece {
    events: Block,
    buckets: Keys,
    len: usize,
}

impl Piece {
    /// Number of bytes.
    const BYTES: usize = 5 * BLOCK;

    /// Adds an event, if there is room.
    #[inline(always)]
    pub fn push(&mut self, bucket: u8, event: u32) -> bool {
        if self.len == BLOCK {
            return false;
        }
        self.events[self.len] = event;
        self.buckets[self.len] = bucket;
        self.len += 1;
        true
    }

    pub fn events(&self) -> &[u32] {
        &self.events[..self.len]
    }

    pub fn buckets(&self) -> &[u8] {
        &self.buckets[..self.len]
    }
}

/// Lends pieces, and blocks alone, and keeps count of them.
#[derive(Debug)]
pub(super) struct Memory {
    /// How many pieces can be lent; a block counts as one.
    most: usize,
    lent: AtomicUsize,
    blocks: Mutex<Vec<Block>>,
    keys: Mutex<Vec<Keys>>,
}

impl Memory {
    /// As much as is asked for.
    pub const fn unbounded() -> Self {
        Self::of_pieces(usize::MAX)
    }

    /// As much as fits `bytes`.
    pub const fn of(bytes: usize) -> Self {
        Self::of_pieces(bytes / Piece::BYTES)
    }

    pub(super) const fn of_pieces(most: usize) -> Self {
        Self {
            most,
            lent: AtomicUsize::new(0),
            blocks: Mutex::new(Vec::new()),
            keys: Mutex::new(Vec::new()),
        }
    }

    /// Whether more is lent than there should be.
    pub fn is_exceeded(&self) -> bool {
        self.lent.load(Relaxed) > self.most
    }

    pub fn piece(&self) -> Piece {
        Piece {
            events: self.block(),
            buckets: take(&self.keys).unwrap_or_else(|| Box::new([0; BLOCK])),
            len: 0,
        }
    }

    pub fn block(&self) -> Block {
        self.lent.fetch_add(1, Relaxed);
        take(&self.blocks).unwrap_or_else(|| Box::new([0; BLOCK]))
    }

    pub fn give(&self, piece: Piece) {
        self.give_block(piece.events);
        put(&self.keys, piece.buckets);
    }

    pub fn give_block(&self, block: Block) {
        self.lent.fetch_sub(1, Relaxed);
        put(&self.blocks, block);
    }
}

fn take<T>(free: &Mutex<Vec<T>>) -> Option<T> {
    free.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

fn put<T>(free: &Mutex<Vec<T>>, value: T) {
    free.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(value);
}

//! The positions that games from the initial position reach.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::error::MineError;
use crate::base::progress::Progress;
use crate::game::{Placed, Retrograde};

/// Words of a set that are searched without a pause.
const CHUNK: usize = 1 << 10;

/// The positions that some game from the initial position reaches, by whatever moves.
#[derive(Debug)]
pub struct Reachable(Slots);

impl Reachable {
    /// Follows all games, where no move is ever forbidden by the one before.
    ///
    /// # Errors
    /// If memory runs out, or the work is cancelled.
    pub fn new<G: Retrograde>(game: &G, progress: &dyn Progress) -> Result<Self, MineError> {
        let (seen, unplayed) = (Slots::none(game.slots())?, Slots::none(game.slots())?);
        let reach = |slot| {
            if seen.add(slot) {
                unplayed.add(slot);
            }
        };
        let first = game.rank(&game.initial());
        if first < game.slots() {
            reach(first);
        }
        progress.begin("following all games", game.slots());
        // What is reached meanwhile is played in the same round or in the next.
        while unplayed.0.par_iter().any(|word| word.load(Relaxed) != 0) {
            let chunks = unplayed.0.par_chunks(CHUNK).enumerate();
            chunks.try_for_each(|(number, words)| {
                if progress.cancelled() {
                    return Err(MineError::Cancelled);
                }
                let mut played = 0;
                for (place, word) in (number * CHUNK..).zip(words) {
                    for slot in slots_in(place, word.swap(0, Relaxed)) {
                        let Some(cursor) = game.cursor(slot) else {
                            continue;
                        };
                        played += 1;
                        let next = |Placed { slot, .. }| reach(slot);
                        game.edges(cursor, |_, to| next(game.place(to)));
                        game.departures(cursor, |to| next(game.place(to)));
                    }
                }
                progress.advance(played);
                Ok(())
            })?;
        }
        Ok(Self(seen))
    }

    /// The bytes of memory that this takes for a game with so many slots.
    #[must_use]
    pub const fn bytes(slots: u64) -> u64 {
        2 * slots.div_ceil(64) * 8
    }

    /// Whether the position of a slot is reached.
    #[must_use]
    pub fn has(&self, slot: u64) -> bool {
        self.0.has(slot)
    }
}

/// A set of slots, with a bit for each.
#[derive(Debug)]
struct Slots(Vec<AtomicU64>);

impl Slots {
    fn none(slots: u64) -> Result<Self, MineError> {
        let bytes = slots.div_ceil(64).saturating_mul(8);
        let words = usize::try_from(slots.div_ceil(64)).unwrap_or(usize::MAX);
        let mut set = Vec::new();
        set.try_reserve_exact(words)
            .map_err(|_| MineError::Memory { bytes })?;
        set.resize_with(words, AtomicU64::default);
        Ok(Self(set))
    }

    /// The word and the bit of a slot.
    fn place(&self, slot: u64) -> Option<(&AtomicU64, u64)> {
        let word = self.0.get(usize::try_from(slot / 64).ok()?)?;
        Some((word, 1 << (slot % 64)))
    }

    fn has(&self, slot: u64) -> bool {
        let place = self.place(slot);
        place.is_some_and(|(word, bit)| word.load(Relaxed) & bit != 0)
    }

    /// Adds a slot. Returns whether it is new.
    fn add(&self, slot: u64) -> bool {
        let place = self.place(slot);
        // Most slots are there already, and reading is cheaper than writing.
        place.is_some_and(|(word, bit)| {
            word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
        })
    }
}

/// The slots of a word of a set.
fn slots_in(word: usize, mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(word as u64 * 64 + u64::from(bit))
    })
}

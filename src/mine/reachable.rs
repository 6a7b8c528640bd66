//! The positions that games from the initial position reach.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::error::MineError;
use super::rows::SlotBits;
use crate::base::progress::Progress;
use crate::game::{Placed, Retrograde};

/// Words of a set that are searched without a pause.
const CHUNK: usize = 1 << 10;

/// The positions that some game from the initial position reaches, by whatever moves.
#[derive(Debug)]
pub struct Reachable(SlotBits);

impl Reachable {
    /// Follows all games, where no move is ever forbidden by the one before.
    ///
    /// # Errors
    /// If memory runs out, or the work is cancelled.
    pub fn new<G: Retrograde>(game: &G, progress: &dyn Progress) -> Result<Self, MineError> {
        let none = || {
            let bytes = SlotBits::bytes(game.slots());
            SlotBits::new(0..game.slots()).map_err(|_| MineError::Memory { bytes })
        };
        let (seen, unplayed) = (none()?, none()?);
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
        // A position reached during a round is played in this round or in the next.
        while unplayed
            .words
            .par_iter()
            .any(|word| word.load(Relaxed) != 0)
        {
            let chunks = unplayed.words.par_chunks(CHUNK).enumerate();
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

    /// The bytes of memory that this takes for a game with `slots` slots.
    pub(crate) const fn bytes(slots: u64) -> u64 {
        2 * SlotBits::bytes(slots)
    }

    /// Whether the position of a slot is reached.
    pub fn has(&self, slot: u64) -> bool {
        self.0.has(slot)
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

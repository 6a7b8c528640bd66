//! What positions are worth to a player who looks a fixed number of plies ahead.
//!
//! The *static value* `V_0` of a position is that of its layer
//! ([`Ranked::static_value`](crate::game::Ranked::static_value)). For `d > 0`,
//!
//! `V_d(s) = max over the moves m of: WON if m wins at once, LOST if m loses at once, 0 if m
//! draws at once, otherwise -V_{d-1}(s m)`
//!
//! where `WON` is above and `LOST` below all static values. `A_d(s)`, the moves that attain the
//! maximum, are those that the *player who looks d plies ahead* likes; this player makes one of
//! them at random. For `d = 0` these are all legal moves.
//!
//! Moves that a rule forbids because they take back the last one are left out at the root, and
//! only there: below it nothing is forbidden. So `V_d` is one value a position.
//!
//! Once a value is `WON` or `LOST`, it is so at every greater depth.

use std::io;

use memmap2::MmapMut;

use super::memory::{prefetch_read, zeroed};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::game::{LOST, Next, Retrograde, of_end};

/// Number of depths whose values are kept.
pub(crate) const KEPT: usize = 4;

/// Number of bytes of the values of a position.
const BYTES: usize = 2;

/// Number of slots that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// The values of all positions at a depth, and at the three depths before it.
#[derive(Debug)]
pub struct LookAhead {
    /// By slot: the values at the last [`KEPT`] depths, plus 8, in four bits each of a
    /// little-endian word. That of the greatest depth comes first.
    words: MmapMut,
}

impl LookAhead {
    /// The greatest depth.
    pub const DEEPEST: u8 = 7;

    /// Finds the values of all positions of a game up to `depth`, and keeps those of the last
    /// `KEPT` depths; `None` if the work is cancelled.
    ///
    /// # Errors
    /// If there is not enough memory: two bytes a slot, and meanwhile one more.
    ///
    /// # Panics
    /// If `depth` is greater than [`DEEPEST`](Self::DEEPEST).
    pub fn new<G: Retrograde>(
        game: &G,
        depth: u8,
        progress: &dyn Progress,
    ) -> io::Result<Option<Self>> {
        assert!(depth <= Self::DEEPEST, "depths up to {}", Self::DEEPEST);
        let slots = game.slots();
        let len = usize::try_from(slots).unwrap_or(usize::MAX);
        let mut words = zeroed(len, BYTES)?;
        let mut start = 0;
        // The static values stand for those of all depths.
        for (number, layer) in game.layers().iter().enumerate() {
            let end = usize::try_from(layer.slots.end).unwrap_or(len) * BYTES;
            let value = game.static_value(number).clamp(-6, 6);
            let word = (0x1111 * nibble_of(value)).to_le_bytes();
            threads::for_each(words[start..end].chunks_mut(CHUNK * BYTES), |words| {
                words.as_chunks_mut().0.fill(word);
            });
            start = end;
        }
        // What moves to each position are worth, one ply less deep.
        let mut worths = zeroed(words.len() / BYTES, 1)?;
        for depth in 1..=depth {
            for (worth, word) in worths.iter_mut().zip(words.as_chunks().0) {
                *worth = worth_of_move(value_in(u16::from_le_bytes(*word), 0));
            }
            progress.begin(&format!("looking {depth} plies ahead"), slots);
            let chunks = words.chunks_mut(CHUNK * BYTES).enumerate();
            threads::for_each(chunks, |(chunk, words)| {
                if progress.cancelled() {
                    return;
                }
                let words = words.as_chunks_mut().0;
                let first = (chunk * CHUNK) as u64;
                for (slot, word) in (first..slots).zip(&mut *words) {
                    let Some(cursor) = game.cursor(slot) else {
                        continue;
                    };
                    let mut best = 0;
                    game.moves_by_slot(cursor, u32::MAX, |listed| {
                        let worth = match listed.leads {
                            Next::Over(outcome) => (8 + of_end(outcome)).cast_unsigned(),
                            Next::State((child, _)) => {
                                let child = usize::try_from(game.place(child).slot);
                                worths[child.unwrap_or(usize::MAX)]
                            }
                        };
                        best = worth.max(best);
                    });
                    let next = u16::from_le_bytes(*word) << 4 | nibble_of(value_of(best));
                    *word = next.to_le_bytes();
                }
                progress.advance(words.len() as u64);
            });
            if progress.cancelled() {
                return Ok(None);
            }
        }
        Ok(Some(Self { words }))
    }

    /// The values of a position at the last `KEPT` depths, that of the greatest last; the
    /// static value stands for those of depths below 0.
    #[inline]
    pub fn values(&self, slot: u64) -> [i8; KEPT] {
        let slot = usize::try_from(slot).unwrap_or(usize::MAX);
        let word = u16::from_le_bytes(self.words.as_chunks().0[slot]);
        [3, 2, 1, 0].map(|less| value_in(word, less))
    }

    /// Asks for the values of a position, which are needed soon.
    #[inline]
    pub(crate) fn prefetch(&self, slot: u64) {
        let at = usize::try_from(slot).unwrap_or(usize::MAX);
        if let Some(byte) = self.words.get(at.saturating_mul(BYTES)) {
            prefetch_read(byte);
        }
    }
}

/// Of the values of a position, the one at a number of plies less than the greatest depth.
#[inline]
const fn value_in(word: u16, less: u8) -> i8 {
    (word >> (4 * less) & 15).to_le_bytes()[0].cast_signed() - 8
}

#[inline]
const fn nibble_of(value: i8) -> u16 {
    (value + 8).cast_unsigned() as u16
}

/// What a move to a position of some value is worth, as a number from 1 to 15; 0 stands for no
/// move.
#[inline]
const fn worth_of_move(value: i8) -> u8 {
    (8 - value).cast_unsigned()
}

/// The value of a position whose best move is worth this; [`LOST`] if it has none.
#[inline]
const fn value_of(best: u8) -> i8 {
    if best == 0 {
        LOST
    } else {
        best.cast_signed() - 8
    }
}

//! Values move by move, for games whose positions do not stand in rows.

use std::io;

use rayon::prelude::*;

use super::{LookAhead, value_of, worth_of_end, worth_of_move};
use crate::base::progress::Progress;
use crate::game::{Leads, MovesBySlot};

/// Number of slots that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Finds the values of all depths. Returns whether the progress let it.
pub(super) fn by_edges<G: MovesBySlot>(
    game: &G,
    found: &mut LookAhead,
    progress: &dyn Progress,
) -> io::Result<bool> {
    let slots = game.slots();
    let form = found.form;
    // What moves to each position are worth, one ply less deep.
    let mut worths = super::zeroed(usize::try_from(slots).unwrap_or(usize::MAX), 1)?;
    let len = usize::try_from(slots).unwrap_or(usize::MAX);
    for depth in 1..=found.depth {
        for (at, worth) in worths[..len].iter_mut().enumerate() {
            *worth = worth_of_move(form.get(form.load(&found.words, at), 0));
        }
        progress.begin(&format!("looking {depth} plies ahead"), slots);
        let chunks = found.words.par_chunks_mut(CHUNK * form.bytes()).enumerate();
        chunks.for_each(|(chunk, words)| {
            if progress.cancelled() {
                return;
            }
            let first = (chunk * CHUNK) as u64;
            let count = (slots.saturating_sub(first)).min(CHUNK as u64);
            for (at, slot) in (0..).zip(first..first + count) {
                let Some(cursor) = game.cursor(slot) else {
                    continue;
                };
                let mut best = 0;
                game.moves_by_slot(cursor, u32::MAX, |listed| {
                    let worth = match listed.leads {
                        Leads::Over(outcome) => worth_of_end(outcome),
                        Leads::To { child, .. } => {
                            let child = usize::try_from(game.place(child).slot);
                            worths[child.unwrap_or(usize::MAX)]
                        }
                    };
                    best = worth.max(best);
                });
                let word = form.push(form.load(words, at), value_of(best));
                form.store(words, at, word);
            }
            progress.advance(count);
        });
        if progress.cancelled() {
            return Ok(false);
        }
    }
    Ok(true)
}

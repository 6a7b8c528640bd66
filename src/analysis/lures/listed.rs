//! The moves of many positions: what they lead to is asked for some time before it is needed.

use super::chunk::NONE;
use crate::base::value::Outcome;
use crate::game::{Leads, Retrograde};

/// A legal move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub number: u8,
    pub to: To,
}

/// Where a move leads.
#[derive(Debug, Clone, Copy)]
pub(super) enum To {
    /// The end of the game, with this outcome for the side that moves.
    End(Outcome),
    /// A slot, and the number of the move that is forbidden there, or [`NONE`].
    Slot(u64, u8),
}

/// Number of positions whose moves are listed together.
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
                    let to = match listed.leads {
                        Leads::Over(outcome) => To::End(outcome),
                        Leads::To { child, undo } => {
                            let child = game.place(child);
                            fetch(child.slot);
                            To::Slot(child.slot, if undo { child.number } else { NONE })
                        }
                    };
                    moves.push(Listed {
                        number: listed.number,
                        to,
                    });
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

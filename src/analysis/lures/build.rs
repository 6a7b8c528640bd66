//! How the graph of drawn positions is built: its positions from the table, block by block, and
//! then their moves, without the table.

use rayon::prelude::*;

use super::LureError;
use super::chunk::{Chunk, Key, NONE};
use super::listed::{To, for_each};
use super::members::Members;
use super::won::Sampled;
use crate::base::progress::Progress;
use crate::base::value::{Outcome, Record};
use crate::game::Retrograde;
use crate::table::Table;

/// What the table says of a position with a drawn state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    /// Number of the only move without which the outcome is another, or [`NONE`].
    only: u8,
    /// Whether this move wins: otherwise the position is a draw with nothing forbidden.
    wins: bool,
}

impl Standing {
    /// What a record says; `None` if no state of the position is drawn.
    fn of(record: Record) -> Option<Self> {
        let (best, second) = (record.best().outcome(), record.second().outcome());
        let only = record.only_move().filter(|_| best != second);
        match (best, second) {
            (Outcome::Draw, _) if !record.is_vacant() => Some(Self {
                only: only.unwrap_or(NONE),
                wins: false,
            }),
            (Outcome::Win, Outcome::Draw) => only.map(|only| Self { only, wins: true }),
            _ => None,
        }
    }

    /// Whether the state with a move forbidden, or none, is drawn.
    const fn is_drawn(self, forbidden: u8) -> bool {
        let deprived = self.only != NONE && self.only == forbidden;
        deprived == self.wins
    }
}

/// What is read of a table.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The positions with a drawn state.
    pub slots: Vec<u32>,
    pub standings: Vec<Standing>,
    /// Won positions of a sample.
    pub won: Vec<u32>,
}

impl Reading {
    /// Reads a table block by block, and gives back the memory of each.
    pub fn new(
        table: &Table,
        sampled: Sampled,
        progress: &dyn Progress,
    ) -> Result<Self, LureError> {
        progress.begin("finding drawn positions", table.description().slots());
        let blocks = (0..table.blocks()).into_par_iter().map(|number| {
            if progress.cancelled() {
                return Err(LureError::Cancelled);
            }
            let mut found = Self::default();
            let block = table.block(number)?;
            let slots = block.slots();
            for (slot, record) in slots.clone().zip(block.records()) {
                // Slots are below 2^32.
                let place = u32::try_from(slot).unwrap_or(u32::MAX);
                if let Some(standing) = Standing::of(record) {
                    found.slots.push(place);
                    found.standings.push(standing);
                }
                if sampled.has(slot) && record.best().outcome() == Outcome::Win {
                    found.won.push(place);
                }
            }
            table.forget(number);
            progress.advance(slots.end - slots.start);
            Ok(found)
        });
        let blocks: Vec<Self> = blocks.collect::<Result<_, LureError>>()?;
        let mut all = Self::default();
        for mut block in blocks {
            all.slots.append(&mut block.slots);
            all.standings.append(&mut block.standings);
            all.won.append(&mut block.won);
        }
        Ok(all)
    }
}

/// The chunk of the positions in some slots, the first of which has this number.
pub(super) fn chunk_of<G: Retrograde>(
    game: &G,
    members: &Members,
    standings: &[Standing],
    first: usize,
    slots: &[u32],
) -> Chunk {
    let mut chunk = Chunk {
        starts: vec![0],
        ..Chunk::default()
    };
    let fetch = |slot| members.prefetch(slot);
    for_each(game, slots, fetch, |at, moves| {
        let standing = standings[first + at];
        let winner = if standing.wins { standing.only } else { NONE };
        chunk.winner.push(winner);
        for listed in moves.iter().filter(|listed| listed.number != winner) {
            let mut key = Key {
                number: listed.number,
                forbidden: NONE,
            };
            let child = match listed.to {
                // The game is drawn at once: the move keeps the draw, and leads nowhere.
                To::End(Outcome::Draw) => Some(super::END),
                To::End(_) => None,
                To::Slot(slot, forbidden) => {
                    key.forbidden = forbidden;
                    let is_drawn = |it: &u32| standings[*it as usize].is_drawn(forbidden);
                    members.number(slot).filter(is_drawn)
                }
            };
            if let Some(child) = child {
                chunk.children.push(child);
                chunk.keys.push(key);
            }
        }
        let arcs = u32::try_from(chunk.children.len());
        chunk.starts.push(arcs.unwrap_or(u32::MAX));
    });
    chunk.children.shrink_to_fit();
    chunk.keys.shrink_to_fit();
    chunk.winner.shrink_to_fit();
    chunk.starts.shrink_to_fit();
    chunk
}

//! The drawn positions of a game with the moves that keep the draw.

use rayon::prelude::*;

use super::LureError;
use super::build::{Reading, chunk_of};
use super::chunk::{CHUNK, Chunk, LOSES, NONE, place_of};
use super::members::Members;
use super::won::{Sampled, WonSample};
use crate::base::progress::Progress;
use crate::game::{Repetition, Retrograde};
use crate::table::Table;

/// The drawn positions of a game with the moves that keep the draw.
///
/// Beside the positions that are drawn with nothing forbidden, the graph has those that are drawn
/// if the only move that wins is.
#[derive(Debug)]
pub struct DrawnGraph {
    members: Members,
    pub(super) chunks: Vec<Chunk>,
    pub(super) won: WonSample,
}

impl DrawnGraph {
    /// Bytes of memory that building a graph takes, if 1 position in 25 is drawn, and searching
    /// it for lures.
    #[must_use]
    pub fn working_set<G: Retrograde>(game: &G) -> u64 {
        // What players see, two bytes, and one more meanwhile; the graph, about 30 bytes of a
        // position with a drawn state. Without what players see, of such a position up to 60
        // bytes more.
        game.slots().saturating_mul(13) / 3
    }

    /// Finds the drawn positions of a table and their moves. The table is read in the order of
    /// its blocks, and their memory is given back.
    ///
    /// # Errors
    /// If the table cannot be read, is not of the game, or too large, memory is short, the game
    /// forbids positions up to symmetry, or the work is cancelled.
    pub fn new<G: Retrograde>(
        game: &G,
        table: &Table,
        progress: &dyn Progress,
    ) -> Result<Self, LureError> {
        table.expect_game(game)?;
        if game.repetition() != Repetition::Exact {
            return Err(LureError::Repetition { spec: game.spec() });
        }
        let slots = game.slots();
        if u32::try_from(slots).is_err() {
            return Err(LureError::TooLarge {
                spec: game.spec(),
                slots,
            });
        }
        let Reading {
            slots: found,
            standings,
            won,
        } = Reading::new(table, Sampled::of(slots), progress)?;
        let won = WonSample::new(game, table, won, progress)?;
        let members = Members::new(slots, &found)?;
        progress.begin("finding drawing moves", found.len() as u64);
        let chunks = found.par_chunks(CHUNK).enumerate().map(|(place, slots)| {
            if progress.cancelled() {
                return Err(LureError::Cancelled);
            }
            let chunk = chunk_of(game, &members, &standings, place * CHUNK, slots);
            progress.advance(slots.len() as u64);
            Ok(chunk)
        });
        let chunks = chunks.collect::<Result<_, LureError>>()?;
        let mut graph = Self {
            members,
            chunks,
            won,
        };
        graph.mark_losing(progress)?;
        Ok(graph)
    }

    /// Number of positions of which some state is drawn.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no such position.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of moves that keep the draw.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.chunks.iter().map(|it| it.keys.len() as u64).sum()
    }

    /// Number of positions that are drawn if nothing is forbidden.
    #[must_use]
    pub fn drawn(&self) -> u64 {
        let of = |chunk: &Chunk| {
            let places = 0..chunk.len();
            places.filter(|&at| chunk.is_drawn_free(at)).count() as u64
        };
        self.chunks.iter().map(of).sum()
    }

    /// The number of a position; `None` if no state of it is drawn.
    #[must_use]
    pub fn number(&self, slot: u64) -> Option<u32> {
        self.members.number(slot)
    }

    /// The slot of a position of the graph.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn slot(&self, number: u32) -> u64 {
        let slot = self.members.slots_from(number).next();
        slot.expect("a position of the graph").into()
    }

    /// The slots of the positions of a chunk.
    pub(super) fn slots_of(&self, place: usize) -> Vec<u32> {
        let first = u32::try_from(place * CHUNK).unwrap_or(u32::MAX);
        let slots = self.members.slots_from(first);
        slots.take(self.chunks[place].len()).collect()
    }

    /// Whether the state of a position with a move forbidden, or none, is drawn.
    #[must_use]
    pub fn is_drawn(&self, number: u32, forbidden: Option<u8>) -> bool {
        let (place, at) = place_of(number);
        let chunk = &self.chunks[place];
        match chunk.winner[at] {
            NONE => {
                let mut keys = chunk.keys[chunk.arc_range(at)].iter();
                keys.any(|key| Some(key.number) != forbidden)
            }
            winner => Some(winner) == forbidden,
        }
    }

    /// Finds the forbidden moves that would lose.
    fn mark_losing(&mut self, progress: &dyn Progress) -> Result<(), LureError> {
        progress.begin("finding forbidden moves", self.len() as u64);
        let marks = self.chunks.par_iter().map(|chunk| {
            if progress.cancelled() {
                return Err(LureError::Cancelled);
            }
            let arcs = 0..chunk.keys.len();
            let found = arcs.map(|arc| self.loses(chunk, arc)).collect();
            progress.advance(chunk.len() as u64);
            Ok(found)
        });
        let marks: Vec<Vec<bool>> = marks.collect::<Result<_, LureError>>()?;
        for (chunk, marks) in self.chunks.iter_mut().zip(marks) {
            for (child, loses) in chunk.children.iter_mut().zip(marks) {
                *child |= if loses { LOSES } else { 0 };
            }
        }
        Ok(())
    }

    /// Whether the move that is forbidden after a move would lose.
    fn loses(&self, chunk: &Chunk, arc: usize) -> bool {
        let (child, forbidden) = (chunk.child(arc), chunk.keys[arc].forbidden);
        if forbidden == NONE {
            return false;
        }
        let (place, at) = place_of(child);
        let after = &self.chunks[place];
        after.is_drawn_free(at) && after.find(at, forbidden).is_none()
    }
}

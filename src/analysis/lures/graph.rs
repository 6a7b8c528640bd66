//! The drawn positions of a game with the moves that keep the draw, and which moves a player who
//! looks ahead likes.

use rayon::prelude::*;

use super::LureError;
use super::build::{Build, unsettled};
use super::chunk::{Arc, CHUNK, Chunk, LOSES, NONE};
use super::members::Members;
use super::won::{WonPositions, won_positions};
use crate::base::watch::Watch;
use crate::game::{MovesBySlot, Repetition};
use crate::solve::look_ahead::LookAhead;
use crate::table::Table;

/// The drawn positions of a game with the moves that keep the draw.
///
/// Beside them the graph has positions whose outcome depends on what is forbidden.
#[derive(Debug)]
pub struct DrawnGraph {
    depths: u8,
    slots: Vec<u32>,
    members: Members,
    pub(super) chunks: Vec<Chunk>,
    won: WonPositions,
}

impl DrawnGraph {
    /// Bytes of memory that building a graph takes, if 1 position in 25 is drawn, and searching
    /// it for lures.
    #[must_use]
    pub fn working_set<G: MovesBySlot>(game: &G) -> u64 {
        // Values of two bytes, and in their rows one more; of drawn positions about 60 bytes.
        game.slots().saturating_mul(5)
    }

    /// Finds the drawn positions of a table and their moves, and which of these players who look
    /// 1 to `depths` plies ahead like.
    ///
    /// # Errors
    /// If the table cannot be read, is not of the game, or too large, memory is short, the game
    /// forbids positions up to symmetry, or the watch cancels.
    pub fn new<G: MovesBySlot>(
        game: &G,
        table: &Table,
        depths: u8,
        watch: &impl Watch,
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
        let depths = depths.clamp(1, super::DEEPEST);
        let seen = LookAhead::new(game, depths - 1, watch)?.ok_or(LureError::Cancelled)?;
        let slots_of = unsettled(table, watch)?;
        let members = Members::new(slots, slots_of.iter().copied());
        watch.begin("finding drawing moves", slots_of.len() as u64);
        let build = Build {
            game,
            table,
            seen: &seen,
            members: &members,
            depths,
        };
        let chunks = slots_of.par_chunks(CHUNK).map(|slots| {
            if watch.cancelled() {
                return Err(LureError::Cancelled);
            }
            let chunk = build.chunk(slots)?;
            watch.advance(slots.len() as u64);
            Ok(chunk)
        });
        let chunks: Vec<Chunk> = chunks.collect::<Result<_, LureError>>()?;
        let mut graph = Self {
            depths,
            won: won_positions(game, table, &seen, depths, watch)?,
            slots: slots_of,
            members,
            chunks,
        };
        graph.mark_forbidden(&seen, watch);
        Ok(graph)
    }

    /// The greatest depth.
    #[must_use]
    pub const fn depths(&self) -> u8 {
        self.depths
    }

    /// Number of positions of which some state is drawn, or whose outcome depends on what is
    /// forbidden.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no such position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Number of moves that keep the draw.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.chunks.iter().map(|it| it.children.len() as u64).sum()
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

    /// What becomes of won positions at each depth.
    #[must_use]
    pub const fn won(&self) -> &WonPositions {
        &self.won
    }

    /// The sum of numbers, by position, over those that are drawn if nothing is forbidden.
    #[must_use]
    pub fn sum_of_drawn(&self, numbers: &[u32]) -> u64 {
        let chunks = numbers.chunks(CHUNK).zip(&self.chunks);
        let of = |(numbers, chunk): (&[u32], &Chunk)| {
            let drawn = numbers.iter().enumerate();
            let drawn = drawn.filter(|&(at, _)| chunk.is_drawn_free(at));
            drawn.map(|(_, &number)| u64::from(number)).sum::<u64>()
        };
        chunks.map(of).sum()
    }

    /// The number of a slot in the graph.
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
        self.slots[number as usize].into()
    }

    /// The moves of a position that keep the draw.
    pub(super) fn arcs(&self, number: u32) -> impl Iterator<Item = Arc> {
        self.chunk(number).arcs(number as usize % CHUNK)
    }

    pub(super) fn chunk(&self, number: u32) -> &Chunk {
        &self.chunks[number as usize / CHUNK]
    }

    /// Whether the state of a position with a move forbidden, or none, is drawn.
    #[must_use]
    pub fn is_drawn(&self, number: u32, forbidden: Option<u8>) -> bool {
        let (chunk, at) = (self.chunk(number), number as usize % CHUNK);
        if !chunk.drawn[at] {
            return false;
        }
        match chunk.winner[at] {
            NONE => chunk.arcs(at).any(|arc| Some(arc.number) != forbidden),
            winner => Some(winner) == forbidden,
        }
    }

    /// Finds out which players like the moves that are forbidden.
    fn mark_forbidden(&mut self, seen: &LookAhead, watch: &impl Watch) {
        watch.begin("finding forbidden moves", self.slots.len() as u64);
        let mut marks: Vec<Vec<(u8, bool)>> = Vec::new();
        let of = |(number, chunk): (usize, &Chunk)| {
            let mut marks = Vec::with_capacity(chunk.children.len());
            for at in 0..chunk.len() {
                let parent = u64::from(self.slots[number * CHUNK + at]);
                marks.extend(chunk.arcs(at).map(|arc| self.mark(seen, parent, arc)));
            }
            watch.advance(chunk.len() as u64);
            marks
        };
        self.chunks
            .par_iter()
            .enumerate()
            .map(of)
            .collect_into_vec(&mut marks);
        for (chunk, marks) in self.chunks.iter_mut().zip(marks) {
            let arcs = chunk.keys.iter_mut().zip(&mut chunk.children);
            for ((key, child), (liked, loses)) in arcs.zip(marks) {
                key.forbidden_liked = liked;
                if loses {
                    *child |= LOSES;
                }
            }
        }
    }

    /// Which players like the move that is forbidden after `arc`, and whether it would lose.
    fn mark(&self, seen: &LookAhead, parent: u64, arc: Arc) -> (u8, bool) {
        if arc.forbidden == NONE {
            return (0, false);
        }
        if let Some(back) = self.arcs(arc.child).find(|it| it.number == arc.forbidden) {
            return (back.liked, false);
        }
        let (chunk, at) = (self.chunk(arc.child), arc.child as usize % CHUNK);
        if chunk.winner[at] != NONE {
            return (0, false);
        }
        let (mine, theirs) = (
            seen.values(parent),
            seen.values(self.slots[arc.child as usize].into()),
        );
        let liked = (1..=self.depths).fold(0, |liked, depth| {
            let value = if depth == self.depths {
                chunk.deepest[at]
            } else {
                theirs[usize::from(depth)]
            };
            let likes = -mine[usize::from(depth - 1)] == value;
            liked | u8::from(likes) << (depth - 1)
        });
        (liked, true)
    }
}

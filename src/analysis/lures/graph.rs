//! The drawn positions of a game with the moves that keep the draw: how they are numbered, kept in
//! chunks, and found, block by block from the table and then without it.

use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::analysis::lures::chunks::{CHUNK, Chunk, Key, LOSES, NONE, for_each, place_of};
use crate::analysis::lures::won::{WonSample, sample_step};
use crate::analysis::lures::{END, LureError, Result};
use crate::base::progress::Progress;
use crate::base::subsets::bits;
use crate::base::threads;
use crate::base::value::{Outcome, Record};
use crate::game::{Next, Repetition, Retrograde, Slot};
use crate::solve::{WordArray, prefetch_read};
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
    pub(crate) fn working_set<G: Retrograde>(game: &G) -> u64 {
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
    pub fn new<G: Retrograde>(game: &G, table: &Table, progress: &dyn Progress) -> Result<Self> {
        table.expect_game(game)?;
        if game.repetition() != Repetition::Exact {
            return Err(LureError::Refused(format!(
                "lures in {} cannot be found: they are defined for the exact reading of the rule against repetition; leave 'repetition' out of the spec",
                game.spec()
            )));
        }
        let slots = game.slots();
        if u32::try_from(slots).is_err() {
            return Err(LureError::Refused(format!(
                "lures in {} cannot be found: it has {slots} positions, and 4294967295 are the most",
                game.spec()
            )));
        }
        let Reading {
            slots: found,
            standings,
            won,
        } = Reading::new(table, sample_step(slots), progress)?;
        let won = WonSample::new(game, table, won, progress)?;
        let members = Members::new(slots, &found)?;
        progress.begin("finding drawing moves", found.len() as u64);
        let chunks = threads::try_map(found.chunks(CHUNK).enumerate(), |(place, slots)| {
            progress.go_on(LureError::Cancelled)?;
            let chunk = chunk_of(game, &members, &standings, place * CHUNK, slots);
            progress.advance(slots.len() as u64);
            Ok::<_, LureError>(chunk)
        })?;
        let mut graph = Self {
            members,
            chunks,
            won,
        };
        graph.mark_losing(progress)?;
        Ok(graph)
    }

    /// Number of positions of which some state is drawn.
    pub(crate) const fn len(&self) -> usize {
        self.members.len
    }

    /// Number of moves that keep the draw.
    pub(crate) fn moves(&self) -> u64 {
        self.chunks.iter().map(|it| it.keys.len() as u64).sum()
    }

    /// Number of positions that are drawn if nothing is forbidden.
    pub(crate) fn drawn(&self) -> u64 {
        let of = |chunk: &Chunk| {
            let places = 0..chunk.len();
            places.filter(|&at| chunk.is_drawn_free(at)).count() as u64
        };
        self.chunks.iter().map(of).sum()
    }

    /// The number of a position; `None` if no state of it is drawn.
    pub fn number(&self, slot: u64) -> Option<u32> {
        self.members.number(slot)
    }

    /// The slot of a position of the graph.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn slot(&self, number: u32) -> u64 {
        let slot = self.members.slots_from(number).next();
        slot.expect("a position of the graph").into()
    }

    pub(super) fn slots_of(&self, place: usize) -> Vec<u32> {
        let first = u32::try_from(place * CHUNK).unwrap_or(u32::MAX);
        let slots = self.members.slots_from(first);
        slots.take(self.chunks[place].len()).collect()
    }

    /// Whether the state of a position with a move forbidden, or none, is drawn.
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

    /// What is found of each chunk, by all threads, in a stage of this name.
    pub(super) fn by_chunk<T: Send>(
        &self,
        stage: &str,
        progress: &dyn Progress,
        of: impl Fn(usize, &Chunk) -> T + Sync,
    ) -> Result<Vec<T>> {
        progress.begin(stage, self.len() as u64);
        threads::try_map(self.chunks.iter().enumerate(), |(place, chunk)| {
            progress.go_on(LureError::Cancelled)?;
            let found = of(place, chunk);
            progress.advance(chunk.len() as u64);
            Ok(found)
        })
    }

    fn mark_losing(&mut self, progress: &dyn Progress) -> Result<()> {
        let marks = self.by_chunk("finding forbidden moves", progress, |_, chunk| {
            let arcs = 0..chunk.keys.len();
            let loses = |arc: usize| {
                let (place, at) = place_of(chunk.child(arc));
                chunk.keys[arc].forbidden != NONE
                    && self.chunks[place].is_drawn_free(at)
                    && self.back(chunk, arc).is_none()
            };
            arcs.map(loses).collect::<Vec<_>>()
        })?;
        for (chunk, marks) in self.chunks.iter_mut().zip(marks) {
            for (child, loses) in chunk.children.iter_mut().zip(marks) {
                *child |= if loses { LOSES } else { 0 };
            }
        }
        Ok(())
    }

    /// The place of the move that is forbidden after a move, if it would keep the draw.
    #[inline]
    pub(super) fn back(&self, chunk: &Chunk, arc: usize) -> Option<(usize, usize)> {
        let (child, forbidden) = (chunk.child(arc), chunk.keys[arc].forbidden);
        if child == END || forbidden == NONE {
            return None;
        }
        let (place, at) = place_of(child);
        Some((place, self.chunks[place].find(at, forbidden)?))
    }
}

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

    const fn is_drawn(self, forbidden: u8) -> bool {
        let deprived = self.only != NONE && self.only == forbidden;
        deprived == self.wins
    }
}

#[derive(Debug, Default)]
pub(super) struct Reading {
    pub slots: Vec<u32>,
    pub standings: Vec<Standing>,
    /// Won positions of a sample.
    pub won: Vec<u32>,
}

impl Reading {
    /// Reads a table block by block, and gives back the memory of each. Won positions are sampled
    /// in every `step`th slot.
    pub(super) fn new(table: &Table, step: u64, progress: &dyn Progress) -> Result<Self> {
        progress.begin("finding drawn positions", table.description.slots());
        let blocks = threads::try_map(0..table.blocks(), |number| {
            progress.go_on(LureError::Cancelled)?;
            let mut found = Self::default();
            let block = table.block(number)?;
            let slots = block.slots.clone();
            for (slot, record) in slots.clone().zip(block.records()) {
                // Slots are below 2^32.
                let place = u32::try_from(slot).unwrap_or(u32::MAX);
                if let Some(standing) = Standing::of(record) {
                    found.slots.push(place);
                    found.standings.push(standing);
                }
                if slot.is_multiple_of(step) && record.best().outcome() == Outcome::Win {
                    found.won.push(place);
                }
            }
            table.forget(number);
            progress.advance(slots.end - slots.start);
            Ok::<_, LureError>(found)
        })?;
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
        for &(number, to) in moves.iter().filter(|it| it.0 != winner) {
            let mut key = Key {
                number,
                forbidden: NONE,
            };
            let child = match to {
                // The game is drawn at once: the move keeps the draw, and leads nowhere.
                Next::Over(Outcome::Draw) => Some(END),
                Next::Over(_) => None,
                Next::State(Slot { index, forbidden }) => {
                    key.forbidden = forbidden.unwrap_or(NONE);
                    let is_drawn = |it: &u32| standings[*it as usize].is_drawn(key.forbidden);
                    members.number(index).filter(is_drawn)
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

/// Number of words whose members are counted together.
const WORDS: usize = 8;

/// A set of slots. Its members are numbered in their order.
#[derive(Debug)]
pub(super) struct Members {
    bits: WordArray<AtomicU64>,
    /// Number of members before each [`WORDS`] words.
    before: Vec<u32>,
    len: usize,
}

impl Members {
    /// The set of these slots, of less than 2^32 in all.
    pub(super) fn new(slots: u64, members: &[u32]) -> io::Result<Self> {
        let bits = WordArray::new(usize::try_from(slots.div_ceil(64)).unwrap_or(usize::MAX))?;
        for &member in members {
            let word: &AtomicU64 = &bits[member as usize / 64];
            word.store(word.load(Relaxed) | 1 << (member % 64), Relaxed);
        }
        let mut count = 0;
        let before = bits.chunks(WORDS).map(|words| {
            let now = count;
            count += ones(words);
            now
        });
        Ok(Self {
            before: before.collect(),
            bits,
            len: members.len(),
        })
    }

    #[inline]
    pub(crate) fn prefetch(&self, slot: u64) {
        let word = usize::try_from(slot / 64).unwrap_or(usize::MAX);
        if let (Some(bits), Some(before)) = (self.bits.get(word), self.before.get(word / WORDS)) {
            prefetch_read(bits);
            prefetch_read(before);
        }
    }

    #[inline]
    pub(super) fn number(&self, slot: u64) -> Option<u32> {
        let word = usize::try_from(slot / 64).ok()?;
        let (bits, bit) = (self.bits.get(word)?.load(Relaxed), 1 << (slot % 64));
        if bits & bit == 0 {
            return None;
        }
        let first = word / WORDS * WORDS;
        let inside = ones(&self.bits[first..word]);
        Some(self.before[word / WORDS] + inside + (bits & (bit - 1)).count_ones())
    }

    pub(crate) fn slots_from(&self, number: u32) -> impl Iterator<Item = u32> {
        let group = self.before.partition_point(|&before| before <= number) - 1;
        let skipped = (number - self.before[group]) as usize;
        let words = (group * WORDS..).zip(&self.bits[group * WORDS..]);
        let slots = words.flat_map(|(place, word)| {
            // Slots are below 2^32.
            let first = u32::try_from(64 * place).unwrap_or(u32::MAX);
            bits(word.load(Relaxed)).map(move |bit| first + u32::from(bit))
        });
        slots.skip(skipped)
    }
}

fn ones(words: &[AtomicU64]) -> u32 {
    let ones = words.iter().map(|word| word.load(Relaxed).count_ones());
    ones.sum()
}

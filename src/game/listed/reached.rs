//! The search for all positions: in rounds, breadth first, on all threads.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use foldhash::fast::FixedState;

use super::finite::{ListError, MOST_MOVES};
use crate::base::memory::prefetch_read;
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::Outcome;
use crate::game::moves::Next;

/// Where a move of a [`List`](super::List) leads: to the position of this slot, or to the end.
impl Next<u32> {
    /// Codes from here on are outcomes.
    pub(super) const OUTCOMES: u32 = u32::MAX - 2;

    /// The slot, or one of the greatest numbers for an outcome.
    pub const fn code(self) -> u32 {
        match self {
            Self::State(slot) => slot,
            Self::Over(Outcome::Win) => Self::OUTCOMES,
            Self::Over(Outcome::Draw) => Self::OUTCOMES + 1,
            Self::Over(Outcome::Loss) => Self::OUTCOMES + 2,
        }
    }

    /// What this is the code of.
    pub const fn from_code(code: u32) -> Self {
        match code {
            Self::OUTCOMES => Self::Over(Outcome::Win),
            0xffff_fffe => Self::Over(Outcome::Draw),
            u32::MAX => Self::Over(Outcome::Loss),
            slot => Self::State(slot),
        }
    }
}

/// Rules that generate the moves of positions for a [`List`](super::List).
pub trait Expander {
    /// A position; see [`Game::State`](crate::game::Game::State).
    type State: Clone + Ord + Hash + Send + Sync;
    /// Why listing ends early.
    type Error: From<ListError>;

    /// The positions from which all others are reached.
    ///
    /// # Errors
    /// If the rules fail to give them.
    fn initial(&mut self) -> Result<Vec<Self::State>, Self::Error>;

    /// Where the moves of positions lead: one answer for each block. Each position comes once.
    ///
    /// # Errors
    /// If the rules fail to give the moves of a position.
    fn expand(
        &mut self,
        blocks: &[&[Self::State]],
    ) -> Result<Vec<Expanded<Self::State>>, Self::Error>;

    /// Decides after each round whether listing goes on, from the numbers of positions found, of
    /// moves found, and of positions expanded. `positions` is [`u64::MAX`] if a list cannot hold
    /// what was found.
    ///
    /// # Errors
    /// If there are too many.
    fn check(&mut self, positions: u64, moves: u64, expanded: u64) -> Result<(), Self::Error>;

    /// The stage of each position, as [`FiniteGame::stage`](super::FiniteGame::stage) has it, and a
    /// number by which positions of one stage are sorted first.
    ///
    /// # Errors
    /// If the rules fail to give a stage.
    fn order(&mut self, states: &[Self::State]) -> Result<Vec<(u32, u32)>, Self::Error>;

    /// The name of a stage.
    fn stage_name(&self, stage: u32) -> String {
        stage.to_string()
    }

    /// A position in words, for errors.
    fn show(&self, state: &Self::State) -> String;

    /// A move in words, for errors: the move of a position with this number and label.
    fn show_move(&self, state: &Self::State, number: usize, label: Option<u32>) -> String;
}

/// Where the moves of some positions lead.
#[derive(Debug, Clone)]
pub struct Expanded<S> {
    next: Vec<Next<S>>,
    labels: Vec<u32>,
    ends: Vec<u32>,
}

impl<S> Default for Expanded<S> {
    fn default() -> Self {
        Self {
            next: Vec::new(),
            labels: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<S> Expanded<S> {
    /// Adds a move of the position under way.
    pub fn push(&mut self, next: Next<S>) {
        self.next.push(next);
    }

    /// Adds a label to the move that was added last. Either all moves of a game have one, or none.
    pub fn label(&mut self, label: u32) {
        self.labels.push(label);
    }

    /// The moves of the position of this place, with their labels; of the one under way, if it is
    /// the next.
    pub fn moves(&self, place: usize) -> (&[Next<S>], &[u32]) {
        let end_of = |place: usize| self.ends.get(place).map(|&end| end as usize);
        let start = place.checked_sub(1).and_then(end_of).unwrap_or(0);
        let end = end_of(place).unwrap_or(self.next.len());
        (
            &self.next[start..end],
            self.labels.get(start..end).unwrap_or(&[]),
        )
    }

    /// The moves of the position under way, with their labels.
    pub fn under_way(&self) -> (&[Next<S>], &[u32]) {
        self.moves(self.ends.len())
    }

    /// Ends the moves of a position; the next one's follow.
    pub fn end(&mut self) {
        let end = u32::try_from(self.next.len()).unwrap_or(u32::MAX);
        self.ends.push(end);
    }
}

/// Positions are kept in this many parts by their hash, each of which one thread fills.
pub(super) const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 6;
/// Positions of a part that are expanded in a round.
const ROUND: usize = 1 << 10;
/// Positions whose place is fetched while others are looked up.
const AHEAD: usize = 8;
/// Bits of an entry that number a position of a part; the others are of its hash.
const LOCAL_BITS: u32 = 32 - SHARD_BITS;
const LOCAL: u32 = (1 << LOCAL_BITS) - 1;
/// An entry that holds no position.
const VACANT: u32 = u32::MAX;

pub(super) fn hash_of<S: Hash>(state: &S) -> u64 {
    FixedState::default().hash_one(state)
}

pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// The place of a position in the parts, as moves have it until the positions are sorted.
pub(super) const fn split(code: u32) -> (usize, usize) {
    (code as usize % SHARDS, (code >> SHARD_BITS) as usize)
}

#[expect(clippy::cast_possible_truncation, reason = "there are few parts")]
const fn joined(local: u32, shard: usize) -> u32 {
    local << SHARD_BITS | shard as u32
}

/// A hash table with linear probing, at most three quarters full. What its entries number is
/// kept elsewhere.
#[derive(Debug, Default)]
pub(super) struct Table(Vec<u32>);

impl Table {
    /// The entry, among those of a position's hash, that fits.
    #[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
    pub(super) fn find(&self, hash: u64, fits: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let Some(mask) = self.0.len().checked_sub(1) else {
            return Err(0);
        };
        let mut at = hash as usize & mask;
        loop {
            match self.0[at] {
                VACANT => return Err(at),
                entry if fits(entry) => return Ok(entry),
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
    fn prefetch(&self, hash: u64) {
        self.0
            .get(hash as usize & self.0.len().wrapping_sub(1))
            .map(prefetch_read);
    }

    /// Replaces the numbers of positions in their part by their slots.
    pub(super) fn renumber(&mut self, slots: &[AtomicU32]) {
        for entry in &mut self.0 {
            if *entry != VACANT {
                *entry = slots[(*entry & LOCAL) as usize].load(Relaxed);
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct Shard<S> {
    pub states: Vec<S>,
    pub table: Table,
    /// The ends of the moves of each position that was expanded.
    pub ends: Vec<u32>,
    pub targets: Vec<u32>,
    pub labels: Vec<u32>,
}

impl<S: Clone + Eq + Hash> Shard<S> {
    const fn new() -> Self {
        Self {
            states: Vec::new(),
            table: Table(Vec::new()),
            ends: Vec::new(),
            targets: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// The moves of a position of this part.
    pub(super) fn moves(&self, local: usize) -> std::ops::Range<usize> {
        let start = local.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[local] as usize
    }

    #[expect(clippy::cast_possible_truncation, reason = "six bits are wanted")]
    const fn tag(hash: u64) -> u32 {
        (hash >> LOCAL_BITS) as u32 & !LOCAL
    }

    /// The number of a position in this part, which is new or known. None if there are too many.
    fn add(&mut self, hash: u64, state: &S) -> Option<u32> {
        if self.states.len() * 4 >= self.table.0.len() * 3 {
            self.grow();
        }
        let tag = Self::tag(hash);
        let fits =
            |entry: u32| entry & !LOCAL == tag && self.states[(entry & LOCAL) as usize] == *state;
        match self.table.find(hash, fits) {
            Ok(entry) => Some(entry & LOCAL),
            Err(at) => {
                let local = u32::try_from(self.states.len()).ok()?;
                if local >= LOCAL {
                    return None;
                }
                self.table.0[at] = tag | local;
                self.states.push(state.clone());
                Some(local)
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.table.0.len() * 2).max(16);
        self.table.0 = vec![VACANT; size];
        for (local, state) in (0..).zip(&self.states) {
            let hash = hash_of(state);
            if let Err(at) = self.table.find(hash, |_| false) {
                self.table.0[at] = Self::tag(hash) | local;
            }
        }
    }

    /// The positions of the next round.
    fn next(&self) -> &[S] {
        let done = self.ends.len();
        &self.states[done..self.states.len().min(done + ROUND)]
    }

    fn append(&mut self, found: Expanded<S>, codes: &[AtomicU32]) {
        let before = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        let codes = codes.iter().map(|code| code.load(Relaxed));
        self.targets.extend(codes);
        self.labels.extend(found.labels);
        let ends = found.ends.iter().map(|&end| before.saturating_add(end));
        self.ends.extend(ends);
    }
}

/// The moves of a block that go on, by the part of the position they lead to.
struct Sorted {
    hashes: Vec<u64>,
    order: Vec<u32>,
    starts: [u32; SHARDS + 1],
    codes: Vec<AtomicU32>,
}

impl Sorted {
    fn of<S: Hash>(next: &[Next<S>]) -> Self {
        let mut starts = [0; SHARDS + 1];
        let hash = |next: &Next<S>| match next {
            Next::State(state) => {
                let hash = hash_of(state);
                starts[shard_of(hash) + 1] += 1;
                hash
            }
            Next::Over(_) => 0,
        };
        let hashes: Vec<u64> = next.iter().map(hash).collect();
        for shard in 0..SHARDS {
            starts[shard + 1] += starts[shard];
        }
        let (mut places, mut order) = (starts, vec![0; starts[SHARDS] as usize]);
        let code = |((number, next), &hash): ((u32, &Next<S>), &u64)| match next {
            Next::State(_) => {
                let place = &mut places[shard_of(hash)];
                order[*place as usize] = number;
                *place += 1;
                AtomicU32::new(0)
            }
            Next::Over(outcome) => AtomicU32::new(Next::Over(*outcome).code()),
        };
        let codes = (0..).zip(next).zip(&hashes).map(code).collect();
        Self {
            hashes,
            order,
            starts,
            codes,
        }
    }

    fn of_shard(&self, shard: usize) -> &[u32] {
        &self.order[self.starts[shard] as usize..self.starts[shard + 1] as usize]
    }
}

/// All positions that play can reach, with their moves.
///
/// Parts, and positions within them, are numbered alike whatever the number of threads: a round
/// has the same positions, and each part takes its new ones in the order of the blocks.
pub(super) fn reached<E: Expander>(
    expander: &mut E,
    progress: &dyn Progress,
) -> Result<Vec<Shard<E::State>>, E::Error> {
    let mut shards: Vec<Shard<E::State>> = (0..SHARDS).map(|_| Shard::new()).collect();
    for initial in expander.initial()? {
        let hash = hash_of(&initial);
        shards[shard_of(hash)].add(hash, &initial);
    }
    progress.begin("listing positions", 0);
    let (mut expanded, mut moves) = (0, 0);
    loop {
        let blocks: Vec<&[E::State]> = shards.iter().map(Shard::next).collect();
        let positions: usize = blocks.iter().map(|block| block.len()).sum();
        if positions == 0 {
            return Ok(shards);
        }
        let found = expander.expand(&blocks)?;
        let answers = found.iter().map(|found| found.ends.len());
        assert!(
            answers.eq(blocks.iter().map(|block| block.len())),
            "an expander answers for each position"
        );
        for (block, found) in blocks.iter().zip(&found) {
            check_numbers(expander, block, found)?;
        }
        // Few positions are not worth the threads' attention.
        let together = if positions < SHARDS { SHARDS } else { 1 };
        let sorted = threads::map_together(&found, together, |found| Sorted::of(&found.next));
        let numbered = shards.iter_mut().enumerate();
        let added = threads::map_together(numbered, together, |(number, shard)| {
            for (found, sorted) in found.iter().zip(&sorted) {
                let places = sorted.of_shard(number);
                for (at, &place) in places.iter().enumerate() {
                    if let Some(&ahead) = places.get(at + AHEAD) {
                        shard.table.prefetch(sorted.hashes[ahead as usize]);
                    }
                    let place = place as usize;
                    if let Next::State(state) = &found.next[place] {
                        let local = shard.add(sorted.hashes[place], state)?;
                        let code = joined(local, number);
                        sorted.codes[place].store(code, Relaxed);
                    }
                }
            }
            Some(())
        });
        let added: Option<()> = added.into_iter().collect();
        let counts = found.iter().map(|found| found.next.len() as u64);
        moves += counts.sum::<u64>();
        let appended = shards.iter_mut().zip(found).zip(&sorted);
        threads::map_together(appended, together, |((shard, found), sorted)| {
            shard.append(found, &sorted.codes);
        });
        expanded += positions as u64;
        let known = shards.iter().map(|shard| shard.states.len() as u64).sum();
        let full = added.is_none() || moves > u64::from(u32::MAX);
        expander.check(if full { u64::MAX } else { known }, moves, expanded)?;
        progress.advance(positions as u64);
        progress.go_on(ListError::Cancelled)?;
    }
}

/// Checks that a position has not too few moves, and not too many.
fn check_numbers<E: Expander>(
    expander: &E,
    block: &[E::State],
    found: &Expanded<E::State>,
) -> Result<(), E::Error> {
    for (place, state) in block.iter().enumerate() {
        let moves = found.moves(place).0.len();
        if moves == 0 {
            return Err(ListError::NoMoves(expander.show(state)).into());
        }
        if moves > MOST_MOVES.into() {
            let state = expander.show(state);
            return Err(ListError::Moves { state, moves }.into());
        }
    }
    Ok(())
}

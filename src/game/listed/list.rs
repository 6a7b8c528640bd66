//! All reachable positions, with their moves.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::slice::ParallelSliceMut;

use super::super::{Layer, MostMoves, Next};
use super::finite::{ListError, MOST_UNMOVES};
use super::reached::{Expander, SHARDS, Shard, Table, hash_of, reached, shard_of, split};
use crate::base::memory;
use crate::base::progress::Progress;
use crate::base::threads;

/// Positions that are processed together.
const TOGETHER: usize = 1 << 14;

/// The positions that play can reach, sorted by stage, a class and their own order, with all
/// moves forward and backward. The moves of each position are a range of one array.
///
/// A position takes the bytes of its state and about 7 for its place in the set, 10 for where
/// its moves are, and 9 for each move, or 13 if moves have labels.
#[derive(Debug)]
pub struct List<S> {
    states: Vec<S>,
    places: Vec<Table>,
    pub(super) layers: Vec<Layer>,
    pub(super) most_moves: MostMoves,
    /// Where the moves of each position begin, and the end of the last.
    first: Vec<u32>,
    targets: Vec<u32>,
    labels: Vec<u32>,
    wins: Vec<bool>,
    /// Where the un-moves of each position begin, and the end of the last.
    first_back: Vec<u32>,
    parents: Vec<u32>,
    numbers: Vec<u8>,
}

/// The moves of some positions, with slots.
#[derive(Default)]
struct Ordered {
    targets: Vec<u32>,
    labels: Vec<u32>,
    counts: Vec<u8>,
    wins: Vec<bool>,
    most_within: u8,
}

/// A move to a smaller stage: its slot, number and label, and the slot that it leads to.
struct Back(usize, usize, Option<u32>, u32);

impl<S: Ord + Clone + std::hash::Hash + Send + Sync> List<S> {
    /// Lists all positions that play can reach. The list is the same whatever the number of
    /// threads. Each position is expanded once, on the calling thread.
    ///
    /// # Errors
    /// If the expander ends it, if a position has no moves or too many, if too many lead to one,
    /// if a move leads to a smaller stage, or if the progress asks to stop.
    pub fn new<E: Expander<State = S>>(
        expander: &mut E,
        progress: &dyn Progress,
    ) -> Result<Self, E::Error> {
        let mut shards = reached(expander, progress)?;
        progress.begin("sorting positions", 0);
        let mut all = Vec::with_capacity(shards.iter().map(|shard| shard.states.len()).sum());
        for (number, shard) in (0..).zip(&mut shards) {
            let order = expander.order(&shard.states)?;
            let states = std::mem::take(&mut shard.states).into_iter().zip(order);
            let keyed = states.zip((number..).step_by(SHARDS));
            all.extend(
                keyed.map(|((state, (stage, class)), code)| (Reverse(stage), class, state, code)),
            );
        }
        all.par_sort_unstable_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
        let mut layers: Vec<Layer> = Vec::new();
        let mut stages = Vec::new();
        for stretch in all.chunk_by(|a, b| a.0 == b.0) {
            let start = layers.last().map_or(0, |layer| layer.slots.end);
            layers.push(Layer {
                name: expander.stage_name(stretch[0].0.0),
                slots: start..start + stretch.len() as u64,
                group: layers.len(),
            });
            stages.push(stretch[0].0.0);
        }
        if let [only] = layers.as_mut_slice() {
            "all".clone_into(&mut only.name);
        }
        let zeros = |shard: &Shard<S>| shard.ends.iter().map(|_| AtomicU32::new(0)).collect();
        let slots: Vec<Vec<AtomicU32>> = threads::map(&shards, zeros);
        (0..).zip(&all).for_each(|(slot, &(.., code))| {
            let (shard, local) = split(code);
            slots[shard][local].store(slot, Relaxed);
        });
        let sorted = all.into_iter().map(|(.., state, code)| (state, code));
        let (states, codes): (Vec<S>, Vec<u32>) = sorted.unzip();
        let places = threads::map(shards.iter_mut().zip(&slots), |(shard, slots)| {
            let mut table = std::mem::take(&mut shard.table);
            table.renumber(slots);
            table
        });
        let mut list = Self {
            places,
            wins: Vec::with_capacity(states.len()),
            first: Vec::with_capacity(states.len() + 1),
            states,
            layers,
            most_moves: MostMoves {
                within: 0,
                numbers: 0,
            },
            targets: Vec::new(),
            labels: Vec::new(),
            first_back: Vec::new(),
            parents: Vec::new(),
            numbers: Vec::new(),
        };
        let back = |list: &Self, Back(slot, number, label, to)| {
            let stage = |slot| stages[list.layer(slot)];
            ListError::Stage {
                state: expander.show(&list.states[slot]),
                mv: expander.show_move(&list.states[slot], number, label),
                from: stage(slot as u64),
                to: stage(to.into()),
            }
        };
        list.order_moves(&codes, &shards, &slots, &back, progress)?;
        drop((codes, shards, slots));
        memory::trim();
        progress.begin("reversing moves", 0);
        let reversed = list.find_unmoves();
        reversed.map_err(|slot| ListError::Unmoves(expander.show(&list.states[slot])))?;
        Ok(list)
    }

    /// Brings the moves into the order of the positions, and replaces codes by slots.
    /// `back` makes the error of a move to a smaller stage.
    fn order_moves(
        &mut self,
        codes: &[u32],
        shards: &[Shard<S>],
        slots: &[Vec<AtomicU32>],
        back: &dyn Fn(&Self, Back) -> ListError,
        progress: &dyn Progress,
    ) -> Result<(), ListError> {
        progress.begin("sorting moves", self.len());
        let moves = shards.iter().map(|shard| shard.targets.len()).sum();
        self.targets.reserve_exact(moves);
        self.first.push(0);
        let starts = (0..).step_by(TOGETHER << 4);
        for (start, codes) in starts.zip(codes.chunks(TOGETHER << 4)) {
            progress.go_on(ListError::Cancelled)?;
            let starts = (start..).step_by(TOGETHER >> 4);
            let chunks = codes.chunks(TOGETHER >> 4).zip(starts);
            let ordered = threads::try_map(chunks, |(codes, start)| {
                self.ordered(start, codes, shards, slots)
            });
            for ordered in ordered.map_err(|found| back(self, found))? {
                let most = &mut self.most_moves;
                most.within = most.within.max(ordered.most_within);
                let mut end = self.first.last().copied().unwrap_or(0);
                for count in ordered.counts {
                    most.numbers = most.numbers.max(count);
                    end += u32::from(count);
                    self.first.push(end);
                }
                self.targets.extend(ordered.targets);
                self.labels.extend(ordered.labels);
                self.wins.extend(ordered.wins);
            }
            progress.advance(codes.len() as u64);
        }
        Ok(())
    }

    fn ordered(
        &self,
        start: usize,
        codes: &[u32],
        shards: &[Shard<S>],
        slots: &[Vec<AtomicU32>],
    ) -> Result<Ordered, Back> {
        let mut ordered = Ordered::default();
        // Each of these loops waits for memory, for many positions at once.
        let moves = codes.iter().map(|&code| {
            let (shard, local) = split(code);
            (&shards[shard], shards[shard].moves(local))
        });
        for (shard, moves) in moves.collect::<Vec<_>>() {
            // At most 254, which was checked.
            ordered
                .counts
                .push(u8::try_from(moves.len()).unwrap_or(u8::MAX));
            let labels = shard.labels.get(moves.clone());
            ordered.labels.extend_from_slice(labels.unwrap_or(&[]));
            ordered.targets.extend_from_slice(&shard.targets[moves]);
        }
        for code in &mut ordered.targets {
            if let Next::State(place) = Next::from_code(*code) {
                let (shard, local) = split(place);
                *code = slots[shard][local].load(Relaxed);
            }
        }
        let mut group = 0..0;
        let mut rest = &*ordered.targets;
        for (slot, &count) in (start..).zip(&ordered.counts) {
            if slot as u64 >= group.end {
                group = self.layers[self.layer(slot as u64)].slots.clone();
            }
            let before = ordered.targets.len() - rest.len();
            let (moves, others) = rest.split_at(count.into());
            rest = others;
            ordered.wins.push(moves.contains(&Next::OUTCOMES));
            let mut within = 0;
            for (number, &code) in moves.iter().enumerate() {
                if let Next::State(to) = Next::from_code(code) {
                    if u64::from(to) >= group.end {
                        let label = ordered.labels.get(before + number).copied();
                        return Err(Back(slot, number, label, to));
                    }
                    within += u8::from(u64::from(to) >= group.start);
                }
            }
            ordered.most_within = ordered.most_within.max(within);
        }
        Ok(ordered)
    }

    /// Each thread looks at all moves for those to its share of the positions, so that what it
    /// writes is near. The error is a slot with too many.
    fn find_unmoves(&mut self) -> Result<(), usize> {
        let shares = 2 * rayon::current_num_threads();
        let share = self.states.len().div_ceil(shares).max(TOGETHER);
        let mut first = vec![0_u32; self.states.len() + 1];
        let counts = first[1..].chunks_mut(share).enumerate();
        threads::for_each(counts, |(number, counts)| {
            let start = number * share;
            for &code in &self.targets {
                if let Some(count) = counts.get_mut((code as usize).wrapping_sub(start)) {
                    *count += 1;
                }
            }
        });
        if let Some(slot) = first[1..].iter().position(|&count| count > MOST_UNMOVES) {
            return Err(slot);
        }
        for slot in 1..first.len() {
            first[slot] += first[slot - 1];
        }
        let all = first.last().map_or(0, |&end| end as usize);
        self.parents = vec![0; all];
        self.numbers = vec![0; all];
        let (mut parents, mut numbers) = (&mut *self.parents, &mut *self.numbers);
        let mut shares = Vec::new();
        for start in (0..self.states.len()).step_by(share) {
            let end = self.states.len().min(start + share);
            let firsts = &first[start..=end];
            let count = (firsts[end - start] - firsts[0]) as usize;
            let (these, rest) = parents.split_at_mut(count);
            let (those, others) = numbers.split_at_mut(count);
            (parents, numbers) = (rest, others);
            shares.push((start, firsts, these, those));
        }
        let (ends, targets) = (&self.first, &self.targets);
        threads::for_each(shares, |(start, firsts, parents, numbers)| {
            let mut next: Vec<u32> = firsts.iter().map(|first| first - firsts[0]).collect();
            next.pop();
            for (parent, ends) in (0..).zip(ends.windows(2)) {
                let targets = &targets[ends[0] as usize..ends[1] as usize];
                for (number, &code) in (0..).zip(targets) {
                    if let Some(place) = next.get_mut((code as usize).wrapping_sub(start)) {
                        parents[*place as usize] = parent;
                        numbers[*place as usize] = number;
                        *place += 1;
                    }
                }
            }
        });
        self.first_back = first;
        Ok(())
    }

    /// The number of positions.
    #[expect(clippy::len_without_is_empty, reason = "the initial position is one")]
    pub fn len(&self) -> u64 {
        self.states.len() as u64
    }

    /// The states in order.
    pub fn states(&self) -> &[S] {
        &self.states
    }

    /// The state of a slot.
    pub fn state(&self, slot: u64) -> Option<&S> {
        self.states.get(usize::try_from(slot).ok()?)
    }

    /// The slot of a state; none if play does not reach it.
    pub fn slot(&self, state: &S) -> Option<u32> {
        let hash = hash_of(state);
        let fits = |slot| self.states[slot as usize] == *state;
        self.places[shard_of(hash)].find(hash, fits).ok()
    }

    fn layer(&self, slot: u64) -> usize {
        self.layers.partition_point(|layer| layer.slots.end <= slot)
    }

    /// The slots that are solved together with this one.
    pub(super) fn group(&self, slot: u32) -> Range<u64> {
        self.layers[self.layer(slot.into())].slots.clone()
    }

    pub(super) fn wins(&self, slot: u32) -> bool {
        self.wins[slot as usize]
    }

    fn moves(&self, slot: u32) -> Range<usize> {
        self.first[slot as usize] as usize..self.first[slot as usize + 1] as usize
    }

    /// Where the moves of a position lead, in the game's order: to which slots.
    pub fn targets(&self, slot: u32) -> impl Iterator<Item = Next<u32>> {
        let codes = self.targets[self.moves(slot)].iter();
        codes.map(|&code| Next::from_code(code))
    }

    /// The labels of the moves of a position; empty if moves have none.
    pub fn labels(&self, slot: u32) -> &[u32] {
        self.labels.get(self.moves(slot)).unwrap_or(&[])
    }

    /// The positions with a move to one, in order, and the number of that move there.
    pub fn parents(&self, slot: u32) -> impl Iterator<Item = (u32, u8)> {
        let slot = slot as usize;
        let ends = self.first_back[slot] as usize..self.first_back[slot + 1] as usize;
        let numbers = self.numbers[ends.clone()].iter().copied();
        self.parents[ends].iter().copied().zip(numbers)
    }
}

/// The bytes that a list takes for this number of positions and of moves without labels.
pub(super) const fn bytes<S>(positions: u64, moves: u64) -> u64 {
    positions
        .saturating_mul(size_of::<S>() as u64 + 17)
        .saturating_add(moves.saturating_mul(9))
}

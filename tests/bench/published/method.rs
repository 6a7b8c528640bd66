//! The published method: H. Takizawa, Strongly solved Ostle (2023), doi
//! 10.7717/peerj-cs.1560, Algorithms 4 to 8.
//!
//! Kinder to it than the paper in three places: positions are generated in order
//! instead of sorted, a small table of buckets saves the first half of each binary
//! search, and the forbidden move is found by comparing with the images of the
//! earlier position instead of making each candidate canonical.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::rules::{MOST_MOVES, Position, Rules};

/// States that a position can have: one a move, and the unrestricted one.
pub const STATES: usize = MOST_MOVES as usize + 1;

/// Bits of a key that a bucket has in common are those above these.
const BUCKET: u32 = 30;

/// Positions that one task works on.
const TASK: usize = 256;

/// The sorted list of all positions up to symmetry.
#[derive(Debug)]
pub struct List<'r> {
    pub rules: &'r Rules,
    pub keys: Vec<u64>,
    buckets: Vec<u32>,
}

impl<'r> List<'r> {
    /// Algorithms 4 and 5.
    pub fn new(rules: &'r Rules) -> Self {
        let mut keys = Vec::new();
        for (orbit, &hole) in (0u64..).zip(&rules.holes) {
            let sets: Vec<u32> = (0..=rules.all)
                .filter(|set| set >> hole & 1 == 0)
                .filter(|set| (rules.fewest..=rules.most).contains(&set.count_ones()))
                .collect();
            let parts: Vec<Vec<u64>> = sets
                .par_iter()
                .map(|&own| {
                    let disjoint = sets.iter().filter(|&&opp| opp & own == 0);
                    let key = |&opp: &u32| {
                        let key = orbit << 50 | u64::from(own) << 25 | u64::from(opp);
                        (rules.canonical(Position { own, opp, hole }) == key).then_some(key)
                    };
                    disjoint.filter_map(key).collect()
                })
                .collect();
            keys.reserve_exact(parts.iter().map(Vec::len).sum());
            keys.extend(parts.into_iter().flatten());
        }
        let last = keys.last().map_or(0, |key| key >> BUCKET);
        let mut buckets = Vec::new();
        for bucket in 0..=last + 1 {
            let from = buckets.last().map_or(0, |&from| from as usize);
            let skipped = keys[from..]
                .iter()
                .take_while(|&&key| key >> BUCKET < bucket);
            buckets.push(u32::try_from(from + skipped.count()).expect("fewer than 2^32 positions"));
        }
        Self {
            rules,
            keys,
            buckets,
        }
    }

    /// Where a key stands.
    #[inline]
    pub fn find(&self, key: u64) -> usize {
        let bucket = usize::try_from(key >> BUCKET).unwrap_or(usize::MAX);
        let (from, to) = (self.buckets[bucket], self.buckets[bucket + 1]);
        let within = self.keys[from as usize..to as usize].partition_point(|&other| other < key);
        from as usize + within
    }

    /// The position at a place of the list.
    #[inline]
    pub fn at(&self, place: usize) -> Position {
        self.rules.position(self.keys[place])
    }

    /// Number of positions in which the side to move wins at once.
    pub fn checkmates(&self) -> usize {
        let places = (0..self.keys.len()).into_par_iter();
        places
            .filter(|&place| self.rules.is_checkmate(self.at(place)))
            .count()
    }
}

/// Whether a move ends the game or wins it at once.
fn is_over(rules: &Rules, next: Position) -> bool {
    next.own.count_ones() < rules.fewest || next.opp.count_ones() < rules.fewest
}

/// The bit vector of non-trivial states, with counts for rank queries.
#[derive(Debug)]
pub struct Marks {
    words: Vec<u64>,
    counts: Vec<u32>,
}

/// Words between two counts.
const STRIDE: usize = 4;

impl Marks {
    /// Bits for every state of a list, none set yet.
    pub fn blank(list: &List) -> Vec<AtomicU64> {
        let bits = (list.keys.len() + 1) * STATES;
        (0..=bits / 64 + 1).map(|_| AtomicU64::new(0)).collect()
    }

    /// Algorithm 6 for the positions at these places.
    pub fn mark(list: &List, bits: &[AtomicU64], places: Range<usize>) {
        let rules = list.rules;
        for place in places {
            let at = list.at(place);
            let images = rules.images(at);
            rules.moves(at, |_, step| {
                if is_over(rules, step.next) || rules.is_checkmate(step.next) {
                    return;
                }
                let child = list.find(rules.canonical(step.next));
                let forbidden = rules.restoring(list.at(child), &images);
                set(
                    bits,
                    child * STATES + forbidden.map_or(0, |number| usize::from(number) + 1),
                );
            });
        }
    }

    /// Nearly the same marks in a fraction of the time, for measuring single
    /// sweeps: all moves that can be taken back as they were made. Coincidences of
    /// symmetry are missed.
    pub fn mark_nearly(list: &List, bits: &[AtomicU64], places: Range<usize>) {
        for place in places {
            let at = list.at(place);
            if !list.rules.is_checkmate(at) {
                set(bits, place * STATES);
                list.rules.moves(at, |number, step| {
                    if step.undoable {
                        set(bits, place * STATES + usize::from(number) + 1);
                    }
                });
            }
        }
    }

    /// Readies the bits for rank queries.
    pub fn new(bits: Vec<AtomicU64>) -> Self {
        let words: Vec<u64> = bits.into_iter().map(AtomicU64::into_inner).collect();
        let mut before = 0;
        let counts = words
            .chunks(STRIDE)
            .map(|chunk| {
                let count = before;
                before += chunk.iter().map(|word| word.count_ones()).sum::<u32>();
                count
            })
            .collect();
        Self { words, counts }
    }

    /// Number of marked bits before this one.
    #[inline]
    pub fn rank(&self, bit: usize) -> usize {
        let (word, stretch) = (bit / 64, bit / 64 / STRIDE);
        let whole = self.words[stretch * STRIDE..word].iter();
        let part = self.words[word] & ((1 << (bit % 64)) - 1);
        let within: u32 = whole.map(|word| word.count_ones()).sum();
        (self.counts[stretch] + within + part.count_ones()) as usize
    }

    /// The marks of a position.
    #[inline]
    pub fn of(&self, place: usize) -> u64 {
        let (word, shift) = (place * STATES / 64, place * STATES % 64);
        let both = u128::from(self.words[word]) | u128::from(self.words[word + 1]) << 64;
        u64::try_from(both >> shift & ((1 << STATES) - 1)).unwrap_or(0)
    }

    /// Number of marked states.
    pub fn states(&self) -> usize {
        self.rank((self.words.len() - 1) * 64)
    }
}

#[inline]
fn set(bits: &[AtomicU64], bit: usize) {
    bits[bit / 64].fetch_or(1 << (bit % 64), Relaxed);
}

/// Does `work` to all places of a list, in parallel.
pub fn everywhere(list: &List, work: impl Fn(Range<usize>) + Sync) {
    let len = list.keys.len();
    let tasks = (0..len.div_ceil(TASK)).into_par_iter();
    tasks.for_each(|task| work(task * TASK..len.min((task + 1) * TASK)));
}

/// List, marks and values: plies to the end of the game, negative for a loss, zero
/// for what is not decided. (The paper counts to the checkmate position, one less.)
#[derive(Debug)]
pub struct Analysis<'r> {
    pub list: List<'r>,
    pub marks: Marks,
    pub values: Vec<i16>,
}

/// Greater is better for the mover: quick wins, undecided, slow losses, quick ones.
#[inline]
const fn preference(value: i16) -> i16 {
    match value {
        1.. => i16::MAX - value,
        0 => 0,
        _ => i16::MIN - value,
    }
}

impl<'r> Analysis<'r> {
    /// All values unknown.
    pub fn new(list: List<'r>, marks: Marks) -> Self {
        let values = vec![0; marks.states()];
        Self {
            list,
            marks,
            values,
        }
    }

    /// Looks at all children of a position and says what each of its states is
    /// worth as far as is known (the body of the loop of Algorithm 7, and
    /// Algorithm 8: the best move, or the second best if that is forbidden).
    pub fn look(&self, place: usize, mut visit: impl FnMut(i16)) {
        let mut marked = self.marks.of(place);
        if marked == 0 {
            return;
        }
        let rules = self.list.rules;
        let at = self.list.at(place);
        let images = rules.images(at);
        let (mut best, mut second, mut best_move) = (i16::MIN, i16::MIN, 0);
        rules.moves(at, |number, step| {
            let value = self.value_of_move(step.next, &images);
            if best == i16::MIN || preference(value) > preference(best) {
                (second, best, best_move) = (best, value, number + 1);
            } else if second == i16::MIN || preference(value) > preference(second) {
                second = value;
            }
        });
        while marked != 0 {
            let forbidden = marked.trailing_zeros();
            visit(if forbidden == u32::from(best_move) {
                second
            } else {
                best
            });
            marked &= marked - 1;
        }
    }

    /// What a move is worth to its mover, who leaves a position with these images.
    #[inline]
    fn value_of_move(&self, next: Position, images: &[u64; 8]) -> i16 {
        let rules = self.list.rules;
        if next.own.count_ones() < rules.fewest {
            return 1;
        }
        if next.opp.count_ones() < rules.fewest {
            return -1;
        }
        if rules.is_checkmate(next) {
            return -2;
        }
        let child = self.list.find(rules.canonical(next));
        let forbidden = rules.restoring(self.list.at(child), images);
        let bit = child * STATES + forbidden.map_or(0, |number| usize::from(number) + 1);
        // Past the end only if the marks are those of `mark_nearly`.
        let value = self.values.get(self.marks.rank(bit)).copied().unwrap_or(0);
        match value {
            0 => 0,
            1.. => -value - 1,
            _ => 1 - value,
        }
    }

    /// One sweep over all states; the number of those that changed. As in the
    /// paper's program, blocks of positions are done in parallel and written before
    /// the next block begins, so that later blocks see the new values.
    pub fn sweep(&mut self) -> usize {
        let len = self.list.keys.len();
        let block = (len / 160).clamp(1 << 12, 1 << 20);
        let mut changed = 0;
        for from in (0..len).step_by(block) {
            let to = len.min(from + block);
            let found: Vec<Vec<i16>> = (from..to)
                .into_par_iter()
                .step_by(TASK)
                .map(|first| {
                    let mut values = Vec::with_capacity(TASK * 5);
                    for place in first..to.min(first + TASK) {
                        self.look(place, |value| values.push(value));
                    }
                    values
                })
                .collect();
            let first = self.marks.rank(from * STATES);
            for (old, new) in self.values[first..]
                .iter_mut()
                .zip(found.into_iter().flatten())
            {
                changed += usize::from(*old != new);
                *old = new;
            }
        }
        changed
    }

    /// Sweeps until nothing changes; the number of sweeps.
    pub fn solve(&mut self) -> usize {
        let mut sweeps = 1;
        while self.sweep() > 0 {
            sweeps += 1;
        }
        sweeps
    }
}

//! Sweeps over all drawn positions, for several depths at once.

use rayon::prelude::*;

use super::chances::{Forced, Swept};
use super::chunk::{Arc, CHUNK, Chunk};
use super::graph::DrawnGraph;
use super::words::{Lurer, Opponent};
use super::{DEPTHS, END, ONE};
use crate::base::watch::Watch;
use crate::solve::prefetch_read;

/// The work on some depths.
pub(super) struct Lanes<'g, const LANES: usize> {
    graph: &'g DrawnGraph,
    /// The first depth, and how many.
    first: usize,
    count: usize,
    pub lurer: Vec<[Lurer; LANES]>,
    opponent: Vec<[Opponent; LANES]>,
    pub forced: Vec<[Forced; LANES]>,
}

/// Number of positions after the one at hand whose children are asked for.
const AHEAD: usize = 6;

impl<'g, const LANES: usize> Lanes<'g, LANES> {
    /// Nothing is known at some depths yet.
    pub fn new(graph: &'g DrawnGraph, depths: &[u8]) -> Self {
        Self {
            graph,
            first: usize::from(depths[0] - 1),
            count: depths.len(),
            lurer: vec![[Lurer::NOTHING; LANES]; graph.len()],
            opponent: vec![[Opponent::default(); LANES]; graph.len()],
            forced: vec![[Forced::default(); LANES]; graph.len()],
        }
    }

    /// What is known of a position: the chance with the lurer to move, and with the opponent.
    pub fn followed(&self, number: Option<u32>, lane: usize) -> [u32; 2] {
        number.map_or([0; 2], |number| {
            let (lurer, opponent) = (&self.lurer, &self.opponent);
            let number = number as usize;
            [lurer[number][lane].best(), opponent[number][lane].mean()]
        })
    }

    /// Goes one move of the opponent further. Returns what was found by depth, and whether the
    /// opponent goes wrong in some state where this was not known.
    pub fn sweep(&mut self, moves: u8, watch: &impl Watch) -> (Vec<Swept>, bool) {
        let opponent_sums = self.let_reply(watch);
        let (mut swept, changed) = self.let_lure(moves, watch);
        for (swept, sum) in swept.iter_mut().zip(opponent_sums) {
            swept.opponent_sum = sum;
        }
        swept.truncate(self.count);
        (swept, changed)
    }

    /// Values the positions with the opponent to move, and adds up the chances.
    fn let_reply(&mut self, watch: &impl Watch) -> [u64; LANES] {
        let (lurer, first, count) = (&self.lurer, self.first, self.count);
        let chunks = self.opponent.par_chunks_mut(CHUNK).zip(&self.graph.chunks);
        let sums = chunks.map(|(opponents, chunk)| {
            let mut sums = [0; LANES];
            for (at, opponent) in opponents.iter_mut().enumerate() {
                fetch(chunk, at, lurer);
                let mut liked: [Sum; LANES] =
                    std::array::from_fn(|lane| Sum::losing(chunk.losing[at], first + lane));
                let mut second: [Sum; LANES] =
                    std::array::from_fn(|lane| Sum::losing(chunk.losing_second[at], first + lane));
                for arc in chunk.arcs(at) {
                    let child = (arc.child != END).then(|| &lurer[arc.child as usize]);
                    for lane in 0..count {
                        let chance = child.map_or(0, |child| child[lane].without(arc.forbidden));
                        liked[lane].add(arc.liked >> (first + lane), chance);
                        second[lane].add(arc.liked_second >> (first + lane), chance);
                    }
                }
                for lane in 0..count {
                    let Sum { sum, count } = liked[lane];
                    opponent[lane] = Opponent::new(sum, count, second[lane].mean());
                    if chunk.is_drawn_free(at) {
                        sums[lane] += u64::from(opponent[lane].mean());
                    }
                }
            }
            watch.advance(opponents.len() as u64);
            sums
        });
        sums.reduce(
            || [0; LANES],
            |mut a, b| {
                for (a, b) in a.iter_mut().zip(b) {
                    *a += b;
                }
                a
            },
        )
    }

    /// Values the positions with the lurer to move.
    fn let_lure(&mut self, moves: u8, watch: &impl Watch) -> (Vec<Swept>, bool) {
        let (opponent, first, count) = (&self.opponent, self.first, self.count);
        let chunks = self.lurer.par_chunks_mut(CHUNK).zip(&self.graph.chunks);
        let chunks = chunks.zip(self.forced.par_chunks_mut(CHUNK));
        let found = chunks.map(|((lurers, chunk), forced)| {
            let (mut swept, mut changed) = (vec![Swept::default(); LANES], false);
            for (at, (lurer, forced)) in lurers.iter_mut().zip(forced).enumerate() {
                fetch(chunk, at, opponent);
                let before = *lurer;
                if before[..count].iter().all(|it| it.is_certain()) {
                    // It cannot become more.
                    if chunk.is_drawn_free(at) {
                        for swept in &mut swept[..count] {
                            swept.sum += u64::from(ONE);
                            swept.forced += 1;
                        }
                    }
                    continue;
                }
                let mut after = [Lurer::NOTHING; LANES];
                for arc in chunk.arcs(at) {
                    let child = (arc.child != END).then(|| &opponent[arc.child as usize]);
                    for lane in 0..count {
                        let chance = child.map_or(0, |child| {
                            chance(child[lane], arc, first + lane, before[lane])
                        });
                        after[lane].offer(chance, arc.number, before[lane].number());
                    }
                }
                for lane in 0..count {
                    let (now, forced) = (after[lane], &mut forced[lane]);
                    lurer[lane] = now;
                    let ones = [now.best(), now.second()].map(|chance| chance == ONE);
                    for (within, one) in forced.within.iter_mut().zip(ones) {
                        if one && *within == 0 {
                            (*within, changed) = (moves, true);
                        }
                    }
                    forced.number = now.number();
                    if chunk.is_drawn_free(at) {
                        swept[lane].sum += u64::from(now.best());
                        swept[lane].forced += u64::from(ones[0]);
                    }
                }
            }
            watch.advance(lurers.len() as u64);
            (swept, changed)
        });
        found.reduce(
            || (vec![Swept::default(); LANES], false),
            |mut a, b| {
                for (a, b) in a.0.iter_mut().zip(b.0) {
                    a.sum += b.sum;
                    a.forced += b.forced;
                }
                (a.0, a.1 | b.1)
            },
        )
    }
}

/// The chance after a move of the lurer, whose chances before were `before`.
#[inline]
fn chance(child: Opponent, arc: Arc, depth: usize, before: Lurer) -> u32 {
    if arc.forbidden_liked >> depth & 1 == 0 {
        return child.mean();
    }
    // The forbidden move leads back to where the lurer is now, and there this move is forbidden.
    child.without(if arc.forbidden_loses {
        ONE
    } else {
        before.without(arc.number)
    })
}

/// Asks for what is known of the children of a position a little further on.
#[inline]
fn fetch<T>(chunk: &Chunk, at: usize, known: &[T]) {
    if at + AHEAD < chunk.len() {
        for arc in chunk.arcs(at + AHEAD) {
            if let Some(child) = known.get(arc.child as usize) {
                prefetch_read(child);
            }
        }
    }
}

/// Chances of some moves added up.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    sum: u32,
    count: u8,
}

impl Sum {
    /// Of the losing moves alone.
    fn losing(losing: [u8; DEPTHS], depth: usize) -> Self {
        let count = losing.get(depth).copied().unwrap_or(0);
        Self {
            sum: u32::from(count) * ONE,
            count,
        }
    }

    #[inline]
    fn add(&mut self, is_liked: u8, chance: u32) {
        if is_liked & 1 == 1 {
            self.sum += chance;
            self.count += 1;
        }
    }

    fn mean(self) -> u32 {
        self.sum.checked_div(self.count.into()).unwrap_or(0)
    }
}

//! Sweeps over all drawn positions: the lurer's best chances, one move of the opponent further
//! each.

use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::analysis::lures::chunks::{CHUNK, Chunk, NONE};
use crate::analysis::lures::graph::DrawnGraph;
use crate::analysis::lures::likes::{Liked, Likes};
use crate::analysis::lures::{END, LureError, ONE, Result};
use crate::base::progress::Progress;
use crate::solve::{WordArray, prefetch_read};

/// Of a position: the number of a best move, moves of the opponent within which they go wrong
/// whatever they choose, or 0; and the same if that best move is forbidden.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forced {
    pub number: u8,
    pub within: [u8; 2],
}

/// What a sweep found, over the positions that are drawn with nothing forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// The sum of the best chances, in units of 1 / [`ONE`].
    pub sum: u64,
    /// The sum of the chances if the opponent is to move.
    pub opponent_sum: u64,
    /// Number of positions in which the opponent goes wrong whatever they choose.
    pub forced: u64,
    /// Of the position that is followed, the chance with the lurer to move, and with the
    /// opponent.
    pub followed: [u32; 2],
}

pub(super) struct Sweeps<'g> {
    graph: &'g DrawnGraph,
    likes: &'g Likes,
    lane: usize,
    lurer: WordArray<AtomicU64>,
    opponent: WordArray<AtomicU64>,
    pub forced: Vec<Forced>,
    lurer_changed: Changed,
    opponent_changed: Changed,
    swept: Vec<Swept>,
}

/// Number of positions after the one at hand whose children are asked for.
pub(super) const AHEAD: usize = 6;

impl<'g> Sweeps<'g> {
    pub(super) fn new(graph: &'g DrawnGraph, likes: &'g Likes, depth: u8) -> io::Result<Self> {
        Ok(Self {
            graph,
            likes,
            lane: likes.lane(depth),
            lurer: WordArray::new(graph.len())?,
            opponent: WordArray::new(graph.len())?,
            forced: vec![Forced::default(); graph.len()],
            lurer_changed: Changed::all(graph.len()),
            opponent_changed: Changed::all(graph.len()),
            swept: vec![Swept::default(); graph.chunks.len()],
        })
    }

    /// What is known of a position with the lurer to move.
    pub(super) fn lurer(&self) -> impl Iterator<Item = Lurer> {
        self.lurer.iter().map(|word| Lurer(word.load(Relaxed)))
    }

    /// What is known of a position: the chance with the lurer to move, and with the opponent.
    fn followed(&self, number: Option<u32>) -> [u32; 2] {
        number.map_or([0; 2], |number| {
            let [lurer, opponent] =
                [&self.lurer, &self.opponent].map(|words| words[number as usize].load(Relaxed));
            [Lurer(lurer).best(), Mean(opponent).mean()]
        })
    }

    /// Goes one move of the opponent further. Returns what is known then, and whether the
    /// opponent goes wrong in some state where this was not known.
    pub(super) fn sweep(
        &mut self,
        moves: u8,
        follow: Option<u32>,
        progress: &dyn Progress,
    ) -> Result<(Swept, bool)> {
        self.let_reply(progress)?;
        let changed = self.let_lure(moves, progress)?;
        let mut all = Swept {
            followed: self.followed(follow),
            ..Swept::default()
        };
        for swept in &self.swept {
            all.sum += swept.sum;
            all.opponent_sum += swept.opponent_sum;
            all.forced += swept.forced;
        }
        Ok((all, changed))
    }

    fn let_reply(&mut self, progress: &dyn Progress) -> Result<()> {
        let (lurer, opponent, lane) = (&*self.lurer, &*self.opponent, self.lane);
        let chunks = self.graph.chunks.par_iter().zip(&self.likes.chunks);
        let chunks = chunks
            .zip(self.opponent_changed.0.par_chunks_mut(WORDS))
            .zip(&mut self.swept)
            .zip(opponent.par_chunks(CHUNK));
        chunks.try_for_each(|((((chunk, liked), own), swept), words)| {
            progress.go_on(LureError::Cancelled)?;
            let matters = |arc| liked.is_either(arc, lane);
            let places = stale(chunk, own, &self.lurer_changed, matters, |_| false);
            for (next, &Stale { at, .. }) in (AHEAD..).zip(&places) {
                fetch(chunk, places.get(next), lurer);
                let now = reply(chunk, liked, at, lane, lurer);
                let before = Mean(words[at].load(Relaxed));
                if now != before {
                    words[at].store(now.0, Relaxed);
                    note(own, at);
                    if chunk.is_drawn_free(at) {
                        swept.opponent_sum += u64::from(now.mean());
                        swept.opponent_sum -= u64::from(before.mean());
                    }
                }
            }
            progress.advance(chunk.len() as u64);
            Ok(())
        })
    }

    /// Values the positions with the lurer to move. Returns whether more are forced.
    fn let_lure(&mut self, moves: u8, progress: &dyn Progress) -> Result<bool> {
        let (lurer, opponent, lane) = (&*self.lurer, &*self.opponent, self.lane);
        let chunks = self.graph.chunks.par_iter().zip(&self.likes.chunks);
        let chunks = chunks
            .zip(self.lurer_changed.0.par_chunks_mut(WORDS))
            .zip(&mut self.swept)
            .zip(lurer.par_chunks(CHUNK))
            .zip(self.forced.par_chunks_mut(CHUNK));
        let found = chunks.map(|(((((chunk, liked), own), swept), words), forced)| {
            progress.go_on(LureError::Cancelled)?;
            let mut more = false;
            let places = stale(chunk, own, &self.opponent_changed, |_| true, |_| false);
            for (next, &Stale { at, .. }) in (AHEAD..).zip(&places) {
                fetch(chunk, places.get(next), opponent);
                let before = Lurer(words[at].load(Relaxed));
                if before.best() == ONE && before.second() == ONE {
                    // The opponent goes wrong in any case: it cannot become more.
                    continue;
                }
                let mut now = Lurer::default();
                for arc in chunk.arc_range(at) {
                    let chance = lured(chunk, liked, arc, lane, before, opponent);
                    now.offer(chance, chunk.keys[arc].number, before.number());
                }
                if now == before {
                    continue;
                }
                words[at].store(now.0, Relaxed);
                note(own, at);
                let ones = [now.best(), now.second()].map(|chance| chance == ONE);
                let forced = &mut forced[at];
                for (within, one) in forced.within.iter_mut().zip(ones) {
                    if one && *within == 0 {
                        (*within, more) = (moves, true);
                    }
                }
                forced.number = now.number();
                if chunk.is_drawn_free(at) {
                    swept.sum += u64::from(now.best());
                    swept.sum -= u64::from(before.best());
                    swept.forced += u64::from(ones[0]);
                    swept.forced -= u64::from(before.best() == ONE);
                }
            }
            progress.advance(chunk.len() as u64);
            Ok(more)
        });
        found.try_reduce(|| false, |a, b| Ok(a | b))
    }
}

/// Asks for what is known of the positions after the moves of one.
#[inline]
pub(super) fn fetch(chunk: &Chunk, next: Option<&Stale>, known: &[AtomicU64]) {
    for arc in next.into_iter().flat_map(|it| chunk.arc_range(it.at)) {
        if let Some(word) = known.get(chunk.child(arc) as usize) {
            prefetch_read(word);
        }
    }
}

/// The opponent's chances to go wrong in a position.
#[inline]
fn reply(chunk: &Chunk, liked: &Liked, at: usize, lane: usize, lurer: &[AtomicU64]) -> Mean {
    let [mut first, mut second] = liked.losing(at, lane).map(Sum::losing);
    for arc in chunk.arc_range(at) {
        if !liked.is_either(arc, lane) {
            continue;
        }
        let chance = match chunk.child(arc) {
            END => 0,
            child => Lurer(lurer[child as usize].load(Relaxed)).without(chunk.keys[arc].forbidden),
        };
        if liked.is_liked(arc, lane) {
            first.add(chance);
        } else {
            second.add(chance);
        }
    }
    Mean::new(first, second)
}

/// The chance after a move of the lurer, whose chances before were `before`.
#[inline]
fn lured(
    chunk: &Chunk,
    liked: &Liked,
    arc: usize,
    lane: usize,
    before: Lurer,
    opponent: &[AtomicU64],
) -> u32 {
    let child = match chunk.child(arc) {
        END => return 0,
        child => Mean(opponent[child as usize].load(Relaxed)),
    };
    if !liked.is_forbidden_liked(arc, lane) {
        return child.mean();
    }
    // The forbidden move leads back to where the lurer is now, and there this move is forbidden.
    child.without(if chunk.forbidden_loses(arc) {
        ONE
    } else {
        before.without(chunk.keys[arc].number)
    })
}

pub(super) const WORDS: usize = CHUNK / 64;

/// A set of positions of the graph, by number.
#[derive(Debug, Default)]
pub(super) struct Changed(pub Vec<u64>);

impl Changed {
    pub(super) fn all(len: usize) -> Self {
        Self(vec![u64::MAX; len.div_ceil(CHUNK) * WORDS])
    }

    #[inline]
    fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 != 0
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Stale {
    /// Its place in the chunk.
    pub at: usize,
    /// Number of moves before it for which something is stored.
    pub stored: usize,
}

/// The positions of a chunk that are to be valued again: those that changed when they were valued
/// last, in `own`, which is emptied, and those with a move that matters to a position that has
/// changed.
pub(super) fn stale(
    chunk: &Chunk,
    own: &mut [u64],
    changed: &Changed,
    matters: impl Fn(usize) -> bool,
    is_stored: impl Fn(usize) -> bool,
) -> Vec<Stale> {
    let (mut found, mut stored) = (Vec::new(), 0);
    for at in 0..chunk.len() {
        let (mut is_stale, before) = (own[at / 64] >> (at % 64) & 1 != 0, stored);
        for arc in chunk.arc_range(at) {
            stored += usize::from(is_stored(arc));
            is_stale = is_stale || {
                let child = chunk.child(arc);
                child != END && matters(arc) && changed.has(child)
            };
        }
        if is_stale {
            found.push(Stale { at, stored: before });
        }
    }
    own.fill(0);
    found
}

#[inline]
pub(super) fn note(own: &mut [u64], at: usize) {
    own[at / 64] |= 1 << (at % 64);
}

/// The mean of some chances: their sum, their number, and the mean of others that take their
/// place if the only one is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mean(pub u64);

impl Mean {
    /// Of some moves, and of those that take the place of the only one.
    pub(super) fn new(moves: Sum, second: Sum) -> Self {
        Self(u64::from(moves.sum) | u64::from(moves.count) << 32 | u64::from(second.mean()) << 40)
    }

    const fn sum(self) -> u32 {
        (self.0 & 0xffff_ffff) as u32
    }

    const fn count(self) -> u32 {
        (self.0 >> 32 & 0xff) as u32
    }

    /// The mean of all; 0 of none.
    #[inline]
    pub(super) fn mean(self) -> u32 {
        self.sum().checked_div(self.count()).unwrap_or(0)
    }

    /// The mean without one of them, which is `chance`.
    #[inline]
    pub(super) fn without(self, chance: u32) -> u32 {
        match self.count() {
            0 | 1 => (self.0 >> 40) as u32,
            count => (self.sum() - chance) / (count - 1),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    sum: u32,
    count: u8,
}

impl Sum {
    /// Of losing moves alone.
    pub(super) fn losing(count: u8) -> Self {
        Self {
            sum: u32::from(count) * ONE,
            count,
        }
    }

    #[inline]
    pub(super) const fn add(&mut self, chance: u32) {
        self.sum += chance;
        self.count += 1;
    }

    fn mean(self) -> u32 {
        self.sum.checked_div(self.count.into()).unwrap_or(0)
    }
}

/// The lurer to move: the best chance, the best without the move `number`, and that move. The
/// default is no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lurer(pub u64);

impl Lurer {
    pub(super) const fn new(best: u32, second: u32, number: u8) -> Self {
        Self(best as u64 | (second as u64) << 24 | (!number as u64) << 48)
    }

    pub(super) const fn best(self) -> u32 {
        (self.0 & 0xff_ffff) as u32
    }

    pub(super) const fn second(self) -> u32 {
        (self.0 >> 24 & 0xff_ffff) as u32
    }

    pub(super) const fn number(self) -> u8 {
        !((self.0 >> 48 & 0xff) as u8)
    }

    #[inline]
    pub(super) const fn without(self, forbidden: u8) -> u32 {
        if forbidden == self.number() {
            self.second()
        } else {
            self.best()
        }
    }

    /// Takes another move into account. Of equal moves the one of number `favourite` stays the
    /// best, otherwise the first: once a chance is [`ONE`], the best move does not change.
    #[inline]
    pub(crate) const fn offer(&mut self, chance: u32, number: u8, favourite: u8) {
        let (best, second) = (self.best(), self.second());
        let none = self.number() == NONE;
        if none || chance > best || (chance == best && number == favourite) {
            *self = Self::new(chance, best, number);
        } else if chance > second {
            *self = Self::new(best, chance, self.number());
        }
    }
}

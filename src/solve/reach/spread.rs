//! One level of the search: playing the moves of all positions that are due.

use std::sync::atomic::Ordering::Relaxed;

use super::group::{Entry, Group, NOTHING};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::game::{Repetition, Retrograde};
use crate::solve::memory::prefetch_write;

/// Number of moves looked up together while as many entries are being fetched: enough to
/// hide look-ups and cache misses behind one another.
const BATCH: usize = 192;

/// Number of chunks that a thread works through with the same batch.
const RUN: usize = 32;

#[derive(Clone, Copy)]
struct Origin {
    index: u32,
    /// Whether the moves that its moves forbid must be determined the slow way.
    careful: bool,
}

#[derive(Clone, Copy)]
struct Arrival {
    index: u32,
    origin: u32,
    /// The move forbidden there, or [`NOTHING`]; not final if `careful`.
    forbidden: u8,
    careful: bool,
}

/// Moves whose targets are not looked up yet. They are collected, then looked up
/// in one tight loop while the entries of the previous batch are being fetched.
struct Spreading<'r, 'a, G: Retrograde> {
    group: &'r Group<'a, G>,
    distance: u8,
    origins: Vec<Origin>,
    /// Positions reached, with the index of the origin in `origins`, and whether the move
    /// can be taken back.
    moves: Vec<(G::Unplaced, u16, bool)>,
    numbered: Vec<Arrival>,
    fetching: Vec<Arrival>,
    /// Number of entries of `fetching` prefetched so far.
    requested: usize,
}

impl<'r, 'a, G: Retrograde> Spreading<'r, 'a, G> {
    fn new(group: &'r Group<'a, G>, distance: u8) -> Self {
        Self {
            group,
            distance,
            origins: Vec::with_capacity(BATCH + 128),
            moves: Vec::with_capacity(BATCH + 128),
            numbered: Vec::with_capacity(BATCH + 128),
            fetching: Vec::with_capacity(BATCH + 128),
            requested: 0,
        }
    }

    /// Looks up the collected moves, and enters the positions of the previous batch.
    fn number(&mut self) {
        let group = self.group;
        for &(after, origin, has_undo) in &self.moves {
            let placed = group.game.place(after);
            let origin = self.origins[usize::from(origin)];
            self.numbered.push(Arrival {
                index: group.index(placed.slot),
                origin: origin.index,
                forbidden: if has_undo { placed.number } else { NOTHING },
                careful: origin.careful || (group.exact && placed.symmetric),
            });
        }
        self.moves.clear();
        self.origins.clear();
        self.enter();
        std::mem::swap(&mut self.fetching, &mut self.numbered);
    }

    fn enter(&mut self) {
        for &arrival in &self.fetching {
            self.group.enter(arrival, self.distance);
        }
        self.fetching.clear();
        self.requested = 0;
    }

    /// Prefetches the next `count` entries. Spread evenly between other work, requests keep
    /// memory busy all the time.
    #[inline(always)]
    fn fetch(&mut self, count: usize) {
        let end = self.fetching.len().min(self.requested + count);
        for arrival in &self.fetching[self.requested..end] {
            prefetch_write(&self.group.words[arrival.index as usize]);
        }
        self.requested = end;
    }

    /// Enters all positions under way.
    fn flush(&mut self) {
        self.number();
        self.fetch(usize::MAX - self.requested);
        self.enter();
    }
}

impl<'a, G: Retrograde> Group<'a, G> {
    /// Enters every position that a state at the given distance has a move to.
    pub(super) fn pass(&self, level: u8, progress: &dyn Progress) {
        let chunks = self.due_at(level);
        let len = |chunk: usize| self.indices_of(chunk).len() as u64;
        progress.begin(
            &format!("layer {}: {level} plies", self.name),
            chunks.iter().map(|&chunk| len(chunk)).sum(),
        );
        let run = chunks.len().div_ceil(64).clamp(1, RUN);
        threads::for_each(chunks.chunks(run), |run| {
            let mut spreading = Spreading::new(self, level + 1);
            for &chunk in run {
                if !progress.cancelled() {
                    self.spread(chunk, level, &mut spreading);
                }
            }
            spreading.flush();
            progress.advance(run.iter().map(|&chunk| len(chunk)).sum());
        });
    }

    fn spread(&self, chunk: usize, level: u8, spreading: &mut Spreading<'_, 'a, G>) {
        for index in self.indices_of(chunk) {
            let entry = self.load(index);
            let forbidden = entry.forbidden;
            // Whether the move is played that was forbidden when the position was first
            // reached, and whether all others are.
            let others = entry.first == level;
            let that_one = if self.take_backs {
                others
            } else {
                entry.second == level
            };
            if !others && !that_one {
                continue;
            }
            if let Some(cursor) = self.game.cursor(self.slot(index)) {
                let number = spreading.origins.len() as u16;
                spreading.origins.push(Origin {
                    index,
                    careful: !self.exact && self.game.may_return_turned(cursor),
                });
                let careful = forbidden != NOTHING
                    && self.game.repetition() == Repetition::AllImages
                    && self.game.is_symmetric(cursor);
                let is_forbidden =
                    |mv: u8| mv == forbidden || careful && self.game.forbids(cursor, forbidden, mv);
                self.game.edges_with_undo(cursor, |mv, after, has_undo| {
                    if if is_forbidden(mv) { that_one } else { others } {
                        spreading.moves.push((after, number, has_undo));
                    }
                });
            }
            spreading.fetch(16);
            if spreading.moves.len() >= BATCH {
                spreading.fetch(BATCH);
                spreading.number();
            }
        }
    }

    #[inline(always)]
    fn enter(&self, arrival: Arrival, distance: u8) {
        let atom = &self.words[arrival.index as usize];
        let mut bits = atom.load(Relaxed);
        if Entry::from_bits(bits).second <= distance {
            return;
        }
        let forbidden = if arrival.careful {
            self.binding(arrival)
        } else {
            arrival.forbidden
        };
        loop {
            let old = Entry::from_bits(bits);
            let new = old.enter(distance, forbidden);
            if new == old {
                return;
            }
            match atom.compare_exchange_weak(bits, new.bits(), Relaxed, Relaxed) {
                Ok(_) => {
                    self.schedule(arrival.index, distance);
                    return;
                }
                Err(now) => bits = now,
            }
        }
    }

    /// The move that is effectively forbidden on arrival: [`NOTHING`] if another legal move
    /// leads to the same state.
    #[cold]
    fn binding(&self, arrival: Arrival) -> u8 {
        let Some(cursor) = self.game.cursor(self.slot(arrival.index)) else {
            return NOTHING;
        };
        if self.exact {
            if arrival.forbidden == NOTHING {
                return NOTHING;
            }
            let (_, several) = self.game.least_image_of_move(cursor, arrival.forbidden);
            return if several { NOTHING } else { arrival.forbidden };
        }
        let (mut back, mut count) = (NOTHING, 0);
        let origin = self.slot(arrival.origin);
        self.game.edges(cursor, |mv, after| {
            if self.game.place(after).slot == origin {
                back = back.min(mv);
                count += 1;
            }
        });
        let all = self.game.repetition() == Repetition::AllImages;
        if count == 1 || all { back } else { NOTHING }
    }
}

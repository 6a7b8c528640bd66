//! A pass: every value of one distance is told to the predecessors.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::Watch;
use super::super::memory::prefetch_write;
use super::super::work::{Cell, Work};
use super::group::{CHUNK, Group};
use crate::game::{Repetition, Retrograde};
use crate::value::Value;

/// Updates in flight; enough to hide a cache miss behind the generation of more.
const RING: usize = 64;

/// An update on its way to its cell.
#[derive(Clone, Copy)]
struct Update<W> {
    cell: u32,
    number: u8,
    value: Value<W>,
}

/// Updates whose cells are being fetched.
struct Ring<'r, 'a, G, W> {
    group: &'r Group<'a, G, W>,
    updates: [Update<W>; RING],
    pushed: usize,
}

impl<G: Retrograde, W: Cell> Ring<'_, '_, G, W> {
    #[inline(always)]
    fn push(&mut self, update: Update<W>) {
        prefetch_write(&self.group.cells.cells()[update.cell as usize]);
        let place = self.pushed % RING;
        if self.pushed >= RING {
            self.group.apply(self.updates[place]);
        }
        self.updates[place] = update;
        self.pushed += 1;
    }

    fn flush(&mut self) {
        let first = self.pushed.saturating_sub(RING);
        for place in first..self.pushed {
            self.group.apply(self.updates[place % RING]);
        }
        self.pushed = 0;
    }
}

impl<'a, G: Retrograde, W: Cell> Group<'a, G, W> {
    /// Applies one update to its cell.
    #[inline(always)]
    fn apply(&self, update: Update<W>) {
        let cell = &self.cells.cells()[update.cell as usize];
        let mut bits = W::load(cell);
        loop {
            let old = Work::from_bits(bits);
            let new = old.resolve(update.value, update.number);
            if new == old {
                return;
            }
            match W::replace(cell, bits, new.bits()) {
                Ok(()) => {
                    if new.has_best() && (!old.has_best() || new.best() != old.best()) {
                        self.schedule(update.cell, new.best());
                    }
                    if new.has_second() && (!old.has_second() || new.second() != old.second()) {
                        self.schedule(update.cell, new.second());
                    }
                    return;
                }
                Err(now) => bits = now,
            }
        }
    }

    /// Tells every value of the given distance to the predecessors.
    pub(super) fn pass(&self, depth: u16, watch: &impl Watch) {
        let (word, bit) = (usize::from(depth >> 6), 1u64 << (depth & 63));
        let chunks: Vec<usize> = (0..self.due.len() / Self::DUE)
            .filter(|chunk| self.due[chunk * Self::DUE + word].load(Relaxed) & bit != 0)
            .collect();
        let stage = format!("layer {}: distance {depth}", self.name);
        watch.begin(
            &stage,
            chunks.iter().map(|&chunk| self.chunk_len(chunk)).sum(),
        );
        let stale = Mutex::new(Vec::new());
        chunks.par_iter().with_min_len(8).for_each(|&chunk| {
            if watch.cancelled() {
                return;
            }
            let mut found = Vec::new();
            self.fire_chunk(chunk, depth, &mut found);
            if !found.is_empty() {
                stale
                    .lock()
                    .expect("no thread panics here")
                    .append(&mut found);
            }
            watch.advance(self.chunk_len(chunk));
        });
        let mut stale = stale.into_inner().expect("no thread panics here");
        stale.sort_unstable();
        stale.dedup();
        stale.par_iter().for_each(|&slot| {
            let known = self
                .symmetric
                .binary_search_by_key(&slot, |&(slot, _)| slot);
            if let Ok(place) = known {
                self.value_from_children(slot, self.symmetric[place].1, depth);
            }
        });
    }

    fn fire_chunk(&self, chunk: usize, depth: u16, stale: &mut Vec<u64>) {
        let mut ring = Ring {
            group: self,
            updates: [Update {
                cell: 0,
                number: 0,
                value: Value::DRAW,
            }; RING],
            pushed: 0,
        };
        let irregular = self.irregular.load(Relaxed);
        let first = chunk * CHUNK;
        let last = first + self.chunk_len(chunk) as usize;
        let codes = [
            // Checkmates have been told to their predecessors at the beginning.
            (depth > 0).then(|| Value::from_code(depth)),
            irregular
                .then(|| Value::from_code(Value::<W>::SELF_MATE.code() - depth))
                .filter(|value| !value.is_regular() && !value.is_vacant()),
        ];
        for value in codes.into_iter().flatten() {
            for cell in first..last {
                let work = self.load(cell as u32);
                let best = work.best() == value && work.has_best();
                let second = work.second() == value && work.has_second();
                if best || second {
                    self.fire(cell as u64, work, value, (best, second), &mut ring, stale);
                }
            }
        }
        ring.flush();
    }

    /// Tells the predecessors of one position its best value, its second value,
    /// or both.
    #[inline]
    fn fire(
        &self,
        cell: u64,
        work: Work<W>,
        value: Value<W>,
        (best, second): (bool, bool),
        ring: &mut Ring<'_, 'a, G, W>,
        stale: &mut Vec<u64>,
    ) {
        let Some(cursor) = self.game.cursor(self.slots.start + cell) else {
            return;
        };
        let Some(told) = value.through_move() else {
            self.too_long.store(true, Relaxed);
            return;
        };
        // A predecessor learns the best value unless the best move would take its
        // own move back; then it learns the second.
        let (everyone, mv) = (best && second, work.mv());
        let back = match self.game.repetition() {
            Repetition::UpToSymmetry if !everyone => self.game.follow(cursor, mv),
            _ => u64::MAX,
        };
        let exact = self.game.repetition() == Repetition::Exact;
        let symmetric = self.game.is_symmetric(cursor);
        let mut seen: Vec<(u64, u8)> = Vec::new();
        self.game.unmoves(cursor, |unmove| {
            let takes_back = if exact {
                unmove.undo == Some(mv)
            } else {
                unmove.from == back
            };
            if !everyone && takes_back == best {
                return;
            }
            if unmove.from_symmetric {
                stale.push(unmove.from);
                return;
            }
            if symmetric {
                // Symmetric un-moves are one move of one predecessor.
                let key = (unmove.from, unmove.number);
                if seen.contains(&key) {
                    return;
                }
                seen.push(key);
            }
            ring.push(Update {
                cell: self.cell(unmove.from),
                number: unmove.number,
                value: told,
            });
        });
    }
}

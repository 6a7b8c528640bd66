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

use super::super::memory::prefetch_write;
use super::super::work::{Cell, Work};
use super::group::{CHUNK, Group};
use crate::base::value::Value;
use crate::base::watch::Watch;
use crate::game::{Placed, Repetition, Retrograde};

/// Un-moves that are numbered together, and updates whose cells are being fetched
/// meanwhile; enough to hide look-ups and cache misses behind one another.
const BATCH: usize = 192;

/// Chunks that one thread works through with the same batch.
const RUN: usize = 32;

/// An update on its way to its cell.
#[derive(Clone, Copy)]
struct Update {
    cell: u32,
    number: u8,
}

/// Who is to be told: all predecessors but those whose move the best move takes
/// back, or only those.
#[derive(Clone, Copy)]
struct Teller {
    /// Where the best move leads, if rule 8 binds up to symmetry.
    back: u64,
    /// All but those (or only those).
    best: bool,
}

impl Teller {
    const EVERYONE: Self = Self {
        back: u64::MAX,
        best: true,
    };
}

/// Values on their way to predecessors. Un-moves are collected, then numbered in
/// one tight loop, while the cells of the batch before are being fetched; branches
/// on game and values stay out of that loop.
struct Telling<'r, 'a, G: Retrograde, W> {
    group: &'r Group<'a, G, W>,
    /// What the value is worth a move earlier; nothing if that is too long.
    told: Option<Value<W>>,
    tellers: Vec<Teller>,
    unmoves: Vec<(G::Unplaced, u16)>,
    numbered: Vec<Update>,
    fetching: Vec<Update>,
    /// Of the latter, how many have been asked for.
    asked: usize,
    stale: Vec<u64>,
}

impl<'r, 'a, G: Retrograde, W: Cell> Telling<'r, 'a, G, W> {
    fn new(group: &'r Group<'a, G, W>) -> Self {
        Self {
            group,
            told: None,
            tellers: Vec::new(),
            unmoves: Vec::with_capacity(BATCH + 128),
            numbered: Vec::with_capacity(BATCH + 128),
            fetching: Vec::with_capacity(BATCH + 128),
            asked: 0,
            stale: Vec::new(),
        }
    }

    /// Numbers the collected un-moves, and applies the updates of the batch before.
    fn number(&mut self) {
        let group = self.group;
        for &(before, teller) in &self.unmoves {
            let origin = group.game.place(before);
            let teller = self.tellers[usize::from(teller)];
            if (origin.slot == teller.back) == teller.best {
                continue;
            }
            if origin.symmetric {
                self.stale.push(origin.slot);
                continue;
            }
            self.numbered.push(Update {
                cell: group.cell(origin.slot),
                number: origin.number,
            });
        }
        self.unmoves.clear();
        self.tellers.clear();
        self.apply();
        std::mem::swap(&mut self.fetching, &mut self.numbered);
    }

    fn apply(&mut self) {
        if let Some(told) = self.told {
            for &update in &self.fetching {
                self.group.apply(update, told);
            }
        }
        self.fetching.clear();
        self.asked = 0;
    }

    /// Asks for a few more of the cells: memory is busy all the time if requests
    /// come evenly, between other work.
    #[inline(always)]
    fn fetch(&mut self, count: usize) {
        let end = self.fetching.len().min(self.asked + count);
        for update in &self.fetching[self.asked..end] {
            prefetch_write(&self.group.cells.cells()[update.cell as usize]);
        }
        self.asked = end;
    }

    /// All that is under way.
    fn flush(&mut self) {
        self.number();
        self.fetch(usize::MAX - self.asked);
        self.apply();
    }
}

impl<'a, G: Retrograde, W: Cell> Group<'a, G, W> {
    /// Applies one update to its cell.
    #[inline(always)]
    fn apply(&self, update: Update, value: Value<W>) {
        let cell = &self.cells.cells()[update.cell as usize];
        let mut bits = W::load(cell);
        loop {
            let old = Work::from_bits(bits);
            let new = old.resolve(value, update.number);
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
        let run = chunks.len().div_ceil(64).clamp(1, RUN);
        chunks.par_chunks(run).for_each(|run| {
            let mut telling = Telling::new(self);
            for value in self.values_at(depth) {
                telling.told = value.through_move();
                for &chunk in run {
                    if !watch.cancelled() {
                        self.tell_chunk(chunk, value, &mut telling);
                    }
                }
                telling.flush();
            }
            if !telling.stale.is_empty() {
                stale
                    .lock()
                    .expect("no thread panics here")
                    .append(&mut telling.stale);
            }
            watch.advance(run.iter().map(|&chunk| self.chunk_len(chunk)).sum());
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

    /// The values of a distance that have yet to be told: checkmates have been told
    /// to their predecessors at the beginning.
    fn values_at(&self, depth: u16) -> impl Iterator<Item = Value<W>> {
        let irregular = self.irregular.load(Relaxed);
        let regular = (depth > 0).then(|| Value::from_code(depth));
        let irregular = irregular
            .then(|| Value::from_code(Value::<W>::SELF_MATE.code() - depth))
            .filter(|value| !value.is_regular() && !value.is_vacant());
        regular.into_iter().chain(irregular)
    }

    fn tell_chunk(&self, chunk: usize, value: Value<W>, telling: &mut Telling<'_, 'a, G, W>) {
        let first = chunk * CHUNK;
        let cells = &self.cells.cells()[first..first + self.chunk_len(chunk) as usize];
        let patterns = Work::deciding(value);
        for (place, some) in cells.chunks(64).enumerate() {
            let mut found = W::matching(some, patterns);
            while found != 0 {
                let at = found.trailing_zeros() as usize;
                found &= found - 1;
                if telling.told.is_none() {
                    self.too_long.store(true, Relaxed);
                    return;
                }
                let work = Work::from_bits(W::load(&some[at]));
                let cell = (first + 64 * place + at) as u64;
                self.tell(cell, work.mv(), work.decides(value), telling);
                telling.fetch(12);
                if telling.unmoves.len() >= BATCH {
                    telling.fetch(BATCH);
                    telling.number();
                }
            }
        }
    }

    /// Tells the predecessors of one position its best value, its second value,
    /// or both.
    #[inline(always)]
    fn tell(
        &self,
        cell: u64,
        mv: u8,
        (best, second): (bool, bool),
        telling: &mut Telling<'_, 'a, G, W>,
    ) {
        let Some(cursor) = self.game.cursor(self.slots.start + cell) else {
            return;
        };
        // A predecessor learns the best value unless the best move would take its
        // own move back; then it learns the second.
        let everyone = best && second;
        let exact = self.game.repetition() == Repetition::Exact;
        let teller = if everyone || exact {
            Teller::EVERYONE
        } else {
            let back = self.game.follow(cursor, mv);
            Teller { back, best }
        };
        let is_told = |undo: Option<u8>| everyone || !exact || (undo == Some(mv)) != best;
        if self.game.is_symmetric(cursor) {
            self.tell_from_symmetric(cursor, teller, is_told, telling);
            return;
        }
        let number = telling.tellers.len() as u16;
        telling.tellers.push(teller);
        self.game.unmoves(cursor, |before, undo| {
            if is_told(undo) {
                telling.unmoves.push((before, number));
            }
        });
    }

    /// As [`tell`](Self::tell) for a position with a symmetry of its own: symmetric
    /// un-moves are one move of one predecessor.
    #[cold]
    fn tell_from_symmetric(
        &self,
        cursor: G::Cursor,
        teller: Teller,
        is_told: impl Fn(Option<u8>) -> bool,
        telling: &mut Telling<'_, 'a, G, W>,
    ) {
        let mut seen: Vec<Placed> = Vec::new();
        self.game.unmoves(cursor, |before, undo| {
            let origin = self.game.place(before);
            if is_told(undo)
                && (origin.slot == teller.back) != teller.best
                && !seen.contains(&origin)
            {
                seen.push(origin);
            }
        });
        for origin in seen {
            if origin.symmetric {
                telling.stale.push(origin.slot);
            } else {
                telling.fetching.push(Update {
                    cell: self.cell(origin.slot),
                    number: origin.number,
                });
            }
        }
    }
}

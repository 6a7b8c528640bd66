//! A pass: every value of one distance is propagated to the predecessors.

use std::sync::atomic::Ordering::Relaxed;

use super::super::memory::prefetch_write;
use super::super::work::Work;
use super::group::{CHUNK, Group};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::Value;
use crate::game::{Placed, Repetition, Retrograde};
use crate::solve::words::WordWidth;

/// Number of un-moves looked up together while the words of as many updates are being
/// fetched: enough to hide look-ups and cache misses behind one another.
const BATCH: usize = 192;

/// Number of chunks that a thread works through with the same batch.
const RUN: usize = 32;

/// An update of a working record: its index, and the number of the resolved move.
#[derive(Clone, Copy)]
struct Update {
    index: u32,
    number: u8,
}

/// The predecessors that receive a value: all, all except those whose move the best move
/// takes back, or only those.
#[derive(Clone, Copy)]
struct Recipients {
    /// The slot that the best move leads to, if the rule against repetition binds up to
    /// symmetry; otherwise `u64::MAX`.
    back: u64,
    /// Whether the best value is propagated: to all except the predecessor at `back`. The
    /// second value goes to that one only.
    best: bool,
}

impl Recipients {
    const EVERYONE: Self = Self {
        back: u64::MAX,
        best: true,
    };
}

/// Values to be reported to predecessors. Un-moves are collected, then looked up in one
/// tight loop, without branches on game and values, while the words of the previous
/// batch are being fetched.
struct Propagation<'r, 'a, G: Retrograde, W: WordWidth> {
    group: &'r Group<'a, G, W>,
    /// The value one move earlier, `None` if its distance does not fit.
    value_before: Option<Value<W>>,
    recipients: Vec<Recipients>,
    unmoves: Vec<(G::Unplaced, u16)>,
    numbered: Vec<Update>,
    fetching: Vec<Update>,
    /// Number of words of `fetching` prefetched so far.
    requested: usize,
    stale: Vec<u64>,
}

impl<'r, 'a, G: Retrograde, W: WordWidth> Propagation<'r, 'a, G, W> {
    fn new(group: &'r Group<'a, G, W>) -> Self {
        Self {
            group,
            value_before: None,
            recipients: Vec::new(),
            unmoves: Vec::with_capacity(BATCH + 128),
            numbered: Vec::with_capacity(BATCH + 128),
            fetching: Vec::with_capacity(BATCH + 128),
            requested: 0,
            stale: Vec::new(),
        }
    }

    /// Looks up the collected un-moves, and applies the updates of the previous batch.
    #[inline(always)]
    fn number(&mut self) {
        let group = self.group;
        for &(before, to) in &self.unmoves {
            let origin = group.game.place(before);
            let to = self.recipients[usize::from(to)];
            if (origin.slot == to.back) == to.best {
                continue;
            }
            if origin.symmetric {
                self.stale.push(origin.slot);
                continue;
            }
            self.numbered.push(Update {
                index: group.index(origin.slot),
                number: origin.number,
            });
        }
        self.unmoves.clear();
        self.recipients.clear();
        self.apply();
        std::mem::swap(&mut self.fetching, &mut self.numbered);
    }

    #[inline(always)]
    fn apply(&mut self) {
        if let Some(value_before) = self.value_before {
            for &update in &self.fetching {
                self.group.apply(update, value_before);
            }
        }
        self.fetching.clear();
        self.requested = 0;
    }

    /// Prefetches the next `count` words. Spread evenly between other work, requests keep
    /// memory busy all the time.
    #[inline(always)]
    fn fetch(&mut self, count: usize) {
        let end = self.fetching.len().min(self.requested + count);
        for update in &self.fetching[self.requested..end] {
            prefetch_write(&self.group.words[update.index as usize]);
        }
        self.requested = end;
    }

    /// Applies all updates under way.
    fn flush(&mut self) {
        self.number();
        self.fetch(usize::MAX - self.requested);
        self.apply();
    }
}

/// Propagates every value of a chunk that is `value`.
struct Chunk<'p, 'r, 'a, G: Retrograde, W: WordWidth> {
    number: usize,
    value: Value<W>,
    pending: &'p mut Propagation<'r, 'a, G, W>,
}

impl<G: Retrograde, W: WordWidth> CpuTask for Chunk<'_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self {
            number,
            value,
            pending,
        } = self;
        let (group, first) = (pending.group, number * CHUNK);
        let words = &group.words[first..first + group.chunk_len(number) as usize];
        let patterns = Work::deciding(value);
        for (place, some) in words.chunks(64).enumerate() {
            let mut found = W::matching(cpu, some, patterns);
            while found != 0 {
                let at = found.trailing_zeros() as usize;
                found &= found - 1;
                if pending.value_before.is_none() {
                    group.too_long.store(true, Relaxed);
                    return;
                }
                let work = Work::from_bits(W::load(&some[at]));
                if work == Work::TOLD {
                    continue;
                }
                let index = (first + 64 * place + at) as u64;
                let (best, second) = work.decides(value);
                group.propagate(index, work.mv(), best, second, pending);
                pending.fetch(12);
                if pending.unmoves.len() >= BATCH {
                    pending.fetch(BATCH);
                    pending.number();
                }
            }
        }
    }
}

impl<'a, G: Retrograde, W: WordWidth> Group<'a, G, W> {
    #[inline(always)]
    fn apply(&self, update: Update, value: Value<W>) {
        self.revise(update.index, |work| work.resolve(value, update.number));
    }

    /// Changes the working record of a position; an un-move may also lead to a slot without
    /// one.
    #[inline(always)]
    pub(super) fn revise(&self, index: u32, change: impl Fn(Work<W>) -> Work<W>) {
        let word = &self.words[index as usize];
        let mut bits = W::load(word);
        loop {
            let old = Work::from_bits(bits);
            if old.best().is_vacant() {
                return;
            }
            let new = change(old);
            if new == old {
                return;
            }
            match W::replace(word, bits, new.bits()) {
                Ok(()) => {
                    if new.has_best() && (!old.has_best() || new.best() != old.best()) {
                        self.schedule(index, new.best());
                    }
                    if new.has_second() && (!old.has_second() || new.second() != old.second()) {
                        self.schedule(index, new.second());
                    }
                    return;
                }
                Err(now) => bits = now,
            }
        }
    }

    /// Propagates every value of the given distance to the predecessors.
    pub(super) fn pass(&self, depth: u16, progress: &dyn Progress) {
        let chunks = 0..self.due.len() / Self::DUE;
        let chunks: Vec<usize> = chunks.filter(|&chunk| self.is_due(chunk, depth)).collect();
        let stage = format!("layer {}: distance {depth}", self.name);
        progress.begin(
            &stage,
            chunks.iter().map(|&chunk| self.chunk_len(chunk)).sum(),
        );
        let run = chunks.len().div_ceil(64).clamp(1, RUN);
        let stale = threads::map(chunks.chunks(run), |run| {
            let mut pending = Propagation::new(self);
            for value in self.values_at(depth) {
                pending.value_before = value.through_move();
                for &number in run {
                    if !progress.cancelled() {
                        let pending = &mut pending;
                        dispatch(Chunk {
                            number,
                            value,
                            pending,
                        });
                    }
                }
                pending.flush();
            }
            progress.advance(run.iter().map(|&chunk| self.chunk_len(chunk)).sum());
            pending.stale
        });
        let mut stale = stale.concat();
        stale.sort_unstable();
        stale.dedup();
        threads::each(stale.len(), &|place| {
            let slot = stale[place];
            let known = self
                .symmetric
                .binary_search_by_key(&slot, |&(slot, _)| slot);
            if let Ok(place) = known {
                self.value_from_children(slot, self.symmetric[place].1, depth);
            }
        });
    }

    /// The values of a distance that this pass propagates. The first pass has propagated
    /// checkmates already, unless it left them to un-moves.
    pub(in crate::solve) fn values_at(&self, depth: u16) -> impl Iterator<Item = Value<W>> {
        let irregular = self.irregular.load(Relaxed);
        let checkmates = self.game.has_ended_positions();
        let regular = (depth > 0 || checkmates).then(|| Value::from_code(depth));
        let irregular = irregular
            .then(|| Value::from_code(Value::<W>::SELF_MATE.code() - depth))
            .filter(|value| !value.is_regular() && !value.is_vacant());
        regular.into_iter().chain(irregular)
    }

    /// Propagates the best value of one position, its second value, or both.
    #[inline(always)]
    fn propagate(
        &self,
        index: u64,
        mv: u8,
        best: bool,
        second: bool,
        pending: &mut Propagation<'_, 'a, G, W>,
    ) {
        let Some(cursor) = self.game.decoded(self.slots.start + index) else {
            return;
        };
        // A predecessor receives the best value, unless the best move would take its own
        // move back; then it receives the second.
        let everyone = best && second;
        let exact = self.game.repetition() == Repetition::Exact;
        let to = if everyone || exact {
            Recipients::EVERYONE
        } else {
            let back = self.game.follow(cursor, mv);
            Recipients { back, best }
        };
        let is_recipient = |undo: Option<u8>| everyone || !exact || (undo == Some(mv)) != best;
        if self.game.is_symmetric(cursor) {
            self.propagate_from_symmetric(cursor, to, is_recipient, pending);
            return;
        }
        let number = pending.recipients.len() as u16;
        pending.recipients.push(to);
        self.game.unmoves_with_undo(cursor, |before, undo| {
            if is_recipient(undo) {
                pending.unmoves.push((before, number));
            }
        });
    }

    /// [`propagate`](Self::propagate) for a symmetric position, where un-moves that are
    /// images of one another are one move of one predecessor.
    #[cold]
    fn propagate_from_symmetric(
        &self,
        cursor: G::Cursor,
        to: Recipients,
        is_recipient: impl Fn(Option<u8>) -> bool,
        pending: &mut Propagation<'_, 'a, G, W>,
    ) {
        let mut seen: Vec<Placed> = Vec::new();
        self.game.unmoves_with_undo(cursor, |before, undo| {
            let origin = self.game.place(before);
            if is_recipient(undo) && (origin.slot == to.back) != to.best && !seen.contains(&origin)
            {
                seen.push(origin);
            }
        });
        for origin in seen {
            if origin.symmetric {
                pending.stale.push(origin.slot);
            } else {
                pending.fetching.push(Update {
                    index: self.index(origin.slot),
                    number: origin.number,
                });
            }
        }
    }
}

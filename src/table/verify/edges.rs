//! Verification edge by edge: the children of each position are looked up one by one.

use std::ops::Range;

use super::top::{Top, flaw};
use super::{Flaw, GroupCheck};
use crate::base::threads;
use crate::base::value::{Outcome, Record, Value};
use crate::game::{MoveSummary, Placed, Repetition, Retrograde};
use crate::solve::{BestCodes, Codes, Ordinal, ValueOrder, WordWidth, prefetch_read};
use crate::table::error::Result;
use crate::table::resident::Resident;

impl GroupCheck<'_> {
    pub(super) fn by_edges<G: Retrograde, W: WordWidth>(self, game: &G) -> Result<()> {
        let progress = self.progress;
        let resident = Resident::<W>::load(self.table, game, self.number, progress)?;
        let slots = resident.slots.clone();
        progress.begin("verifying", slots.end - slots.start);
        let derivation = Derivation {
            game,
            resident: &resident,
            earlier: self.earlier,
            order: &ValueOrder::new(),
        };
        let chunks = (slots.end - slots.start).div_ceil(CHUNK);
        let flaws = threads::map(0..chunks, |chunk| {
            let from = slots.start + chunk * CHUNK;
            let to = slots.end.min(from + CHUNK);
            let flaws = derivation.check(from..to);
            progress.advance(to - from);
            flaws
        });
        self.flaws.extend(flaws.into_iter().flatten());
        self.leaves.extend(resident.leaves);
        self.table.extend_codes(self.earlier, slots.end)
    }
}

/// Number of slots that a thread takes at a time.
const CHUNK: u64 = 1 << 14;
/// Number of positions whose children are looked up together.
const BATCH: u64 = 32;
/// Number of children prefetched after each position that is collected, more than it has.
const PREFETCHED: usize = 20;

struct Derivation<'a, G, W: WordWidth> {
    game: &'a G,
    resident: &'a Resident<W>,
    /// The best values of all groups before this one.
    earlier: &'a Codes,
    order: &'a ValueOrder<W>,
}

/// A move within the group, which may be forbidden.
struct Bound<P> {
    /// Index of the position in the batch.
    place: u8,
    number: u8,
    has_undo: bool,
    to: P,
}

/// Consecutive positions with their children.
struct Batch<U> {
    /// The slot of the first position.
    first: u64,
    /// The best values of each position so far; `None` if the slot is vacant.
    tops: Vec<Option<Top>>,
    earlier: Vec<(u8, U)>,
    earlier_at: Vec<(u8, usize)>,
    within: Vec<Bound<U>>,
    within_at: Vec<Bound<Placed>>,
    /// Number of children in `within_at` prefetched so far.
    requested: usize,
}

impl<U> Batch<U> {
    const fn new() -> Self {
        Self {
            first: 0,
            tops: Vec::new(),
            earlier: Vec::new(),
            earlier_at: Vec::new(),
            within: Vec::new(),
            within_at: Vec::new(),
            requested: 0,
        }
    }
}

impl<G: Retrograde, W: WordWidth> Derivation<'_, G, W> {
    /// Derives the records of a range of slots and returns those that differ from the
    /// stored ones. The children of one batch are collected and looked up while those of
    /// the previous batch are being fetched from memory.
    fn check(&self, slots: Range<u64>) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        let mut collected = Batch::new();
        let mut fetching = Batch::new();
        let mut from = slots.start;
        while from < slots.end {
            let to = slots.end.min(from + BATCH);
            collected.first = from;
            for (place, slot) in (0..).zip(from..to) {
                let top = self.collect(slot, place, &mut collected);
                collected.tops.push(top);
                self.fetch(&mut fetching, PREFETCHED);
            }
            self.fetch(&mut fetching, usize::MAX);
            self.place(&mut collected);
            self.compare_all(&mut fetching, &mut flaws);
            std::mem::swap(&mut collected, &mut fetching);
            from = to;
        }
        self.fetch(&mut fetching, usize::MAX);
        self.compare_all(&mut fetching, &mut flaws);
        flaws
    }

    /// Collects the children of a position; `None` if the slot is vacant.
    #[inline]
    fn collect(&self, slot: u64, place: u8, batch: &mut Batch<G::Unplaced>) -> Option<Top> {
        let cursor = self.game.cursor(slot)?;
        let mut top = Top::NONE;
        let mut wins = false;
        let first = batch.earlier.len();
        self.game.summarize_moves(cursor, |found| match found {
            MoveSummary::Over(Outcome::Win) => wins = true,
            MoveSummary::Over(Outcome::Draw) => top.free(self.order.ordinal(Value::DRAW)),
            MoveSummary::Over(Outcome::Loss) => top.free(self.order.ordinal(Value::SELF_MATE)),
            MoveSummary::Earlier(child) => batch.earlier.push((place, child)),
            MoveSummary::Within { .. } | MoveSummary::IntoCheckmate(_) => {}
        });
        if wins {
            // No value is better, and the move cannot be forbidden.
            batch.earlier.truncate(first);
            top = Top::NONE;
            top.free(self.order.ordinal(Value::CHECKMATE));
            return Some(top);
        }
        self.game.edges_with_undo(cursor, |number, to, has_undo| {
            batch.within.push(Bound {
                place,
                number,
                has_undo,
                to,
            });
        });
        Some(top)
    }

    /// Looks up the slots of the children.
    fn place(&self, batch: &mut Batch<G::Unplaced>) {
        for (place, child) in batch.earlier.drain(..) {
            // Slots of earlier groups index an array in memory, so they fit.
            let slot = self.game.place(child).slot;
            let index = usize::try_from(slot).unwrap_or(usize::MAX);
            self.earlier.prefetch(index);
            batch.earlier_at.push((place, index));
        }
        for bound in batch.within.drain(..) {
            batch.within_at.push(Bound {
                place: bound.place,
                number: bound.number,
                has_undo: bound.has_undo,
                to: self.game.place(bound.to),
            });
        }
    }

    /// Prefetches the records of the next `count` children. Spread evenly between other
    /// work, requests keep memory busy all the time.
    #[inline]
    fn fetch(&self, batch: &mut Batch<G::Unplaced>, count: usize) {
        let end = batch.requested.saturating_add(count);
        let end = end.min(batch.within_at.len());
        for bound in &batch.within_at[batch.requested..end] {
            prefetch_read(self.resident.word(bound.to.slot));
        }
        batch.requested = end;
    }

    /// Derives the records of a batch from the values of its children, compares them with
    /// the stored ones, and empties the batch.
    fn compare_all(&self, batch: &mut Batch<G::Unplaced>, flaws: &mut Vec<Flaw>) {
        let tops = &mut batch.tops;
        for (place, index) in batch.earlier_at.drain(..) {
            if let Some(top) = &mut tops[usize::from(place)] {
                top.free(self.order.through_move(self.earlier.get(index)));
            }
        }
        if self.game.repetition() == Repetition::AllImages {
            // Moves to images of one position are forbidden together, and count as one.
            let within = &mut batch.within_at;
            within.sort_by_key(|bound| (bound.place, bound.to.slot, bound.number));
            within.dedup_by_key(|bound| (bound.place, bound.to.slot));
        }
        for bound in batch.within_at.drain(..) {
            let ordinal = self.ordinal(batch.first + u64::from(bound.place), &bound);
            if let Some(top) = &mut tops[usize::from(bound.place)] {
                top.bound(ordinal, bound.number);
            }
        }
        for (slot, top) in (batch.first..).zip(batch.tops.drain(..)) {
            let derived = top.map_or(Some(Record::VACANT), |top| top.record(self.order));
            flaws.extend(flaw::<W>(slot, self.resident.packed(slot), derived));
        }
        batch.requested = 0;
    }

    /// The ordinal of a move within the group.
    #[inline]
    fn ordinal(&self, parent: u64, bound: &Bound<Placed>) -> Ordinal {
        let child = self.resident.packed(bound.to.slot);
        let (best, second) = (child.best(W::BYTES), child.second(W::BYTES));
        if best == second {
            return self.order.through_move(best);
        }
        let only = child.only(W::BYTES);
        let another_leads_back = || {
            // Whether a move other than the exact reverse leads back is slow to
            // determine, so it is done only where it makes a difference.
            let stored = self.resident.packed(parent);
            let least = self.order.ordinal_of_code(stored.second(W::BYTES));
            let matters = self.order.through_move(second) >= least;
            let cursor = matters.then(|| self.game.cursor(bound.to.slot)).flatten();
            cursor.is_some_and(|cursor| self.game.follow(cursor, only) == parent)
        };
        let takes_back = bound.has_undo && bound.to.number == only
            || self.game.repetition() != Repetition::Exact && another_leads_back();
        self.order
            .through_move(if takes_back { second } else { best })
    }
}

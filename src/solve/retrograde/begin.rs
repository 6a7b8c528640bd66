//! The first pass: for every position, the value of its moves out of the group, the
//! number of moves within it, and which of those lose at once.
//!
//! The moves and un-moves of symmetric positions do not correspond one to one, so these are
//! evaluated from their children, here and in later passes.

use std::sync::atomic::Ordering::Relaxed;

use super::group::{CHUNK, Group, Symmetric};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Outcome, Record, Value};
use crate::game::{Examined, Held, MoveSummary, Next, Placed, Repetition, Retrograde};
use crate::solve::codes::{BestCodes, Codes, Ordinal, TOO_LONG};
use crate::solve::words::WordWidth;
use crate::solve::work::Work;

/// Number of positions whose look-ups in earlier groups are in flight together.
const BATCH: usize = 64;

/// Consecutive positions whose look-ups in earlier groups are being fetched.
struct Batch {
    from: u64,
    begun: Vec<FirstPassEntry>,
    /// Look-ups: index of the position in the batch, and the slot to look up.
    lookups: Vec<(u8, usize)>,
    /// Number of look-ups prefetched so far.
    requested: usize,
}

impl Batch {
    fn new() -> Self {
        Self {
            from: 0,
            begun: Vec::with_capacity(BATCH),
            lookups: Vec::with_capacity(BATCH * 16),
            requested: 0,
        }
    }

    /// Prefetches the next `count` look-ups. Spread evenly between other work, requests
    /// keep memory busy all the time.
    #[inline(always)]
    fn fetch(&mut self, count: usize, earlier: &Codes) {
        let end = self.lookups.len().min(self.requested + count);
        for &(_, slot) in &self.lookups[self.requested..end] {
            earlier.prefetch(slot);
        }
        self.requested = end;
    }
}

struct FirstPass<'p, 'a, G: Retrograde, W: WordWidth> {
    group: &'p Group<'a, G, W>,
    chunk: usize,
    earlier: &'p Codes,
}

impl<G: Retrograde, W: WordWidth> CpuTask for FirstPass<'_, '_, G, W> {
    type Output = Symmetric;

    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> Symmetric {
        let (group, earlier) = (self.group, self.earlier);
        let first = group.slots.start + (self.chunk * CHUNK) as u64;
        let end = first + group.chunk_len(self.chunk);
        let mut symmetric = Vec::new();
        let mut wanted = Vec::with_capacity(BATCH * 16);
        // One batch is collected while the look-ups of the previous one are fetched.
        let (mut batch, mut before) = (Batch::new(), Batch::new());
        let mut from = first;
        while from < end {
            let to = end.min(from + BATCH as u64);
            batch.from = from;
            let (mut begun, mut first) = (FirstPassEntry::default(), 0);
            group.game.examine_all(from..to, |slot, found| match found {
                Examined::Move(MoveSummary::Over(outcome)) => group.ends(&mut begun, outcome),
                Examined::Move(MoveSummary::Earlier(unplaced)) => {
                    wanted.push(((slot - from) as u8, unplaced));
                }
                Examined::Move(MoveSummary::Within { count, xor }) => {
                    (begun.count, begun.xor) = (count, xor);
                }
                Examined::Move(MoveSummary::IntoCheckmate(number)) => {
                    begun.lost += 1;
                    begun.lost_xor ^= number;
                }
                Examined::Slot(held) => {
                    group.settle_kind(&mut begun, slot, held);
                    if begun.kind == SlotKind::Told || begun.kind == SlotKind::Checkmate {
                        wanted.truncate(first);
                    }
                    batch.begun.push(std::mem::take(&mut begun));
                    first = wanted.len();
                    before.fetch(12, earlier);
                }
            });
            for (place, unplaced) in wanted.drain(..) {
                // Slots of earlier groups index an array in memory, so they fit.
                let slot = group.game.place(unplaced).slot as usize;
                batch.lookups.push((place, slot));
            }
            group.end_batch(&mut before, earlier, &mut symmetric);
            std::mem::swap(&mut batch, &mut before);
            from = to;
        }
        group.end_batch(&mut before, earlier, &mut symmetric);
        symmetric
    }
}

impl<G: Retrograde, W: WordWidth> Group<'_, G, W> {
    /// Stores the first records of a chunk and returns its symmetric positions with their
    /// floors.
    pub(super) fn begin_chunk(&self, chunk: usize, earlier: &Codes) -> Symmetric {
        dispatch(FirstPass {
            group: self,
            chunk,
            earlier,
        })
    }

    /// Stores the first records of a batch and empties it.
    fn end_batch(&self, batch: &mut Batch, earlier: &Codes, symmetric: &mut Symmetric) {
        batch.fetch(usize::MAX - batch.requested, earlier);
        for (place, slot) in batch.lookups.drain(..) {
            let code = earlier.get(slot);
            let entry = &mut batch.begun[usize::from(place)];
            if code == Value::<W>::VACANT.code() {
                if let Held::Ended(outcome) = self.game.examine(slot as u64, |_| {}) {
                    self.ends(entry, outcome.reversed());
                }
            } else {
                entry.raise_floor(self.order.through_move(code));
            }
        }
        for (slot, entry) in (batch.from..).zip(batch.begun.drain(..)) {
            let index = self.index(slot);
            if entry.floor == TOO_LONG {
                self.too_long.store(true, Relaxed);
            }
            let floor = self.order.value(entry.floor);
            match entry.kind {
                SlotKind::Vacant => self.store_first(index, Work::VACANT),
                SlotKind::Ended(outcome) => self.store_first(index, Work::ended(outcome)),
                SlotKind::Checkmate => self.store_first(index, Work::CHECKMATE),
                SlotKind::Told => W::store(&self.words[index as usize], Work::<W>::TOLD.bits()),
                SlotKind::Symmetric => symmetric.push((slot, floor.map(Value::code))),
                SlotKind::Plain => self.store_first(index, entry.work(floor)),
            }
        }
        batch.requested = 0;
    }

    /// Finds the kind of a slot whose moves have been told, from what it holds.
    #[inline(always)]
    fn settle_kind(&self, begun: &mut FirstPassEntry, slot: u64, held: Held) {
        let checkmate = begun.kind == SlotKind::Checkmate;
        begun.kind = match held {
            Held::Nothing => SlotKind::Vacant,
            Held::Ended(outcome) => SlotKind::Ended(outcome),
            Held::Won => SlotKind::Told,
            Held::Open { .. } if checkmate && self.game.has_ended_positions() => {
                SlotKind::Checkmate
            }
            Held::Open { .. } if checkmate => SlotKind::Told,
            Held::Open { symmetric: false } => SlotKind::Plain,
            Held::Open { symmetric: true } => SlotKind::Symmetric,
        };
        if begun.kind == SlotKind::Symmetric
            && self.game.has_ended_positions()
            && let Some(cursor) = self.game.cursor(slot)
        {
            self.game.moves_by_slot(cursor, u32::MAX, |listed| {
                if let Next::Over(outcome) = listed.leads {
                    self.ends(begun, outcome);
                }
            });
        }
    }

    /// Takes account of a move that ends the game.
    #[inline(always)]
    fn ends(&self, entry: &mut FirstPassEntry, outcome: Outcome) {
        match outcome {
            Outcome::Win => entry.kind = SlotKind::Checkmate,
            Outcome::Draw => entry.raise_floor(self.draw_ordinal),
            Outcome::Loss => entry.raise_floor(self.self_mate_ordinal),
        }
    }

    /// Tells the predecessors of the ended positions of a chunk what their moves to these are
    /// worth, and leaves the slots vacant. Symmetric predecessors know it already.
    pub(super) fn settle_ended(&self, chunk: usize) {
        let first = chunk * CHUNK;
        let end = first + self.chunk_len(chunk) as usize;
        let mut origins: Vec<Placed> = Vec::new();
        for index in first..end {
            let Some(outcome) = self.load(index as u32).has_ended() else {
                continue;
            };
            W::store(&self.words[index], Work::<W>::VACANT.bits());
            let slot = self.slots.start + index as u64;
            let Some(cursor) = self.game.decoded(slot) else {
                continue;
            };
            origins.clear();
            self.game
                .unmoves(cursor, |before| origins.push(self.game.place(before)));
            if self.game.is_symmetric(cursor) {
                origins.sort_unstable_by_key(|origin| (origin.slot, origin.number));
                origins.dedup();
            }
            for origin in origins.iter().filter(|origin| !origin.symmetric) {
                self.revise(self.index(origin.slot), |work| {
                    work.resolve_end(outcome, origin.number)
                });
            }
        }
    }
}

/// What the first pass finds about a position.
#[derive(Clone, Copy, Default)]
struct FirstPassEntry {
    kind: SlotKind,
    floor: Ordinal,
    count: u8,
    xor: u8,
    /// Number of moves into checkmate positions.
    lost: u8,
    /// XOR of their numbers.
    lost_xor: u8,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum SlotKind {
    #[default]
    Vacant,
    Ended(Outcome),
    /// A checkmate position that un-moves are to tell of.
    Checkmate,
    /// One that all moves into it tell of themselves.
    Told,
    Symmetric,
    Plain,
}

impl FirstPassEntry {
    #[inline]
    fn raise_floor(&mut self, ordinal: Ordinal) {
        self.floor = self.floor.max(ordinal);
    }

    fn work<W: WordWidth>(&self, floor: Option<Value<W>>) -> Work<W> {
        Work::begin(floor, self.count, self.xor).resolve_first_losses(self.lost, self.lost_xor)
    }
}

impl<G: Retrograde, W: WordWidth> Group<'_, G, W> {
    /// The value of a child state, if it is final, with a distance of at most `depth`.
    fn known(&self, parent: u64, slot: u64, undo: Option<u8>, depth: u16) -> Option<Value<W>> {
        let work = self.load(self.index(slot));
        let is_final = |decided: bool, value: Value<W>| {
            (decided && value.plies_to_checkmate().is_some_and(|d| d <= depth)).then_some(value)
        };
        let best = is_final(work.has_best(), work.best());
        let second = is_final(work.has_second(), work.second());
        if best.is_some() && best == second {
            return best;
        }
        let takes_back = match self.game.repetition() {
            Repetition::Exact => undo == Some(work.mv()),
            Repetition::UpToSymmetry | Repetition::AllImages => {
                // With nothing final, the move field may hold no move.
                (best.is_some() || second.is_some())
                    && self
                        .game
                        .cursor(slot)
                        .is_some_and(|c| self.game.follow(c, work.mv()) == parent)
            }
        };
        if takes_back { second } else { best }
    }

    /// Evaluates a symmetric position from all of its moves, given the final values of
    /// distance `depth` and less.
    pub(super) fn value_from_children(&self, slot: u64, floor: Option<u16>, depth: u16) {
        let Some(cursor) = self.game.cursor(slot) else {
            return;
        };
        let floor = floor.map(Value::from_code);
        let mut known: Vec<(Value<W>, u8)> = Vec::new();
        let mut unknown: Vec<u8> = Vec::new();
        let mut edges: Vec<(u8, Placed, bool)> = Vec::new();
        self.game.edges_with_undo(cursor, |number, next, has_undo| {
            edges.push((number, self.game.place(next), has_undo));
        });
        if self.game.repetition() == Repetition::AllImages {
            // Moves to images of one position are forbidden together, and count as one.
            edges.sort_by_key(|&(number, next, _)| (next.slot, number));
            edges.dedup_by_key(|(_, next, _)| next.slot);
        }
        for (number, next, has_undo) in edges {
            let undo = has_undo.then_some(next.number);
            let value = self.known(slot, next.slot, undo, depth);
            match value.map(Value::through_move) {
                Some(Some(value)) => known.push((value, number)),
                Some(None) => self.too_long.store(true, Relaxed),
                None => unknown.push(number),
            }
        }
        if let Some(floor) = floor {
            // A move out of the group cannot be forbidden, so it counts for both values.
            known.push((floor, Record::NO_MOVE));
            known.push((floor, Record::NO_MOVE));
        }
        known.sort_unstable_by(|a, b| b.cmp(a));
        let (first, second) = (known.first().copied(), known.get(1).copied());
        let wins = |entry: Option<(Value<W>, u8)>| {
            entry.filter(|(value, _)| value.outcome() == Outcome::Win)
        };
        let worth =
            |entry: Option<(Value<W>, u8)>| entry.map_or(Value::SELF_MATE, |(value, _)| value);
        let draws = floor.is_some_and(|floor| floor.outcome() == Outcome::Draw);
        let work = match (wins(first), wins(second), unknown.as_slice()) {
            (Some((best, mv)), Some((second, _)), _) => Work::decided(best, second, mv),
            (Some((best, mv)), None, rest) if draws || !rest.is_empty() => {
                Work::best_decided(best, mv)
            }
            (Some((best, mv)), None, _) => Work::decided(best, worth(second), mv),
            (None, ..) if draws => Work::OPEN,
            (None, _, []) => {
                let (best, mv) = first.unwrap_or((Value::SELF_MATE, 0));
                Work::decided(best, worth(second), mv)
            }
            (None, _, [only]) => Work::second_decided(worth(first), *only),
            (None, ..) => Work::OPEN,
        };
        self.store_first(self.index(slot), work);
    }
}

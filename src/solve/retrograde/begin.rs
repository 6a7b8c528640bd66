//! The first look at every position: what its moves out of the group are worth, how
//! many moves stay in it, and which of those lose at once.

#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use std::sync::atomic::Ordering::Relaxed;

use super::super::ladder::{Step, TOO_LONG};
use super::super::memory::prefetch_read;
use super::super::work::{Cell, Work};
use super::Codes;
use super::group::{CHUNK, Group};
use crate::game::{Census, Retrograde};
use crate::value::{Outcome, Value, Width};

/// Positions whose look-ups in earlier groups are in flight together.
const BATCH: usize = 64;

/// Look-ups in earlier groups: the position in the batch, and what it looks up.
struct LookUps<U> {
    wanted: Vec<(u8, U)>,
    fetching: Vec<(u8, usize)>,
}

impl<G: Retrograde, W: Cell> Group<'_, G, W> {
    /// First values of a chunk; returns its symmetric positions with their floors.
    pub(super) fn begin_chunk(
        &self,
        chunk: usize,
        earlier: &Codes<W>,
    ) -> Vec<(u64, Option<Value<W>>)> {
        let first = self.slots.start + (chunk * CHUNK) as u64;
        let end = first + self.chunk_len(chunk);
        let mut symmetric = Vec::new();
        let mut lookups = LookUps {
            wanted: Vec::with_capacity(BATCH * 16),
            fetching: Vec::with_capacity(BATCH * 16),
        };
        let mut begun: Vec<Begun> = Vec::with_capacity(BATCH);
        let mut from = first;
        while from < end {
            let to = end.min(from + BATCH as u64);
            begun.clear();
            for slot in from..to {
                begun.push(self.begin_position(slot, begun.len() as u8, &mut lookups.wanted));
            }
            for (place, unplaced) in lookups.wanted.drain(..) {
                // Slots of earlier groups are in memory, so they fit.
                let index = self.game.place(unplaced).slot as usize;
                prefetch_read(&earlier.bytes[index * W::BYTES]);
                lookups.fetching.push((place, index));
            }
            for (place, index) in lookups.fetching.drain(..) {
                let code = earlier.get(index);
                begun[usize::from(place)].raise_floor(self.ladder.through_move(code));
            }
            for (slot, entry) in (from..to).zip(&begun) {
                let cell = self.cell(slot);
                if entry.floor == TOO_LONG {
                    self.too_long.store(true, Relaxed);
                }
                let floor = self.ladder.value(entry.floor);
                match entry.kind {
                    Kind::Vacant => self.store_first(cell, Work::VACANT),
                    Kind::Checkmate => {
                        let work = Work::<W>::decided(Value::CHECKMATE, Value::CHECKMATE, 0);
                        W::store(&self.cells.cells()[cell as usize], work.bits());
                    }
                    Kind::Symmetric => symmetric.push((slot, floor)),
                    Kind::Plain => self.store_first(cell, entry.work(floor)),
                }
            }
            from = to;
        }
        symmetric
    }

    /// Looks at the moves of one position; those that lead to earlier groups are
    /// left as look-ups.
    #[inline(always)]
    fn begin_position(&self, slot: u64, place: u8, wanted: &mut Vec<(u8, G::Unplaced)>) -> Begun {
        let mut begun = Begun::default();
        let Some(cursor) = self.game.cursor(slot) else {
            return begun;
        };
        begun.kind = Kind::Plain;
        let mut checkmate = false;
        let first = wanted.len();
        self.game.census(cursor, |found| match found {
            Census::Over(Outcome::Win) => checkmate = true,
            Census::Over(Outcome::Draw) => begun.raise_floor(self.draw_step),
            Census::Over(Outcome::Loss) => begun.raise_floor(self.self_mate_step),
            Census::Earlier(unplaced) => wanted.push((place, unplaced)),
            Census::Within { count, xor } => (begun.count, begun.xor) = (count, xor),
            Census::IntoCheckmate(number) => {
                begun.lost[usize::from(begun.lost_count)] = number;
                begun.lost_count += 1;
            }
        });
        if checkmate {
            wanted.truncate(first);
            begun.kind = Kind::Checkmate;
        } else if self.game.is_symmetric(cursor) {
            begun.kind = Kind::Symmetric;
        }
        begun
    }
}

/// What the first look at a position found.
#[derive(Clone, Copy)]
struct Begun {
    kind: Kind,
    floor: Step,
    count: u8,
    xor: u8,
    lost_count: u8,
    /// Moves into checkmate positions.
    lost: [u8; 64],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Vacant,
    Checkmate,
    Symmetric,
    Plain,
}

impl Default for Begun {
    fn default() -> Self {
        Self {
            kind: Kind::Vacant,
            floor: 0,
            count: 0,
            xor: 0,
            lost_count: 0,
            lost: [0; 64],
        }
    }
}

impl Begun {
    #[inline]
    fn raise_floor(&mut self, step: Step) {
        self.floor = self.floor.max(step);
    }

    fn work<W: Width>(&self, floor: Option<Value<W>>) -> Work<W> {
        let lost = Value::from_code(1);
        self.lost[..usize::from(self.lost_count)]
            .iter()
            .fold(Work::begin(floor, self.count, self.xor), |work, &mv| {
                work.resolve_loss(lost, mv)
            })
    }
}

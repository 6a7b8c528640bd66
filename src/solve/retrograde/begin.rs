//! The first look at every position: what its moves out of the group are worth, how
//! many moves stay in it, and which of those lose at once.

use std::sync::atomic::Ordering::Relaxed;

use super::super::memory::prefetch_read;
use super::super::work::{Cell, Work};
use super::group::{CHUNK, Group};
use crate::game::{Census, Retrograde};
use crate::value::{Outcome, Value, Width};

/// Positions whose look-ups in earlier groups are in flight together.
const BATCH: usize = 64;

impl<G: Retrograde, W: Cell> Group<'_, G, W> {
    /// First values of a chunk; returns its symmetric positions with their floors.
    pub(super) fn begin_chunk(&self, chunk: usize) -> Vec<(u64, Option<Value<W>>)> {
        let first = self.slots.start + (chunk * CHUNK) as u64;
        let end = first + self.chunk_len(chunk);
        let mut symmetric = Vec::new();
        let mut lookups: Vec<(usize, usize)> = Vec::with_capacity(BATCH * 16);
        let mut begun: Vec<Begun<W>> = Vec::with_capacity(BATCH);
        let mut from = first;
        while from < end {
            let to = end.min(from + BATCH as u64);
            lookups.clear();
            begun.clear();
            for slot in from..to {
                begun.push(self.begin_position(slot, begun.len(), &mut lookups));
            }
            for &(place, index) in &lookups {
                match self.earlier.get(index).through_move() {
                    Some(value) => begun[place].raise_floor(value),
                    None => self.too_long.store(true, Relaxed),
                }
            }
            for (slot, entry) in (from..to).zip(&begun) {
                let cell = self.cell(slot);
                match entry.kind {
                    Kind::Vacant => self.store_first(cell, Work::VACANT),
                    Kind::Checkmate => {
                        let work = Work::<W>::decided(Value::CHECKMATE, Value::CHECKMATE, 0);
                        W::store(&self.cells.cells()[cell as usize], work.bits());
                    }
                    Kind::Symmetric => symmetric.push((slot, entry.floor)),
                    Kind::Plain => self.store_first(cell, entry.work()),
                }
            }
            from = to;
        }
        symmetric
    }

    /// Looks at the moves of one position; those that lead to earlier groups are
    /// left as look-ups, `place` and index, whose cells are being fetched.
    fn begin_position(
        &self,
        slot: u64,
        place: usize,
        lookups: &mut Vec<(usize, usize)>,
    ) -> Begun<W> {
        let mut begun = Begun::default();
        let Some(cursor) = self.game.cursor(slot) else {
            return begun;
        };
        begun.kind = Kind::Plain;
        let mut checkmate = false;
        let first = lookups.len();
        self.game.census(cursor, |step| match step {
            Census::Over(Outcome::Win) => checkmate = true,
            Census::Over(Outcome::Draw) => begun.raise_floor(Value::DRAW),
            Census::Over(Outcome::Loss) => begun.raise_floor(Value::SELF_MATE),
            Census::Earlier(index) => {
                // Slots of earlier groups are in memory, so they fit.
                let Ok(index) = usize::try_from(index) else {
                    return;
                };
                prefetch_read(&self.earlier.bytes[index * W::BYTES]);
                lookups.push((place, index));
            }
            Census::Within { number, checkmate } => {
                begun.count += 1;
                begun.xor ^= number;
                if checkmate {
                    begun.lost[usize::from(begun.lost_count)] = number;
                    begun.lost_count += 1;
                }
            }
        });
        if checkmate {
            lookups.truncate(first);
            begun.kind = Kind::Checkmate;
        } else if self.game.is_symmetric(cursor) {
            begun.kind = Kind::Symmetric;
        }
        begun
    }
}

/// What the first look at a position found.
#[derive(Clone, Copy)]
struct Begun<W> {
    kind: Kind,
    floor: Option<Value<W>>,
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

impl<W> Default for Begun<W> {
    fn default() -> Self {
        Self {
            kind: Kind::Vacant,
            floor: None,
            count: 0,
            xor: 0,
            lost_count: 0,
            lost: [0; 64],
        }
    }
}

impl<W: Width> Begun<W> {
    fn raise_floor(&mut self, value: Value<W>) {
        self.floor = Some(self.floor.map_or(value, |floor| floor.max(value)));
    }

    fn work(&self) -> Work<W> {
        let lost = Value::from_code(1);
        self.lost[..usize::from(self.lost_count)].iter().fold(
            Work::begin(self.floor, self.count, self.xor),
            |work, &mv| work.resolve_loss(lost, mv),
        )
    }
}

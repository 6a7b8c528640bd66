//! The part of a table that a scan covers, which may be what games from the initial position reach.

use std::ops::Range;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::error::MineError;
use super::rows::SlotBits;
use crate::base::progress::Progress;
use crate::base::random;
use crate::base::subsets::bits;
use crate::base::threads;
use crate::game::{Placed, Ranked, Retrograde};

/// A part of a table: some layers, some classes of positions, what games reach, a sample.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The slots of the wanted layers, in order; `None` means all.
    pub layers: Option<Vec<Range<u64>>>,
    /// One of this many positions, chosen by a hash of the slot; 0 and 1 mean all.
    pub one_in: u64,
    /// Bytes that the table may take in memory, where looking at moves is much faster; `None` means
    /// any number.
    pub memory: Option<u64>,
    /// The ranges of slots of the wanted classes, in order; `None` means all.
    pub stretches: Option<Vec<Range<u64>>>,
    /// The wanted ranges of slots, in order and apart; `None` means all.
    pub slots: Option<Vec<Range<u64>>>,
    /// The positions that games reach, if no others are wanted.
    pub reachable: Option<Arc<Reachable>>,
    /// Slots that are left out, in order.
    pub excluded: Vec<u64>,
    /// Whether each position is tested alone, even where whole rows of positions can be tested at
    /// once: slower, with the same finds.
    pub by_positions: bool,
}

/// The positions of one layer and one class, given by their numbers.
#[derive(Default)]
pub(crate) struct Partition {
    pub layer: usize,
    pub class: usize,
    /// The slots, a few of which may be vacant.
    pub slots: Range<u64>,
}

fn unknown(what: &str, name: &str, known: &[String]) -> MineError {
    let known = known.join(", ");
    MineError::Refused(format!("unknown {what} '{name}'; choose one of {known}"))
}

/// Adds ranges of slots to those that are wanted.
fn want(wanted: &mut Option<Vec<Range<u64>>>, more: impl IntoIterator<Item = Range<u64>>) {
    let wanted = wanted.get_or_insert_default();
    wanted.extend(more);
    wanted.sort_unstable_by_key(|range| (range.start, range.end));
}

impl Scope {
    /// The whole table.
    pub fn all() -> Self {
        Self::default()
    }

    /// Adds the layer with this name to the wanted layers.
    ///
    /// # Errors
    /// If the game has no such layer.
    pub fn layer<G: Ranked>(mut self, game: &G, name: &str) -> Result<Self, MineError> {
        let layers = game.layers();
        let layer = layers.iter().find(|layer| layer.name == name);
        let layer = layer.ok_or_else(|| {
            let known: Vec<_> = layers.iter().map(|layer| layer.name.clone()).collect();
            unknown("layer", name, &known)
        })?;
        want(&mut self.layers, [layer.slots.clone()]);
        Ok(self)
    }

    /// Adds the class with this name to the wanted classes, e.g. positions with the hole on
    /// that square.
    ///
    /// # Errors
    /// If the game has no such class.
    pub fn class<G: Retrograde>(mut self, game: &G, name: &str) -> Result<Self, MineError> {
        let classes = game.classes();
        let Some(class) = classes.iter().position(|class| class == name) else {
            return Err(unknown(game.criterion(), name, &classes));
        };
        let stretches = game.layers().iter().map(|layer| game.stretch(layer, class));
        want(&mut self.stretches, stretches);
        Ok(self)
    }

    pub(crate) fn most_memory(&self) -> u64 {
        self.memory.unwrap_or(u64::MAX)
    }

    /// The parts of the scope by layer and class, in the order of slots, ignoring the
    /// sample.
    pub(crate) fn partitions<G: Retrograde>(&self, game: &G) -> Vec<Partition> {
        let classes = game.classes().len();
        let mut partitions = Vec::new();
        for (layer, of_layer) in game.layers().iter().enumerate() {
            for class in 0..classes {
                let slots = game.stretch(of_layer, class);
                if slots.is_empty() || !self.has_block(&slots) {
                    continue;
                }
                let whole = slice::from_ref(&slots);
                let wanted = self.slots.as_deref().unwrap_or(whole).iter();
                let parts = wanted.map(|some| some.start.max(slots.start)..some.end.min(slots.end));
                let parts = parts.filter(|part| !part.is_empty());
                partitions.extend(parts.map(|slots| Partition {
                    layer,
                    class,
                    slots,
                }));
            }
        }
        partitions
    }

    /// Whether conditions may be tested row by row, which takes all positions of a layer.
    pub(super) const fn has_rows(&self) -> bool {
        self.one_in <= 1
            && self.reachable.is_none()
            && self.slots.is_none()
            && self.excluded.is_empty()
            && !self.by_positions
    }

    /// Whether a slot of a block may be in the scope.
    pub(super) fn has_block(&self, slots: &Range<u64>) -> bool {
        let wanted = [&self.layers, &self.stretches, &self.slots];
        wanted.into_iter().flatten().all(|some| {
            let next = some.partition_point(|range| range.end <= slots.start);
            some.get(next).is_some_and(|range| range.start < slots.end)
        })
    }

    /// Whether a slot is in the scope, if its block is.
    pub(super) fn has_slot(&self, slot: u64) -> bool {
        self.has_block(&(slot..slot + 1))
            && (self.one_in <= 1 || random::hash(slot).is_multiple_of(self.one_in))
            && self.reachable.as_ref().is_none_or(|some| some.has(slot))
            && self.excluded.binary_search(&slot).is_err()
    }
}

/// Words of a set that are searched without a pause.
const CHUNK: usize = 1 << 10;

/// The positions that some game from the initial position reaches, by whatever moves.
#[derive(Debug)]
pub struct Reachable(SlotBits);

impl Reachable {
    /// Follows all games, where no move is ever forbidden by the one before.
    ///
    /// # Errors
    /// If memory runs out, or the work is cancelled.
    pub fn new<G: Retrograde>(game: &G, progress: &dyn Progress) -> Result<Self, MineError> {
        let none = || {
            SlotBits::new(0..game.slots()).map_err(|_| {
                let bytes = SlotBits::bytes(game.slots());
                MineError::Refused(format!(
                    "cannot allocate {bytes} bytes; choose a smaller game or use a machine with more memory"
                ))
            })
        };
        let (seen, unplayed) = (none()?, none()?);
        let reach = |slot| {
            if seen.add(slot) {
                unplayed.add(slot);
            }
        };
        let first = game.rank(&game.initial());
        if first < game.slots() {
            reach(first);
        }
        progress.begin("following all games", game.slots());
        // A position reached during a round is played in this round or in the next.
        while unplayed.words.iter().any(|word| word.load(Relaxed) != 0) {
            let chunks = unplayed.words.chunks(CHUNK).enumerate();
            threads::try_map(chunks, |(number, words)| {
                progress.go_on(MineError::Cancelled)?;
                let mut played = 0;
                for (place, word) in (number * CHUNK..).zip(words) {
                    for bit in bits(word.swap(0, Relaxed)) {
                        let slot = place as u64 * 64 + u64::from(bit);
                        let Some(cursor) = game.cursor(slot) else {
                            continue;
                        };
                        played += 1;
                        let next = |Placed { slot, .. }| reach(slot);
                        game.edges(cursor, |_, to| next(game.place(to)));
                        game.departures(cursor, |to| next(game.place(to)));
                    }
                }
                progress.advance(played);
                Ok::<_, MineError>(())
            })?;
        }
        Ok(Self(seen))
    }

    /// The bytes of memory that this takes for a game with `slots` slots.
    pub(crate) const fn bytes(slots: u64) -> u64 {
        2 * SlotBits::bytes(slots)
    }

    /// Whether the position of a slot is reached.
    pub fn has(&self, slot: u64) -> bool {
        self.0.has(slot)
    }
}

//! Reading the records of a table, by slot or by block.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use super::block::{Block, decode, record_in, unpack};
use super::error::TableError;
use super::format::{BLOCK_SLOTS, Encoding, part};
use super::read::{Bytes, Table, check};
use crate::base::value::{Record, Value, Width};
use crate::game::{Game, Next, Oracle, Ranked, Slot};
use crate::solve::{Codes, prefetch_read};

impl Table {
    /// Copies the codes of the best values of a range of slots to `codes`, in as many bytes
    /// each as in the table.
    ///
    /// # Errors
    /// If a block is damaged, or a slot is out of range.
    pub fn best_codes(&self, slots: Range<usize>, codes: &mut [u8]) -> Result<(), TableError> {
        let width = usize::from(self.description.value_bytes);
        let mut slot = slots.start as u64;
        let mut rest = &mut codes[..];
        while !rest.is_empty() {
            let (number, at, count) = self.find(slot)?;
            let planes = self.planes(number)?;
            let take = (count - at).min(rest.len() / width);
            let (now, later) = rest.split_at_mut(take * width);
            now.copy_from_slice(&planes[at * width..(at + take) * width]);
            rest = later;
            slot += take as u64;
        }
        Ok(())
    }

    /// Memory for the best values of all groups of a game but the last, none of which is known.
    pub(crate) fn no_codes<W: Width, G: Ranked>(&self, game: &G) -> Result<Codes, TableError> {
        Codes::new::<W>(game).map_err(|source| self.out_of_memory(source))
    }

    /// Copies the best values up to slot `end`, but for the last group's, to those known.
    pub(crate) fn extend_codes(&self, codes: &mut Codes, end: u64) -> Result<(), TableError> {
        let failed = Mutex::new(None);
        codes.extend(
            usize::try_from(end).unwrap_or(usize::MAX),
            |slots, codes| {
                let read = slots.start as u64..=slots.end.saturating_sub(1) as u64;
                if let Err(error) = self.best_codes(slots, codes) {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
                self.forget_slots(read);
            },
        );
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// The error if there is no memory for what the table holds.
    pub(super) fn out_of_memory(&self, source: std::io::Error) -> TableError {
        TableError::Io {
            path: self.path.clone(),
            action: "allocate memory for the values of",
            source,
        }
    }

    /// The block of a slot, the index of the slot in it, and the number of its slots.
    pub(crate) fn find(&self, slot: u64) -> Result<(usize, usize, usize), TableError> {
        let layers = &self.description.layers;
        let layer = layers.partition_point(|layer| layer.end <= slot);
        if layer == layers.len() {
            return Err(TableError::Slot {
                path: self.path.clone(),
                slot,
                slots: self.description.slots(),
            });
        }
        let within = slot - layers[layer].first;
        let number =
            self.firsts[layer] + usize::try_from(within / BLOCK_SLOTS).unwrap_or(usize::MAX);
        let entry = &self.blocks[number];
        let at = usize::try_from(slot - entry.slots.start).unwrap_or(usize::MAX);
        let count = usize::try_from(entry.slots.end - entry.slots.start).unwrap_or(usize::MAX);
        Ok((number, at, count))
    }

    /// The records of a block, given as its range of slots.
    ///
    /// # Errors
    /// If the block is damaged, or the slots are not exactly those of one block.
    pub fn records(&self, slots: Range<u64>) -> Result<Vec<Record>, TableError> {
        let (number, ..) = self.find(slots.start)?;
        let block = self.block(number)?;
        if block.slots() != slots {
            return Err(TableError::Invalid {
                path: self.path.clone(),
                what: format!("slots {} to {} are not a block", slots.start, slots.end),
            });
        }
        Ok(block.records().collect())
    }

    /// The slots of a block.
    pub(crate) fn slots_of(&self, number: usize) -> Range<u64> {
        self.blocks[number].slots.clone()
    }

    /// The records of a block.
    ///
    /// # Errors
    /// If the block is damaged.
    ///
    /// # Panics
    /// If `number` is not below [`blocks`](Self::blocks).
    pub fn block(&self, number: usize) -> Result<Block<'_>, TableError> {
        let entry = &self.blocks[number];
        Ok(Block {
            slots: entry.slots.clone(),
            width: self.description.value_bytes.into(),
            planes: self.planes(number)?,
        })
    }

    /// The stored bytes of a block, compared with its checksum on first access.
    pub(super) fn stored(&self, number: usize) -> Result<&[u8], TableError> {
        let entry = &self.blocks[number];
        if !entry.checked.load(Relaxed) {
            check(
                &self.bytes,
                entry.bytes.clone(),
                entry.checksum,
                &self.path,
                || part(number, entry),
            )?;
            entry.checked.store(true, Relaxed);
        }
        Ok(&self.bytes[entry.bytes.clone()])
    }

    /// The planes of a block of a raw table.
    pub(super) fn raw_planes(&self, number: usize) -> Result<&[u8], TableError> {
        let stored = self.stored(number)?;
        let entry = &self.blocks[number];
        let slots = usize::try_from(entry.slots.end - entry.slots.start).unwrap_or(usize::MAX);
        let expected = slots * (2 * usize::from(self.description.value_bytes) + 1);
        if stored.len() != expected {
            let found = stored.len();
            return Err(TableError::Invalid {
                path: self.path.clone(),
                what: format!(
                    "{} has {found} bytes instead of {expected}",
                    part(number, entry)
                ),
            });
        }
        Ok(stored)
    }

    fn planes(&self, number: usize) -> Result<Cow<'_, [u8]>, TableError> {
        if self.description.encoding == Encoding::Raw {
            return Ok(Cow::Borrowed(self.raw_planes(number)?));
        }
        let entry = &self.blocks[number];
        let stored = self.stored(number)?;
        let slots = usize::try_from(entry.slots.end - entry.slots.start).unwrap_or(usize::MAX);
        let width = usize::from(self.description.value_bytes);
        let expected = slots * (2 * width + 1);
        let invalid = |what: String| TableError::Invalid {
            path: self.path.clone(),
            what: format!("{} {what}", part(number, entry)),
        };
        let packed = zstd::bulk::decompress(stored, expected)
            .map_err(|e| invalid(format!("does not decompress: {e}")))?;
        let planes = unpack(&packed, slots, width)
            .ok_or_else(|| invalid(format!("does not unpack to {slots} records")))?;
        Ok(Cow::Owned(planes))
    }

    /// The record of a slot.
    ///
    /// # Errors
    /// If the slot is out of range, or its block is damaged.
    pub fn record(&self, slot: u64) -> Result<Record, TableError> {
        let (number, at, count) = self.find(slot)?;
        let width = self.description.value_bytes.into();
        if self.description.encoding == Encoding::Raw {
            return Ok(record_in(&self.planes(number)?, width, count, at));
        }
        let planes = self
            .cache
            .get(number, || Ok(Arc::new(self.planes(number)?.into_owned())))?;
        Ok(record_in(&planes, width, count, at))
    }
}

/// The pieces decoded most recently, for access at random from any thread.
#[derive(Debug)]
pub(super) struct Cache<K, V: ?Sized> {
    held: Mutex<Held<K, V>>,
    room: usize,
}

#[derive(Debug)]
struct Held<K, V: ?Sized> {
    pieces: HashMap<K, Arc<V>>,
    order: VecDeque<K>,
}

impl<K: Copy + Eq + Hash, V: ?Sized> Cache<K, V> {
    /// A cache that keeps up to `room` pieces.
    pub(super) fn new(room: usize) -> Self {
        let held = Held {
            pieces: HashMap::new(),
            order: VecDeque::new(),
        };
        Self {
            held: Mutex::new(held),
            room,
        }
    }

    /// The piece of a key, decoded by `decode` unless it is kept.
    pub(super) fn get<E>(
        &self,
        key: K,
        decode: impl FnOnce() -> Result<Arc<V>, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(known) = self.lock().pieces.get(&key) {
            return Ok(Arc::clone(known));
        }
        // Decoded without the lock: at worst twice.
        let piece = decode()?;
        let mut held = self.lock();
        if held.pieces.insert(key, Arc::clone(&piece)).is_none() {
            held.order.push_back(key);
        }
        if held.order.len() > self.room
            && let Some(oldest) = held.order.pop_front()
        {
            held.pieces.remove(&oldest);
        }
        Ok(piece)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Held<K, V>> {
        // A panic cannot leave the cache inconsistent.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bytes {
    /// Gives the memory of a range that is mapped back to the system.
    fn forget(&self, range: Range<usize>) {
        #[cfg(all(unix, not(miri)))]
        if let Self::Map(map) = self {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // Where this fails, only memory is lost.
            // SAFETY: nobody writes to the map, so the pages are those of the file when they
            // are read again.
            let _ = unsafe { map.unchecked_advise_range(advice, range.start, range.len()) };
        }
        #[cfg(not(all(unix, not(miri))))]
        let _ = range;
    }
}

impl Table {
    /// Gives the memory of a block back to the system, if it is mapped. The block is read from
    /// the file again when it is needed.
    pub(crate) fn forget(&self, number: usize) {
        self.bytes.forget(self.blocks[number].bytes.clone());
    }

    /// [`forget`](Self::forget) all blocks.
    #[cfg(feature = "rows")]
    pub(crate) fn forget_all(&self) {
        self.bytes.forget(0..self.bytes.len());
    }

    /// [`forget`](Self::forget) the blocks of some slots.
    pub(crate) fn forget_slots(&self, slots: RangeInclusive<u64>) {
        if let (Ok((first, ..)), Ok((last, ..))) =
            (self.find(*slots.start()), self.find(*slots.end()))
        {
            (first..=last).for_each(|number| self.forget(number));
        }
    }

    /// The best value of a slot.
    pub(crate) fn best(&self, slot: u64) -> Result<Value, TableError> {
        if self.description.encoding != Encoding::Raw {
            return Ok(self.record(slot)?.best());
        }
        let (number, at, _) = self.find(slot)?;
        let width = usize::from(self.description.value_bytes);
        let planes = self.raw_planes(number)?;
        Ok(decode(&planes[at * width..(at + 1) * width]))
    }

    /// The value of a state.
    ///
    /// # Errors
    /// If its slot is out of range, or the block is damaged.
    pub fn value(&self, state: Slot) -> Result<Value, TableError> {
        match state.forbidden {
            None => self.best(state.index),
            forbidden => Ok(self.record(state.index)?.without(forbidden)),
        }
    }

    /// Prefetches the best value of a slot of a raw table.
    #[inline]
    pub(crate) fn prefetch(&self, slot: u64) {
        if self.description.encoding == Encoding::Raw
            && let Ok((number, at, _)) = self.find(slot)
        {
            let from = self.blocks[number].bytes.start;
            let width = usize::from(self.description.value_bytes);
            if let Some(byte) = self.bytes.get(from + at * width) {
                prefetch_read(byte);
            }
        }
    }
}

/// The values of states that moves lead to, which are fetched from memory together.
pub(crate) fn values_of<M>(
    children: Vec<(M, Next<Slot>)>,
    prefetch: impl Fn(u64),
    value: impl Fn(Slot) -> Result<Value, TableError>,
) -> Result<Vec<(M, Next<Value>)>, TableError> {
    for (_, next) in &children {
        if let Next::State(slot) = next {
            prefetch(slot.index);
        }
    }
    let mut valued = Vec::with_capacity(children.len());
    for (mv, next) in children {
        let next = match next {
            Next::Over(outcome) => Next::Over(outcome),
            Next::State(slot) => Next::State(value(slot)?),
        };
        valued.push((mv, next));
    }
    Ok(valued)
}

/// The values of all states of a game, read from its table.
#[derive(Debug, Clone, Copy)]
pub struct TableOracle<'t>(&'t Table);

impl<'t> TableOracle<'t> {
    /// Creates an oracle from a table of `game`.
    ///
    /// # Errors
    /// If the table belongs to another game.
    pub fn new<G: Ranked>(table: &'t Table, game: &G) -> Result<Self, TableError> {
        table.expect_game(game)?;
        Ok(Self(table))
    }
}

impl<G: Ranked> Oracle<G> for TableOracle<'_> {
    type Error = TableError;

    fn value(&self, game: &G, state: &G::State) -> Result<Value, TableError> {
        self.0.value(game.slot(state))
    }

    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>, TableError> {
        let slots: Vec<_> = states.iter().map(|state| game.slot(state)).collect();
        for slot in &slots {
            self.0.prefetch(slot.index);
        }
        slots.into_iter().map(|slot| self.0.value(slot)).collect()
    }

    fn children(
        &self,
        game: &G,
        state: &G::State,
    ) -> Result<Vec<(G::Move, Next<Value>)>, TableError> {
        let prefetch = |slot| self.0.prefetch(slot);
        values_of(game.children(state), prefetch, |slot| self.0.value(slot))
    }

    fn contradiction(&self, game: &G, state: &G::State) -> TableError {
        self.0.contradiction(game, state)
    }
}

impl Table {
    /// The error for a state whose value is not that of its best move.
    pub(crate) fn contradiction<G: Game>(&self, game: &G, state: &G::State) -> TableError {
        let position = game.format_state(state);
        let what = format!(
            "the value of {position} is not that of its best move (run 'tesuji verify' to find all such records)"
        );
        let path = self.path().to_owned();
        TableError::Invalid { path, what }
    }
}

//! A whole table in memory, for random access.

use memmap2::MmapMut;

use super::block::decode;
use super::error::{Result, TableError};
use super::read::Table;
use crate::base::progress::Progress;
use crate::base::threads;
use crate::base::value::{Record, Value};
use crate::solve::{BestCodes, prefetch_read, zeroed};

/// All records of a table on huge pages, each with its three fields side by side.
///
/// In a mapped file the fields of a record are in different pages; here a record is a
/// single look-up.
#[derive(Debug)]
pub(crate) struct Loaded {
    map: MmapMut,
    /// Number of bytes of a value.
    width: usize,
    slots: u64,
}

impl Loaded {
    /// The memory in bytes that the records of a table take.
    pub(crate) fn bytes(table: &Table) -> u64 {
        table.description.slots() * (2 * u64::from(table.description.value_bytes) + 1)
    }

    pub(crate) fn new(table: &Table, progress: &dyn Progress) -> Result<Self> {
        let width = usize::from(table.description.value_bytes);
        let size = 2 * width + 1;
        let slots = table.description.slots();
        let count = usize::try_from(slots).unwrap_or(usize::MAX);
        let mut map = zeroed(count, size).map_err(|source| table.no_room(source))?;
        progress.begin("loading", slots);
        // Blocks are in the order of slots and cover all of them.
        let mut rest = &mut map[..count * size];
        let mut parts = Vec::with_capacity(table.blocks());
        for number in 0..table.blocks() {
            let slots = table.slots_of(number);
            let bytes = usize::try_from(slots.end - slots.start).unwrap_or(usize::MAX) * size;
            let (part, later) = rest.split_at_mut(bytes.min(rest.len()));
            parts.push((number, part));
            rest = later;
        }
        threads::try_map(parts, |(number, part)| {
            let block = table.block(number)?;
            block.interleave(part);
            let slots = block.slots;
            progress.advance(slots.end - slots.start);
            table.forget(number);
            Ok::<_, TableError>(())
        })?;
        Ok(Self { map, width, slots })
    }

    #[inline]
    fn at(&self, slot: u64) -> Option<&[u8]> {
        if slot >= self.slots {
            return None;
        }
        let size = 2 * self.width + 1;
        // All slots are in memory, so the offset fits.
        let at = usize::try_from(slot).ok()? * size;
        self.map.get(at..at + size)
    }

    #[inline]
    pub(crate) fn prefetch(&self, slot: u64) {
        if let Some(first) = self.at(slot).and_then(<[u8]>::first) {
            prefetch_read(first);
        }
    }

    /// The best value of a slot; [`Value::VACANT`] past the end.
    #[inline]
    pub(crate) fn best(&self, slot: u64) -> Value {
        self.at(slot)
            .map_or(Value::VACANT, |bytes| decode(&bytes[..self.width]))
    }

    /// The record of a slot; [`Record::VACANT`] past the end.
    #[inline]
    pub(crate) fn record(&self, slot: u64) -> Record {
        self.at(slot).map_or(Record::VACANT, |bytes| {
            let (best, rest) = bytes.split_at(self.width);
            let (second, only) = rest.split_at(self.width);
            Record::new(decode(best), decode(second), only[0])
        })
    }
}

/// Of a table of values of one byte.
impl BestCodes for Loaded {
    #[inline]
    fn get(&self, slot: usize) -> u16 {
        self.map[3 * slot].into()
    }

    #[inline]
    fn prefetch(&self, slot: usize) {
        Self::prefetch(self, slot as u64);
    }
}

//! Reading a table from a file or from memory.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::block::{Block, record_in};
use super::directory::{Entry, read_directory};
use super::pack::unpack;
use super::{
    BLOCK_SLOTS, Description, Encoding, LayerDescription, MAGIC, PREAMBLE, TableError, VERSION,
    WidthOf, Written,
};
use crate::game::Ranked;
use crate::value::Record;

/// Decoded blocks kept for random access to a compressed table.
const CACHED: usize = 256;

/// A solved game: opening reads only the footer; every block is checked against
/// its checksum when it is first read.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    bytes: Bytes,
    description: Description,
    blocks: Vec<Entry>,
    /// First block of each layer.
    firsts: Vec<usize>,
    cache: Mutex<Cache>,
}

#[derive(Debug)]
enum Bytes {
    Map(Mmap),
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Map(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

#[derive(Debug, Default)]
struct Cache {
    blocks: HashMap<usize, Arc<Vec<u8>>>,
    order: VecDeque<usize>,
}

impl Table {
    /// Opens a table file.
    ///
    /// # Errors
    /// If the file cannot be read, is no table, or its preamble or footer is
    /// damaged.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let file = File::open(path).map_err(TableError::io(path, "open"))?;
        let length = file.metadata().map_err(TableError::io(path, "read"))?.len();
        if length == 0 {
            return Err(TableError::NotATable {
                path: path.to_owned(),
            });
        }
        // SAFETY: the map is read only. Should another process change the file
        // meanwhile, checked bytes may change under us; the values read would be
        // wrong, but every index into the map is bounds-checked. Should it cut the
        // file off, the system ends this process when it reads there.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::io(path, "map"))?;
        Self::read(Bytes::Map(map), path)
    }

    /// A table in memory; `path` is its name in messages.
    ///
    /// # Errors
    /// If the bytes are no table, or preamble or footer are damaged.
    pub fn from_bytes(bytes: Vec<u8>, path: &Path) -> Result<Self, TableError> {
        Self::read(Bytes::Owned(bytes), path)
    }

    fn read(bytes: Bytes, path: &Path) -> Result<Self, TableError> {
        let path = path.to_owned();
        let number =
            |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let short =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
            return Err(TableError::NotATable { path });
        }
        let found = bytes.len() as u64;
        if bytes.len() < PREAMBLE {
            let expected = PREAMBLE as u64;
            return Err(TableError::Length {
                path,
                expected,
                found,
            });
        }
        check(&bytes, 0..40, number(40), &path, || {
            "the preamble".to_owned()
        })?;
        if short(8) != VERSION {
            let (found, known) = (short(8), VERSION);
            return Err(TableError::Version { path, found, known });
        }
        let expected = number(16).saturating_add(number(24));
        if expected != found || number(16) < PREAMBLE as u64 {
            return Err(TableError::Length {
                path,
                expected,
                found,
            });
        }
        // Both are at most the length of what is in memory or mapped.
        let from = usize::try_from(number(16)).unwrap_or(usize::MAX);
        check(&bytes, from..bytes.len(), number(32), &path, || {
            "the footer".to_owned()
        })?;
        let nonsense = |what: String| TableError::Nonsense {
            path: path.clone(),
            what,
        };
        let described = bytes[from..]
            .get(..short(12) as usize)
            .ok_or_else(|| nonsense("the description is longer than the footer".to_owned()))?;
        let description: Description = serde_json::from_slice(described)
            .map_err(|e| nonsense(format!("the description is unreadable ({e})")))?;
        if let Some(what) = description.fault() {
            return Err(nonsense(what));
        }
        let directory = &bytes[from + described.len()..];
        let (blocks, firsts) = read_directory(directory, &description, from).map_err(nonsense)?;
        Ok(Self {
            path,
            bytes,
            description,
            blocks,
            firsts,
            cache: Mutex::default(),
        })
    }

    /// The finished layers of a table that is still being written.
    ///
    /// # Errors
    /// If the file cannot be read, or does not fit what was written.
    pub fn unfinished<G: Ranked>(
        path: &Path,
        game: &G,
        values: WidthOf,
        encoding: Encoding,
        written: &Written,
    ) -> Result<Self, TableError> {
        let file = File::open(path).map_err(TableError::io(path, "open"))?;
        // SAFETY: as in `open`; the writer only appends behind what is read here.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::io(path, "map"))?;
        let finished = game
            .layers()
            .iter()
            .filter(|layer| layer.slots.end <= written.next);
        let description = Description {
            writer: String::new(),
            game: game.spec(),
            value_bytes: values.bytes(),
            encoding,
            layers: finished.map(LayerDescription::from).collect(),
            fingerprint: String::new(),
        };
        let end = usize::try_from(written.offset).unwrap_or(usize::MAX);
        let (blocks, firsts) =
            read_directory(&written.directory, &description, end).map_err(|what| {
                let path = path.to_owned();
                TableError::Nonsense { path, what }
            })?;
        Ok(Self {
            path: path.to_owned(),
            bytes: Bytes::Map(map),
            description,
            blocks,
            firsts,
            cache: Mutex::default(),
        })
    }

    /// Writes the codes of the best values of a range of slots to `codes`, 1 or 2
    /// bytes each as in the table.
    ///
    /// # Errors
    /// If a block is damaged, or a slot is past the end.
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

    /// The block of a slot, its place there, and the number of slots of the block.
    pub(super) fn find(&self, slot: u64) -> Result<(usize, usize, usize), TableError> {
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

    /// The file's name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the table says of itself.
    #[must_use]
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// Size of the file in bytes.
    #[must_use]
    pub fn file_size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Number of blocks.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The records of the slots of a whole block.
    ///
    /// # Errors
    /// If the block is damaged, or the slots are not those of one block.
    pub fn records(&self, slots: Range<u64>) -> Result<Vec<Record>, TableError> {
        let (number, ..) = self.find(slots.start)?;
        let block = self.block(number)?;
        if block.slots() != slots {
            return Err(TableError::Nonsense {
                path: self.path.clone(),
                what: format!("slots {} to {} are no block", slots.start, slots.end),
            });
        }
        Ok(block.records().collect())
    }

    /// The slots of a block.
    pub(crate) fn slots_of(&self, number: usize) -> Range<u64> {
        self.blocks[number].slots.clone()
    }

    /// Checks that the table is of this game.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if it is not.
    pub fn expect_game<G: Ranked>(&self, game: &G) -> Result<(), TableError> {
        let asked = game.spec();
        if asked != self.description.game {
            return Err(TableError::OtherGame {
                path: self.path.clone(),
                asked,
                found: self.description.game.clone(),
            });
        }
        if game.slots() != self.description.slots() {
            return Err(TableError::Nonsense {
                path: self.path.clone(),
                what: format!(
                    "{} slots, the game has {}",
                    self.description.slots(),
                    game.slots()
                ),
            });
        }
        Ok(())
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

    /// The stored bytes of a block, checked.
    fn stored(&self, number: usize) -> Result<&[u8], TableError> {
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
            return Err(TableError::Nonsense {
                path: self.path.clone(),
                what: format!(
                    "{} has {found} bytes, expected {expected}",
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
        let nonsense = |what: String| TableError::Nonsense {
            path: self.path.clone(),
            what: format!("{} {what}", part(number, entry)),
        };
        let packed = zstd::bulk::decompress(stored, expected)
            .map_err(|e| nonsense(format!("does not decompress: {e}")))?;
        let planes = unpack(&packed, slots, width)
            .ok_or_else(|| nonsense(format!("does not unpack to {slots} records")))?;
        Ok(Cow::Owned(planes))
    }

    /// The record of a slot.
    ///
    /// # Errors
    /// If there is no such slot or its block is damaged.
    pub fn record(&self, slot: u64) -> Result<Record, TableError> {
        let (number, at, count) = self.find(slot)?;
        let width = self.description.value_bytes.into();
        if self.description.encoding == Encoding::Raw {
            return Ok(record_in(&self.planes(number)?, width, count, at));
        }
        let held = self.lock_cache().blocks.get(&number).cloned();
        let planes = if let Some(planes) = held {
            planes
        } else {
            let planes = Arc::new(self.planes(number)?.into_owned());
            self.lock_cache().insert(number, Arc::clone(&planes));
            planes
        };
        Ok(record_in(&planes, width, count, at))
    }

    fn lock_cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        // A cache is never left half changed, so one from a panicked thread is good.
        self.cache
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A block in words.
fn part(number: usize, entry: &Entry) -> String {
    format!(
        "block {number}, slots {} to {},",
        entry.slots.start, entry.slots.end
    )
}

impl Cache {
    fn insert(&mut self, number: usize, planes: Arc<Vec<u8>>) {
        if self.blocks.insert(number, planes).is_none() {
            self.order.push_back(number);
        }
        if self.order.len() > CACHED
            && let Some(oldest) = self.order.pop_front()
        {
            self.blocks.remove(&oldest);
        }
    }
}

fn check(
    bytes: &[u8],
    range: Range<usize>,
    expected: u64,
    path: &Path,
    part: impl Fn() -> String,
) -> Result<(), TableError> {
    let found = xxh3_64(&bytes[range.clone()]);
    if found == expected {
        return Ok(());
    }
    Err(TableError::Checksum {
        path: path.to_owned(),
        part: part(),
        from: range.start as u64,
        to: range.end as u64,
        expected,
        found,
    })
}

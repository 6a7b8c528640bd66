//! Opening tables, and reading their records by slot or by block.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::ops::{Deref, Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use indexmap::IndexMap;
use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::block::{Block, decode, record_in, unpack};
use super::error::{Result, TableError};
use super::format::{
    BLOCK_SLOTS, DENSE_VERSION, Description, Encoding, Entry, MAGIC, PREAMBLE, VERSION, ValueWidth,
    part, read_directory,
};
use super::write::Written;
use crate::base::threads::locked;
use crate::base::value::{Record, Value, Width};
use crate::game::{Game, Ranked, same_game};
use crate::solve::{Codes, prefetch_read};

/// A solved game: the record of every slot.
///
/// Opening a table reads only its preamble and footer. Each block is compared with its
/// checksum when it is first read.
///
/// ```no_run
/// use std::path::Path;
/// use tesuji::table::Table;
///
/// let table = Table::open(Path::new("output/tictactoe.tsj"))?;
/// println!("{}, {} slots", table.description.game, table.description.slots());
/// println!("{}", table.record(0)?.best());
/// # Ok::<(), tesuji::table::TableError>(())
/// ```
#[derive(Debug)]
pub struct Table {
    /// The path of the file.
    pub path: PathBuf,
    bytes: Bytes,
    /// The description of the table.
    pub description: Description,
    blocks: Vec<Entry>,
    firsts: Vec<usize>,
    cache: Cache,
}

/// Number of decoded blocks kept for access at random to a compressed table.
const CACHED: usize = 256;

/// The blocks decoded most recently, for access at random from any thread.
type Cache = Mutex<IndexMap<usize, Arc<Vec<u8>>>>;

#[derive(Debug)]
enum Bytes {
    /// A file that is mapped, and what was said of it when it was opened.
    Map(Mmap, File, Stamp),
    Owned(Vec<u8>),
}

/// The length of a file and the time of its last change, which some file systems do not know.
type Stamp = (u64, Option<SystemTime>);

fn stamp(file: &File) -> io::Result<Stamp> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified().ok()))
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Map(map, ..) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl Bytes {
    fn map(file: File, path: &Path) -> Result<Self> {
        // SAFETY: the map is read-only. If another process changes the file meanwhile,
        // bytes may change after they were checked; the values read would be wrong, but
        // every index into the map is bounds-checked. If it truncates the file, the
        // system ends this process when it reads past the new end. `expect_unchanged` asks
        // at the end.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::io(path, "map"))?;
        let stamp = stamp(&file).map_err(TableError::io(path, "read"))?;
        Ok(Self::Map(map, file, stamp))
    }

    /// Gives the memory of a range that is mapped back to the system.
    fn forget(&self, range: Range<usize>) {
        #[cfg(all(unix, not(miri)))]
        if let Self::Map(map, ..) = self {
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
    /// Opens a table file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a table, or its preamble or footer is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        // To open a pipe would wait for somebody to write to it.
        if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
            return Err(TableError::not_a_table(path));
        }
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::Refused(format!(
                "there is no file {}; check its name, or write the table with 'tesuji solve'",
                path.display()
            )),
            _ => TableError::io(path, "open")(error),
        })?;
        let metadata = file.metadata().map_err(TableError::io(path, "read"))?;
        if metadata.is_dir() {
            let why = " is a folder; give a table file written by 'tesuji solve'";
            return Err(TableError::refused(path, why));
        }
        if metadata.len() == 0 {
            return Err(TableError::not_a_table(path));
        }
        Self::read(Bytes::map(file, path)?, path)
    }

    /// Checks that the file is still what it was when it was opened. Blocks are compared with
    /// their checksums when they are first read, and may change afterwards; what was found in
    /// a table that has changed may be wrong.
    ///
    /// # Errors
    /// If its length or the time of its last change is another.
    pub fn expect_unchanged(&self) -> Result<()> {
        match &self.bytes {
            Bytes::Map(_, file, before) if !stamp(file).is_ok_and(|now| now == *before) => {
                let why = " was changed while it was in use, so what was found may be wrong; restore the table and run the command again";
                Err(TableError::refused(&self.path, why))
            }
            _ => Ok(()),
        }
    }

    /// A fault, or that the file was changed while it was in use, if it was.
    fn told(&self, fault: TableError) -> TableError {
        self.expect_unchanged().err().unwrap_or(fault)
    }

    /// Opens a table in memory. `path` names it in error messages.
    ///
    /// # Errors
    /// If the bytes are not a table, or its preamble or footer is damaged.
    pub fn from_bytes(bytes: Vec<u8>, path: &Path) -> Result<Self> {
        Self::read(Bytes::Owned(bytes), path)
    }

    fn read(bytes: Bytes, path: &Path) -> Result<Self> {
        let number =
            |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let short =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
            return Err(TableError::not_a_table(path));
        }
        let found = bytes.len() as u64;
        let wrong_length = |expected: u64| {
            let why = format!(
                ": the file has {found} bytes instead of {expected}: it was truncated or extended; copy it or solve the game again"
            );
            TableError::refused(path, why)
        };
        if bytes.len() < PREAMBLE {
            return Err(wrong_length(PREAMBLE as u64));
        }
        check(&bytes, 0..40, number(40), path, "the preamble")?;
        let odd = match short(8) {
            VERSION => None,
            DENSE_VERSION => Some("dense tables are no longer read; solve the game again, which takes less time than decoding this table took".to_owned()),
            found => Some(format!("unsupported table format {found} (this version reads format {VERSION}); use the version of tesuji that wrote the file")),
        };
        if let Some(odd) = odd {
            return Err(TableError::refused(path, format!(": {odd}")));
        }
        let expected = number(16).saturating_add(number(24));
        if expected != found || number(16) < PREAMBLE as u64 {
            return Err(wrong_length(expected));
        }
        // At most the length of the file, which is in memory or mapped.
        let from = usize::try_from(number(16)).unwrap_or(usize::MAX);
        check(&bytes, from..bytes.len(), number(32), path, "the footer")?;
        let invalid = |what: String| TableError::invalid(path, what);
        let described = bytes[from..]
            .get(..short(12) as usize)
            .ok_or_else(|| invalid("the description is longer than the footer".to_owned()))?;
        let description: Description = serde_json::from_slice(described)
            .map_err(|e| invalid(format!("the description cannot be read ({e})")))?;
        let directory = &bytes[from + described.len()..];
        let blocks = read_directory(directory, &description, from).map_err(invalid)?;
        Ok(Self::of(path.to_owned(), bytes, description, blocks))
    }

    fn of(
        path: PathBuf,
        bytes: Bytes,
        description: Description,
        (blocks, firsts): (Vec<Entry>, Vec<usize>),
    ) -> Self {
        Self {
            path,
            bytes,
            description,
            blocks,
            firsts,
            cache: Cache::default(),
        }
    }

    /// Opens the finished layers of a table that is still being written. `written` is the
    /// progress of its writer.
    ///
    /// # Errors
    /// If the file cannot be read, or does not match `written`.
    pub fn unfinished<G: Ranked>(
        path: &Path,
        game: &G,
        values: ValueWidth,
        encoding: Encoding,
        written: &Written,
    ) -> Result<Self> {
        let file = File::open(path).map_err(TableError::io(path, "open"))?;
        // The writer only appends after the blocks that are read here.
        let bytes = Bytes::map(file, path)?;
        let mut description = Description::of(game, values, encoding);
        let layers = &mut description.layers;
        layers.retain(|layer| layer.end <= written.next);
        let end = usize::try_from(written.offset).unwrap_or(usize::MAX);
        let blocks = read_directory(&written.directory, &description, end)
            .map_err(|what| TableError::invalid(path, what))?;
        Ok(Self::of(path.to_owned(), bytes, description, blocks))
    }

    /// The size of the file in bytes.
    pub fn file_size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Bytes of the blocks of each layer.
    pub fn bytes_by_layer(&self) -> Vec<u64> {
        let ends = self.firsts.iter().skip(1).copied();
        let ends = ends.chain([self.blocks.len()]);
        let bytes = |(&first, end): (&usize, usize)| {
            let blocks = self.blocks[first..end].iter();
            blocks.map(|entry| entry.bytes.len() as u64).sum()
        };
        self.firsts.iter().zip(ends).map(bytes).collect()
    }

    /// Number of blocks.
    pub const fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Checks that the table belongs to this game.
    ///
    /// # Errors
    /// If it belongs to another one, or its layers have other slots.
    pub fn expect_game<G: Ranked>(&self, game: &G) -> Result<()> {
        let expected = game.spec();
        if !same_game(&expected, &self.description.game) {
            let found = &self.description.game;
            return Err(TableError::other_game(&self.path, &expected, found));
        }
        let ends = game.layers().iter().map(|layer| layer.slots.end);
        if !ends.eq(self.description.layers.iter().map(|layer| layer.end)) {
            let why = format!(
                ": it is of other rules that are also called {expected}, or of a version of the program in which positions had other numbers; solve the game again"
            );
            return Err(TableError::refused(&self.path, why));
        }
        Ok(())
    }
}

impl Table {
    /// Copies the codes of the best values of a range of slots to `codes`, in as many bytes
    /// each as in the table.
    ///
    /// # Errors
    /// If a block is damaged, or a slot is out of range.
    pub fn best_codes(&self, slots: Range<usize>, codes: &mut [u8]) -> Result<()> {
        let width = usize::from(self.description.value_bytes);
        let mut slot = slots.start as u64;
        let mut rest = &mut codes[..];
        while !rest.is_empty() {
            let (number, at, count) = self.find(slot)?;
            let take = (count - at).min(rest.len() / width);
            let (now, later) = rest.split_at_mut(take * width);
            now.copy_from_slice(&self.planes(number)?[at * width..(at + take) * width]);
            rest = later;
            slot += take as u64;
        }
        Ok(())
    }

    /// Memory for the best values of all groups of a game but the last, none of which is known.
    pub(crate) fn no_codes<W: Width, G: Ranked>(&self, game: &G) -> Result<Codes> {
        Codes::new::<W>(game).map_err(|source| self.out_of_memory(source))
    }

    /// Copies the best values up to slot `end`, but for the last group's, to those known.
    pub(crate) fn extend_codes(&self, codes: &mut Codes, end: u64) -> Result<()> {
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        codes.extend(end, |slots, codes| {
            let read = slots.start as u64..=slots.end.saturating_sub(1) as u64;
            self.best_codes(slots, codes)?;
            self.forget_slots(read);
            Ok(())
        })
    }

    /// The error if there is no memory for the values that the table holds.
    pub(super) fn out_of_memory(&self, source: io::Error) -> TableError {
        TableError::io(&self.path, "allocate memory for the values of")(source)
    }

    /// The error if there is no memory for the records that the table holds.
    pub(super) fn no_room(&self, source: io::Error) -> TableError {
        TableError::io(&self.path, "allocate memory for the records of")(source)
    }

    /// The block of a slot, the index of the slot in it, and the number of its slots.
    pub(crate) fn find(&self, slot: u64) -> Result<(usize, usize, usize)> {
        let layers = &self.description.layers;
        let layer = layers.partition_point(|layer| layer.end <= slot);
        if layer == layers.len() {
            let slots = self.description.slots();
            let why = match slot {
                u64::MAX => {
                    "the table does not contain this position, because play cannot lead to it"
                        .to_owned()
                }
                slot => format!("slot {slot} is out of range: the table has {slots} slots"),
            };
            return Err(TableError::refused(&self.path, format!(": {why}")));
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
    pub(crate) fn records(&self, slots: Range<u64>) -> Result<Vec<Record>> {
        let (number, ..) = self.find(slots.start)?;
        Ok(self.block(number)?.records().collect())
    }

    /// The blocks of some slots, which are those of whole layers.
    pub(crate) fn blocks_of(&self, slots: &Range<u64>) -> Vec<usize> {
        self.blocks_with(|block| slots.start <= block.start && block.end <= slots.end)
    }

    /// The blocks whose range of slots is wanted.
    pub(crate) fn blocks_with(&self, wanted: impl Fn(&Range<u64>) -> bool) -> Vec<usize> {
        let is_wanted = |number: &usize| wanted(&self.blocks[*number].slots);
        (0..self.blocks()).filter(is_wanted).collect()
    }

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
    pub fn block(&self, number: usize) -> Result<Block<'_>> {
        let entry = &self.blocks[number];
        Ok(Block {
            slots: entry.slots.clone(),
            width: self.description.value_bytes.into(),
            planes: self.planes(number)?,
        })
    }

    /// The stored bytes of a block, compared with its checksum on first access.
    fn stored(&self, number: usize) -> Result<&[u8]> {
        let entry = &self.blocks[number];
        if !entry.checked.load(Relaxed) {
            let (range, part) = (entry.bytes.clone(), part(number, entry));
            let checked = check(&self.bytes, range, entry.checksum, &self.path, &part);
            checked.map_err(|fault| self.told(fault))?;
            entry.checked.store(true, Relaxed);
        }
        Ok(&self.bytes[entry.bytes.clone()])
    }

    /// The first part that does not match its checksum.
    pub(crate) fn damaged_part(&self) -> Option<String> {
        let damaged = |number: &usize| {
            let is_damaged = self.stored(*number).is_err();
            self.forget(*number);
            is_damaged
        };
        let first = (0..self.blocks()).find(damaged);
        first.map(|number| part(number, &self.blocks[number]))
    }

    fn planes(&self, number: usize) -> Result<Cow<'_, [u8]>> {
        let invalid = |what: String| {
            let block = part(number, &self.blocks[number]);
            let what = format_args!("{block} {what}");
            self.told(TableError::invalid(&self.path, what))
        };
        let (stored, slots) = (self.stored(number)?, self.slots_of(number));
        let slots = usize::try_from(slots.end - slots.start).unwrap_or(usize::MAX);
        let width = usize::from(self.description.value_bytes);
        let (found, expected) = (stored.len(), slots * (2 * width + 1));
        if self.description.encoding == Encoding::Raw {
            if found != expected {
                return Err(invalid(format!("has {found} bytes instead of {expected}")));
            }
            return Ok(Cow::Borrowed(stored));
        }
        let packed = zstd::bulk::decompress(stored, expected)
            .map_err(|e| invalid(format!("does not decompress: {e}")))?;
        let planes = unpack(&packed, slots, width);
        let planes = planes.ok_or_else(|| invalid(format!("does not unpack to {slots} records")));
        planes.map(Cow::Owned)
    }

    /// The planes of a block of a packed table, decoded unless they are kept.
    fn decoded(&self, number: usize) -> Result<Arc<Vec<u8>>> {
        // A panic cannot leave the cache inconsistent.
        let held = || locked(&self.cache);
        if let Some(known) = held().get(&number) {
            return Ok(Arc::clone(known));
        }
        // Decoded without the lock: at worst twice.
        let planes = Arc::new(self.planes(number)?.into_owned());
        let mut held = held();
        held.insert(number, Arc::clone(&planes));
        if held.len() > CACHED {
            held.shift_remove_index(0);
        }
        Ok(planes)
    }

    /// The record of a slot.
    ///
    /// # Errors
    /// If the slot is out of range, or its block is damaged.
    pub fn record(&self, slot: u64) -> Result<Record> {
        let (number, at, count) = self.find(slot)?;
        let width = self.description.value_bytes.into();
        if self.description.encoding == Encoding::Raw {
            return Ok(record_in(&self.planes(number)?, width, count, at));
        }
        Ok(record_in(&self.decoded(number)?, width, count, at))
    }

    /// Gives the memory of a block back to the system, if it is mapped. The block is read from
    /// the file again when it is needed.
    pub(crate) fn forget(&self, number: usize) {
        self.bytes.forget(self.blocks[number].bytes.clone());
    }

    pub(crate) fn forget_all(&self) {
        self.bytes.forget(0..self.bytes.len());
    }

    pub(crate) fn forget_slots(&self, slots: RangeInclusive<u64>) {
        if let (Ok((first, ..)), Ok((last, ..))) =
            (self.find(*slots.start()), self.find(*slots.end()))
        {
            (first..=last).for_each(|number| self.forget(number));
        }
    }

    pub(crate) fn best(&self, slot: u64) -> Result<Value> {
        if self.description.encoding != Encoding::Raw {
            return Ok(self.record(slot)?.best());
        }
        let (number, at, _) = self.find(slot)?;
        let width = usize::from(self.description.value_bytes);
        Ok(decode(&self.planes(number)?[at * width..(at + 1) * width]))
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

    /// The error for a state whose value is not that of its best move.
    pub(crate) fn contradiction<G: Game>(&self, game: &G, state: &G::State) -> TableError {
        let position = game.format_state(state);
        let what = format_args!(
            "the value of {position} is not that of its best move (run 'tesuji verify' to find all such records)"
        );
        self.told(TableError::invalid(&self.path, what))
    }
}

/// Compares a range of a file with its checksum. `part` names it in the error message.
fn check(bytes: &[u8], range: Range<usize>, expected: u64, path: &Path, part: &str) -> Result<()> {
    let found = xxh3_64(&bytes[range.clone()]);
    if found == expected {
        return Ok(());
    }
    let Range { start, end } = range;
    let why = format!(
        ": {part} (bytes {start} to {end}) is damaged: its checksum is {found:016x} instead of {expected:016x}; copy the file or solve the game again"
    );
    Err(TableError::refused(path, why))
}

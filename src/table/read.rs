//! Opening tables.

use std::fs::{self, File};
use std::io;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::error::TableError;
use super::format::{
    DENSE_VERSION, Description, Encoding, Entry, LayerDescription, MAGIC, PREAMBLE, VERSION,
    read_directory,
};
use super::lookup::Cache;
use super::write::{ValueWidth, Written};
use crate::game::Ranked;

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
/// println!("{}, {} slots", table.description().game, table.description().slots());
/// println!("{}", table.record(0)?.best());
/// # Ok::<(), tesuji::table::TableError>(())
/// ```
#[derive(Debug)]
pub struct Table {
    pub(super) path: PathBuf,
    pub(super) bytes: Bytes,
    /// The file that is mapped.
    file: Option<MappedFile>,
    pub(super) description: Description,
    pub(super) blocks: Vec<Entry>,
    /// First block of each layer.
    pub(super) firsts: Vec<usize>,
    pub(super) cache: Cache<usize, Vec<u8>>,
}

/// Number of decoded blocks kept for access at random to a compressed table.
const CACHED: usize = 256;

#[derive(Debug)]
pub(super) enum Bytes {
    Map(Mmap),
    Owned(Vec<u8>),
}

/// A file that is mapped, and what was said of it when it was opened.
#[derive(Debug)]
struct MappedFile {
    file: File,
    length: u64,
    modified: Option<SystemTime>,
}

impl MappedFile {
    fn new(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self {
            length: metadata.len(),
            // Some file systems do not know.
            modified: metadata.modified().ok(),
            file,
        })
    }

    fn is_unchanged(&self) -> bool {
        let now = self.file.metadata();
        now.is_ok_and(|now| (now.len(), now.modified().ok()) == (self.length, self.modified))
    }
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

impl Table {
    /// Opens a table file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a table, or its preamble or footer is damaged.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let at = || path.to_owned();
        // To open a pipe would wait for somebody to write to it.
        if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
            return Err(TableError::NotATable { path: at() });
        }
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::Missing { path: at() },
            _ => TableError::io(path, "open")(error),
        })?;
        let metadata = file.metadata().map_err(TableError::io(path, "read"))?;
        if metadata.is_dir() {
            return Err(TableError::Folder { path: at() });
        }
        if metadata.len() == 0 {
            return Err(TableError::NotATable { path: at() });
        }
        // SAFETY: the map is read-only. If another process changes the file meanwhile,
        // bytes may change after they were checked; the values read would be wrong, but
        // every index into the map is bounds-checked. If it truncates the file, the
        // system ends this process when it reads past the new end. `expect_unchanged` asks
        // at the end.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::io(path, "map"))?;
        let file = MappedFile::new(file).map_err(TableError::io(path, "read"))?;
        let mut table = Self::read(Bytes::Map(map), path)?;
        table.file = Some(file);
        Ok(table)
    }

    /// Checks that the file is still what it was when it was opened. Blocks are compared with
    /// their checksums when they are first read, and may change afterwards; what was found in
    /// a table that has changed may be wrong.
    ///
    /// # Errors
    /// [`TableError::Changed`] if its length or the time of its last change is another.
    pub fn expect_unchanged(&self) -> Result<(), TableError> {
        match &self.file {
            Some(file) if !file.is_unchanged() => Err(TableError::Changed {
                path: self.path.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Opens a table in memory. `path` names it in error messages.
    ///
    /// # Errors
    /// If the bytes are not a table, or its preamble or footer is damaged.
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
        match short(8) {
            VERSION => {}
            DENSE_VERSION => return Err(TableError::Dense { path }),
            found => {
                let known = VERSION;
                return Err(TableError::Version { path, found, known });
            }
        }
        let expected = number(16).saturating_add(number(24));
        if expected != found || number(16) < PREAMBLE as u64 {
            return Err(TableError::Length {
                path,
                expected,
                found,
            });
        }
        // At most the length of the file, which is in memory or mapped.
        let from = usize::try_from(number(16)).unwrap_or(usize::MAX);
        check(&bytes, from..bytes.len(), number(32), &path, || {
            "the footer".to_owned()
        })?;
        let invalid = |what: String| TableError::Invalid {
            path: path.clone(),
            what,
        };
        let described = bytes[from..]
            .get(..short(12) as usize)
            .ok_or_else(|| invalid("the description is longer than the footer".to_owned()))?;
        let description: Description = serde_json::from_slice(described)
            .map_err(|e| invalid(format!("the description cannot be read ({e})")))?;
        if let Some(what) = description.fault() {
            return Err(invalid(what));
        }
        let directory = &bytes[from + described.len()..];
        let (blocks, firsts) = read_directory(directory, &description, from).map_err(invalid)?;
        Ok(Self {
            path,
            bytes,
            file: None,
            description,
            blocks,
            firsts,
            cache: Cache::new(CACHED),
        })
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
    ) -> Result<Self, TableError> {
        let file = File::open(path).map_err(TableError::io(path, "open"))?;
        // SAFETY: see `open`. The writer only appends after the blocks that are read here.
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
                TableError::Invalid { path, what }
            })?;
        Ok(Self {
            path: path.to_owned(),
            bytes: Bytes::Map(map),
            file: None,
            description,
            blocks,
            firsts,
            cache: Cache::new(CACHED),
        })
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The description of the table.
    #[must_use]
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// The size of the file in bytes.
    pub(crate) fn file_size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Bytes of the blocks of each layer.
    pub(crate) fn bytes_by_layer(&self) -> Vec<u64> {
        let ends = self.firsts.iter().skip(1).copied();
        let ends = ends.chain([self.blocks.len()]);
        let bytes = |(&first, end): (&usize, usize)| {
            let blocks = self.blocks[first..end].iter();
            blocks.map(|entry| entry.bytes.len() as u64).sum()
        };
        self.firsts.iter().zip(ends).map(bytes).collect()
    }

    /// Number of blocks.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Checks that the table belongs to this game.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if it belongs to another one, and [`TableError::Invalid`] if
    /// its number of slots is wrong.
    pub fn expect_game<G: Ranked>(&self, game: &G) -> Result<(), TableError> {
        let expected = game.spec();
        if expected != self.description.game {
            return Err(TableError::OtherGame {
                path: self.path.clone(),
                expected,
                found: self.description.game.clone(),
            });
        }
        if game.slots() != self.description.slots() {
            return Err(TableError::Invalid {
                path: self.path.clone(),
                what: format!(
                    "the table has {} slots, but the game has {}",
                    self.description.slots(),
                    game.slots()
                ),
            });
        }
        Ok(())
    }
}

/// Compares a range of a file with its checksum. `part` names it in the error message.
pub(super) fn check(
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

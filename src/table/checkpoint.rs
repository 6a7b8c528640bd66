//! Checkpoints of a solve: what has been written of the table so far, and the
//! group of layers that is being solved.
//!
//! # Format, version 1
//! Magic `89 54 53 43 0d 0a 1a 0a` (`.TSC` and line ends), then sections. Each is its
//! length (`u64`), its checksum (XXH3, 64 bits) and its bytes; numbers are
//! little-endian. The sections are a JSON object ([`Head`]), the table's directory and
//! leaves so far, and if a group is under way, the distances at which its chunks
//! have news (`u64` words), its symmetric positions (slot `u64`, code of the floor
//! `u32`, all ones for none), and its cells: stretches of 262,144, sorted into
//! planes of bytes and compressed with Zstandard.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::write::Written;
use super::{ENTRY, Encoding};
use crate::solve::{Cell, Cells, Snapshot, Stage};

const MAGIC: [u8; 8] = *b"\x89TSC\r\n\x1a\n";
/// Cells of one section.
const STRETCH: usize = 1 << 18;
/// Sections that are compressed together.
const AHEAD: usize = 16;
/// No section is longer; a longer one is damage.
const LONGEST_SECTION: u64 = 1 << 36;

/// Why a checkpoint cannot be written or read. Every variant names the file.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what it was when it was written.
    #[error("the checkpoint {} is damaged: {part} (from byte {from}) {what}; remove this file, and the same command goes on from what else was kept", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part, e.g. `section 3`.
        part: String,
        /// First byte of the part.
        from: u64,
        /// What is wrong with it.
        what: String,
    },
}

/// The JSON object at the head of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Version of the format.
    pub version: u32,
    /// Spec of the game.
    pub game: String,
    /// Bytes of a value: 1 or 2.
    pub value_bytes: u8,
    /// How the table's blocks are stored.
    pub encoding: Encoding,
    /// Compression level.
    pub level: i32,
    /// Groups of layers whose records the table holds.
    pub groups: usize,
    /// The next slot that the table has to get.
    pub next: u64,
    /// Bytes of the table so far.
    pub offset: u64,
    /// The group under way, if any.
    pub stage: Option<StageHead>,
}

/// The group under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageHead {
    /// The distance that the next pass tells.
    pub depth: u16,
    /// The furthest distance known so far.
    pub furthest: u16,
    /// Whether some value is irregular.
    pub irregular: bool,
    /// Number of cells.
    pub cells: u64,
}

/// The version written and read here.
pub const CHECKPOINT_VERSION: u32 = 1;

/// A checkpoint without its cells.
#[derive(Debug)]
pub struct Checkpoint {
    /// What it is a checkpoint of.
    pub head: Head,
    /// The state of the table's writer.
    pub(super) written: Written,
}

impl Checkpoint {
    /// Puts a checkpoint at `path`, in place of the one that may be there.
    ///
    /// # Errors
    /// If writing fails; an older checkpoint is then still there.
    pub fn write<W: Cell>(
        path: &Path,
        mut head: Head,
        written: &Written,
        snapshot: Option<&Snapshot<'_, W>>,
    ) -> Result<(), CheckpointError> {
        let io = |action| {
            move |source| CheckpointError::Io {
                path: path.to_owned(),
                action,
                source,
            }
        };
        head.stage = snapshot.map(|snapshot| StageHead {
            depth: snapshot.stage().depth,
            furthest: snapshot.stage().furthest,
            irregular: snapshot.stage().irregular,
            cells: snapshot.cells().cells().len() as u64,
        });
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = path.with_file_name(name);
        let file = File::create(&new).map_err(io("write"))?;
        let mut sink = BufWriter::with_capacity(1 << 20, file);
        let mut put = || -> io::Result<()> {
            sink.write_all(&MAGIC)?;
            section(&mut sink, &serde_json::to_vec(&head)?)?;
            section(&mut sink, &written.directory)?;
            let leaves: Vec<u8> = written
                .leaves
                .iter()
                .flat_map(|l| l.to_le_bytes())
                .collect();
            section(&mut sink, &leaves)?;
            if let Some(snapshot) = snapshot {
                write_stage(&mut sink, snapshot)?;
            }
            sink.flush()?;
            sink.get_ref().sync_all()
        };
        let done = put().and_then(|()| fs::rename(&new, path));
        done.map_err(|source| {
            let _ = fs::remove_file(&new);
            io("write")(source)
        })
    }

    /// Reads the checkpoint at `path`; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read or is damaged anywhere.
    pub fn read<W: Cell>(
        path: &Path,
    ) -> Result<Option<(Self, Option<(Stage, Cells<W>)>)>, CheckpointError> {
        let Some((mut reader, head, written)) = open(path)? else {
            return Ok(None);
        };
        let begun = match &head.stage {
            Some(stage) => Some(reader.stage::<W>(head.groups, stage)?),
            None => None,
        };
        reader.end()?;
        Ok(Some((Self { head, written }, begun)))
    }

    /// Reads only what the checkpoint at `path` is of; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read or its head is damaged.
    pub fn peek(path: &Path) -> Result<Option<Head>, CheckpointError> {
        Ok(open(path)?.map(|(_, head, _)| head))
    }

    /// The state of the table's writer.
    #[must_use]
    pub fn written(self) -> Written {
        self.written
    }
}

fn section(sink: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    sink.write_all(&(bytes.len() as u64).to_le_bytes())?;
    sink.write_all(&xxh3_64(bytes).to_le_bytes())?;
    sink.write_all(bytes)
}

fn write_stage<W: Cell>(sink: &mut impl Write, snapshot: &Snapshot<'_, W>) -> io::Result<()> {
    let stage = snapshot.stage();
    let due: Vec<u8> = stage
        .due
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    section(sink, &due)?;
    let mut symmetric = Vec::with_capacity(stage.symmetric.len() * 12);
    for (slot, floor) in &stage.symmetric {
        symmetric.extend_from_slice(&slot.to_le_bytes());
        symmetric.extend_from_slice(&floor.map_or(u32::MAX, u32::from).to_le_bytes());
    }
    section(sink, &symmetric)?;
    let stretches: Vec<_> = snapshot.cells().cells().chunks(STRETCH).collect();
    for some in stretches.chunks(AHEAD) {
        let packed: Vec<_> = some
            .par_iter()
            .map(|cells| {
                let mut planes = vec![0; cells.len() * size_of::<W::Atom>()];
                for (at, cell) in cells.iter().enumerate() {
                    let bits = W::load(cell).to_le_bytes();
                    for (plane, byte) in bits.iter().take(size_of::<W::Atom>()).enumerate() {
                        planes[plane * cells.len() + at] = *byte;
                    }
                }
                zstd::bulk::compress(&planes, 1)
            })
            .collect::<io::Result<_>>()?;
        for bytes in packed {
            section(sink, &bytes)?;
        }
    }
    Ok(())
}

struct Reader<'p> {
    source: BufReader<File>,
    path: &'p Path,
    at: u64,
    number: usize,
}

fn open(path: &Path) -> Result<Option<(Reader<'_>, Head, Written)>, CheckpointError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(CheckpointError::Io {
                path: path.to_owned(),
                action: "read",
                source,
            });
        }
    };
    let mut reader = Reader {
        source: BufReader::with_capacity(1 << 20, file),
        path,
        at: 0,
        number: 0,
    };
    let mut magic = [0; 8];
    reader.fill(&mut magic)?;
    if magic != MAGIC {
        return Err(reader.damaged("is not the mark of a checkpoint"));
    }
    let json = reader.section()?;
    let head: Head = serde_json::from_slice(&json)
        .map_err(|e| reader.damaged(&format!("is unreadable: {e}")))?;
    if head.version != CHECKPOINT_VERSION {
        return Err(reader.damaged(&format!("is of version {}", head.version)));
    }
    let directory = reader.section()?;
    let leaves = reader.section()?;
    if directory.len() % ENTRY != 0 || leaves.len() != directory.len() / ENTRY * 16 {
        return Err(reader.damaged("does not fit the directory"));
    }
    let written = Written {
        next: head.next,
        offset: head.offset,
        directory,
        leaves: numbers(&leaves, u128::from_le_bytes),
    };
    Ok(Some((reader, head, written)))
}

/// The numbers that `bytes` is made of.
fn numbers<const N: usize, T>(bytes: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&chunk| read(chunk))
        .collect()
}

impl Reader<'_> {
    fn damaged(&self, what: &str) -> CheckpointError {
        CheckpointError::Damaged {
            path: self.path.to_owned(),
            part: format!("section {}", self.number),
            from: self.at,
            what: what.to_owned(),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CheckpointError> {
        self.source.read_exact(bytes).map_err(|source| {
            if source.kind() == io::ErrorKind::UnexpectedEof {
                self.damaged("is cut off")
            } else {
                CheckpointError::Io {
                    path: self.path.to_owned(),
                    action: "read",
                    source,
                }
            }
        })
    }

    fn section(&mut self) -> Result<Vec<u8>, CheckpointError> {
        self.number += 1;
        let (mut length, mut checksum) = ([0; 8], [0; 8]);
        self.fill(&mut length)?;
        self.fill(&mut checksum)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_SECTION {
            return Err(self.damaged("claims an impossible length"));
        }
        // Grows with what is there: a false length cannot ask for all memory.
        let mut bytes = Vec::new();
        let read = (&mut self.source).take(length).read_to_end(&mut bytes);
        read.map_err(|source| CheckpointError::Io {
            path: self.path.to_owned(),
            action: "read",
            source,
        })?;
        if bytes.len() as u64 != length {
            return Err(self.damaged("is cut off"));
        }
        if xxh3_64(&bytes) != u64::from_le_bytes(checksum) {
            return Err(self.damaged("does not have its checksum"));
        }
        self.at += 16 + length;
        Ok(bytes)
    }

    fn stage<W: Cell>(
        &mut self,
        group: usize,
        head: &StageHead,
    ) -> Result<(Stage, Cells<W>), CheckpointError> {
        let due = numbers(&self.section()?, u64::from_le_bytes);
        let symmetric = numbers(&self.section()?, |entry: [u8; 12]| {
            let (slot, floor) = entry.split_at(8);
            let floor = u32::from_le_bytes(floor.try_into().expect("four bytes"));
            (
                u64::from_le_bytes(slot.try_into().expect("eight bytes")),
                u16::try_from(floor).ok(),
            )
        });
        let count = usize::try_from(head.cells).map_err(|_| self.damaged("is too large"))?;
        let cells = Cells::<W>::new(count).map_err(|source| CheckpointError::Io {
            path: self.path.to_owned(),
            action: "find memory for the cells of",
            source,
        })?;
        let mut stretches = cells.cells().chunks(STRETCH);
        loop {
            let some: Vec<_> = stretches.by_ref().take(AHEAD).collect();
            if some.is_empty() {
                break;
            }
            let packed: Vec<_> = some
                .iter()
                .map(|_| self.section())
                .collect::<Result<_, _>>()?;
            let sound = packed.par_iter().zip(&some).all(|(bytes, cells)| {
                let size = cells.len() * size_of::<W::Atom>();
                let Ok(planes) = zstd::bulk::decompress(bytes, size) else {
                    return false;
                };
                if planes.len() != size {
                    return false;
                }
                for (at, cell) in cells.iter().enumerate() {
                    let mut bits = [0; 8];
                    for (plane, byte) in bits.iter_mut().take(size_of::<W::Atom>()).enumerate() {
                        *byte = planes[plane * cells.len() + at];
                    }
                    W::store(cell, u64::from_le_bytes(bits));
                }
                true
            });
            if !sound {
                return Err(self.damaged("or one before it does not decompress"));
            }
        }
        let stage = Stage {
            group,
            depth: head.depth,
            furthest: head.furthest,
            irregular: head.irregular,
            due,
            symmetric,
        };
        Ok((stage, cells))
    }

    fn end(&mut self) -> Result<(), CheckpointError> {
        match self.source.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.damaged("is followed by more bytes")),
            Err(source) => Err(CheckpointError::Io {
                path: self.path.to_owned(),
                action: "read",
                source,
            }),
        }
    }
}

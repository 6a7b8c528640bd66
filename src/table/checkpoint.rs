//! Checkpoints of a solver: the progress of the table, and the group of layers that is
//! being solved.
//!
//! # Format, version 3
//! Magic `89 54 53 43 0d 0a 1a 0a` (`.TSC` and line ends), then sections. Each section has
//! its length (`u64`), its checksum (XXH3, 64 bits) and its bytes. Numbers are
//! little-endian. The sections are:
//!
//! 1. the head, a JSON object ([`Head`]);
//! 2. the directory of the table so far;
//! 3. the leaves of its fingerprint so far (`u128`);
//!
//! and if a group is being solved:
//!
//! 4. for each chunk of positions, the distances still to be visited (`u64` words); by rows,
//!    only those that the passes so far did not lead to at once;
//! 5. the symmetric positions (slot `u64`, code of the floor `u32`, all ones for none), none
//!    by rows;
//! 6. from here on, the working records in runs of 262,144, each run split into planes of
//!    bytes and compressed with Zstandard.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::error::{Result, TableError};
use super::format::{ENTRY, Encoding};
use super::write::Written;
use crate::base::files::{self, Existing, open_ours};
use crate::solve::{Stage, StageHead, Words};

/// The magic number of a checkpoint.
pub(crate) const CHECKPOINT_MARK: [u8; 8] = *b"\x89TSC\r\n\x1a\n";
/// Number of working records in a section.
const STRETCH: usize = 1 << 18;
/// Number of sections compressed in parallel.
const AHEAD: usize = 16;

/// The JSON object at the head of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The version of the format.
    pub version: u32,
    /// The spec of the game.
    pub game: String,
    /// Number of bytes of a value: 1 or 2.
    pub value_bytes: u8,
    /// How the blocks of the table are stored.
    pub encoding: Encoding,
    /// The compression level.
    pub level: i32,
    /// Number of groups of layers that are finished and in the table.
    pub groups: usize,
    /// The next slot to write to the table.
    pub next: u64,
    /// Number of bytes of the table so far.
    pub offset: u64,
    /// The group being solved, if any.
    pub stage: Option<StageHead>,
}

/// The version of the format that this crate writes and reads. Before version 3 wide working
/// records had other fields.
pub const CHECKPOINT_VERSION: u32 = 3;

pub(crate) type PartialGroup = (Stage, Words);

/// A checkpoint with the group being solved, if there is one.
pub(crate) type Found = (Checkpoint, Option<PartialGroup>);

/// A checkpoint without its working records.
#[derive(Debug)]
pub struct Checkpoint {
    /// The game, the settings and the progress.
    pub head: Head,
    /// The progress of the table's writer.
    pub written: Written,
}

impl Checkpoint {
    /// Writes a checkpoint to `path`, replacing an older one. The `next` and the `offset` of
    /// `head` are set from `written`, the `stage` from the group that is begun. The caller must
    /// have claimed the solve.
    ///
    /// # Errors
    /// If writing fails; an older checkpoint then stays as it is.
    pub fn write(
        path: &Path,
        mut head: Head,
        written: &Written,
        begun: Option<(&Stage, &Words)>,
    ) -> Result<()> {
        (head.next, head.offset) = (written.next, written.offset);
        head.stage = begun.map(|(stage, _)| stage.head);
        let put = |sink: &mut BufWriter<&mut File>| -> io::Result<()> {
            sink.write_all(&CHECKPOINT_MARK)?;
            section(sink, &serde_json::to_vec(&head)?)?;
            section(sink, &written.directory)?;
            let leaves = written.leaves.iter().flat_map(|leaf| leaf.to_le_bytes());
            section(sink, &leaves.collect::<Vec<u8>>())?;
            if let Some((stage, records)) = begun {
                write_stage(sink, stage, records)?;
            }
            sink.flush()
        };
        files::write(path, Existing::Replace, |file| {
            put(&mut BufWriter::with_capacity(1 << 20, file)).map_err(TableError::io(path, "write"))
        })
    }
}

fn section(sink: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    sink.write_all(&(bytes.len() as u64).to_le_bytes())?;
    sink.write_all(&xxh3_64(bytes).to_le_bytes())?;
    sink.write_all(bytes)
}

fn write_stage(sink: &mut impl Write, stage: &Stage, records: &Words) -> io::Result<()> {
    let due = stage.due.iter().flat_map(|word| word.to_le_bytes());
    section(sink, &due.collect::<Vec<u8>>())?;
    let mut symmetric = Vec::with_capacity(stage.symmetric.len() * 12);
    for (slot, floor) in &stage.symmetric {
        symmetric.extend_from_slice(&slot.to_le_bytes());
        symmetric.extend_from_slice(&floor.map_or(u32::MAX, u32::from).to_le_bytes());
    }
    section(sink, &symmetric)?;
    let stretches: Vec<_> = (0..records.len()).step_by(STRETCH).collect();
    for some in stretches.chunks(AHEAD) {
        let packed: Vec<Vec<u8>> = some
            .par_iter()
            .map(|&from| {
                let mut bits = vec![0; STRETCH.min(records.len() - from)];
                records.read(from, &mut bits);
                let mut planes = vec![0; bits.len() * records.bytes()];
                for (plane, bytes) in planes.chunks_mut(bits.len()).enumerate() {
                    for (byte, bits) in bytes.iter_mut().zip(&bits) {
                        *byte = bits.to_le_bytes()[plane];
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

/// The longest possible section in bytes; a greater length indicates damage.
const LONGEST_SECTION: usize = 1 << 30;

impl Checkpoint {
    /// Reads the checkpoint at `path`; `None` if there is no such file. `room` makes room for
    /// the working records of a group (its number, and whether it is solved by rows).
    ///
    /// # Errors
    /// If it cannot be read, or any part of it is damaged.
    pub fn read(
        path: &Path,
        room: impl FnOnce(usize, bool) -> io::Result<Words>,
    ) -> Result<Option<Found>> {
        let Some((mut reader, head, written)) = open(path)? else {
            return Ok(None);
        };
        let read = |stage| reader.stage(head.groups, stage, room);
        let begun = head.stage.map(read).transpose()?;
        reader.end()?;
        Ok(Some((Self { head, written }, begun)))
    }

    /// Reads only the head of the checkpoint at `path`; `None` if there is no such file.
    pub(crate) fn peek(path: &Path) -> Result<Option<Head>> {
        Ok(open(path)?.map(|(_, head, _)| head))
    }
}

struct Reader<'p> {
    source: BufReader<File>,
    path: &'p Path,
    /// Where the section begins that is read, and its length; first the magic number.
    at: u64,
    length: u64,
    number: usize,
}

fn open(path: &Path) -> Result<Option<(Reader<'_>, Head, Written)>> {
    let Some(file) = open_ours(path)? else {
        return Ok(None);
    };
    let mut reader = Reader {
        source: BufReader::with_capacity(1 << 20, file),
        path,
        at: 0,
        length: CHECKPOINT_MARK.len() as u64,
        number: 0,
    };
    let mut magic = [0; 8];
    reader.fill(&mut magic)?;
    if magic != CHECKPOINT_MARK {
        return Err(reader.damaged("does not have the magic number of a checkpoint"));
    }
    let head: Head = serde_json::from_slice(&reader.section(LONGEST_SECTION)?)
        .map_err(|e| reader.damaged(&format!("cannot be parsed: {e}")))?;
    if head.version != CHECKPOINT_VERSION {
        return Err(reader.damaged(&format!("has the unsupported version {}", head.version)));
    }
    let directory = reader.section(LONGEST_SECTION)?;
    let leaves = reader.section(LONGEST_SECTION)?;
    if directory.len() % ENTRY != 0 || leaves.len() != directory.len() / ENTRY * 16 {
        return Err(reader.damaged("does not match the directory"));
    }
    let written = Written {
        next: head.next,
        offset: head.offset,
        directory,
        leaves: numbers(&leaves, u128::from_le_bytes),
    };
    Ok(Some((reader, head, written)))
}

/// Splits `bytes` into numbers of `N` bytes each.
fn numbers<const N: usize, T>(bytes: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    let chunks = bytes.as_chunks().0.iter();
    chunks.map(|&chunk| read(chunk)).collect()
}

impl Reader<'_> {
    fn damaged(&self, what: &str) -> TableError {
        TableError::Refused(format!(
            "the checkpoint {} is damaged: section {} (from byte {}) {what}; remove the file and run the same command again, which continues from an earlier checkpoint if there is one",
            self.path.display(),
            self.number,
            self.at
        ))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.source.read_exact(bytes).map_err(|source| {
            if source.kind() == io::ErrorKind::UnexpectedEof {
                self.damaged("is truncated")
            } else {
                TableError::io(self.path, "read")(source)
            }
        })
    }

    /// The next section, of at most `longest` bytes.
    fn section(&mut self, longest: usize) -> Result<Vec<u8>> {
        self.number += 1;
        self.at += self.length;
        let mut head = [[0; 8]; 2];
        self.fill(head.as_flattened_mut())?;
        let [length, checksum] = head.map(u64::from_le_bytes);
        if length > longest as u64 {
            return Err(self.damaged("has an impossible length"));
        }
        // Grows with the bytes read, so that a false length cannot exhaust memory.
        let mut bytes = Vec::new();
        let read = (&mut self.source).take(length).read_to_end(&mut bytes);
        read.map_err(TableError::io(self.path, "read"))?;
        if bytes.len() as u64 != length {
            return Err(self.damaged("is truncated"));
        }
        if xxh3_64(&bytes) != checksum {
            return Err(self.damaged("does not match its checksum"));
        }
        self.length = 16 + length;
        Ok(bytes)
    }

    fn stage(
        &mut self,
        group: usize,
        head: StageHead,
        room: impl FnOnce(usize, bool) -> io::Result<Words>,
    ) -> Result<PartialGroup> {
        let due = numbers(&self.section(LONGEST_SECTION)?, u64::from_le_bytes);
        let symmetric = numbers(&self.section(LONGEST_SECTION)?, |entry: [u8; 12]| {
            let [slot @ .., a, b, c, d] = entry;
            let floor = u32::from_le_bytes([a, b, c, d]);
            (u64::from_le_bytes(slot), u16::try_from(floor).ok())
        });
        let action = "allocate memory for the working records of";
        let mut words = room(group, head.rows).map_err(TableError::io(self.path, action))?;
        let (count, width) = (words.len(), words.bytes());
        if head.words != count as u64 {
            return Err(self.damaged("has the records of another group"));
        }
        let longest = zstd::zstd_safe::compress_bound(STRETCH * width);
        let stretches: Vec<_> = (0..count).step_by(STRETCH).collect();
        for some in stretches.chunks(AHEAD) {
            let packed = some.iter().map(|_| self.section(longest));
            let packed = packed.collect::<Result<Vec<_>>>()?;
            let records = packed
                .par_iter()
                .zip(some)
                .map(|(bytes, from)| unpack(bytes, STRETCH.min(count - from), width))
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| self.damaged("or a section before it does not decompress"))?;
            let can = |bits: &Vec<u64>| words.can_have(bits, head.furthest);
            if !records.par_iter().all(can) {
                return Err(self.damaged("or a section before it has a value that no solver finds"));
            }
            for (&from, bits) in some.iter().zip(records) {
                words.write(from, &bits);
            }
        }
        let stage = Stage {
            group,
            head,
            due,
            symmetric,
        };
        Ok((stage, words))
    }

    fn end(&mut self) -> Result<()> {
        match self.source.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.damaged("is followed by extra bytes")),
            Err(source) => Err(TableError::io(self.path, "read")(source)),
        }
    }
}

/// The working records of a section; `None` if it does not hold `count`.
fn unpack(bytes: &[u8], count: usize, width: usize) -> Option<Vec<u64>> {
    let size = count * width;
    let planes = zstd::bulk::decompress(bytes, size).ok()?;
    if planes.len() != size {
        return None;
    }
    let mut records = vec![0; count];
    for (plane, bytes) in planes.chunks(count).enumerate() {
        for (bits, &byte) in records.iter_mut().zip(bytes) {
            *bits |= u64::from(byte) << (8 * plane);
        }
    }
    Some(records)
}
